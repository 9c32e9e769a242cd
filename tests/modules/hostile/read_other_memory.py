"""Reads the memory of another process.

Control: secret, each turn.
"""

TURNS = 2


class HostileManager:
    def attack(self, *, victim_pid, victim_address, turn):
        if turn:
            with open(f"/proc/{victim_pid}/mem", "rb", buffering=0) as memory:
                memory.seek(victim_address)
                return memory.read(39).decode()
        import ctypes

        class Part(ctypes.Structure):
            _fields_ = [("base", ctypes.c_void_p), ("length", ctypes.c_size_t)]

        room = ctypes.create_string_buffer(39)
        here = Part(ctypes.addressof(room), 39)
        there = Part(victim_address, 39)
        library = ctypes.CDLL(None)
        library.process_vm_readv(victim_pid, ctypes.byref(here), 1, ctypes.byref(there), 1, 0)
        return room.raw.decode()
