import Diagnostics
import LineProtocol
import Testing

@testable import DialectFiles

@Suite struct DialectWriterTests {
    @Test(arguments: DialectLibrary.builtInNames)
    func writtenDialectReadsToTheSameDialect(name: String) throws {
        let file = try DialectLibrary.find(name)
        try expectSameAfterWriting(file.dialect)
        for profile in file.profiles {
            try expectSameAfterWriting(try DialectLibrary.find("\(name)+\(profile)").dialect)
        }
    }

    @Test func everyKeyOfTheLanguageIsWritten() throws {
        try expectSameAfterWriting(try dialect(DialectWriterTests.everything))
        try expectSameAfterWriting(try dialect(DialectWriterTests.doubled))
        try expectSameAfterWriting(try dialect(DialectWriterTests.sided))
        try expectSameAfterWriting(try dialect(DialectWriterTests.separated))
        try expectSameAfterWriting(
            try dialect("name: x\nframing: {header-frames: {length: length}}"))
    }

    static let everything = """
        name: x
        summary: 'All: of "it"'
        framing:
          terminator: 0x1E
          limits: {line: 100, payload: 10, counts-terminator: false}
          empty-lines: message
          payload-end: none
          length-prefix: {bytes: 2, counts-itself: true, drops-nul: true}
          grouping: {mark: '-', after: 3}
          telnet: true
        fields:
          separator: 0x01
          quotes: true
          max: 9
          key-value: {assignment: ':', duplicates: last}
        escaping: quotes
        commands:
          a:
            wire: 'NO'
            from: both
            arguments:
              - list: list of decimal by semicolon?
              - flag: bool as yes|y/no|n = true
              - word: one of in|out = out
              - text: text = "a b # c"
              - when: time as rfc3339 in key x
              - rest: text...
            tolerance: {too-few: reject, too-many: join-last, mismatch: '?'}
          post: {from: client, arguments: [body: text in block]}
          mode: {from: client, arguments: [modes: text, key: secret if modes has k text?]}
          auth: {from: client, arguments: [data: secret sasl text, more: secret text?, note: secret services text?]}
          tell: {from: client, arguments: [whom: text, text: secret to whom text?]}
        behaviours:
          login: |
            -> a()

              <- a()
          wave:
            parameters: [who, why]
            steps: |
              -> a()
        rejects:
          - named: NO 1
        known-failures:
          - {check: frame.nul, versions: '<2', until: 2027-01-31, reason: 'it: breaks'}
        """

    static let doubled = """
        name: x
        framing: {grouping: {closing: done, asynchronous: note}}
        fields: {separator: '|', verb: {bytes: 2}}
        escaping: {field: {doubling: '|', forbidden: [NUL]}, exempt: [ab, '10']}
        """

    static let sided = """
        name: x
        fields:
          separator: '|'
          client: {max: 3, key-value: '='}
          server: {json: {form: only-key}, verb-case: insensitive}
        escaping:
          client:
            field: none
            value: {escape: '^', letters: {'^': '^', p: '|', n: LF}, unknown: '?', forbidden: [NUL]}
            exempt: [RAW]
        commands:
          say: {wire: SAY, from: client, arguments: [to: text, text: text in key]}
          said: {from: server, arguments: [text: text, loud: bool]}
        """

    static let separated = """
        name: x
        fields: {separator: '|', server: {separator: ',', quotes: true}}
        escaping: {doubling: '|', server: quotes}
        commands: {say: {from: both, arguments: [text: text]}}
        """

    private func expectSameAfterWriting(_ written: Dialect) throws {
        let text = DialectWriter.yaml(written)
        let outcome = DialectReader.read(SourceText(path: "written.yaml", text: text))
        #expect(rendered(outcome.diagnostics) == "")
        let read = try #require(outcome.dialect)
        #expect(read.name == written.name)
        #expect(read.summary == written.summary)
        #expect(read.port == written.port)
        #expect(read.framing == written.framing)
        #expect(read.syntax == written.syntax)
        #expect(read.escaping == written.escaping)
        #expect(read.tolerance == written.tolerance)
        #expect(read.policies == written.policies)
        #expect(read.commands.signatures == written.commands.signatures)
        #expect(read.behaviours.mapValues(content) == written.behaviours.mapValues(content))
        #expect(read.rejects.map(content) == written.rejects.map(content))
        #expect(read.ignores.map(content) == written.ignores.map(content))
        #expect(read.timing == written.timing)
        #expect(read.clauses == written.clauses)
        #expect(read.knownFailures == written.knownFailures)
        // Writing is idempotent.
        #expect(DialectWriter.yaml(read) == text)
    }

    /// Returns a behaviour without its file position.
    private func content(_ behaviour: Behaviour) -> Behaviour {
        var content = behaviour
        content.line = 0
        content.column = 0
        while content.scenarioText.last == "\n" { content.scenarioText.removeLast() }
        return content
    }

    @Test(arguments: DialectLibrary.builtInNames)
    func dialectSummaryMatchesTheFixture(name: String) throws {
        let file = try DialectLibrary.find(name)
        let text = DialectSummary.text(file.dialect, profiles: file.profiles)
        try expectGolden(text, "show/\(name).txt")
    }
}
