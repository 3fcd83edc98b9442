import Diagnostics
import DialectFiles
import DialectModel
import Foundation
import LineProtocol
import Testing

/// Dialects that are based on others.
struct BasedOnTests {
    private func outcome(_ text: String) -> DialectReader.Outcome {
        DialectReader.read(SourceText(path: "own.yaml", text: text))
    }

    @Test func settingsOfTheBaseApplyUnlessSet() throws {
        let outcome = outcome(
            """
            name: mine
            based-on: irc
            framing: {limits: {line: 1024}}
            commands:
              shout: {wire: SHOUT, from: client, arguments: [text: text]}
            behaviours:
              say: |
                -> shout(text: {{text}})
            """)
        #expect(DiagnosticRenderer().text(outcome.diagnostics) == "")
        let dialect = try #require(outcome.dialect)
        let irc = try DialectLibrary.find("irc").dialect
        #expect(dialect.name == "mine")
        #expect(dialect.framing.fromClient.limits.lineBytesMax == 1_024)
        #expect(dialect.framing.fromClient.accepted == irc.framing.fromClient.accepted)
        #expect(dialect.syntax == irc.syntax)
        #expect(dialect.commands.signatures.count == irc.commands.signatures.count + 1)
        #expect(dialect.behaviours["say"]?.scenarioText == "-> shout(text: {{text}})")
        #expect(dialect.behaviours["login"]?.scenarioText == irc.behaviours["login"]?.scenarioText)
        #expect(outcome.profiles.isEmpty)
        #expect(!BoundDialect(dialect, source: outcome.source).diagnostics.hasErrors)
    }

    @Test func mistakesAreShownInTheFileThatContainsThem() throws {
        let outcome = outcome(
            "name: mine\nbased-on: irc\ncommands:\n  join: {arguments: [room: tex]}\n")
        let location = try #require(outcome.diagnostics.first?.location)
        #expect(location.source.path == "own.yaml")
        #expect(location.position.line == 4)
        // A behaviour of the base no longer fits.
        let changed = self.outcome(
            "name: mine\nbased-on: nats\ncommands:\n  publish: {arguments: [subject: text]}\n")
        let dialect = try #require(
            changed.dialect, "\(DiagnosticRenderer().text(changed.diagnostics))")
        let found = BoundDialect(dialect, source: changed.source).diagnostics
        let inBase = try #require(found.first?.location)
        #expect(inBase.source.path == "built-in/nats.yaml")
        let line = inBase.source.range(ofLine: inBase.position.line)
        #expect(
            String(decoding: inBase.source.bytes(in: line), as: UTF8.self).contains("publish("))
    }

    @Test(arguments: [
        ("irk", "dialect.not-found", "did you mean `irc`?"),
        ("missing.yaml", "dialect.not-found", "write its path"),
        ("[irc]", "dialect.wrong-type", "name of a built-in dialect"),
        ("''", "dialect.not-found", "built-in dialects"),
    ])
    func aBaseThatCannotBeUsedIsAnError(base: String, code: String, help: String) {
        let outcome = outcome("name: mine\nbased-on: \(base)\n")
        #expect(outcome.dialect == nil)
        #expect(outcome.diagnostics.map(\.code.word) == [code])
        #expect(outcome.diagnostics.first?.location?.position.line == 2)
        #expect(DiagnosticRenderer().text(outcome.diagnostics).contains(help))
    }

    @Test func aFileIsFoundNextToTheDialectAndCyclesAreErrors() throws {
        let folder = URL(filePath: NSTemporaryDirectory()).appending(
            path: "based-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        func write(_ name: String, _ text: String) throws -> String {
            let path = folder.appending(path: name).path
            try text.write(toFile: path, atomically: true, encoding: .utf8)
            return path
        }
        _ = try write("first.yaml", "name: first\nfields: {separator: '|'}\nport: 7\n")
        _ = try write("second.yaml", "name: second\nbased-on: first.yaml\nport: 8\n")
        let third = try write("third.yaml", "name: third\nbased-on: second.yaml\n")
        let file = try DialectLibrary.find(third)
        #expect(file.dialect.name == "third")
        #expect(file.dialect.port == 8)
        #expect(file.dialect.syntax.fromServer.separators == [ASCII.pipe])
        #expect(file.source.file.bytes.starts(with: "name: third".utf8))
        let loop = try write("loop.yaml", "name: loop\nbased-on: loop.yaml\n")
        let error = #expect(throws: Diagnosed.self) { try DialectLibrary.find(loop) }
        #expect(error?.diagnostics.map(\.code.word) == ["dialect.conflict"])
    }
}
