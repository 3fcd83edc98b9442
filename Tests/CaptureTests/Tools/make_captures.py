"""Writes captures of random conversations: link types, file formats, damage, order and endings.

The conversations are the same for each seed. The names of the files contain what is special about
them.

Usage: make_captures.py FOLDER [COUNT [SEED]]
"""

import random
import struct
import sys

LINKS = {
    "ethernet": 1, "vlan": 1, "qinq": 1, "priority": 1, "onevlan": 1, "pppoe": 1, "snap": 1,
    "sll": 113, "sll2": 276, "raw": 101, "null": 0, "loop": 108, "ppp": 9, "nflog": 239,
    "ipip": 101, "gre": 101, "grekey": 1, "greframe": 101, "vxlan": 1,
}
FORMATS = ["pcap", "pcapns", "pcapbig", "pcapng", "pcapngbig", "sections", "simple"]
DAMAGE = ["", "", "loss", "loss", "cut", "tail", "noise", "oneway", "midstream"]
ORDER = ["", "swap", "swap", "repeat", "overlap", "conflict", "keepalive", "fragments"]
ENDINGS = ["fin", "serverfin", "halffin", "reset", "resetdata", "lateline", "open", "reuse"]


def checksum(data):
    if len(data) % 2:
        data += b"\0"
    total = sum(struct.unpack(f">{len(data) // 2}H", data))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


# --- Packets


def ipv4(body, source, target, kind=6, identification=1, fragment=0):
    head = struct.pack(
        ">BBHHHBBH4s4s", 0x45, 0, 20 + len(body), identification, fragment, 64, kind, 0, source,
        target)
    return head[:10] + struct.pack(">H", checksum(head)) + head[12:] + body


def ipv6(body, source, target, kind, extensions):
    if extensions:
        body, kind = bytes([kind, 0, 1, 4, 0, 0, 0, 0]) + body, 0
    prefix = bytes.fromhex("20010db8") + bytes(8)
    head = struct.pack(">IHBB", 6 << 28, len(body), kind, 64)
    return head + prefix + source + prefix + target + body


def framed(link, packet, from_client):
    """Adds the headers in front of an IP packet."""
    six = packet[0] >> 4 == 6
    kind = b"\x86\xdd" if six else b"\x08\x00"
    macs = bytes.fromhex("020000000001020000000002")
    outer = (bytes([172, 16, 0, 1]), bytes([172, 16, 0, 2]))
    ppp = b"\x00\x57" if six else b"\x00\x21"
    if link == "vlan":
        return macs + b"\x81\x00\x00\x05" + kind + packet
    if link == "qinq":
        return macs + b"\x88\xa8\x00\x06\x81\x00\x00\x05" + kind + packet
    if link == "priority":
        return macs + b"\x81\x00\x60\x00" + kind + packet
    if link == "onevlan":
        return macs + (b"\x81\x00\x00\x05" if from_client else b"") + kind + packet
    if link == "pppoe":
        size = struct.pack(">H", len(packet) + 2)
        return macs + b"\x88\x64\x11\x00\x00\x01" + size + ppp + packet
    if link == "snap":
        return macs + struct.pack(">H", len(packet) + 8) + b"\xaa\xaa\x03\0\0\0" + kind + packet
    if link == "sll":
        return bytes.fromhex("000000010006") + bytes(8) + kind + packet
    if link == "sll2":
        return kind + bytes(18) + packet
    if link == "null":
        return struct.pack("<I", 30 if six else 2) + packet
    if link == "loop":
        return struct.pack(">I", 24 if six else 2) + packet
    if link == "ppp":
        return (ppp[1:] if from_client else ppp) + packet
    if link == "nflog":
        size = struct.pack("<H", len(packet) + 4)
        return b"\x02\0\0\0" + b"\x05\0\x0a\0x\0\0\0" + size + b"\x09\0" + packet
    if link == "ipip":
        return ipv4(packet, *outer, kind=41 if six else 4)
    if link == "gre":
        return ipv4(b"\0\0" + kind + packet, *outer, kind=47)
    if link == "grekey":
        inner = b"\x30\0" + kind + b"\0\0\0\x07" + b"\0\0\0\x01" + packet
        return macs + b"\x08\x00" + ipv4(inner, *outer, kind=47)
    if link == "greframe":
        return ipv4(b"\0\0\x65\x58" + macs + kind + packet, *outer, kind=47)
    if link == "vxlan":
        inner = b"\x08\0\0\0\0\0\x2a\0" + macs + kind + packet
        udp = struct.pack(">HHHH", 50000, 4789, 8 + len(inner), 0) + inner
        return macs + b"\x08\x00" + ipv4(udp, *outer, kind=17)
    if link == "ethernet":
        frame = macs + kind + packet
        return frame + bytes(max(0, 60 - len(frame)))
    return packet


# --- Conversations


class Conversation:
    """Writes the packets of a TCP connection."""

    def __init__(self, dice, number, case):
        self.dice, self.case = dice, case
        self.client, self.server = bytes([10, 0, number, 1]), bytes([10, 0, 0, 2])
        self.port = 40000 + number
        # Half of all sequence numbers wrap.
        self.next = {True: self.isn(), False: self.isn()}
        self.time = 1_700_000_000_000_000 + number * 1_500
        self.packets = []

    def isn(self):
        return self.dice.choice([self.dice.randrange(2**32), 2**32 - self.dice.randrange(1, 400)])

    def segment(self, client, data=b"", flags=16, sequence=None, kept=None, captured=True):
        """Sends a segment.

        kept: number of data bytes in the capture; None for all.
        """
        self.time += self.dice.randrange(100, 2_000)
        if not captured or self.case["damage"] == "oneway" and not client:
            return
        sequence = self.next[client] if sequence is None else sequence
        ack = self.next[not client] if flags & 16 else 0
        ports = (self.port, 6667) if client else (6667, self.port)
        tcp = struct.pack(
            ">HHIIBBHHH", *ports, sequence % 2**32, ack % 2**32, 0x50, flags, 65535, 0, 0)
        ends = (self.client, self.server) if client else (self.server, self.client)
        for packet in self.ip(tcp + data, *ends, len(data) > 40):
            frame = framed(self.case["link"], packet, client)
            cut = 0 if kept is None else len(data) - kept
            self.packets.append((self.time, frame[: len(frame) - cut], len(frame)))

    def ip(self, segment, source, target, isLong):
        if self.case["order"] == "fragments" and isLong and self.dice.random() < 0.5:
            size = self.dice.choice([24, 32, 40])
            identification = self.dice.randrange(65536)
            pieces = [
                ipv4(
                    segment[start : start + size], source, target, identification=identification,
                    fragment=start // 8 | (0x2000 if start + size < len(segment) else 0))
                for start in range(0, len(segment), size)
            ]
            self.dice.shuffle(pieces)
            return pieces
        if self.case["six"]:
            return [ipv6(segment, source, target, 6, self.dice.random() < 0.3)]
        return [ipv4(segment, source, target)]

    def open(self):
        self.segment(True, flags=2)
        if self.dice.random() < 0.1:
            self.segment(True, flags=2)
        self.next[True] += 1
        self.segment(False, flags=18)
        self.next[False] += 1
        self.segment(True)

    def say(self, client, text):
        """Sends text in segments of random sizes."""
        damage, order, dice = self.case["damage"], self.case["order"], self.dice
        while text:
            size = dice.choice([len(text), dice.randrange(1, len(text) + 1)])
            # Whether CR and LF belong together is clear only if no bytes are missing.
            if damage in ("loss", "cut", "oneway") and text[size - 1 : size + 1] == b"\r\n":
                size += 1
            data, text = text[:size], text[size:]
            start = self.next[client]
            lost = damage == "loss" and dice.random() < 0.12
            kept = None
            if damage == "cut" and len(data) > 8 and dice.random() < 0.2:
                kept = dice.randrange(1, len(data) - 4)
                kept -= data[kept - 1 : kept] == b"\r"
            self.segment(client, data, 24, kept=kept, captured=not lost)
            self.next[client] += len(data)
            if kept is None and not lost:
                self.disturb(client, data, start)
            if dice.random() < 0.6:
                self.segment(not client)

    def disturb(self, client, data, start):
        order, dice = self.case["order"], self.dice
        if order == "repeat" and dice.random() < 0.3:
            self.segment(client, data, 24, sequence=start)
        elif order == "overlap" and len(data) > 4 and dice.random() < 0.4:
            first = dice.randrange(len(data))
            self.segment(client, data[first:], 24, sequence=start + first)
        elif order == "conflict" and dice.random() < 0.3:
            self.segment(client, data.swapcase(), 24, sequence=start)
        elif order == "keepalive" and dice.random() < 0.3:
            self.segment(client, dice.choice([b"", b"\0"]), sequence=self.next[client] - 1)

    def line(self):
        words = ["alpha", "bravo", "charlie", "delta", "PRIVMSG", "#room", ":echo", "7", "~!@$%"]
        count = self.dice.randrange(1, 12)
        text = " ".join(self.dice.choice(words) for _ in range(count)).encode()
        end = b"\n" if self.case["damage"] == "cut" else self.dice.choice([b"\n", b"\r\n"])
        return text + end

    def talk(self, turns):
        for _ in range(turns):
            count = self.dice.randrange(1, 4)
            self.say(self.dice.random() < 0.6, b"".join(self.line() for _ in range(count)))

    def end(self, ending):
        if self.dice.random() < 0.4:
            self.say(self.dice.random() < 0.5, b"unfinished")
        if ending in ("fin", "serverfin", "halffin", "reuse"):
            first = ending != "serverfin"
            self.segment(first, flags=17)
            self.next[first] += 1
            if ending == "halffin":
                return self.say(not first, self.line())
            self.segment(not first, flags=17)
            self.next[not first] += 1
            self.segment(first)
        elif ending == "reset":
            self.segment(self.dice.random() < 0.5, flags=20)
        elif ending == "resetdata":
            self.segment(False, b"reset reason\n", flags=20)
        elif ending == "lateline":
            # A line that was in flight when the server reset the connection.
            self.segment(False, flags=20)
            self.segment(True, self.line(), 24)


def swapped(dice, packets):
    """Swaps neighbours, but not the first packets, which show where the streams begin."""
    index = 4
    while index + 1 < len(packets):
        if dice.random() < 0.25:
            one, other = packets[index], packets[index + 1]
            packets[index] = (one[0],) + other[1:]
            packets[index + 1] = (other[0],) + one[1:]
            index += 1
        index += 1
    return packets


def noise(dice, case):
    """A packet that is not TCP, or is damaged."""
    ends = (bytes([10, 9, 9, 9]), bytes([10, 0, 0, 2]))
    udp = ipv4(struct.pack(">HHHH", 53, 53, 12, 0) + b"text", *ends, kind=17)
    broken = b"\x45" + bytes(12)
    packet = framed(case["link"], dice.choice([udp, broken]), True)
    return packet, len(packet)


def conversations(dice, case):
    packets = []
    for number in range(1, dice.randrange(2, 5)):
        one = Conversation(dice, number, case)
        if case["damage"] != "midstream":
            one.open()
        one.talk(dice.randrange(2, 7))
        one.end(case["ending"])
        if case["ending"] == "reuse":
            one.next = {True: one.next[True] + 100_000, False: one.next[False] + 500_000}
            one.open()
            one.talk(2)
        found = one.packets
        if case["order"] == "swap" and case["ending"] != "reuse":
            found = swapped(dice, found)
        packets += found
    packets.sort(key=lambda packet: packet[0])
    if case["damage"] == "noise":
        for _ in range(6):
            index = dice.randrange(len(packets))
            packets.insert(index, (packets[index][0],) + noise(dice, case))
    return packets


# --- Files


def pcap(packets, link, order, nanoseconds):
    magic = 0xA1B23C4D if nanoseconds else 0xA1B2C3D4
    data = struct.pack(order + "IHHiIII", magic, 2, 4, 0, 0, 262144, link)
    for time, frame, original in packets:
        fraction = time % 1_000_000 * (1000 if nanoseconds else 1)
        data += struct.pack(order + "IIII", time // 1_000_000, fraction, len(frame), original)
        data += frame
    return data


def block(order, kind, body):
    body += bytes(-len(body) % 4)
    size = struct.pack(order + "I", len(body) + 12)
    return struct.pack(order + "I", kind) + size + body + size


def section(packets, link, order, isSimple):
    data = block(order, 0x0A0D0D0A, struct.pack(order + "IHHq", 0x1A2B3C4D, 1, 0, -1))
    data += block(order, 1, struct.pack(order + "HHI", link, 0, 0))
    for time, frame, original in packets:
        head = struct.pack(order + "IIIII", 0, time >> 32, time & 0xFFFFFFFF, len(frame), original)
        if isSimple:
            data += block(order, 3, struct.pack(order + "I", original) + frame)
        else:
            data += block(order, 6, head + frame)
    return data


def file(packets, case):
    link, kind = LINKS[case["link"]], case["format"]
    if kind.startswith("pcapng"):
        data = section(packets, link, ">" if kind == "pcapngbig" else "<", False)
    elif kind == "sections":
        half = len(packets) // 2
        data = section(packets[:half], link, "<", False) + section(packets[half:], link, ">", False)
    elif kind == "simple":
        data = section(packets, link, "<", True)
    else:
        data = pcap(packets, link, ">" if kind == "pcapbig" else "<", kind == "pcapns")
    return data[:-7] if case["damage"] == "tail" else data


def main():
    folder, count = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 200
    dice = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    for index in range(count):
        case = {
            "link": list(LINKS)[index % len(LINKS)], "format": FORMATS[index % len(FORMATS)],
            "six": dice.random() < 0.3, "damage": dice.choice(DAMAGE), "order": dice.choice(ORDER),
            "ending": dice.choice(ENDINGS),
        }
        # Only IPv4 packets are fragmented, and simple packets are never cut off.
        if case["order"] == "fragments" and (case["six"] or case["damage"] == "cut"):
            case["order"] = ""
        if case["format"] == "simple" and case["damage"] == "cut":
            case["damage"] = ""
        # The padding of short frames would be cut off first.
        if case["link"] == "ethernet" and case["damage"] == "cut":
            case["link"] = "vlan"
        words = [case[key] for key in ("link", "format", "damage", "order", "ending") if case[key]]
        name = "-".join([f"{index:03}"] + (["six"] if case["six"] else []) + words)
        with open(f"{folder}/{name}.pcap", "wb") as target:
            target.write(file(conversations(dice, case), case))


main()
