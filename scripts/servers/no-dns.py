#!/usr/bin/env python3
"""no-dns.py ADDRESS PORT COMMAND...: runs COMMAND next to a name server that answers every query with NXDOMAIN.

ircd-hybrid looks up the name of every client, and no option disables that. This process replaces itself
with COMMAND; a child answers queries on ADDRESS:PORT at once. The child ends with the server: by the signal
to the process group, or by the kernel's parent-death signal if the server exits.
"""
import ctypes
import os
import signal
import socket
import sys

PR_SET_PDEATHSIG = 1
NO_SUCH_NAME = b"\x81\x83"  # flags of a DNS response: response, recursion desired and available, NXDOMAIN


def answer(server, parent):
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    while os.getppid() == parent:
        query, client = server.recvfrom(512)
        if len(query) >= 12:  # a complete header
            server.sendto(query[:2] + NO_SUCH_NAME + query[4:], client)
    os._exit(0)


server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
server.bind((sys.argv[1], int(sys.argv[2])))
parent = os.getpid()
if os.fork() == 0:
    answer(server, parent)
server.close()
os.execvp(sys.argv[3], sys.argv[3:])
