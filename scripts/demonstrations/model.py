"""A finding: what `check` reports, in words, and how it is demonstrated over plain sockets."""
import dataclasses
import typing


@dataclasses.dataclass
class Finding:
    # Ids of the checks that find it, as in the profile's known-failures; empty if no check does.
    checks: str
    text: str
    # Takes the running server; returns True if the server behaves as `text` says.
    demonstrate: typing.Callable
