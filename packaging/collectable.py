#!/usr/bin/env python3
"""Copies object files and static libraries so that the linker can drop what they do not use.

The Swift compiler marks every public function and constant as retained (SHF_GNU_RETAIN), for code
that looks them up by name at run time. Linejudge contains no such code, so this script clears the
mark on code and constants. The mark stays on Swift's metadata sections, which the runtime searches.

Usage: collectable.py FOLDER < LIST > COPIES

LIST contains the path of one object file or library per line. The script prints the paths of the
copies. Libraries keep their names. Objects are named by their line number in the list, because
objects of different modules can have the same name.
"""
import os
import struct
import sys

RETAIN = 0x200000
SECTIONS = (b".text", b".rodata", b".data")
ARCHIVE, MEMBER_HEADER = b"!<arch>\n", 60


def clear_object(data, start):
    """Clears the mark in the ELF object (64-bit, little-endian) that starts at `start`."""
    if data[start : start + 6] != b"\x7fELF\x02\x01":
        return
    (headers,) = struct.unpack_from("<Q", data, start + 40)
    size, count, names = struct.unpack_from("<HHH", data, start + 58)
    headers += start
    # With 65,280 sections or more, both numbers are in the first section header.
    if count == 0:
        (count,) = struct.unpack_from("<Q", data, headers + 32)
    if names == 0xFFFF:
        (names,) = struct.unpack_from("<I", data, headers + 40)
    (strings,) = struct.unpack_from("<Q", data, headers + names * size + 24)
    for header in range(headers, headers + count * size, size):
        name, _, flags = struct.unpack_from("<IIQ", data, header)
        if flags & RETAIN and data.startswith(SECTIONS, start + strings + name):
            struct.pack_into("<Q", data, header + 8, flags & ~RETAIN)


def clear(data):
    if not data.startswith(ARCHIVE):
        return clear_object(data, 0)
    member = len(ARCHIVE)
    while member < len(data):
        clear_object(data, member + MEMBER_HEADER)
        size = int(data[member + 48 : member + 58])
        member += MEMBER_HEADER + size + size % 2


folder = sys.argv[1]
os.makedirs(folder, exist_ok=True)
for number, line in enumerate(sys.stdin):
    path = line.rstrip("\n")
    with open(path, "rb") as file:
        data = bytearray(file.read())
    clear(data)
    name = os.path.basename(path) if path.endswith(".a") else f"{number}.o"
    copy = os.path.join(folder, name)
    with open(copy, "wb") as file:
        file.write(data)
    print(copy)
