#!/usr/bin/env python3
"""server.py PORT PASSWORD [BUG…]: a small IRC server like those students write for the ft_irc project.

Each BUG is a mistake that such servers often have:

  one-recv-one-line      treats the end of every received chunk as the end of a line
  name-stays-taken       does not free the nickname when a connection ends without QUIT
  empty-parameter        drops the connection if a parameter is empty
  missing-nick           omits the nickname from reply 461
  rename-not-relayed     does not announce a member's new nickname to the channel
"""
import selectors
import socket
import sys

BUGS = ["one-recv-one-line", "name-stays-taken", "empty-parameter", "missing-nick", "rename-not-relayed"]
PARAMETERS = {"PASS": 1, "USER": 4, "JOIN": 1, "PART": 1, "PRIVMSG": 2, "KICK": 2, "INVITE": 2, "TOPIC": 1, "MODE": 1}
LINE_MAX = 510


def word(text):
    """Returns text that is safe in the middle of a reply: without spaces or a leading colon."""
    return text if text and " " not in text and text[0] != ":" else "*"


class Client:
    def __init__(self, connection, host):
        self.connection, self.host = connection, host
        self.nick, self.user, self.knows_password, self.is_registered = "", "", False, False
        self.input, self.output, self.is_closing = b"", b"", False

    @property
    def source(self):
        return f"{self.nick}!{self.user}@{self.host}"


class Channel:
    def __init__(self, name):
        self.name, self.topic, self.key, self.limit = name, "", None, None
        self.members, self.operators, self.invited, self.flags = [], set(), set(), set()


class Server:
    def __init__(self, port, password, bugs):
        self.password, self.bugs = password, bugs
        self.clients, self.names, self.channels = {}, {}, {}
        self.listener = socket.create_server(("127.0.0.1", port), backlog=1024)
        self.listener.setblocking(False)
        self.selector = selectors.DefaultSelector()
        self.selector.register(self.listener, selectors.EVENT_READ)

    def run(self):
        while True:
            for key, events in self.selector.select():
                if key.fileobj is self.listener:
                    self.accept()
                elif client := self.clients.get(key.fileobj):
                    if events & selectors.EVENT_READ:
                        self.read(client)
                    self.write(client)
            for client in [c for c in self.clients.values() if c.output or c.is_closing]:
                self.write(client)

    def accept(self):
        connection, address = self.listener.accept()
        connection.setblocking(False)
        self.clients[connection] = Client(connection, address[0])
        self.selector.register(connection, selectors.EVENT_READ)

    def read(self, client):
        try:
            data = client.connection.recv(65536)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            return self.leave(client, "Connection closed", is_quit=False)
        client.input += data + (b"\n" if "one-recv-one-line" in self.bugs and data[-1:] != b"\n" else b"")
        *lines, client.input = client.input.split(b"\n")
        for line in lines:
            if not client.is_closing:
                self.handle(client, line.rstrip(b"\r")[:LINE_MAX].decode("utf-8", "surrogateescape"))
        if len(client.input) > LINE_MAX + 2:  # the rest of the line is discarded
            client.input = client.input[:LINE_MAX + 2]

    def write(self, client):
        try:
            sent = client.connection.send(client.output) if client.output else 0
        except BlockingIOError:
            sent = 0
        except OSError:
            client.output, sent = b"", 0
            self.leave(client, "Connection lost", is_quit=False)
        client.output = client.output[sent:]
        if client.is_closing and not client.output and client.connection in self.clients:
            del self.clients[client.connection]
            self.selector.unregister(client.connection)
            client.connection.close()
        elif client.connection in self.clients:
            waits = selectors.EVENT_WRITE if client.output else 0
            self.selector.modify(client.connection, selectors.EVENT_READ | waits)

    def leave(self, client, reason, is_quit=True):
        if client.is_closing:
            return
        client.is_closing = True
        self.send(self.others(client), f":{client.source} QUIT :{reason}")
        for channel in list(self.channels.values()):
            self.remove(client, channel)
        if is_quit or "name-stays-taken" not in self.bugs:
            self.names.pop(client.nick.lower(), None)

    def others(self, client):
        seen = {}
        for channel in self.channels.values():
            if client in channel.members:
                seen.update({id(m): m for m in channel.members if m is not client})
        return seen.values()

    def remove(self, client, channel):
        if client in channel.members:
            channel.members.remove(client)
        channel.operators.discard(client)
        channel.invited.discard(client)
        if not channel.members:
            self.channels.pop(channel.name.lower(), None)

    def send(self, clients, line):
        data = line.encode("utf-8", "surrogateescape")[:LINE_MAX] + b"\r\n"
        for client in clients:
            if not client.is_closing:
                client.output += data

    def reply(self, client, code, text):
        self.send([client], f":ft.irc {code} {client.nick or '*'} {text}")

    def handle(self, client, line):
        if line.startswith(":"):
            source, _, line = line.partition(" ")
            if source[1:].split("!")[0].lower() != client.nick.lower():
                return
        head, has_last, last = line.partition(" :")
        command, *parameters = [word for word in head.split(" ") if word] or [""]
        parameters += [last] if has_last else []
        command = command.upper()
        if not command:
            return
        if "empty-parameter" in self.bugs and "" in parameters:
            return self.leave(client, "Server error")
        action = getattr(self, "do_" + command.lower(), None) if command.isalpha() else None
        if not client.is_registered and command not in ["PASS", "NICK", "USER", "QUIT"]:
            self.reply(client, 451, ":You have not registered")
        elif not action:
            self.reply(client, 421, f"{word(command)} :Unknown command")
        elif len(parameters) < PARAMETERS.get(command, 0):
            if "missing-nick" in self.bugs:
                return self.send([client], f":ft.irc 461 {command} :Not enough parameters")
            self.reply(client, 461, f"{command} :Not enough parameters")
        else:
            action(client, parameters)

    def do_pass(self, client, parameters):
        if client.is_registered:
            return self.reply(client, 462, ":You may not reregister")
        client.knows_password = parameters[0] == self.password

    def do_nick(self, client, parameters):
        nick = parameters[0] if parameters else ""
        if not nick:
            return self.reply(client, 431, ":No nickname given")
        if not (nick.isascii() and nick.isalnum() and not nick[0].isdigit() and len(nick) <= 30):
            return self.reply(client, 432, f"{word(nick)} :Erroneous nickname")
        if self.names.get(nick.lower(), client) is not client:
            return self.reply(client, 433, f"{nick} :Nickname is already in use")
        if client.is_registered:
            others = self.others(client) if "rename-not-relayed" not in self.bugs else []
            self.send([client, *others], f":{client.source} NICK :{nick}")
        self.names.pop(client.nick.lower(), None)
        client.nick, self.names[nick.lower()] = nick, client
        self.register(client)

    def do_user(self, client, parameters):
        if client.is_registered:
            return self.reply(client, 462, ":You may not reregister")
        client.user = parameters[0] or client.nick
        self.register(client)

    def register(self, client):
        if client.is_registered or not client.nick or not client.user:
            return
        if not client.knows_password:
            self.reply(client, 464, ":Password incorrect")
            return self.leave(client, "Password incorrect")
        client.is_registered = True
        self.reply(client, "001", f":Welcome {client.source}")

    def do_ping(self, client, parameters):
        if not parameters or not parameters[0]:
            return self.reply(client, 409, ":No origin specified")
        self.send([client], f":ft.irc PONG ft.irc :{parameters[0]}")

    def do_pong(self, client, parameters):
        pass

    def do_quit(self, client, parameters):
        self.send([client], "ERROR :Bye")
        self.leave(client, parameters[0] if parameters else "Quit")

    def channel(self, client, name, must_be_member=True, must_be_operator=False):
        channel = self.channels.get(name.lower())
        if not channel:
            return self.reply(client, 403, f"{word(name)} :No such channel")
        if must_be_member and client not in channel.members:
            return self.reply(client, 442, f"{name} :You're not on that channel")
        if must_be_operator and client not in channel.operators:
            return self.reply(client, 482, f"{name} :You're not channel operator")
        return channel

    def do_join(self, client, parameters):
        keys = dict(enumerate(parameters[1].split(",") if len(parameters) > 1 else []))
        for index, name in enumerate(parameters[0].split(",")):
            if not name.startswith("#") or len(name) < 2 or len(name) > 50:
                self.reply(client, 403, f"{word(name)} :No such channel")
                continue
            channel = self.channels.setdefault(name.lower(), Channel(name))
            if client in channel.members:
                continue
            if "i" in channel.flags and client not in channel.invited:
                self.reply(client, 473, f"{name} :Cannot join channel (+i)")
            elif channel.key is not None and keys.get(index) != channel.key:
                self.reply(client, 475, f"{name} :Cannot join channel (+k)")
            elif channel.limit is not None and len(channel.members) >= channel.limit:
                self.reply(client, 471, f"{name} :Cannot join channel (+l)")
            else:
                if not channel.members:
                    channel.operators.add(client)
                channel.members.append(client)
                self.send(channel.members, f":{client.source} JOIN {name}")
                if channel.topic:
                    self.reply(client, 332, f"{name} :{channel.topic}")
                names = " ".join(("@" if m in channel.operators else "") + m.nick for m in channel.members)
                self.reply(client, 353, f"= {name} :{names}")
                self.reply(client, 366, f"{name} :End of /NAMES list")

    def do_part(self, client, parameters):
        for name in parameters[0].split(","):
            if channel := self.channel(client, name):
                reason = f" :{parameters[1]}" if len(parameters) > 1 else ""
                self.send(channel.members, f":{client.source} PART {channel.name}{reason}")
                self.remove(client, channel)

    def do_privmsg(self, client, parameters, command="PRIVMSG", says_errors=True):
        if not parameters[1]:
            return self.reply(client, 412, ":No text to send") if says_errors else None
        for target in parameters[0].split(","):
            line = f":{client.source} {command} {target} :{parameters[1]}"
            if target.lower() in self.channels:
                channel = self.channels[target.lower()]
                if client in channel.members:
                    self.send([m for m in channel.members if m is not client], line)
                elif says_errors:
                    self.reply(client, 404, f"{word(target)} :Cannot send to channel")
            elif receiver := self.names.get(target.lower()):
                self.send([receiver], line)
            elif says_errors:
                self.reply(client, 401, f"{word(target)} :No such nick/channel")

    def do_notice(self, client, parameters):
        if len(parameters) > 1:
            self.do_privmsg(client, parameters, "NOTICE", says_errors=False)

    def do_topic(self, client, parameters):
        channel = self.channel(client, parameters[0])
        if channel and len(parameters) == 1:
            return self.reply(client, *((332, f"{channel.name} :{channel.topic}") if channel.topic else (331, f"{channel.name} :No topic is set")))
        if channel and "t" in channel.flags and client not in channel.operators:
            return self.reply(client, 482, f"{channel.name} :You're not channel operator")
        if channel:
            channel.topic = parameters[1]
            self.send(channel.members, f":{client.source} TOPIC {channel.name} :{channel.topic}")

    def do_invite(self, client, parameters):
        receiver = self.names.get(parameters[0].lower())
        if not receiver:
            return self.reply(client, 401, f"{word(parameters[0])} :No such nick/channel")
        channel = self.channel(client, parameters[1])
        if not channel:
            return
        if receiver in channel.members:
            return self.reply(client, 443, f"{receiver.nick} {channel.name} :is already on channel")
        if "i" in channel.flags and client not in channel.operators:
            return self.reply(client, 482, f"{channel.name} :You're not channel operator")
        channel.invited.add(receiver)
        self.reply(client, 341, f"{receiver.nick} {channel.name}")
        self.send([receiver], f":{client.source} INVITE {receiver.nick} {channel.name}")

    def do_kick(self, client, parameters):
        channel = self.channel(client, parameters[0], must_be_operator=True)
        for nick in parameters[1].split(",") if channel else []:
            victim = self.names.get(nick.lower())
            if victim not in channel.members:
                self.reply(client, 441, f"{word(nick)} {channel.name} :They aren't on that channel")
                continue
            reason = parameters[2] if len(parameters) > 2 else client.nick
            self.send(channel.members, f":{client.source} KICK {channel.name} {victim.nick} :{reason}")
            self.remove(victim, channel)

    def do_mode(self, client, parameters):
        if parameters[0].lower() == client.nick.lower():
            return self.reply(client, 221, "+")
        channel = self.channel(client, parameters[0], must_be_operator=len(parameters) > 1)
        if not channel:
            return
        if len(parameters) == 1:
            letters = "".join(sorted(channel.flags)) + ("k" if channel.key else "") + ("l" if channel.limit else "")
            return self.reply(client, 324, f"{channel.name} +{letters}")
        sign, rest, done = "+", parameters[2:], ""
        for letter in parameters[1]:
            if letter in "+-":
                sign = letter
            elif letter in "it":
                (channel.flags.add if sign == "+" else channel.flags.discard)(letter)
                done += sign + letter
            elif letter == "l" and sign == "-":
                channel.limit, done = None, done + "-l"
            elif letter in "kol" and not rest:
                self.reply(client, 461, "MODE :Not enough parameters")
            elif letter in "kol":
                self.change(client, channel, sign, letter, rest.pop(0))
            else:
                self.reply(client, 472, f"{word(letter)} :is unknown mode char to me")
        if done:
            self.send(channel.members, f":{client.source} MODE {channel.name} {done}")

    def change(self, client, channel, sign, letter, value):
        if letter == "k":
            channel.key = value if sign == "+" else None
        elif letter == "l":
            if not value.isdecimal() or int(value) < 1:
                return
            channel.limit = int(value)
        else:
            member = self.names.get(value.lower())
            if member not in channel.members:
                return self.reply(client, 441, f"{word(value)} {channel.name} :They aren't on that channel")
            (channel.operators.add if sign == "+" else channel.operators.discard)(member)
        self.send(channel.members, f":{client.source} MODE {channel.name} {sign}{letter} {value}")


if __name__ == "__main__":
    unknown = [bug for bug in sys.argv[3:] if bug not in BUGS]
    if len(sys.argv) < 3 or not sys.argv[1].isdecimal() or unknown:
        sys.exit(__doc__ + (f"\nunknown bug: {', '.join(unknown)}" if unknown else ""))
    try:
        Server(int(sys.argv[1]), sys.argv[2], sys.argv[3:]).run()
    except (OSError, OverflowError) as error:
        sys.exit(f"cannot listen on port {sys.argv[1]}: {error}")
