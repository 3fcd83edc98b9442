import DialectFiles
import Diagnostics
import LineProtocol
import Testing

@testable import DialectModel

struct SecretArgumentsTests {
    private static let lines: [(String, String, Direction, String)] = [
        ("irc", "PASS hunter2", .fromClient, "PASS ***"),
        ("irc", "PASS :two words", .fromClient, "PASS :***"),
        ("irc", "PASS two words", .fromClient, "PASS ***"),
        (
            "irc", "PASS hunter2\r\nNICK al\r\nOPER al x\r\n", .fromClient,
            "PASS ***\r\nNICK al\r\nOPER al ***\r\n"
        ),
        ("irc", "OPER admin x", .fromClient, "OPER admin ***"),
        ("irc", "oper admin x", .fromClient, "oper admin ***"),
        ("irc", "JOIN #a,#b key,other", .fromClient, "JOIN #a,#b ***"),
        ("irc", "JOIN #a", .fromClient, "JOIN #a"),
        ("irc", "PRIVMSG #a :PASS hunter2", .fromClient, "PRIVMSG #a :PASS hunter2"),
        ("irc", "PASS hunter2", .fromServer, "PASS ***"),
        ("irc", "MODE #a +k hunter2", .fromClient, "MODE #a +k ***"),
        ("irc", ":a MODE #a +k hunter2", .fromServer, ":a MODE #a +k ***"),
        ("irc", ":srv 324 al #a +ntk hunter2", .fromServer, ":srv 324 al #a +ntk ***"),
        ("irc", "MODE #a +o bob", .fromClient, "MODE #a +o bob"),
        ("irc", "MODE #a", .fromClient, "MODE #a"),
        ("irc", "AUTHENTICATE PLAIN", .fromClient, "AUTHENTICATE PLAIN"),
        ("irc", "AUTHENTICATE :plain", .fromClient, "AUTHENTICATE :plain"),
        ("irc", "AUTHENTICATE SCRAM-SHA-256", .fromClient, "AUTHENTICATE SCRAM-SHA-256"),
        ("irc", "AUTHENTICATE *", .fromClient, "AUTHENTICATE *"),
        ("irc", "AUTHENTICATE +", .fromServer, "AUTHENTICATE +"),
        ("irc", "AUTHENTICATE AGEAYg==", .fromClient, "AUTHENTICATE ***"),
        ("irc", "AUTHENTICATE PLAIN AGEAYg==", .fromClient, "AUTHENTICATE ***"),
        ("irc", "AUTHENTICATE PLAINTEXT", .fromClient, "AUTHENTICATE ***"),
        ("irc", "PASS PLAIN", .fromClient, "PASS ***"),
        (
            "irc", "WEBIRC hunter2 gw a.example 192.0.2.1", .fromClient,
            "WEBIRC *** gw a.example 192.0.2.1"
        ),
        (
            "irc", "REGISTER * al@mail.example hunter2", .fromClient,
            "REGISTER * al@mail.example ***"
        ),
        ("irc", "VERIFY al 39gvcdg4", .fromClient, "VERIFY al ***"),
        (
            "irc", ":srv REGISTER SUCCESS al :Welcome", .fromServer,
            ":srv REGISTER SUCCESS al :Welcome"
        ),
        ("irc", "IDENTIFY hunter2", .fromClient, "IDENTIFY ***"),
        ("irc", "IDENTIFY al hunter2", .fromClient, "IDENTIFY ***"),
        ("irc", "NS IDENTIFY hunter2", .fromClient, "NS IDENTIFY ***"),
        ("irc", "NICKSERV identify al hunter2", .fromClient, "NICKSERV identify ***"),
        ("irc", "NS INFO bob", .fromClient, "NS INFO bob"),
        ("irc", "NS SET PASSWORD hunter2", .fromClient, "NS SET PASSWORD ***"),
        ("irc", "NS SET EMAIL al@mail.example", .fromClient, "NS SET EMAIL al@mail.example"),
        (
            "irc", "PRIVMSG NickServ :IDENTIFY hunter2", .fromClient,
            "PRIVMSG NickServ :IDENTIFY ***"
        ),
        (
            "irc", "PRIVMSG nickserv@services.example :  identify  al  x", .fromClient,
            "PRIVMSG nickserv@services.example :  identify  ***"
        ),
        ("irc", "PRIVMSG Q :AUTH al hunter2", .fromClient, "PRIVMSG Q :AUTH ***"),
        ("irc", "NS :IDENTIFY hunter2", .fromClient, "NS :IDENTIFY ***"),
        ("irc", "NS :INFO bob", .fromClient, "NS :INFO bob"),
        ("irc", "NS SASET al PASSWORD hunter2", .fromClient, "NS SASET al PASSWORD ***"),
        ("irc", "CS SET #a MLOCK +ntk hunter2", .fromClient, "CS SET #a MLOCK ***"),
        ("irc", "CS SET #a EMAIL password", .fromClient, "CS SET #a EMAIL password"),
        ("irc", "OPERSERV LOGIN hunter2", .fromClient, "OPERSERV LOGIN ***"),
        ("irc", "OS :LOGIN hunter2", .fromClient, "OS :LOGIN ***"),
        (
            "irc", "PRIVMSG *nickserv :SET password hunter2", .fromClient,
            "PRIVMSG *nickserv :SET password ***"
        ),
        ("irc", ":srv NOTICE * :ID yourself", .fromServer, ":srv NOTICE * :ID yourself"),
        ("irc", "VHOST al hunter2", .fromClient, "VHOST al ***"),
        ("irc", "DIE hunter2", .fromClient, "DIE ***"),
        ("irc", "RESTART hunter2", .fromClient, "RESTART ***"),
        (
            "irc", "SQUERY NickServ :set password hunter2", .fromClient,
            "SQUERY NickServ :set password ***"
        ),
        (
            "irc", "PRIVMSG NickServ :set email a@b.example", .fromClient,
            "PRIVMSG NickServ :set email a@b.example"
        ),
        ("irc", "PRIVMSG NickServ :HELP IDENTIFY", .fromClient, "PRIVMSG NickServ :HELP IDENTIFY"),
        ("irc", "PRIVMSG NickServ IDENTIFY", .fromClient, "PRIVMSG NickServ IDENTIFY"),
        ("irc", "PRIVMSG bob :IDENTIFY yourself", .fromClient, "PRIVMSG bob :IDENTIFY yourself"),
        (
            "irc", "PRIVMSG #NickServ :IDENTIFY yourself", .fromClient,
            "PRIVMSG #NickServ :IDENTIFY yourself"
        ),
        ("smtp", "AUTH LOGIN", .fromClient, "AUTH LOGIN"),
        ("smtp", "AUTH PLAIN AGEAYg==", .fromClient, "AUTH PLAIN ***"),
        ("smtp", "AUTH AGEAYg==", .fromClient, "AUTH ***"),
        ("irc", "OPER hunter2", .fromClient, "OPER ***"),
        (
            "irc", "PRIVMSG NickServ,bob :IDENTIFY hunter2", .fromClient,
            "PRIVMSG NickServ,bob :IDENTIFY ***"
        ),
        (
            "irc", "PRIVMSG bob,NickServ :\u{2}identify\u{2}\thunter2", .fromClient,
            "PRIVMSG bob,NickServ :\u{2}identify\u{2}\t***"
        ),
        (
            "irc", "CPRIVMSG NickServ #a :IDENTIFY hunter2", .fromClient,
            "CPRIVMSG NickServ #a :IDENTIFY ***"
        ),
        ("irc", "AUTHSERV AUTH al hunter2", .fromClient, "AUTHSERV AUTH ***"),
        ("irc", "LOGIN al hunter2", .fromClient, "LOGIN ***"),
        ("redis", "CONFIG SET masterauth hunter2", .fromClient, "CONFIG SET ***"),
        ("redis", "CONFIG GET dir", .fromClient, "CONFIG GET dir"),
        ("teamspeak", "login joe hunter2", .fromClient, "login *** ***"),
        (
            "teamspeak", "clientmove clid=1 cid=2 cpw=a", .fromClient,
            "clientmove clid=1 cid=2 cpw=***"
        ),
        (
            "jsonl", #"{"type":"login","name":"al","password":"hunter2"}"#, .fromClient,
            #"{"type":"login","name":"al","password":"***"}"#
        ),
        ("jsonl", #"{"type":"ping","token":"12"}"#, .fromClient, #"{"type":"ping","token":"12"}"#),
        (
            "jsonl", #"{"type":"other","a":{"authToken":"hunter2"}}"#, .fromServer,
            #"{"type":"other","a":{"authToken":"***"}}"#
        ),
        ("jsonl", #"{"password":"hunter2""#, .fromClient, #"{"password":"***""#),
        ("livechat", "S0001|joe|hunter2|0", .fromClient, "S0001|joe|***|0"),
        (
            "teamspeak", "login client_login_password=a\\sb client_login_name=joe", .fromClient,
            "login client_login_password=*** client_login_name=joe"
        ),
        (
            "nats", #"CONNECT {"user": "joe", "pass" : "x\"y", "auth_token":12, "verbose":true}"#,
            .fromClient,
            #"CONNECT {"user": "joe", "pass" : "***", "auth_token":***, "verbose":true}"#
        ),
        (
            "nats", #"CONNECT {"a":{"jwt":"e30"},"tokens":["t1", "t2"],"name":"pass"}"#,
            .fromClient,
            #"CONNECT {"a":{"jwt":"***"},"tokens":["***", "***"],"name":"pass"}"#
        ),
        ("nats", #"CONNECT {"pass":"unfinished"#, .fromClient, #"CONNECT {"pass":"***"#),
    ]

    @Test(arguments: lines)
    func secretValuesAreMasked(
        _ dialect: String, _ line: String, _ direction: Direction, _ expected: String
    ) throws {
        var secrets = SecretArguments(try DialectLibrary.find(dialect).dialect)
        let masked = secrets.masked(Array(line.utf8), payload: nil, from: direction).line
        #expect(String(decoding: masked, as: UTF8.self) == expected)
    }

    @Test func secretMembersOfJSONObjectsAreMasked() throws {
        let text = """
            name: x
            fields: {json: type}
            commands:
              login:
                from: client
                arguments: [name: text, password: secret text in key auth.pass, more: secret json?]
            """
        let dialect = try DialectReader.dialect(from: SourceText(path: "x.yaml", text: text))
        var secrets = SecretArguments(dialect)
        let line = #"{"auth":{"pass":"a\"b"},"type":"login","more":{"token":1,"x":2},"name":"joe"}"#
        var found: [[UInt8]] = []
        let masked = secrets.masked(Array(line.utf8), payload: nil, from: .fromClient) {
            found.append($0)
        }
        #expect(
            String(decoding: masked.line, as: UTF8.self)
                == #"{"auth":{"pass":"***"},"type":"login","more":{"token":***,"x":2},"name":"joe"}"#
        )
        #expect(found.count == 2)
    }

    @Test func secretsAreReportedAsTheyWereSpelled() throws {
        var secrets = SecretArguments(try DialectLibrary.find("irc").dialect)
        var found: [[UInt8]] = []
        _ = secrets.masked(Array("OPER admin hunter2".utf8), payload: nil, from: .fromClient) {
            found.append($0)
        }
        #expect(found == [Array("hunter2".utf8)])
    }
}
