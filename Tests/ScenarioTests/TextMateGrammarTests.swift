import Diagnostics
import Foundation
import RepositoryFiles
import Testing

@testable import Scenario

/// The TextMate grammar in `editors/vscode` finds the same statements as the parser.
struct TextMateGrammarTests {
    private static let extensionFolder = "editors/vscode"

    /// A token that starts a statement, or a comment.
    struct Token: Hashable, Comparable, CustomStringConvertible {
        /// Line, from 1.
        var line: Int
        var scope: String

        static func < (left: Self, right: Self) -> Bool {
            (left.line, left.scope) < (right.line, right.scope)
        }

        var description: String { "\(line): \(scope)" }
    }

    /// All statements of the language.
    static let sample = """
        title All statements
        dialect irc
        include "steps.chat"
        operators alice, bob
        tags one, two
        cite RFC 2812 §3.1.2 must "a quote"
        timeout step 5s
        timeout file 60s
        set NAME = "value"
        secret PASSWORD
        data "rows.csv"
        known failure on ngircd <26 until 2030-01-01 "a reason"
        skip on hybrid "a reason"
        needs cap batch, sasl
        exec "server --port 7"

        # A comment with connect and -> in it.
        on <- PING {{token}}  reply -> PONG {{token}}
        ignore NOTICE
        alice ignore WALLOPS
        fragment greet(word) {
          self -> HELLO {{word}}
          -> HELLO on connect
          connect
          <- 001 {{...}}
        }
        alice connect
        alice pause
        alice resume
        alice starttls
        alice -> "NI" | 20ms | "CK x\\r\\n"
        alice <~ {{/376|422/}}  within 2s  # then quiet
        bob <? 001
        bob <! 433  for 500ms
        bob -> any order { repeat
        any order {
          alice <- 1
          bob <- 2
        }
        one of {
          alice <- 409
        } or {
          alice closed
        }
        repeat 3 as i every 100ms {
          use greet as alice, bob (word: "x")
          use logout
        }
        eventually within 5s {
          alice -> A
          alice <- B
        }
        outcome of {
          alice -> A
        } same as {
          bob -> A
        }
        name alice free  within 5s
        nick bob free
        wait 50ms
        think 100ms..2s
        sync alice, bob
        alice half-close
        alice closed by fin  within 2s
        bob quiet for 500ms
        bob abort
        alice close

        """

    @Test func tokensAgreeWithTheParser() throws {
        let texts = try [Array(Self.sample.utf8)] + Files.shipped()
        let found = try Self.tokens(of: texts)
        for (index, text) in texts.enumerated() {
            let source = SourceText(path: "\(index).chat", bytes: text)
            let parsed = ScenarioParser.parse(source)
            #expect(!parsed.diagnostics.hasErrors || index > 0, "\(parsed.diagnostics)")
            let wanted = Self.tokens(of: parsed.file)
            let tokens = Set(found.filter { $0.file == index }.map(\.token))
            let name = "\(parsed.file.header.title?.text ?? "")"
            #expect(tokens.subtracting(wanted).sorted() == [], "\(name): not in the tree")
            #expect(wanted.subtracting(tokens).sorted() == [], "\(name): not highlighted")
        }
    }

    @Test func everyKeywordIsHighlighted() throws {
        let found = try Self.tokens(of: [Array(Self.sample.utf8)])
        let words = Set(found.flatMap { $0.text.split(separator: " ").map(String.init) })
        let keywords =
            HeaderWord.allCases.map(\.rawValue) + BodyWord.allCases.map(\.rawValue)
            + ActionWord.allCases.map(\.rawValue) + Expectation.Mode.allCases.map(\.rawValue)
        for keyword in keywords { #expect(words.contains(keyword), "\(keyword)") }
    }

    @Test func extensionFilesExist() throws {
        let folder = Repository.root.appending(path: Self.extensionFolder)
        let data = try Data(contentsOf: folder.appending(path: "package.json"))
        let package = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let contributes = try #require(package["contributes"] as? [String: [[String: Any]]])
        let files = contributes.values.joined().flatMap { item in
            ["path", "configuration", "url"].compactMap { item[$0] as? String }
        }
        #expect(files.count == 4)
        for file in files {
            let content = try Data(contentsOf: folder.appending(path: file))
            #expect((try? JSONSerialization.jsonObject(with: content)) is [String: Any], "\(file)")
        }
    }

    // MARK: Tokens of the parser

    private static func tokens(of file: ScenarioFile) -> Set<Token> {
        var tokens: Set<Token> = []
        func add(_ offset: Int, _ scopes: String...) {
            let line = file.source.line(at: offset)
            for scope in scopes { tokens.insert(Token(line: line, scope: scope)) }
        }
        for comment in file.comments { add(comment.range.start, "comment.line.number-sign.chat") }
        for fragment in file.fragments { add(fragment.range.start, "keyword.control.block.chat") }
        (file.fragments.flatMap(\.steps) + file.steps).walk { step in
            let start = step.range.start
            switch step.kind {
            case .send: add(start, "keyword.operator.send.chat")
            case .expect(let expectation):
                add(
                    start,
                    "keyword.operator.\(expectation.mode == .never ? "never" : "expect").chat")
            case .connect, .close, .halfClose, .abort, .pause, .resume, .startTLS, .closed, .quiet:
                add(start, "keyword.other.action.chat")
            case .nameFree:
                add(start, "keyword.control.statement.chat", "keyword.other.action.chat")
            case .wait, .think, .sync, .use: add(start, "keyword.control.statement.chat")
            case .anyOrder, .oneOf, .repeated, .eventually, .outcome:
                add(start, "keyword.control.block.chat")
            case .standingReply:
                add(
                    start, "keyword.control.rule.chat", "keyword.operator.expect.chat",
                    "keyword.operator.send.chat")
            case .ignore: add(start, "keyword.control.rule.chat")
            }
        }
        // Lines that have no node of their own.
        for line in 1...file.source.lineCount {
            let range = file.source.range(ofLine: line)
            let text = String(decoding: file.source.bytes(in: range), as: UTF8.self)
            let word = text.drop { $0 == " " }.prefix { $0.isLetter }
            if HeaderWord(rawValue: String(word)) != nil {
                tokens.insert(Token(line: line, scope: "keyword.control.header.chat"))
            }
            if text.contains(/^ *} *(same +as|or) *{/) {
                tokens.insert(Token(line: line, scope: "keyword.control.block.chat"))
            }
        }
        return tokens
    }

    // MARK: Tokens of the grammar

    private static let scopes = [
        "keyword.control.header", "keyword.control.rule", "keyword.control.block",
        "keyword.control.statement", "keyword.other.action", "keyword.operator.send",
        "keyword.operator.expect", "keyword.operator.never", "comment.line.number-sign",
        "invalid.illegal.escape",
    ].map { "\($0).chat" }

    private static func tokens(
        of texts: [[UInt8]]
    ) throws -> [(file: Int, token: Token, text: String)] {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let paths = texts.indices.map { folder.appending(path: "\($0).chat").path }
        for (path, text) in zip(paths, texts) { try Data(text).write(to: URL(filePath: path)) }
        let process = Process()
        let output = Pipe()
        process.executableURL = Repository.root.appending(path: ".tools/python/bin/python3")
        process.arguments =
            [
                "Tests/ScenarioTests/Tools/tokens.py",
                "\(extensionFolder)/syntaxes/chat.tmLanguage.json",
            ].map { Repository.root.appending(path: $0).path } + paths
        (process.standardOutput, process.standardError) = (output, FileHandle.nullDevice)
        try process.run()
        let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { row in
            let cells = row.split(separator: "\t").map(String.init)
            guard cells.count == 5, let file = Int(cells[0]), let line = Int(cells[1]),
                scopes.contains(cells[3])
            else { return nil }
            return (file, Token(line: line + 1, scope: cells[3]), cells[4])
        }
    }
}
