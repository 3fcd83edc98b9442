#!/usr/bin/env python3
"""no-dns.py ADDRESS PORT COMMAND...: becomes COMMAND, with a name server beside it that knows nothing.

ircd-hybrid looks up the name of every client and has no option against it. This answers each query
on ADDRESS:PORT at once with "no such name". The answering child dies with the server: by the signal
to the process group, or by the kernel's parent-death signal when the server ends on its own.
"""
import ctypes
import os
import signal
import socket
import sys

PR_SET_PDEATHSIG = 1
NO_SUCH_NAME = b"\x81\x83"  # flags of a DNS answer: response, recursion desired and available, NXDOMAIN


def answer(server, parent):
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    while os.getppid() == parent:
        query, client = server.recvfrom(512)
        if len(query) >= 12:  # a whole header
            server.sendto(query[:2] + NO_SUCH_NAME + query[4:], client)
    os._exit(0)


server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
server.bind((sys.argv[1], int(sys.argv[2])))
parent = os.getpid()
if os.fork() == 0:
    answer(server, parent)
server.close()
os.execvp(sys.argv[3], sys.argv[3:])
