"""Tests the package's WebSocket client and server with an independent implementation.

    python websockets_peer.py client ws://127.0.0.1:PORT   tries a server that echoes
    python websockets_peer.py server                       serves; the first line is its port, the end of input its end
"""

import asyncio
import os
import struct
import sys

from websockets.asyncio.client import connect
from websockets.asyncio.server import serve
from websockets.exceptions import ConnectionClosed

SIZES = [0, 1, 125, 126, 127, 65535, 65536, 1 << 20]
LONGEST = 16 << 20


def frame(first, payload, length=None):
    """Returns a masked frame, which may be invalid."""
    length = len(payload) if length is None else length
    if length < 126:
        head = struct.pack("!BB", first, 0x80 | length)
    elif length < 65536:
        head = struct.pack("!BBH", first, 0xFE, length)
    else:
        head = struct.pack("!BBQ", first, 0xFF, length)
    key = os.urandom(4)
    return head + key + bytes(byte ^ key[index % 4] for index, byte in enumerate(payload))


async def echoes(uri):
    async with connect(uri, max_size=None) as socket:
        for size in SIZES:
            for message in (os.urandom(size), "é" * (size // 2)):
                await socket.send(message)
                assert await socket.recv() == message, f"another message of {size} bytes"
        await socket.send(["in ", "three ", "fragments"])
        assert await socket.recv() == "in three fragments"


async def pings(uri):
    async with connect(uri) as socket:
        for _ in range(20):
            await asyncio.wait_for(await socket.ping(os.urandom(125)), 10)


async def goodbye(uri):
    async with connect(uri) as socket:
        await socket.close(4001, "that is all")
        assert (socket.close_code, socket.close_reason) == (4001, ""), (socket.close_code, socket.close_reason)


async def broken_rules(uri):
    for name, raw, code in [
        ("a reserved bit", frame(0xC1, b"x"), 1002),
        ("a reserved opcode", frame(0x83, b""), 1002),
        ("a frame without a mask", b"\x81\x01x", 1002),
        ("a long ping", frame(0x89, b"x" * 126), 1002),
        ("half a code", frame(0x88, b"\x03"), 1002),
        ("a code that must not be sent", frame(0x88, b"\x03\xed"), 1002),
        ("a continuation of nothing", frame(0x80, b"x"), 1002),
        ("no UTF-8", frame(0x81, b"\xce\xba\xe1\xbd\xb9\xcf\x83\xce\xbc\xce\xb5\xed\xa0\x80"), 1007),
        ("no UTF-8, seen early", frame(0x01, b"\xf4\x90"), 1007),
        ("too long a message", frame(0x82, b"", LONGEST + 1), 1009),
        # The server detects the violation while the rest is in transit. Read the reason before a reset.
        ("a rule broken in a flood", frame(0xC1, b"x") + bytes(4 << 20), 1002),
    ]:
        # Not closed by a context, because the library fails to close a connection that was lost meanwhile.
        socket = await connect(uri)
        await socket.send("before")
        assert await socket.recv() == "before"
        socket.transport.write(raw)
        try:
            await asyncio.wait_for(socket.recv(), 10)
            raise AssertionError(f"{name} is accepted")
        except ConnectionClosed as error:
            assert error.rcvd is not None and error.rcvd.code == code, f"{name}: {error!r}"
        await asyncio.wait_for(socket.wait_closed(), 10)


async def subprotocols(uri):
    async with connect(uri, subprotocols=["one", "phoenix"]) as socket:
        assert socket.subprotocol == "phoenix", socket.subprotocol


async def many(uri):
    async def one(number):
        async with connect(uri) as socket:
            for round in range(10):
                await socket.send(f"{number}.{round}")
                assert await socket.recv() == f"{number}.{round}"

    await asyncio.gather(*(one(number) for number in range(100)))


async def client(uri):
    for check in (echoes, pings, goodbye, broken_rules, subprotocols, many):
        await check(uri)
        print(f"{check.__name__}: fine")


async def answer(socket):
    match socket.request.path:
        case "/echo":
            async for message in socket:
                await socket.send(message)
        case "/fragments":
            await socket.send(["in ", "", "three ☃", " fragments"])
            await socket.send([b"\xff", b"\xfe"])
        case "/ping":
            await asyncio.wait_for(await socket.ping(b"are you there?"), 10)
            await socket.send("ponged")
        case "/goodbye":
            await socket.close(4001, "that is all")
        case "/broken":
            socket.transport.write(b"\x81\x02\xff\xff")
            await socket.wait_closed()
            print(socket.close_code, flush=True)


def refuse(connection, request):
    if request.path == "/refused":
        return connection.respond(401, "Who are you?\n")


def choose(connection, offered):
    return "phoenix" if "phoenix" in offered else None


async def server():
    async with serve(
        answer, "127.0.0.1", 0, select_subprotocol=choose, process_request=refuse, max_size=None
    ) as served:
        print(served.sockets[0].getsockname()[1], flush=True)
        await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(client(sys.argv[2]) if sys.argv[1] == "client" else server())
