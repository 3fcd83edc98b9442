import Diagnostics
import Foundation
import LineProtocol
import Testing

@testable import DialectFiles

/// Dialects that include other files.
struct IncludeTests {
    /// Writes the files into an empty folder, and removes it after the test.
    private func with<Result>(
        _ files: [String: String], _ test: (URL) throws -> Result
    ) throws -> Result {
        let folder = URL(filePath: NSTemporaryDirectory()).appending(
            path: "include-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, text) in files {
            let path = folder.appending(path: name)
            try FileManager.default.createDirectory(
                at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: path)
        }
        return try test(folder)
    }

    /// Returns the diagnostics for `own.yaml`, without the folder in their paths.
    private func problems(_ files: [String: String]) throws -> String {
        try with(files) { folder in
            let path = folder.appending(path: "own.yaml").path
            let bytes = Array(try Data(contentsOf: URL(filePath: path)))
            let outcome = DialectReader.read(SourceText(path: path, bytes: bytes))
            #expect(outcome.dialect == nil)
            return rendered(outcome.diagnostics).replacing(folder.path + "/", with: "")
        }
    }

    private static let own = """
        name: own
        include: [shared/chat.yaml, shared/errors.yaml]
        commands:
          hello: {from: client, arguments: [name: text]}
        behaviours:
          login: |
            -> hello(name: {{name}})
        ignores: [NOTICE]
        """
    private static let chat = """
        include: sub/clauses.yaml
        commands:
          say: {from: client, arguments: [text: text], clause: say}
        behaviours:
          say: |
            -> say(text: {{text}})
        ignores: [JOIN, PART]
        """
    private static let files = [
        "own.yaml": own, "shared/chat.yaml": chat,
        "shared/errors.yaml":
            "commands:\n  refused: {wire: ERR, from: server, arguments: [reason: text]}\n"
            + "rejects: refused()\n",
        "shared/sub/clauses.yaml":
            "clauses: {say: {document: Notes, quote: Servers MUST relay messages.}}\n",
    ]

    @Test func entriesOfDialectInclusionArePartOfTheDialect() throws {
        try with(Self.files) { folder in
            let file = try DialectLibrary.find(folder.appending(path: "own.yaml").path)
            let dialect = file.dialect
            #expect(dialect.commands.signatures.map(\.name) == ["hello", "say", "refused"])
            #expect(dialect.behaviours.keys.sorted() == ["login", "say"])
            #expect(dialect.ignores.map(\.scenarioText) == ["NOTICE", "JOIN", "PART"])
            #expect(dialect.rejects.map(\.scenarioText) == ["refused()"])
            #expect(dialect.clause("say")?.level == .must)
            let names = file.source.files.map { $0.path.split(separator: "/").last }
            #expect(names == ["own.yaml", "chat.yaml", "clauses.yaml", "errors.yaml"])
            // The position of a behaviour leads to the file that contains it.
            let say = try #require(dialect.behaviours["say"])
            let offset = file.source.offset(line: say.line, byteColumn: say.column)
            #expect(file.source.file(at: offset).file.path.hasSuffix("shared/chat.yaml"))
        }
    }

    @Test func aBaseMayIncludeFilesAndADialectMayChangeThem() throws {
        var files = Self.files
        files["mine.yaml"] = """
            name: mine
            based-on: own.yaml
            include: shared/more.yaml
            commands:
              say: {wire: SAY}
            """
        files["shared/more.yaml"] = "commands:\n  shout: {from: client}\n"
        try with(files) { folder in
            let dialect = try DialectLibrary.find(folder.appending(path: "mine.yaml").path).dialect
            #expect(
                dialect.commands.signatures.map(\.name) == ["hello", "say", "refused", "shout"])
            #expect(dialect.commands.signatures[1].wire == .exact(Array("SAY".utf8)))
        }
    }

    @Test func filesAreCopiedTogether() throws {
        var files = Self.files
        files["a/own.yaml"] =
            Self.own.replacing("shared/", with: "../shared/")
            + "\nbased-on: ../base.yaml\n"
        files["base.yaml"] = "name: base\ninclude: shared/sub/errors.yaml # more\n"
        files["shared/sub/errors.yaml"] = "commands: {bye: {from: client}}\n"
        try with(files) { folder in
            let original = try DialectLibrary.find(folder.appending(path: "a/own.yaml").path)
            let copies = DialectCopies.of(original.source)
            #expect(
                copies.map(\.name) == [
                    "own.yaml", "chat.yaml", "clauses.yaml", "errors.yaml", "base.yaml",
                    "errors-2.yaml",
                ])
            let target = folder.appending(path: "copies")
            try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
            for copy in copies {
                try Data(copy.bytes).write(to: target.appending(path: copy.name))
            }
            let text = String(decoding: copies[4].bytes, as: UTF8.self)
            #expect(text == "name: base\ninclude: errors-2.yaml # more\n")
            let read = try DialectLibrary.find(target.appending(path: "own.yaml").path)
            #expect(DialectWriter.yaml(read.dialect) == DialectWriter.yaml(original.dialect))
        }
    }

    // MARK: Errors

    @Test func errorsAreShownInTheFileThatContainsThem() throws {
        var files = Self.files
        files["shared/errors.yaml"] =
            "commands:\n  refused: {from: server, arguments: [reason: tex]}\n"
        let text = try problems(files)
        #expect(text.contains("[dialect.bad-type]"))
        #expect(text.contains("--> shared/errors.yaml:2:47"), "\(text)")
    }

    @Test func anythingDefinedTwiceIsAnError() throws {
        var files = Self.files
        files["shared/errors.yaml"] = """
            commands:
              hello: {from: server}
              refused: {from: server}
            behaviours:
              say: |
                -> say(text: "x")
            """
        let text = try problems(files)
        #expect(
            text.contains(
                """
                [dialect.duplicate-key] error: `commands.hello` is defined twice
                  --> shared/errors.yaml:2:3
                """), "\(text)")
        #expect(text.contains("own.yaml:4:3"), "\(text)")
        #expect(text.contains("`behaviours.say` is defined twice"), "\(text)")
        #expect(text.contains("shared/chat.yaml:5:3"), "\(text)")
    }

    @Test func cyclesAndRepetitionsAreErrors() throws {
        var files = Self.files
        files["shared/sub/clauses.yaml"] = "include: ../../own.yaml\n"
        #expect(
            try problems(files).contains(
                """
                [dialect.conflict] error: the file includes itself: own.yaml → chat.yaml → clauses.yaml → own.yaml
                  --> shared/sub/clauses.yaml:1:10
                """))
        files["shared/sub/clauses.yaml"] = "include: ./clauses.yaml\n"
        #expect(
            try problems(files).contains(
                "the file includes itself: clauses.yaml → clauses.yaml"))
        files["shared/sub/clauses.yaml"] = "include: ['../errors.yaml']\n"
        let twice = try problems(files)
        #expect(
            twice.contains(
                """
                [dialect.conflict] error: `errors.yaml` is included twice
                  --> own.yaml:2:29
                """), "\(twice)")
        #expect(twice.contains("shared/sub/clauses.yaml:1:11"), "\(twice)")
    }

    @Test(arguments: [
        ("include: irc", "dialect.not-found", "`irc` is not the path of a YAML file"),
        ("include: missing.yaml", "dialect.not-found", "`missing.yaml` not found"),
        ("include: [{a: b}]", "dialect.wrong-type", "must list files, found a map"),
        ("include: .", "dialect.not-found", "write a path that ends in `.yaml`"),
        ("include: folder.yaml", "dialect.unreadable", "it is a folder, not a file"),
        ("include: empty.yaml", "dialect.empty", "the included file"),
        ("include: list.yaml", "dialect.wrong-type", "found a list"),
        ("include: framing.yaml", "dialect.unknown-key", "cannot contain `framing`"),
        ("include: framing.yaml", "dialect.unknown-key", "to share other settings, use `based-on`"),
        ("include: words.yaml", "dialect.wrong-type", "`commands` must be a map"),
        ("include: broken.yaml", "dialect.yaml", "broken.yaml:2:"),
    ])
    func filesThatCannotBeIncludedAreErrors(line: String, code: String, words: String) throws {
        let text = try problems([
            "own.yaml": "name: own\n\(line)\ncommands: {a: {from: client}}\n",
            "folder.yaml/x": "", "empty.yaml": "# nothing\n", "list.yaml": "- a\n",
            "framing.yaml": "framing: {terminator: LF}\n", "words.yaml": "commands: x\n",
            "broken.yaml": "commands: {a: [\n",
        ])
        #expect(text.contains("[\(code)]"), "\(text)")
        #expect(text.contains(words), "\(text)")
    }

    @Test func theNumberAndSizeOfFilesIsLimited() throws {
        func files(_ count: Int) -> [String: String] {
            let names = (1...count).map { "part\($0).yaml" }
            var files = ["own.yaml": "name: own\ninclude: [\(names.joined(separator: ", "))]\n"]
            for (index, name) in names.enumerated() {
                files[name] = "commands: {c\(index): {from: client}}\n"
            }
            return files
        }
        try with(files(DialectInclusion.filesMax)) { folder in
            let dialect = try DialectLibrary.find(folder.appending(path: "own.yaml").path).dialect
            #expect(dialect.commands.signatures.count == DialectInclusion.filesMax)
        }
        #expect(
            try problems(files(DialectInclusion.filesMax + 1)).contains(
                "the dialect includes more than 16 files"))
        let own = "name: own\ninclude: long.yaml\n"
        func long(_ count: Int) -> String {
            let start = "commands: {a: {from: client}}\n#"
            return start + String(repeating: "x", count: count - start.utf8.count)
        }
        let room = YamlReader.fileBytesMax - own.utf8.count - 1
        try with(["own.yaml": own, "long.yaml": long(room)]) { folder in
            _ = try DialectLibrary.find(folder.appending(path: "own.yaml").path)
        }
        #expect(
            try problems(["own.yaml": own, "long.yaml": long(room + 1)]).contains(
                "limited to 512 KiB in total"))
    }
}
