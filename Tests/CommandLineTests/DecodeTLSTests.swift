import Foundation
import Testing

/// `linejudge decode --keys`, with sessions of OpenSSL.
struct DecodeTLSTests {
    /// Records the sessions, and calls `body` with the folder that contains their captures and key
    /// logs.
    private func with<Result>(
        _ names: String..., body: (URL) async throws -> Result
    ) async throws -> Result {
        try await CaptureFile.withFolder([:]) { folder in
            for name in names {
                var tool = Command([
                    "120", "python3",
                    Files.root.appending(path: "Tests/CaptureTests/Tools/tls_sessions.py").path,
                    "--write", folder.path, name,
                ])
                tool.program = URL(filePath: "/usr/bin/timeout")
                let made = try await tool.with(environment: [
                    "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
                    "HOME": NSTemporaryDirectory(),
                ]).run()
                try #require(made.status == 0, "\(made.all)")
            }
            return try await body(folder)
        }
    }

    private func decode(_ folder: URL, _ arguments: String...) async throws -> Command.Outcome {
        try await Command(["decode"] + arguments).within(folder).run()
    }

    @Test func dialectsOfDecryptedConnectionsAreDetected() async throws {
        try await with("1.3-aes128") { folder in
            for input in ["1.3-aes128.pcap", "1.3-aes128.pcap --slice out.pcapng"] {
                let words = input.split(separator: " ").map(String.init)
                let made = try await Command(["decode", "--keys", "1.3-aes128.keys"] + words)
                    .within(folder).run()
                #expect(made.status == 0, "\(made.all)")
                #expect(made.errors.contains("detected irc"), "\(made.all)")
                #expect(made.output.contains("#1 alice      → nick(nickname: \"alice\")"))
                #expect(made.output.contains("ALPN irc, certificate for irc.example.org"))
            }
            let bytes = try Data(contentsOf: folder.appending(path: "out.pcapng"))
            #expect(bytes.count > 1_000)
            let again = try await decode(
                folder, "out.pcapng", "--keys", "1.3-aes128.keys", "--dialect", "irc", "--stats")
            #expect(again.status == 0 && again.output.contains("privmsg"), "\(again.all)")
            let without = try await decode(folder, "1.3-aes128.pcap", "--dialect", "irc")
            #expect(without.status == 2)
            #expect(without.output.contains("encrypted (TLS) from here on; not decoded"))
        }
    }

    @Test(arguments: ["log", "json", "lines", "connections", "scenario", "latency"])
    func outputContainsNoSecrets(_ format: String) async throws {
        try await with("1.3-aes256") { folder in
            let made = try await decode(
                folder, "1.3-aes256.pcap", "--keys", "1.3-aes256.keys", "--dialect", "irc",
                "--as", format, "--secrets", "--slice", "out.pcapng")
            #expect(made.status == 0, "\(made.all)")
            let slice = try Data(contentsOf: folder.appending(path: "out.pcapng"))
            let text = made.output + made.errors + String(decoding: slice, as: UTF8.self)
            let log = try String(
                contentsOf: folder.appending(path: "1.3-aes256.keys"), encoding: .utf8)
            for line in log.split(separator: "\n") where !line.hasPrefix("#") {
                let secret = try #require(line.split(separator: " ").last)
                #expect(!text.contains(secret.prefix(16)))
            }
        }
    }

    // MARK: Key logs

    @Test func invalidKeyLogsAreErrors() async throws {
        let random = String(repeating: "ab", count: 32)
        let secret = String(repeating: "5c", count: 32)
        try await CaptureFile.withFolder(["a.pcap": CaptureFile.bytes("NICK alice\r\n")]) {
            folder in
            for (log, status, text) in [
                (
                    "# x\nCLIENT_RANDOM \(random) \(secret)\n", 65,
                    "keys:2: the secret has 64 hexadecimal digits; expected 96"
                ),
                (
                    "SERVER_TRAFFIC_SECRET_0 \(random) \(secret)\n\u{1B}[31m\(secret)", 65,
                    "keys:2: expected a label, such as CLIENT_RANDOM, at the start of the line"
                ),
                ("# nothing\nEXPORTER_SECRET 1 2\n", 65, "`keys` contains no TLS secrets"),
                (nil, 66, "cannot read `keys`: No such file or directory"),
            ] as [(String?, Int32, String)] {
                let path = folder.appending(path: "keys")
                if let log {
                    try Data(log.utf8).write(to: path)
                } else {
                    try FileManager.default.removeItem(at: path)
                }
                let made = try await decode(folder, "a.pcap", "--keys", "keys", "--dialect", "irc")
                #expect(made.status == status, "\(made.all)")
                #expect(made.errors.contains(text), "\(made.all)")
                #expect(!(made.output + made.errors).contains("5c5c"))
                #expect(!made.errors.contains("\u{1B}"))
                #expect(made.output.isEmpty)
            }
        }
    }

    @Test func decryptedTrafficIsJudgedAndCompared() async throws {
        try await with("1.3-aes128") { folder in
            let judged = try await Command(
                "check", "--capture", "1.3-aes128.pcap", "--keys", "1.3-aes128.keys", "--dialect",
                "irc"
            ).within(folder).run()
            #expect(judged.status == 0, "\(judged.all)")
            let compared = try await Command(
                "compare", "1.3-aes128.pcap", "1.3-aes128.pcap", "--keys", "1.3-aes128.keys",
                "--dialect", "irc"
            ).within(folder).run()
            #expect(compared.status == 0, "\(compared.all)")
            #expect(compared.output.contains("SAME"), "\(compared.all)")
            let encrypted = try await Command(
                "check", "--capture", "1.3-aes128.pcap", "--dialect", "irc"
            ).within(folder).run()
            #expect(encrypted.status == 2, "\(encrypted.all)")
        }
    }

    @Test func unusedSessionsAreNoted() async throws {
        try await with("1.3-aes128", "1.2-aes128") { folder in
            let other = try await decode(
                folder, "1.3-aes128.pcap", "--keys", "1.2-aes128.keys", "--dialect", "irc")
            #expect(other.status == 2)
            #expect(
                other.errors.contains(
                    "warning: no decoded connection belongs to a session of the key log"))
            let logs = try ["1.2-aes128.keys", "1.3-aes128.keys"].map {
                try Data(contentsOf: folder.appending(path: $0))
            }
            try logs.reduce(Data(), +).write(to: folder.appending(path: "both.keys"))
            let both = try await decode(
                folder, "1.3-aes128.pcap", "--keys", "both.keys", "--dialect", "irc")
            #expect(both.status == 0)
            #expect(
                both.errors.contains(
                    "note: 1 session of 2 in the key log belongs to no decoded connection"))
            #expect(!both.errors.contains("warning"))
        }
    }

    @Test func unsupportedCiphersAreWarnedOf() async throws {
        try await with("1.2-cbc") { folder in
            let made = try await decode(
                folder, "1.2-cbc.pcap", "--keys", "1.2-cbc.keys", "--dialect", "irc", "--as", "json"
            )
            #expect(made.status == 2, "\(made.all)")
            #expect(
                made.output.contains(
                    #""cipher":"TLS 1.2 with TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA""#))
            #expect(made.errors.contains("some data of TLS connections was not decrypted"))
        }
    }

    @Test func aSliceDoesNotReplaceTheKeyLog() async throws {
        try await with("1.2-aes128") { folder in
            let made = try await decode(
                folder, "1.2-aes128.pcap", "--keys", "1.2-aes128.keys", "--dialect", "irc",
                "--slice", "1.2-aes128.keys")
            #expect(made.status == 64, "\(made.all)")
        }
    }

    // MARK: Scenarios

    @Test func scenariosNameTheServerOrStartTLS() async throws {
        try await with("1.3-aes128", "1.2-aes128-starttls", "1.2-aes128-smtp") { folder in
            let direct = try await decode(
                folder, "1.3-aes128.pcap", "--keys", "1.3-aes128.keys", "--dialect", "irc",
                "--as", "scenario")
            #expect(direct.status == 0, "\(direct.all)")
            #expect(direct.output.contains("# use TLS: --server ircs://10.0.0.2:6697\n"))
            #expect(direct.output.contains("alice -> PRIVMSG #tea :Earl Grey?\n"))
            #expect(!direct.errors.contains("incomplete"))
            let later = try await decode(
                folder, "1.2-aes128-smtp.pcap", "--keys", "1.2-aes128-smtp.keys", "--dialect",
                "smtp", "--as", "scenario", "-o", "mail.chat")
            #expect(later.status == 0, "\(later.all)")
            let text = try String(
                contentsOf: folder.appending(path: "mail.chat"), encoding: .utf8)
            #expect(text.contains(" starttls\n"), "\(text)")
            #expect(!text.contains("use TLS"))
            let checked = try await Command("run", "--dry-run", "mail.chat").within(folder).run()
            #expect(checked.status == 0, "\(checked.all)")
        }
    }

    /// The scenario of a decrypted connection passes against a TLS server.
    @Test func scenariosPassAgainstATLSServer() async throws {
        try await with("1.3-chacha") { folder in
            var tool = Command([
                "req", "-x509", "-nodes", "-newkey", "ec", "-pkeyopt",
                "ec_paramgen_curve:P-256", "-keyout", "key.pem", "-out", "cert.pem", "-days", "2",
                "-subj", "/CN=localhost",
            ])
            tool.program = URL(filePath: "/usr/bin/openssl")
            let certificate = try await tool.within(folder).run()
            try #require(certificate.status == 0, "\(certificate.all)")
            let server = try Command(
                "serve", "--dialect", "irc", "--tls-cert", "cert.pem", "--tls-key", "key.pem"
            ).within(folder).start()
            let address = String(try server.line().split(separator: "/").last ?? "")
            let made = try await decode(
                folder, "1.3-chacha.pcap", "--keys", "1.3-chacha.keys", "--dialect", "irc",
                "--as", "scenario", "--to", "2023-11-14T22:13:20.008Z", "--server",
                "ircs://\(address)", "--insecure")
            #expect(made.status == 0, "\(made.all)")
            #expect(made.errors.contains("the scenario passes against"), "\(made.all)")
            #expect(made.output.contains("alice <- 001"), "\(made.all)")
            server.kill()
            _ = server.wait()
        }
    }
}
