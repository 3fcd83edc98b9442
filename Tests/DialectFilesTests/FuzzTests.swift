import Diagnostics
import LineProtocol
import Testing

@testable import DialectFiles

/// Any input is either read or rejected with errors that point into the file.
@Suite struct FuzzTests {
    /// Byte sequences with a meaning in YAML or in dialects.
    private static let pieces: [[UInt8]] =
        [
            "\t", "\n", "\r", " ", ":", "- ", "'", "\"", "{", "}", "[", "]", "&a ", "*a", "|", ">",
            "#",
            "? ", "!!int ", "%", "@", "`", "~", "\u{85}", "\u{2028}", "\u{FEFF}", "\0", "no", "0x",
            "<<: ",
            "---\n", "...", "?", "in ", " = ",
        ].map { Array($0.utf8) } + [[0xFF], [0xC3], [0xED, 0xA0, 0x80]]

    /// Reads bytes and returns the diagnostics.
    @discardableResult
    private func read(_ bytes: [UInt8]) -> [Diagnostic] {
        let source = SourceText(path: "fuzz.yaml", bytes: bytes)
        let outcome = DialectReader.read(source)
        #expect(outcome.dialect != nil || outcome.diagnostics.hasErrors)
        for diagnostic in outcome.diagnostics {
            guard let location = diagnostic.location else { continue }
            #expect(location.range.start <= source.bytes.count + 1)
        }
        let text = DiagnosticRenderer().text(outcome.diagnostics)
        #expect(text.isEmpty == outcome.diagnostics.isEmpty)
        return outcome.diagnostics
    }

    @Test(arguments: ["livechat", "nats", "plain"])
    func everyPrefixOfADialectIsReadOrRejected(name: String) throws {
        let bytes = try #require(DialectLibrary.builtInSource(name)).bytes
        // Every few bytes near the start, where most of the language occurs, then fewer.
        for count in stride(from: 0, to: min(bytes.count, 700), by: 7) {
            read(Array(bytes.prefix(count)))
        }
        for count in stride(from: 700, to: bytes.count, by: 131) {
            read(Array(bytes.prefix(count)))
        }
    }

    @Test(arguments: DialectLibrary.builtInNames)
    func everyMutationOfADialectIsReadOrRejected(name: String) throws {
        let bytes = try #require(DialectLibrary.builtInSource(name)).bytes
        var generator = SeededRandom(seed: 7)
        let rounds = name == "irc" ? 12 : 40
        for _ in 0..<rounds {
            var mutated = bytes
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let index = Int.random(in: 0..<mutated.count, using: &generator)
                let end = min(index + Int.random(in: 0...8, using: &generator), mutated.count)
                let piece = Self.pieces.randomElement(using: &generator) ?? []
                mutated.replaceSubrange(index..<end, with: piece)
            }
            read(mutated)
        }
    }

    @Test func anyBytesAreReadOrRejected() {
        var generator = SeededRandom(seed: 3)
        for _ in 0..<200 {
            var bytes: [UInt8] = Array("name: x\n".utf8)
            for _ in 0..<Int.random(in: 0...30, using: &generator) {
                bytes += Self.pieces.randomElement(using: &generator) ?? []
            }
            read(bytes)
        }
    }

    @Test func deepNestingIsRejected() {
        for piece in ["[", "{a: ", "- ", "? ", "a:\n "] {
            let whole = String(repeating: piece, count: 20_000)
            let part = "name: x\nfields: " + String(repeating: piece, count: 900)
            for text in [whole, part] { #expect(read(Array(text.utf8)).hasErrors, "\(piece)") }
        }
    }

    @Test func nestedAliasesAreRejected() {
        var text = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n"
        for level in 1...20 {
            let alias = "*a\(level - 1)"
            text +=
                "a\(level): &a\(level) [\(Array(repeating: alias, count: 9).joined(separator: ", "))]\n"
        }
        let outcome = DialectReader.read(SourceText(path: "bomb.yaml", text: text))
        #expect(outcome.diagnostics.map(\.code) == [.fileTooLarge])
    }

    @Test func fileOverTheLimitIsRejected() {
        let most = "name: x\n" + String(repeating: "#", count: YamlReader.fileBytesMax - 8)
        #expect(DialectReader.read(SourceText(path: "x", text: most)).dialect?.name == "x")
        let outcome = DialectReader.read(SourceText(path: "x", text: most + "#"))
        #expect(outcome.diagnostics.map(\.code) == [.fileTooLarge])
    }
}
