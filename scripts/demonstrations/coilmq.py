"""Findings in CoilMQ."""
from .model import Finding
from .wire import Client


def connected(server, name, topic=None):
    """Returns a client that is logged in and has subscribed to the topic, if any."""
    client = Client(server, name, quiet=True)
    client.send(b"CONNECT\naccept-version:1.1\nhost:localhost\n\n\0")
    client.until(rb"content-length:0\n\n", 5)
    if topic:
        client.send(b"SUBSCRIBE\nid:1\ndestination:%s\nreceipt:in\n\n\0" % topic)
        client.until(rb"receipt-id:in\n", 5)
    while client.pull(0.3):
        pass
    client.buffer, client.quiet = b"", False
    return client


def frame(text):
    return b"SEND\ndestination:/topic/tea\ncontent-length:%d\n\n%s\0" % (len(text), text)


def in_pieces(server):
    alice = connected(server, "alice")
    alice.send(frame(b"milk?")[:20])
    return alice.closes(2) is not None


def many(server):
    alice, bob = connected(server, "alice"), connected(server, "bob", b"/topic/tea")
    bob.quiet = True
    alice.send(b"".join(frame(b"message %02d" % number) for number in range(100)))
    while bob.pull(2):
        pass
    are_lost = bob.buffer.count(b"MESSAGE") < 100
    server.note("bob receives some of 100 messages" if are_lost else "bob receives 100 messages")
    return alice.closes(2) is not None and are_lost


FINDINGS = [
    Finding("`frame.seg`, `slow.writer`", "If the headers of a frame arrive in pieces, the server closes the "
            "connection", in_pieces),
    Finding("`pipe.order`", "The same happens if many frames arrive in one write, because the server reads 4096 bytes "
            "at a time", many),
]
