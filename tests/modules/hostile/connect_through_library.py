"""Talks to a TCP listener through the library's clients.

Control: heard, each turn.
"""

from importlib import import_module as load

TURNS = 6


class HostileManager:
    def attack(self, *, tcp_port, turn):
        address = f"http://127.0.0.1:{tcp_port}/mine"
        attempts = [
            lambda: load("urllib.request").urlopen(address, timeout=0.3),
            lambda: load("http.client").HTTPConnection("127.0.0.1", tcp_port, 0.3).request("GET", "/"),
            lambda: load("ftplib").FTP().connect("127.0.0.1", tcp_port, 0.3),
            lambda: load("xmlrpc.client").ServerProxy(address).mine(),
            lambda: load("asyncio").run(self.call(tcp_port)),
            lambda: load("multiprocessing.connection").Client(("127.0.0.1", tcp_port)),
        ]
        attempts[turn]()

    async def call(self, port):
        _, writer = await load("asyncio").open_connection("127.0.0.1", port)
        writer.write(b"mine")
        await writer.drain()
