import DialectModel
import DialectFiles
import LineProtocol
import Testing

@testable import Capture

@Suite struct GuessTests {
    private func guess(_ connection: ScriptedConnection) -> DialectSearch.Candidate? {
        let dialects = DialectLibrary.builtInNames.compactMap { name in
            (try? DialectLibrary.find(name)).map { (name: name, dialect: BoundDialect.of($0)) }
        }
        return DialectSearch.best(connection.capture, among: dialects, ReassemblyOptions())
    }

    @Test(arguments: [
        ("irc", "NICK a\r\nUSER a 0 * :A\r\n", ":s 001 a :Welcome\r\n:s 376 a :End\r\n"),
        ("nats", "CONNECT {}\r\nPING\r\nSUB a 1\r\n", "INFO {}\r\nPONG\r\n"),
        ("msnp", "VER 1 MSNP8 CVR0\r\nUSR 3 TWN I a@b.c\r\n", "VER 1 MSNP8\r\n"),
        ("teamspeak", "use sid=1\nwhoami\n", "TS3\n\rerror id=0 msg=ok\n\r"),
        (
            "memcached", "stats\r\nversion\r\nget key\r\nquit\r\n",
            "STAT pid 1\r\nSTAT uptime 2\r\nEND\r\nVERSION 1.6\r\nEND\r\n"
        ),
        (
            "redis",
            "*1\r\n$4\r\nPING\r\n*2\r\n$3\r\nGET\r\n$1\r\na\r\n*1\r\n$4\r\nPING\r\n",
            "+PONG\r\n$-1\r\n+PONG\r\n-ERR unknown\r\n"
        ),
        (
            "smtp",
            "EHLO client\r\nMAIL FROM:<a@b.c>\r\nRCPT TO:<d@e.f>\r\nDATA\r\nHello\r\n.\r\nQUIT\r\n",
            "220 mail ready\r\n250 hello there\r\n250 ok\r\n250 ok\r\n354 go on\r\n250 ok\r\n221 bye\r\n"
        ),
        (
            "pop3", "USER joe\r\nPASS secret\r\nSTAT\r\nLIST\r\nRETR 1\r\nQUIT\r\n",
            "+OK ready\r\n+OK\r\n+OK\r\n+OK 1 9\r\n+OK\r\n1 9\r\n.\r\n+OK\r\nA: b\r\n\r\nc\r\n.\r\n+OK\r\n"
        ),
        (
            "nntp", "LIST\r\nGROUP misc.test\r\nHELP\r\nQUIT\r\n",
            "200 news ready\r\n215 list follows\r\nmisc.test 3 1 y\r\n.\r\n211 3 1 3 misc.test\r\n100 help\r\n.\r\n205 bye\r\n"
        ),
        (
            "beanstalkd", "use mail\r\nput 0 0 60 2\r\nhi\r\nreserve\r\n",
            "USING mail\r\nINSERTED 1\r\nRESERVED 1 2\r\nhi\r\n"
        ),
        (
            "stomp",
            "CONNECT\naccept-version:1.2\nhost:x\n\n\0SUBSCRIBE\nid:1\ndestination:/a\n\n\0",
            "CONNECTED\nversion:1.2\n\n\0MESSAGE\ndestination:/a\nmessage-id:1\nsubscription:1\n\nhi\0"
        ),
    ])
    func detectsTheDialectThatKnowsTheLines(
        name: String, client: String, server: String
    ) {
        // A port that no dialect uses.
        var connection = ScriptedConnection(server: "10.0.0.2:4000")
        connection.open()
        connection.send(server, fromClient: false)
        connection.send(client)
        #expect(guess(connection)?.name == name)
    }

    @Test(arguments: [
        // FTP.
        (
            "USER anonymous\r\nPASS guest@\r\nTYPE I\r\nLIST\r\nQUIT\r\n",
            "220 ready\r\n331 password please\r\n230 logged in\r\n200 ok\r\n150 list\r\n226 done\r\n221 bye\r\n"
        ),
        // FTP, which upgrades to TLS with a command that SMTP has as well.
        ("AUTH TLS\r\n", "220 ready\r\n234 proceed\r\n"),
        // A listing on an FTP data connection. In Redis, errors start with a hyphen.
        ("", "-rw-r--r-- 1 a b 5 c\r\n-rw-r--r-- 1 a b 5 d\r\n-rw-r--r-- 1 a b 5 e\r\n"),
        // A MUD. Any line is valid in the dialect `mud`, so nothing proves it.
        (
            "create al secret\r\nlook\r\nsay hi\r\n:waves\r\n",
            "Welcome to TinyMUX\r\nLimbo\r\nLimbo\r\nYou say, \"hi\"\r\nal waves\r\n"
        ),
    ])
    func otherProtocolsAreNotDetected(client: String, server: String) {
        var connection = ScriptedConnection(server: "10.0.0.2:4000")
        connection.open()
        connection.send(server, fromClient: false)
        if !client.isEmpty { connection.send(client) }
        #expect(guess(connection)?.name == nil)
    }

    /// The dialect lists few of the server's commands.
    @Test func redisIsDetectedByTheFormOfItsCommands() {
        var connection = ScriptedConnection(server: "10.0.0.2:4000")
        connection.open()
        connection.send("*3\r\n$4\r\nXADD\r\n$1\r\nk\r\n$1\r\n*\r\n")
        connection.send("$3\r\n0-1\r\n", fromClient: false)
        #expect(guess(connection)?.name == "redis")
    }

    @Test func aLongLineCountsAsMuchAsAShortOne() {
        var connection = ScriptedConnection(server: "10.0.0.2:4000")
        connection.open()
        for number in 0..<50 { connection.send("PING \(number)\r\n") }
        connection.send(String(repeating: "x", count: 9_000) + "\r\n")
        connection.send(":srv 001 a :Welcome\r\n", fromClient: false)
        #expect(guess(connection)?.name == "irc")
    }

    @Test func detectsNothingIfNoDialectMatches() {
        var connection = ScriptedConnection(server: "10.0.0.2:4000")
        connection.open()
        connection.send("GET / HTTP/1.1\r\nHost: example.test\r\nAccept: */*\r\n\r\n")
        connection.send("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n", fromClient: false)
        #expect(guess(connection) == nil)
    }
}

@Suite struct AnonymiserTests {
    @Test func replacesNamesAddressesAndHostsWithStablePseudonyms() throws {
        var connection = ScriptedConnection()
        connection.open()
        connection.send("NICK alice\r\nJOIN #secret-room\r\n")
        connection.send(":alice!al@home.example.org JOIN #secret-room\r\n", fromClient: false)
        connection.send("PRIVMSG #secret-room :Alice: mail bob@corp.test or ping 192.168.7.9\r\n")
        connection.send("FROB alice\r\n")
        let dialect = try DialectLibrary.find("irc").dialect
        for isLog in [true, false] {
            let anonymiser = Anonymiser()
            var text: [UInt8]
            if isLog {
                var options = LogOptions()
                options.anonymiser = anonymiser
                text =
                    decode(connection, LogWriter(CollectedText(), dialect, options), dialect)
                    .collected
            } else {
                let writer = JSONLinesWriter(
                    CollectedText(), dialect, showsSecrets: false, anonymiser: anonymiser)
                text = decode(connection, writer, dialect).collected
            }
            let shown = String(decoding: text, as: UTF8.self).lowercased()
            for word in ["alice", "secret-room", "home.example.org", "bob", "192.168", "10.0.0"] {
                #expect(!shown.contains(word), "\(word) in \(shown)")
            }
            #expect(shown.contains("name1: mail person1@mail.example or ping 198.18."))
            #expect(shown.contains("#room1"))
            #expect(anonymiser.counts[.name]?.texts == 2)
            #expect(anonymiser.counts[.email]?.occurrences == 1)
        }
    }

    @Test(arguments: [
        ("at 10.0.0.1:6667", "at 198.18.0.1:6667"),
        ("at [2001:db8::7]:6697.", "at [2001:db8::1]:6697."),
        ("at 2001:db8:0:0:0:0:0:7", "at 2001:db8::1"),
        ("fe80::1%eth0, ::1 and ::ffff:10.0.0.1", "2001:db8::1%eth0, 2001:db8::2 and 2001:db8::3"),
        ("10.0.0.1, then 10.0.0.2.", "198.18.0.1, then 198.18.0.2."),
        ("2001:db8::7: gone", "2001:db8::1: gone"),
        ("tcp:10.9.9.1:80 `10.9.9.2` x|10.9.9.3", "tcp:198.18.0.1:80 `198.18.0.2` x|198.18.0.3"),
        ("{10.9.9.4} http://10.9.9.5/", "{198.18.0.1} http://198.18.0.2/"),
        ("10.9.9.6-10.9.9.7 addr=10.9.9.8", "198.18.0.1-198.18.0.2 addr=198.18.0.3"),
        ("10.9.9.9:6667: gone; tcp:[2001:db8::7]:1", "198.18.0.1:6667: gone; tcp:[2001:db8::2]:1"),
        ("ip_10.9.9.1 abc:10.9.9.2 [10.9.9.1", "ip_198.18.0.1 abc:198.18.0.2 [198.18.0.1"),
        ("v10.9.9.1 10.9.9.1b 10.9.9.1.5", "v10.9.9.1 10.9.9.1b 10.9.9.1.5"),
        ("at 14:58:49 or 2026-11-22T14:58:49", "at 14:58:49 or 2026-11-22T14:58:49"),
        ("a:b:c std::dec 1.2.3 :: : [x] 10.0.0.1.2", "a:b:c std::dec 1.2.3 :: : [x] 10.0.0.1.2"),
    ])
    func recognisesAddresses(text: String, expected: String) {
        let bytes = Anonymiser().value(Array(text.utf8).span, .text)
        #expect(String(decoding: bytes, as: UTF8.self) == expected)
    }

    @Test func aLongWordIsSearchedInLinearTime() {
        for text in [":", "1."] {
            let word = Array(String(repeating: text, count: 1 << 14).utf8)
            #expect(Anonymiser().value(word.span, .text) == word)
        }
    }

    private func decode<Sink: ConversationSink>(
        _ connection: ScriptedConnection, _ sink: Sink, _ dialect: Dialect
    ) -> Sink {
        var decoder = CaptureDecoder(
            MemorySource(connection.capture), sink, BoundDialect(dialect), ReassemblyOptions())
        try? decoder.run()
        decoder.finish()
        return decoder.sink
    }
}
