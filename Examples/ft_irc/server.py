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

PARAMETERS_MIN = {"PASS": 1, "NICK": 1, "USER": 4, "PING": 1, "JOIN": 1, "PART": 1, "TOPIC": 1, "PRIVMSG": 2}
LINE_MAX = 510  # without CR LF
port, password, *bugs = sys.argv[1:]
clients, channels, topics = {}, {}, {}  # by name in lower case; a channel is a list of its members


class Client(asyncio.Protocol):
    nick = user = ""
    input, knows_password, is_registered, has_quit = b"", False, False, False

    def connection_made(self, transport):
        self.transport = transport

    def connection_lost(self, error):
        for members in channels.values():
            if self in members:
                members.remove(self)
                self.announce(members, "QUIT :Connection closed")
        if self.has_quit or "name-stays-taken" not in bugs:
            clients.pop(self.nick.lower(), None)

    def data_received(self, data):
        if "one-recv-one-line" in bugs and not data.endswith(b"\n"):
            data += b"\n"
        *lines, rest = (self.input + data).split(b"\n")
        self.input = rest[:LINE_MAX + 2]  # discards the rest of an overlong line
        for line in lines:
            if not self.transport.is_closing():
                self.handle(line.rstrip(b"\r")[:LINE_MAX].decode("utf-8", "surrogateescape"))

    def send(self, line):
        self.transport.write(line.encode("utf-8", "surrogateescape")[:LINE_MAX] + b"\r\n")

    def reply(self, number, text):
        nick = "" if number == 461 and "missing-nick" in bugs else f" {self.nick or '*'}"
        self.send(f":ft.irc {number}{nick} {text}")

    def announce(self, receivers, line):
        for receiver in receivers:
            receiver.send(f":{self.nick}!{self.user}@localhost {line}")

    def handle(self, line):
        words, has_text, text = line.partition(" :")
        command, *parameters = [word for word in words.split(" ") if word] or [""]
        command = command.upper()
        parameters += [text] if has_text else []
        action = getattr(self, f"do_{command.lower()}", None)
        if not command or command.startswith(":"):
            return  # an empty line, or a line with a source, which only servers may send
        if "empty-parameter" in bugs and "" in parameters:
            self.transport.close()
        elif not self.is_registered and command not in ["PASS", "NICK", "USER", "QUIT"]:
            self.reply(451, ":You have not registered")
        elif self.is_registered and command in ["PASS", "USER"]:
            self.reply(462, ":You may not reregister")
        elif not action:
            self.reply(421, f"{command} :Unknown command")
        elif len(parameters) < PARAMETERS_MIN.get(command, 0):
            self.reply(461, f"{command} :Not enough parameters")
        else:
            action(*parameters)

    def do_pass(self, text, *_):
        self.knows_password = text == password

    def do_nick(self, nick, *_):
        if not (nick.isascii() and nick.isalnum() and nick[0].isalpha() and len(nick) <= 30):
            return self.reply(432, "* :Erroneous nickname")
        if clients.get(nick.lower(), self) is not self:
            return self.reply(433, f"{nick} :Nickname is already in use")
        if self.is_registered:
            rooms = [members for members in channels.values() if self in members]
            receivers = {self} if "rename-not-relayed" in bugs else {self}.union(*rooms)
            self.announce(receivers, f"NICK :{nick}")
        clients.pop(self.nick.lower(), None)
        self.nick = nick
        clients[nick.lower()] = self
        self.register()

    def do_user(self, user, *_):
        self.user = user or "unknown"
        self.register()

    def register(self):
        if self.nick and self.user and not self.knows_password:
            self.reply(464, ":Password incorrect")
            self.transport.close()
        elif self.nick and self.user and not self.is_registered:
            self.is_registered = True
            self.reply("001", ":Welcome")

    def do_ping(self, token, *_):
        self.send(f":ft.irc PONG ft.irc :{token}")

    def do_quit(self, *_):
        self.has_quit = True
        self.transport.close()

    def members(self, name):
        """Returns the members of a channel. If this client is not one of them, refuses the command."""
        if self in channels.get(name.lower(), []):
            return channels[name.lower()]
        self.reply(442, "* :You're not on that channel")

    def do_join(self, name, *_):
        if not name.startswith("#") or " " in name:
            return self.reply(403, "* :No such channel")
        members = channels.setdefault(name.lower(), [])
        if self not in members:
            members.append(self)
            self.announce(members, f"JOIN {name}")
            self.reply(353, f"= {name} :{' '.join(member.nick for member in members)}")
            self.reply(366, f"{name} :End of /NAMES list")

    def do_part(self, name, *_):
        if members := self.members(name):
            self.announce(members, f"PART {name}")
            members.remove(self)

    def do_topic(self, name, topic=None, *_):
        members = self.members(name)
        if members and topic is not None:
            topics[name.lower()] = topic
            self.announce(members, f"TOPIC {name} :{topic}")
        elif members:
            self.reply(332, f"{name} :{topics.get(name.lower(), '')}")

    def do_privmsg(self, target, text, *_):
        if target.lower() in clients:
            clients[target.lower()].send(f":{self.nick}!{self.user}@localhost PRIVMSG {target} :{text}")
        elif members := self.members(target):
            self.announce([member for member in members if member is not self], f"PRIVMSG {target} :{text}")


loop = asyncio.new_event_loop()
loop.run_until_complete(loop.create_server(Client, "127.0.0.1", int(port), backlog=1024))
loop.run_forever()
