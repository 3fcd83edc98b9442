#!/usr/bin/env python3
"""server.py PORT PASSWORD [BUG…]: a small IRC server like those students write for the ft_irc project.

Each BUG is a mistake that such servers often have:

  one-recv-one-line      treats the end of every received chunk as the end of a line
  name-stays-taken       does not free the nickname when a connection ends without QUIT
  empty-parameter        drops the connection if a parameter is empty
  missing-nick           omits the nickname from reply 461
  rename-not-relayed     does not announce a member's new nickname to the channel
"""
import asyncio
import sys

BUGS = ["one-recv-one-line", "name-stays-taken", "empty-parameter", "missing-nick", "rename-not-relayed"]
PARAMETERS = {"PASS": 1, "USER": 4, "JOIN": 1, "PART": 1, "PRIVMSG": 2, "KICK": 2, "INVITE": 2, "TOPIC": 1, "MODE": 1}
LINE_MAX = 510  # without CR LF
password, bugs, names, channels = "", [], {}, {}  # clients and channels by name in lower case


def word(text):
    """Returns text that is safe in the middle of a reply: without spaces or a leading colon."""
    return text if text and " " not in text and text[0] != ":" else "*"


def send(clients, line):
    for client in clients:
        client.transport.write(line.encode("utf-8", "surrogateescape")[:LINE_MAX] + b"\r\n")


class Refused(Exception):
    """Refuses a command; the arguments are the number and the text of the reply."""


class Channel:
    def __init__(self, name):
        self.name, self.topic, self.key, self.limit, self.flags = name, "", None, None, set()
        self.members, self.operators, self.invited = [], set(), set()

    def remove(self, client):
        self.members = [member for member in self.members if member is not client]
        self.operators.discard(client)
        if not self.members:
            channels.pop(self.name.lower(), None)

    def member(self, nick):
        if (client := names.get(nick.lower())) in self.members:
            return client
        raise Refused(441, f"{word(nick)} {self.name} :They aren't on that channel")


class Client(asyncio.Protocol):
    nick = user = ""
    input, knows_password, is_registered = b"", False, False

    def connection_made(self, transport):
        self.transport, self.host = transport, transport.get_extra_info("peername")[0]

    def data_received(self, data):
        data += b"\n" if "one-recv-one-line" in bugs and data[-1:] != b"\n" else b""
        *lines, rest = (self.input + data).split(b"\n")
        self.input = rest[:LINE_MAX + 2]  # discards the rest of an overlong line
        for line in lines:
            if not self.transport.is_closing():
                self.handle(line.rstrip(b"\r")[:LINE_MAX].decode("utf-8", "surrogateescape"))

    def connection_lost(self, error):
        self.leave("Connection closed", frees_name="name-stays-taken" not in bugs)

    def leave(self, reason, frees_name=True):
        send(self.others(), f":{self.source} QUIT :{reason}")
        for channel in [channel for channel in channels.values() if self in channel.members]:
            channel.remove(self)
        if frees_name and names.get(self.nick.lower()) is self:
            del names[self.nick.lower()]
        self.transport.close()

    @property
    def source(self):
        return f"{self.nick}!{self.user}@{self.host}"

    def others(self):
        return {m for c in channels.values() if self in c.members for m in c.members} - {self}

    def reply(self, code, text):
        send([self], f":ft.irc {code} {self.nick or '*'} {text}")

    def handle(self, line):
        if line.startswith(":"):
            source, _, line = line.partition(" ")
            if source[1:].split("!")[0].lower() != self.nick.lower():
                return
        head, has_last, last = line.partition(" :")
        command, *parameters = [word for word in head.split(" ") if word] or [""]
        parameters, command = parameters + ([last] if has_last else []), command.upper()
        action = getattr(self, f"do_{command.lower()}", None) if command.isalpha() else None
        if "empty-parameter" in bugs and "" in parameters:
            return self.leave("Server error")
        try:
            if command and not self.is_registered and command not in ["PASS", "NICK", "USER", "QUIT"]:
                raise Refused(451, ":You have not registered")
            elif command and not action:
                raise Refused(421, f"{word(command)} :Unknown command")
            elif command and len(parameters) < PARAMETERS.get(command, 0):
                raise Refused(461, f"{command} :Not enough parameters")
            elif command:
                action(*parameters)
        except Refused as refusal:
            code, text = refusal.args
            if code == 461 and "missing-nick" in bugs:
                send([self], f":ft.irc 461 {text}")
            else:
                self.reply(code, text)

    def do_pass(self, text, *_):
        if self.is_registered:
            raise Refused(462, ":You may not reregister")
        self.knows_password = text == password

    def do_nick(self, nick="", *_):
        if not nick:
            raise Refused(431, ":No nickname given")
        if not (nick.isascii() and nick.isalnum() and not nick[0].isdigit() and len(nick) <= 30):
            raise Refused(432, f"{word(nick)} :Erroneous nickname")
        if names.get(nick.lower(), self) is not self:
            raise Refused(433, f"{nick} :Nickname is already in use")
        if self.is_registered:
            others = self.others() if "rename-not-relayed" not in bugs else []
            send([self, *others], f":{self.source} NICK :{nick}")
        names.pop(self.nick.lower(), None)
        self.nick = nick
        names[nick.lower()] = self
        self.register()

    def do_user(self, user, *_):
        if self.is_registered:
            raise Refused(462, ":You may not reregister")
        self.user = user or self.nick
        self.register()

    def register(self):
        if self.is_registered or not self.nick or not self.user:
            return
        if not self.knows_password:
            self.reply(464, ":Password incorrect")
            return self.leave("Password incorrect")
        self.is_registered = True
        self.reply("001", f":Welcome {self.source}")

    def do_ping(self, token="", *_):
        if not token:
            raise Refused(409, ":No origin specified")
        send([self], f":ft.irc PONG ft.irc :{token}")

    def do_pong(self, *_):
        pass

    def do_quit(self, reason="Quit", *_):
        send([self], "ERROR :Bye")
        self.leave(reason)

    def channel(self, name, needs_operator=False):
        """Finds a channel of the client. needs_operator can be the letter of a mode that decides it."""
        channel = channels.get(name.lower())
        if not channel:
            raise Refused(403, f"{word(name)} :No such channel")
        if self not in channel.members:
            raise Refused(442, f"{name} :You're not on that channel")
        if (needs_operator is True or needs_operator in channel.flags) and self not in channel.operators:
            raise Refused(482, f"{name} :You're not channel operator")
        return channel

    def do_join(self, name, key=None, *_):
        if not name.startswith("#") or not 2 <= len(name) <= 50:
            raise Refused(403, f"{word(name)} :No such channel")
        channel = channels.get(name.lower()) or Channel(name)
        if self in channel.members:
            return
        if "i" in channel.flags and self not in channel.invited:
            raise Refused(473, f"{name} :Cannot join channel (+i)")
        if channel.key and key != channel.key:
            raise Refused(475, f"{name} :Cannot join channel (+k)")
        if channel.limit and len(channel.members) >= channel.limit:
            raise Refused(471, f"{name} :Cannot join channel (+l)")
        channels[name.lower()] = channel
        channel.operators |= set() if channel.members else {self}
        channel.members.append(self)
        send(channel.members, f":{self.source} JOIN {name}")
        if channel.topic:
            self.reply(332, f"{name} :{channel.topic}")
        members = " ".join("@" * (m in channel.operators) + m.nick for m in channel.members)
        self.reply(353, f"= {name} :{members}")
        self.reply(366, f"{name} :End of /NAMES list")

    def do_part(self, name, reason="", *_):
        channel = self.channel(name)
        send(channel.members, f":{self.source} PART {channel.name} :{reason}")
        channel.remove(self)

    def do_privmsg(self, target, text, *_, command="PRIVMSG"):
        channel, receiver = channels.get(target.lower()), names.get(target.lower())
        if not text:
            raise Refused(412, ":No text to send")
        if not channel and not receiver:
            raise Refused(401, f"{word(target)} :No such nick/channel")
        if channel and self not in channel.members:
            raise Refused(404, f"{word(target)} :Cannot send to channel")
        receivers = [m for m in channel.members if m is not self] if channel else [receiver]
        send(receivers, f":{self.source} {command} {target} :{text}")

    def do_notice(self, target="", text="", *_):
        try:
            self.do_privmsg(target, text, command="NOTICE")
        except Refused:
            pass  # a NOTICE is never answered

    def do_topic(self, name, topic=None, *_):
        channel = self.channel(name, needs_operator=topic is not None and "t")
        if topic is None:
            code, text = (332, channel.topic) if channel.topic else (331, "No topic is set")
            return self.reply(code, f"{channel.name} :{text}")
        channel.topic = topic
        send(channel.members, f":{self.source} TOPIC {channel.name} :{topic}")

    def do_invite(self, nick, name, *_):
        channel, receiver = self.channel(name, needs_operator="i"), names.get(nick.lower())
        if not receiver:
            raise Refused(401, f"{word(nick)} :No such nick/channel")
        if receiver in channel.members:
            raise Refused(443, f"{nick} {channel.name} :is already on channel")
        channel.invited.add(receiver)
        self.reply(341, f"{nick} {channel.name}")
        send([receiver], f":{self.source} INVITE {nick} {channel.name}")

    def do_kick(self, name, nick, reason="", *_):
        channel = self.channel(name, needs_operator=True)
        for one in nick.split(","):
            victim = channel.member(one)
            send(channel.members, f":{self.source} KICK {channel.name} {victim.nick} :{reason or self.nick}")
            channel.remove(victim)

    def do_mode(self, target, modes="", value="", *_):
        if target.lower() == self.nick.lower():
            return self.reply(221, "+")
        channel, is_set, mode = self.channel(target, needs_operator=bool(modes)), modes[:1] != "-", modes.lstrip("+-")
        if not modes:
            letters = "".join(sorted(channel.flags)) + "k" * bool(channel.key) + "l" * bool(channel.limit)
            return self.reply(324, f"{channel.name} +{letters}")
        if mode not in ["i", "t", "k", "l", "o"]:
            raise Refused(472, f"{word(mode)} :is unknown mode char to me")
        if not value and (mode in "ko" or mode == "l" and is_set):
            raise Refused(461, "MODE :Not enough parameters")
        if mode in "it":
            (channel.flags.add if is_set else channel.flags.discard)(mode)
        elif mode == "k":
            channel.key = value if is_set else None
        elif mode == "l":
            channel.limit = int(value) if is_set and value.isdecimal() else None
        else:
            member = channel.member(value)
            (channel.operators.add if is_set else channel.operators.discard)(member)
        send(channel.members, f":{self.source} MODE {channel.name} {'-+'[is_set]}{mode} {word(value) if value else ''}".rstrip())


async def main():
    server = await asyncio.get_running_loop().create_server(Client, "127.0.0.1", int(sys.argv[1]), backlog=1024)
    await server.serve_forever()


if __name__ == "__main__":
    unknown = [bug for bug in sys.argv[3:] if bug not in BUGS]
    if len(sys.argv) < 3 or not sys.argv[1].isdecimal() or unknown:
        sys.exit(__doc__ + (f"\nunknown bug: {', '.join(unknown)}" if unknown else ""))
    password, bugs = sys.argv[2], sys.argv[3:]
    try:
        asyncio.run(main())
    except (OSError, OverflowError) as error:
        sys.exit(f"cannot listen on port {sys.argv[1]}: {error}")
    except KeyboardInterrupt:
        pass
