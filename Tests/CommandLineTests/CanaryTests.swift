import Foundation
import Testing

/// One secret through every command and every output, in every spelling that a server or a report
/// may give it.
struct CanaryTests {
    /// The characters are ones that reports, shells and URLs escape.
    static let canary = "Canary7&<\"Zq\\/%+x'Y"

    /// A server that answers each line with the secret in many spellings.
    private static let server = """
        import base64, html, json, os, socketserver, sys, urllib.parse
        secret = open("canary.txt").read()
        raw = secret.encode()
        wide = secret.encode("utf-16-le")
        quoted = urllib.parse.quote(secret, safe="")
        spellings = [
            secret, "x" + secret + "y", secret.upper(), secret.lower(), json.dumps(secret),
            json.dumps(json.dumps(secret)), html.escape(secret), quoted,
            urllib.parse.quote(quoted, safe=""), raw.hex(),
            raw.hex(" "), raw.hex().upper(), "".join("\\\\x%02x" % byte for byte in raw),
            "".join("%%%02x" % byte for byte in raw), "".join("&#%d;" % byte for byte in raw),
            "".join("\\\\u%04X" % byte for byte in raw), base64.b64encode(raw).decode(),
            base64.urlsafe_b64encode(b"a" + raw).decode(),
            base64.b64encode(b"\\0me\\0" + raw).decode(),
            secret[:8] + "\\r\\n" + secret[8:],
            secret[:8] + "=\\r\\n" + secret[8:], "".join("\\\\%03o" % byte for byte in raw),
            "".join("\\\\x{%x}" % byte for byte in raw),
            "".join("\\\\U%08x" % byte for byte in raw),
            ", ".join("0x%02x" % byte for byte in raw), raw.hex(","), raw.hex("."),
            "  ".join("%02x" % byte for byte in raw), ", ".join(str(byte) for byte in raw),
            " ".join("%03o" % byte for byte in raw), "\\0".join(secret),
            base64.b64encode(base64.b64encode(raw)).decode(), base64.b32encode(raw).decode(),
            base64.b64encode(raw).decode().replace("/", "\\\\/"),
            base64.encodebytes(raw * 4).decode().replace("\\n", "\\r\\n").strip(),
            base64.b64encode(quoted.encode()).decode(), base64.b64encode(wide).decode(),
            urllib.parse.quote(urllib.parse.quote(quoted, safe=""), safe=""),
            html.escape(secret).replace("/", "&sol;").replace("%", "&percnt;"),
            "".join("&#%d" % byte if chr(byte) in "&<>" else chr(byte) for byte in raw),
            # Only the end of a line may cut off a secret.
            "cut " + secret[:12],
        ]
        class Handler(socketserver.StreamRequestHandler):
            def handle(self):
                for line in self.rfile:
                    print("got", line.decode(errors="replace"), *spellings, flush=True)
                    for spelling in spellings:
                        self.wfile.write(b"SAY " + spelling.encode() + b"\\r\\n")
        class Server(socketserver.ThreadingTCPServer):
            allow_reuse_address = True
        with Server(("127.0.0.1", int(sys.argv[1])), Handler) as server:
            server.serve_forever()
        """

    /// Spellings that must not appear in any output, made without the code under test.
    private static let spellings: [String] = {
        let bytes = Array(canary.utf8)
        let hex = bytes.map { String(format: "%02x", $0) }
        // Each has only characters that no report escapes.
        return [
            canary, "Canary7", "Zq\\", hex.joined(), hex.joined(separator: " "),
            hex.joined(separator: "%"), hex.joined(separator: "\\x"),
            Data(bytes).base64EncodedString().dropLast(4).description,
            Data(Array("\0me\0".utf8) + bytes).base64EncodedString().suffix(16).description,
            bytes.map { String(format: "%03o", $0) }.joined(separator: " "),
            bytes.map { String(format: "\\%03o", $0) }.joined(),
            bytes.map { String(format: "x{%x}", $0) }.joined(separator: "\\"),
            bytes.map { String(format: "U%08x", $0) }.joined(separator: "\\"),
            hex.map { "0x\($0)" }.joined(separator: ", "), hex.joined(separator: ","),
            hex.joined(separator: "."), hex.joined(separator: "  "),
            bytes.map { "\($0)" }.joined(separator: ", "),
            Data(Data(bytes).base64EncodedString().utf8).base64EncodedString().prefix(24)
                .description,
            Data(bytes.flatMap { [$0, 0] }).base64EncodedString().prefix(24).description,
        ]
    }()

    static let files = [
        "canary.txt": canary, "server.py": server,
        "say.chat": """
        title     the secret is sent and comes back
        dialect   plain
        operators alice
        secret    password

        alice -> HELLO {{password}} {{base64 "\\0me\\0{{password}}"}}
        alice <- never {{_}}

        """,
        "env.chat": """
        title     a secret of the environment
        dialect   plain
        operators alice
        secret    env.CANARY

        alice -> HELLO {{env.CANARY}}
        alice <- never {{_}}

        """,
        "suggested.chat": """
        title     a secret of the environment, by its name
        dialect   plain
        operators alice

        alice -> HELLO {{env.CANARY_TOKEN}}
        alice <- never {{_}}

        """,
        "rows.chat": """
        title     secrets in rows
        dialect   plain
        operators alice
        secret    pass
        data      "rows.jsonl"

        alice -> HELLO {{pass}}
        alice <- never {{_}}

        """,
        "rows.jsonl":
            #"{"pass": "Canary7&<\"Zq\\/%+x'Y", "user": "al"}"# + "\n",
    ]

    /// Fails for each spelling in the text.
    static func check(_ text: String, _ where: String) {
        for spelling in spellings {
            // A short part may also occur in random words.
            let found = text.range(
                of: spelling, options: spelling.utf8.count < 4 ? [] : .caseInsensitive)
            #expect(
                found == nil,
                """
                \(spelling) in \(`where`): \
                \(found.map { text[$0.lowerBound...].prefix(80) } ?? "")
                """)
        }
    }

    /// Checks the output and every file in the folder that is not part of the test.
    static func check(
        _ outcome: Command.Outcome, _ folder: URL, _ command: String, besides own: Set<String> = []
    ) throws {
        check(outcome.output, "the output of \(command)")
        check(outcome.errors, "the errors of \(command)")
        let paths = FileManager.default.enumerator(atPath: folder.path)
        while let path = paths?.nextObject() as? String {
            if files[path] != nil || own.contains(path) { continue }
            guard let data = try? Data(contentsOf: folder.appending(path: path)) else { continue }
            check(String(decoding: data, as: UTF8.self), "\(path) of \(command)")
        }
    }

    static func reports(_ formats: String...) -> [String] {
        formats.flatMap { ["--report", "\($0)=out.\($0)"] }
    }

    private static func job(_ folder: URL) -> [String: String] {
        [
            "GITHUB_ACTIONS": "true", "CI": "true", "GITHUB_WORKSPACE": folder.path,
            "GITHUB_STEP_SUMMARY": folder.appending(path: "summary.md").path,
        ]
    }

    @Test(arguments: [
        ("say.chat", "LINEJUDGE_SECRET_password"), ("env.chat", "CANARY"),
        ("suggested.chat", "CANARY_TOKEN"), ("rows.chat", "unused"),
    ])
    func runsHideSecrets(_ scenario: String, _ variable: String) async throws {
        for isJob in [false, true] {
            try await Files.with(Self.files) { folder in
                let outcome = try await Command(
                    [
                        "run", scenario, "--exec", "python3 server.py {{port}}", "-vv",
                        "--transcript", "--timeout-step", "300ms",
                    ]
                        + Self.reports(
                            "json", "html", "junit", "tap", "markdown", "github", "sarif", "pretty")
                ).with(
                    environment: [variable: Self.canary]
                        .merging(isJob ? Self.job(folder) : [:]) { $1 }
                ).within(folder).run()
                #expect(outcome.status == 1, "\(outcome.all)")
                #expect(outcome.output.contains("***"), "\(outcome.all)")
                try Self.check(outcome, folder, "run \(scenario)")
                let again = try await Command(
                    "report", "out.json", "--report", "html=again.html", "--report",
                    "junit=again.xml"
                ).within(folder).run()
                #expect([0, 1].contains(again.status), "\(again.all)")
                try Self.check(again, folder, "report")
            }
        }
    }

    @Test func aSecretGivenAsAVariableIsHidden() async throws {
        try await Files.with(Self.files) { folder in
            let outcome = try await Command(
                "run", "say.chat", "--exec", "python3 server.py {{port}}", "-vv", "--transcript",
                "--timeout-step", "300ms", "--var", "password=\(Self.canary)"
            ).within(folder).run()
            #expect(outcome.status == 1, "\(outcome.all)")
            try Self.check(outcome, folder, "run --var")
        }
    }

    /// The heading and errors show the server's command.
    @Test(arguments: [
        "python3 server.py {{port}} Canary7-Zq", "no-such-program Canary7-Zq {{port}}",
    ])
    func commandsOfServersHideSecrets(_ command: String) async throws {
        var files = Self.files
        files["canary.txt"] = "Canary7-Zq"
        try await Files.with(files) { folder in
            let outcome = try await Command(
                "run", "say.chat", "--exec", command, "--timeout-step", "300ms", "--var",
                "password=Canary7-Zq"
            ).within(folder).run()
            #expect(outcome.all.contains("{{port}}"), "\(outcome.all)")
            try Self.check(outcome, folder, "run --exec \(command)")
        }
    }

    /// The server writes the secret in two parts.
    @Test func logsOfServersHideSecrets() async throws {
        let script = """
            printf 'auth Canary'; sleep 0.2; echo '7-Zq ok'
            exec '\(Command.executable.path)' serve --dialect irc --listen 127.0.0.1:$1
            """
        try await Files.with(["server.sh": script]) { folder in
            let outcome = try await Command(
                "check", "--dialect", "irc", "--exec", "sh server.sh {{port}}", "--only",
                "cmd.unknown", "--out", "found", "--var", "password=Canary7-Zq"
            ).within(folder).run()
            #expect(outcome.status == 0, "\(outcome.all)")
            let log = try Files.text(folder.appending(path: "found/server.log"))
            #expect(log.contains("auth *** ok\n"), "\(log)")
        }
    }

    @Test(arguments: ["LINEJUDGE_SECRET_password", ""])
    func checksHideSecretsAndWriteScenariosThatRun(_ variable: String) async throws {
        let word = "Canary7-Zq"
        try await Files.with { folder in
            let server = try Command(
                "serve", "--dialect", "irc", "--fault", "extra-arguments-close"
            ).start()
            let address = try #require(try server.line().split(separator: "/").last)
            var environment = [variable: word]
            environment[""] = nil
            let outcome = try await Command(
                [
                    "check", "--server", "irc://\(address)", "--only", "arity.extra", "--out",
                    "found", "-v",
                ] + (variable.isEmpty ? ["--var", "password=\(word)"] : [])
                    + Self.reports(
                        "json", "html", "junit", "tap", "markdown", "github", "sarif", "pretty")
            ).with(environment: environment.merging(Self.job(folder)) { $1 }).within(folder).run()
            #expect(outcome.status == 1, "\(outcome.all)")
            try Self.check(outcome, folder, "check")
            let names = try FileManager.default.contentsOfDirectory(
                atPath: folder.appending(path: "found").path)
            let name = try #require(names.first { $0.hasSuffix(".chat") }, "\(outcome.all)")
            let text = try Files.text(folder.appending(path: "found/\(name)"))
            #expect(text.contains("secret    password"), "\(text)")
            let run = try await Command(
                "run", "found/\(name)", "--server", "irc://\(address)", "--transcript"
            ).with(environment: ["LINEJUDGE_SECRET_password": word]).within(folder).run()
            #expect(run.status == 1, "\(run.all)")
            #expect(run.output.contains("PASS ***"), "\(run.all)")
            server.send(SIGTERM)
            _ = try await server.outcome()
        }
    }

    @Test func loadsHideSecrets() async throws {
        try await Files.with(Self.files) { folder in
            let outcome = try await Command(
                [
                    "load", "say.chat", "--exec", "python3 server.py {{port}}", "--dialect",
                    "plain",
                    "--operators", "1", "--rate", "5", "--for", "1s", "--drain", "200ms",
                ]
                    + Self.reports(
                        "json", "html", "junit", "markdown", "github", "csv", "pretty")
            ).with(
                environment: ["LINEJUDGE_SECRET_password": Self.canary]
                    .merging(Self.job(folder)) { $1 }
            ).within(folder).run()
            #expect(!outcome.output.isEmpty, "\(outcome.all)")
            try Self.check(outcome, folder, "load")
        }
    }

    /// Lines of a client and a server that contain the secret, also where no argument is secret.
    private static let capture: [UInt8] = {
        let quoted = canary.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        let encoded = Data(Array("\0me\0".utf8) + Array(canary.utf8)).base64EncodedString()
        return CaptureFile.bytes(
            """
            PASS \(canary)\r
            NICK al\r
            PRIVMSG serv :identify \(canary) or x\(canary)y\r
            PRIVMSG serv :\(quoted)\r
            PRIVMSG serv :\(encoded) in base64\r

            """)
    }()

    @Test(arguments: [
        ["--as", "log"], ["--format", "json"], ["--as", "lines"], ["--as", "connections"],
        ["--as", "log", "--secrets"], ["--as", "scenario", "-o", "out.chat"],
        ["--as", "scenario"], ["--as", "latency", "--report", "html=out.html"], ["--stats"],
    ])
    func capturesHideSecrets(_ options: [String]) async throws {
        try await CaptureFile.with(Self.capture) { path in
            try await Files.with { folder in
                let outcome = try await Command(["decode", path, "--dialect", "irc"] + options)
                    .with(environment: ["LINEJUDGE_SECRET_word": Self.canary]).within(folder).run()
                try Self.check(outcome, folder, "decode \(options)")
                guard options.contains("scenario") else { return }
                let text =
                    options.contains("-o")
                    ? try Files.text(folder.appending(path: "out.chat")) : outcome.output
                #expect(text.contains("PASS {{word}}"), "\(text)")
                #expect(text.contains("{{word_encoded"), "\(text)")
            }
        }
    }

    /// Secrets on the command line that are refused for another reason.
    @Test(arguments: [
        ["run", "a.chat", "--server", "irc://al:CANARY@127.0.0.1:1"],
        ["run", "a.chat", "--server", "irc://al:CANARY@127.0.0.1:x"],
        ["run", "a.chat", "--server", "irc://CANARY@@127.0.0.1:1"],
        ["run", "a.chat", "--server", "irc://127.0.0.1:1/?password=CANARY"],
        ["run", "a.chat", "--server", "http://al:CANARY@127.0.0.1"],
        ["run", "a.chat", "--server", "al:CANARY@127.0.0.1"],
        ["check", "--server", "irc://al:CANARY@127.0.0.1"],
        ["load", "--server", "irc://al:CANARY@127.0.0.1"],
        ["record", "--server", "irc://al:CANARY@127.0.0.1"],
        ["run", "a.chat", "--var", "pass word=CANARY"], ["run", "a.chat", "--var", "=CANARY"],
        ["record", "--server", "irc://127.0.0.1", "--secret", "=CANARY"],
        ["serve", "--dialect", "irc", "--account", ":CANARY"],
    ])
    func usageErrorsHideSecrets(_ words: [String]) async throws {
        try await Files.with(["a.chat": "dialect irc\noperators a\n\na connect\n"]) { folder in
            let outcome = try await Command(words.map { $0.replacing("CANARY", with: "Canary7") })
                .within(folder).run()
            #expect(outcome.status == 64, "\(outcome.all)")
            try Self.check(outcome, folder, "\(words)", besides: ["a.chat"])
        }
    }

    @Test func recordingsHideSecrets() async throws {
        try await Files.with { folder in
            let server = try Command("serve", "--dialect", "irc").start()
            let address = try #require(try server.line().split(separator: "/").last)
            let recorder = try Command(
                "record", "--listen", "unix:\(folder.path)/in", "--server", "irc://\(address)",
                "--once", "-o", "out.chat"
            ).with(environment: ["LINEJUDGE_SECRET_word": "Canary7-Zq"]).within(folder).start()
            let encoded = Data("\0me\0Canary7-Zq".utf8).base64EncodedString()
            var client = Command([
                "-c",
                """
                import socket, sys, time
                for attempt in range(100):
                    try:
                        client = socket.socket(socket.AF_UNIX)
                        client.connect(sys.argv[1])
                        break
                    except OSError:
                        time.sleep(0.1)
                client.sendall(b"PASS Canary7-Zq\\r\\nNICK al\\r\\nUSER al 0 * :al\\r\\n"
                    b"PRIVMSG al :identify Canary7-Zq \(encoded) now\\r\\n")
                while b"now" not in client.recv(65536):
                    pass
                client.sendall(b"QUIT\\r\\n")
                while client.recv(65536):
                    pass
                """, "\(folder.path)/in",
            ])
            client.program = URL(filePath: "/usr/bin/python3")
            let sent = try await client.run()
            #expect(sent.status == 0, "\(sent.all)")
            let recorded = try await recorder.outcome()
            #expect(recorded.status == 0, "\(recorded.all)")
            try Self.check(recorded, folder, "record")
            let run = try await Command(
                "run", "out.chat", "--server", "irc://\(address)", "--transcript", "-vv"
            ).with(
                environment: [
                    "LINEJUDGE_SECRET_word": "Canary7-Zq", "LINEJUDGE_SECRET_word_encoded": encoded,
                ]
            ).within(folder).run()
            #expect(run.status == 0, "\(run.all)")
            try Self.check(run, folder, "run of a recording")
            server.send(SIGTERM)
            _ = try await server.outcome()
        }
    }
}
