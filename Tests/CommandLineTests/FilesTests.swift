import Foundation
import Testing

struct FormatCommandTests {
    static let untidy = "title  Hi\nalice   ->   NICK alice\n"
    static let tidy = "title     Hi\nalice -> NICK alice\n"

    @Test func filesAreFormattedOnceAndThenLeftAlone() async throws {
        try await Files.with(["a/b.chat": Self.untidy, "a/other.txt": "x  y"]) { folder in
            let first = try await Command("fmt", "a").within(folder).run()
            #expect(first.status == 0, "\(first.all)")
            #expect(first.output == "formatted a/b.chat\n")
            #expect(try Files.text(folder.appending(path: "a/b.chat")) == Self.tidy)
            let second = try await Command("fmt", "a").within(folder).run()
            #expect(second.status == 0)
            #expect(second.output.isEmpty)
        }
    }

    @Test func checkListsAndChangesNothing() async throws {
        try await Files.with(["a.chat": Self.untidy, "b.chat": Self.tidy]) { folder in
            let outcome = try await Command("fmt", "--check", "a.chat", "b.chat")
                .within(folder).run()
            #expect(outcome.status == 1)
            #expect(outcome.output == "a.chat\n", "\(outcome.output)")
            #expect(try Files.text(folder.appending(path: "a.chat")) == Self.untidy)
        }
    }

    @Test func standardInputGoesToStandardOutput() async throws {
        let outcome = try await Command("fmt", "-").with(input: Self.untidy).run()
        #expect(outcome.status == 0)
        #expect(outcome.output == Self.tidy)
        let check = try await Command("fmt", "--check", "-").with(input: Self.untidy).run()
        #expect(check.status == 1)
    }

    @Test func aFileThatDoesNotParseIs65AndTheOthersAreFormatted() async throws {
        try await Files.with(["a.chat": "titel  x\n", "b.chat": Self.untidy]) { folder in
            let outcome = try await Command("fmt", "a.chat", "b.chat").within(folder).run()
            #expect(outcome.status == 65)
            #expect(outcome.errors.contains("a.chat:1:1"), "\(outcome.errors)")
            #expect(try Files.text(folder.appending(path: "b.chat")) == Self.tidy)
        }
    }

    @Test func permissionsStayAndALinkStaysALink() async throws {
        try await Files.with(["a.chat": Self.untidy]) { folder in
            let file = folder.appending(path: "a.chat").path
            let link = folder.appending(path: "link.chat").path
            let manager = FileManager.default
            try manager.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file)
            try manager.createSymbolicLink(atPath: link, withDestinationPath: "a.chat")
            let outcome = try await Command("fmt", link).run()
            #expect(outcome.status == 0, "\(outcome.all)")
            #expect(try Files.text(URL(filePath: file)) == Self.tidy)
            let mode = try manager.attributesOfItem(atPath: file)[.posixPermissions] as? Int
            #expect(mode == 0o640)
            #expect(try manager.destinationOfSymbolicLink(atPath: link) == "a.chat")
        }
    }
}

struct LintCommandTests {
    @Test func nothingFoundIs0() async throws {
        let text = "dialect   plain\nmaria -> hello\n"
        let outcome = try await Command("lint", "-").with(input: text).run()
        #expect(outcome.status == 0, "\(outcome.all)")
        #expect(outcome.output == "1 file: 0 errors, 0 warnings\n")
    }

    @Test func aWarningIs1() async throws {
        let text = "dialect   plain\noperators maria, joe\nmaria -> hello\n"
        let outcome = try await Command("lint", "-").with(input: text).run()
        #expect(outcome.status == 1, "\(outcome.all)")
        #expect(outcome.output.contains("`joe` does nothing"))
    }

    @Test func aFileThatDoesNotParseIs65() async throws {
        let outcome = try await Command("lint", "-").with(input: "titel x\n").run()
        #expect(outcome.status == 65, "\(outcome.all)")
        try await Files.with(["x.yaml": "name: x\nframmming: {}\n"]) { folder in
            let outcome = try await Command("lint", "x.yaml").within(folder).run()
            #expect(outcome.status == 65, "\(outcome.all)")
            #expect(outcome.output.contains("x.yaml:2:1"))
        }
    }
}

struct BadInputTests {
    @Test(arguments: ["run", "fmt", "lint"])
    func aPathThatIsNotThereIs66(_ command: String) async throws {
        try await Files.with(["there.chat": "title x\n"]) { folder in
            let outcome = try await Command(command, "ther.chat").within(folder).run()
            #expect(outcome.status == 66, "\(outcome.all)")
            #expect(outcome.errors.contains("did you mean `there.chat`?"), "\(outcome.errors)")
        }
    }

    @Test(arguments: ["run", "fmt", "lint"])
    func aFolderWithoutScenariosIs66(_ command: String) async throws {
        try await Files.with(["a.txt": "x"]) { folder in
            let outcome = try await Command(command, ".").within(folder).run()
            #expect(outcome.status == 66, "\(outcome.all)")
        }
    }

    @Test(arguments: ["run", "fmt", "lint"])
    func aBinaryFileIs65AndSaysWhatItIs(_ command: String) async throws {
        try await Files.with { folder in
            let file = folder.appending(path: "b.chat")
            try Data([0x7F, 0x45, 0x4C, 0x46, 0, 1, 2, 0xFF, 0x1B, 0x5B]).write(to: file)
            let outcome = try await Command(command, file.path).run()
            #expect(outcome.status == 65, "\(outcome.all)")
            let text = outcome.output + outcome.errors
            #expect(text.contains("not a scenario"), "\(text)")
            #expect(!text.unicodeScalars.contains("\u{1B}"))
        }
    }

    @Test func aDialectWithAnUnknownKeySaysWhichAndWhere() async throws {
        let files = ["mine.yaml": "name: mine\nsumary: x\n", "a.chat": "dialect mine\na -> x\n"]
        try await Files.with(files) { folder in
            let outcome = try await Command("run", "a.chat").within(folder).run()
            #expect(outcome.status == 65, "\(outcome.all)")
            let text = outcome.output + outcome.errors
            #expect(text.contains("mine.yaml:2:1"), "\(text)")
            #expect(text.contains("did you mean `summary`?"), "\(text)")
        }
    }
}

struct DialectCommandTests {
    @Test func theBuiltInDialectsAreListedAndShown() async throws {
        let list = try await Command("dialect", "list").run()
        #expect(list.status == 0)
        for name in ["irc", "livechat", "msnp", "nats", "plain", "teamspeak"] {
            #expect("\n\(list.output)".contains("\n\(name) "))
            let shown = try await Command("dialect", "show", name).run()
            #expect(shown.status == 0)
            #expect(shown.output.contains(name))
            let file = try await Command("dialect", "show", name, "--yaml").run()
            #expect("\n\(file.output)".contains("\nname: \(name)\n"))
        }
    }

    @Test func aDialectWithAProfileIsAFileThatReadsAgain() async throws {
        let file = try await Command("dialect", "show", "irc+ngircd", "--yaml").run()
        #expect(file.status == 0)
        try await Files.with(["irc.yaml": file.output]) { folder in
            let lint = try await Command("dialect", "lint", "irc.yaml").within(folder).run()
            #expect(lint.status != 65, "\(lint.all)")
        }
    }

    @Test func aLineIsExplained() async throws {
        let line = "R0004|12341|Hello!|Joe|2134|0"
        let outcome = try await Command("dialect", "explain", line).run()
        #expect(outcome.status == 0, "\(outcome.all)")
        for part in ["Hello!", "Joe", "2134", "from the server"] {
            #expect(outcome.output.contains(part), "\(outcome.output)")
        }
        let two = try await Command("dialect", "explain", "-", "--dialect", "irc", "--from=server")
            .with(input: "PING :1\r\nPONG x\r\n").run()
        #expect(two.output.contains("command  PING"))
        #expect(two.output.contains("command  PONG"))
    }

    @Test func aNewDialectReadsWithoutAnError() async throws {
        let plain = try await Command("dialect", "new", "mine").run()
        let guessed = try await Command("dialect", "new", "mine", "--from", "-")
            .with(input: "LOGIN|joe\nWELCOME|1|joe\nSAY|hello\n").run()
        for outcome in [plain, guessed] {
            #expect(outcome.status == 0)
            try await Files.with(["mine.yaml": outcome.output]) { folder in
                let lint = try await Command("lint", "mine.yaml").within(folder).run()
                #expect(lint.status != 65, "\(lint.all)")
            }
        }
    }

    @Test(arguments: [
        ["dialect", "show", "ircc"], ["dialect", "lint", "ircc"], ["serve", "--dialect", "ircc"],
        ["dialect", "explain", "x", "--dialect", "ircc"],
        ["run", "a.chat", "--dialect", "ircc"],
    ])
    func aDialectThatIsNotThereIs66WithWhatThereIs(_ words: [String]) async throws {
        try await Files.with(["a.chat": RunTests.good]) { folder in
            let outcome = try await Command(words).within(folder).run()
            #expect(outcome.status == 66, "\(outcome.all)")
            #expect(outcome.errors.contains("did you mean `irc`?"), "\(outcome.errors)")
            #expect(
                outcome.errors.contains(
                    "built-in dialects: beanstalkd, irc, jsonl, livechat, memcached"))
            #expect(outcome.output.isEmpty)
        }
    }

    @Test func lintReadsTheScenarioTextInADialect() async throws {
        let text = "name: x\nbehaviours:\n  login: |\n    -> HELLO {{\n"
        try await Files.with(["x.yaml": text]) { folder in
            let outcome = try await Command("dialect", "lint", "x.yaml").within(folder).run()
            #expect(outcome.status == 65, "\(outcome.all)")
            #expect(outcome.output.contains("x.yaml:4:14"), "\(outcome.output)")
        }
    }

    @Test func theDialectOfTheReadmeIsShortAndLintsClean() async throws {
        let readme = try Files.text(Files.root.appending(path: "README.md"))
        let found = try #require(readme.firstMatch(of: /```yaml\n(?s:(.*?))```/))
        #expect(found.1.split(separator: "\n").count < 30)
        try await Files.with(["tilde.yaml": String(found.1)]) { folder in
            let outcome = try await Command("dialect", "lint", "tilde.yaml").within(folder).run()
            #expect(outcome.status == 0, "\(outcome.all)")
            #expect(outcome.output.contains("1 file: 0 errors, 0 warnings"))
        }
    }

    @Test(arguments: ["irc", "livechat", "msnp", "nats", "plain", "teamspeak", "irc+ngircd"])
    func builtInDialectsAreLintedByName(_ name: String) async throws {
        let outcome = try await Command("dialect", "lint", name).run()
        #expect(outcome.output.contains("1 file: 0 errors"), "\(outcome.all)")
    }

    @Test(arguments: ["9 x", "", "9x", "a b", "a/b"])
    func aNewDialectWantsAName(_ name: String) async throws {
        let outcome = try await Command("dialect", "new", name).run()
        #expect(outcome.status == 64, "\(outcome.all)")
        #expect(outcome.errors.contains("invalid dialect name"), "\(outcome.errors)")
        #expect(outcome.output.isEmpty)
    }
}
