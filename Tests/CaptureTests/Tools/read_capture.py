"""Reads a capture and prints the lines of its TCP connections as JSON.

It is written independently of Linejudge, to compare with. Its method is also different: it reads
the whole file first, notes for each byte of a stream the packet in which it was captured first, and
then cuts the streams at missing bytes.

Usage: read_capture.py FILE [SERVER_PORT]
"""

import json
import struct
import sys


class Truncated(Exception):
    pass


# --- Files


def take(data, offset, count):
    if offset + count > len(data):
        raise Truncated
    return data[offset : offset + count]


def pcap_packets(data):
    magic = struct.unpack("<I", data[:4])[0]
    order = "<" if magic in (0xA1B2C3D4, 0xA1B23C4D) else ">"
    link = struct.unpack(order + "I", take(data, 20, 4))[0] & 0xFFFF
    offset = 24
    while offset < len(data):
        _, _, count, original = struct.unpack(order + "IIII", take(data, offset, 16))
        yield link, take(data, offset + 16, count), original
        offset += 16 + count


def pcapng_packets(data):
    offset, order, interfaces = 0, "<", []
    while offset < len(data):
        kind = take(data, offset, 4)
        if kind == b"\n\r\r\n":
            order = "<" if take(data, offset + 8, 4) == b"\x4d\x3c\x2b\x1a" else ">"
            interfaces = []
        size = struct.unpack(order + "I", take(data, offset + 4, 4))[0]
        body = take(data, offset, size)[8:-4]
        number = struct.unpack(order + "I", kind)[0]
        if number == 1:
            interfaces.append(struct.unpack(order + "H", body[:2])[0])
        elif number == 6:
            interface, _, _, count, original = struct.unpack(order + "IIIII", body[:20])
            yield interfaces[interface], body[20 : 20 + count], original
        elif number == 3:
            original = struct.unpack(order + "I", body[:4])[0]
            yield interfaces[0], body[4 : 4 + original], original
        offset += size


def packets(data):
    """Yields the number, link type, bytes and cut-off byte count of all whole packets."""
    read = pcapng_packets if data[:4] == b"\n\r\r\n" else pcap_packets
    try:
        for number, (link, packet, original) in enumerate(read(data), 1):
            yield number, link, packet, max(0, original - len(packet))
    except Truncated:
        pass


# --- Packets


def ether(packet, kind, tags=()):
    """Returns the IP packet after an EtherType, and the VLAN tags in front of it."""
    while kind in (0x8100, 0x88A8, 0x9100):
        tag, kind = struct.unpack(">HH", packet[:4])
        packet, tags = packet[4:], tags + ((tag & 0xFFF,) if tag & 0xFFF else ())
    if kind == 0x8864:
        kind = {0x0021: 0x0800, 0x0057: 0x86DD}.get(struct.unpack(">H", packet[6:8])[0])
        packet = packet[8:]
    if kind is not None and kind < 1536:
        kind, packet = struct.unpack(">H", packet[6:8])[0], packet[8:]
    return (packet, tags) if kind in (0x0800, 0x86DD) else (None, tags)


def ethernet(packet):
    return ether(packet[14:], struct.unpack(">H", packet[12:14])[0])


def nflog(packet):
    offset = 4
    while offset + 4 <= len(packet):
        size, kind = struct.unpack("<HH", packet[offset : offset + 4])
        if kind == 9:
            return packet[offset + 4 : offset + size]
        offset += size + (-size) % 4
    return None


def ip_packet(link, packet):
    if link == 1:
        return ethernet(packet)
    if link == 113:
        return ether(packet[16:], struct.unpack(">H", packet[14:16])[0])
    if link == 276:
        return ether(packet[20:], struct.unpack(">H", packet[:2])[0])
    if link in (0, 108):
        return packet[4:], ()
    if link == 9:
        return packet[2:] if packet[:1] == b"\0" else packet[1:], ()
    if link == 239:
        return nflog(packet), ()
    return (packet, ()) if link in (101, 228, 229) else (None, ())


def unwrap(packet, tags, fragments):
    """Returns addresses, TCP segment, stated length and tags; None if it is not a TCP segment."""
    while packet:
        if packet[0] >> 4 == 4:
            size, total = (packet[0] & 15) * 4, struct.unpack(">H", packet[2:4])[0]
            kind, ends = packet[9], (packet[12:16], packet[16:20])
            fragment = struct.unpack(">H", packet[6:8])[0]
            body, count = packet[size : total or None], total - size if total else None
            if fragment & 0x3FFF:
                key = ends + (packet[4:6], tags)
                pieces = fragments.setdefault(key, {})
                pieces.setdefault((fragment & 0x1FFF) * 8, (body, not fragment & 0x2000))
                body = joined(pieces)
                if body is None:
                    return None
                del fragments[key]
                count = len(body)
        elif packet[0] >> 4 == 6:
            total, kind = struct.unpack(">HB", packet[4:7])
            ends, body = (packet[8:24], packet[24:40]), packet[40 : 40 + total if total else None]
            count = total or None
            while kind in (0, 43, 60):
                size = (body[1] + 1) * 8
                kind, body, count = body[0], body[size:], count and count - size
        else:
            return None
        if kind == 6:
            return ends, body, count, tags
        packet, tags = inner(kind, body, tags)
    return None


def inner(kind, body, tags):
    if kind in (4, 41):
        return body, tags
    if kind == 47:
        flags, protocol = struct.unpack(">HH", body[:4])
        size = 4 + sum(4 for bit in (0x8000, 0x2000, 0x1000) if flags & bit)
        if protocol == 0x6558:
            return ethernet(body[size:])
        return ether(body[size:], protocol, tags)
    if kind == 17 and struct.unpack(">H", body[2:4])[0] == 4789:
        packet, tags = ethernet(body[16:])
        return packet, (("network", body[12:15]),) + tags
    return None, tags


def joined(pieces):
    result, done = b"", False
    while len(result) in pieces and not done:
        body, done = pieces[len(result)]
        result += body
    return result if done else None


# --- Streams


class Stream:
    def __init__(self):
        self.start = None
        self.bytes = {}
        # Offset at which a reset ended the line.
        self.cut = None

    def add(self, sequence, data, number):
        if self.start is None:
            self.start = sequence
        # The distance is signed, because sequence numbers wrap.
        offset = (sequence - self.start + 2**31) % 2**32 - 2**31
        for index, byte in enumerate(data):
            if offset + index >= 0:
                self.bytes.setdefault(offset + index, (byte, number))

    def reset(self):
        if self.bytes and self.cut is None:
            self.cut = max(self.bytes) + 1

    def lines(self):
        """Yields the text of each line that is not empty, and the packet with its last byte. The
        packet is None for an unfinished line."""
        run, expected = b"", 0
        for offset in sorted(self.bytes):
            byte, number = self.bytes[offset]
            if offset != expected or offset == self.cut:
                if run:
                    yield run, None
                run = b""
            expected = offset + 1
            run += bytes([byte])
            if byte == 10:
                text = run[:-1].removesuffix(b"\r")
                if text:
                    yield text, number
                run = b""
        if run:
            yield run, None


class Connection:
    def __init__(self, client):
        self.client = client
        self.streams = {True: Stream(), False: Stream()}


def read(path, port):
    table, all_connections, fragments = {}, [], {}
    for number, link, packet, cut in packets(open(path, "rb").read()):
        try:
            packet, tags = ip_packet(link, packet)
            found = packet and unwrap(packet, tags, fragments)
        except (struct.error, IndexError):
            continue
        if not found:
            continue
        ends, segment, count, tags = found
        if len(segment) < 20:
            continue
        source, target, sequence, ack, size, flags = struct.unpack(">HHIIBB", segment[:14])
        one, other = (ends[0], source), (ends[1], target)
        # A tag may be missing in one direction.
        networks = tuple(tag for tag in tags if isinstance(tag, tuple))
        key = (frozenset((one, other)), networks)
        connection = table.get(key)
        data = segment[(size >> 4) * 4 :]
        is_syn, is_reset = bool(flags & 2), bool(flags & 4)
        if connection and is_syn:
            stream = connection.streams[one == connection.client]
            # A retransmitted SYN has the same number.
            if stream.start is not None and stream.start != (sequence + 1) % 2**32:
                connection = None
        if connection is None:
            if not is_syn and not data and not (count or 0) > 20:
                continue
            opened_by_server = bool(flags & 16) if is_syn else source == port
            connection = Connection(other if opened_by_server else one)
            table[key] = connection
            all_connections.append(connection)
        side = one == connection.client
        if is_syn:
            if connection.streams[side].start is None:
                connection.streams[side].start = (sequence + 1) % 2**32
        if flags & 16 and connection.streams[not side].start is None:
            connection.streams[not side].start = ack
        if is_reset:
            for stream in connection.streams.values():
                stream.reset()
        else:
            connection.streams[side].add((sequence + is_syn) % 2**32, data, number)
    return [
        [index, ">" if side else "<", text.decode().replace("\r", "\\r"), packet]
        for index, connection in enumerate(all_connections, 1)
        for side in (True, False)
        for text, packet in connection.streams[side].lines()
    ]


if __name__ == "__main__":
    server_port = int(sys.argv[2]) if len(sys.argv) > 2 else 6667
    for path in sys.argv[1].split(","):
        print(json.dumps(read(path, server_port)))
