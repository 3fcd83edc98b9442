import DialectFiles
import DialectModel
import Diagnostics
import Foundation
import LineProtocol
import RepositoryFiles
import Results
import Scenario
import Testing

@testable import Conformance

/// A case runs the same steps that its scenario shows.
struct CaseScenarioTests {
    private static let dialects =
        MatrixDialect.builtIn + MatrixDialect.similar + MatrixDialect.unserved
        + ["toy", "corner"].map {
            Repository.root.appending(path: "Tests/CommandLineTests/Fixtures/\($0).yaml").path
        }

    private func subject(_ dialect: String) throws -> Subject {
        var subject = try EvidenceTable.subject(dialect)
        subject.runsSlowChecks = true
        return subject
    }

    /// The text is never parsed by a check. If it were, the result would be the same steps, at the
    /// same places.
    @Test(arguments: dialects)
    func printedScenariosParseToTheStepsThatRun(dialect: String) throws {
        let subject = try subject(dialect)
        for check in Catalogue(subject).checks {
            // The other cases differ only in their bytes.
            for testCase in check.cases(subject, seed: 3).prefix(2) {
                for isWritten in [false, true] {
                    let scenario = CaseScenario(
                        testCase, check.heading, subject, isWritten: isWritten)
                    let label = "\(check.id) \(testCase.title)"
                    let parsed = try ScenarioParser.file(from: scenario.file.source)
                    #expect(
                        parsed.header == scenario.file.header, "\(label)\n\(scenario.text)")
                    #expect(
                        parsed.steps.map(\.plain) == scenario.file.steps.map(\.plain),
                        "\(label)\n\(scenario.text)")
                    #expect(
                        parsed.fragments.map(\.plain) == scenario.file.fragments.map(\.plain),
                        "\(label)\n\(scenario.text)")
                    #expect(
                        parsed.steps.map(\.range) == scenario.file.steps.map(\.range), "\(label)")
                }
            }
        }
    }

    @Test func theScenarioFileAddsRequirementsToTheSameSteps() throws {
        let subject = try subject("irc")
        for check in Catalogue(subject).checks {
            for testCase in check.cases(subject, seed: 3).prefix(2) {
                for step in testCase.steps where !step.isBarrier && !step.logsIn {
                    #expect(step.written.starts(with: step.steps), "\(check.id)")
                }
            }
        }
    }

    @Test func aNewNameReplacesOnlyTheName() throws {
        var script = CaseScript("", try subject("irc"))
        // The name is also the name of a fragment and of a client.
        script.logIn(CaseActor(handle: "alice", name: "alive"))
        script.barrier("alice")
        script.send(.stimulus, Array("WHOIS alive\r\n".utf8), by: "alice")
        let renamed = script.made().renamed(seed: 1, part: "test")
        let name = renamed.actors[0].name
        #expect(name != "alive")
        #expect(
            renamed.steps.map(\.text) == [
                "use login as alice (name: \"\(name)\")", "sync alice",
                "use alive as alice (word: \"alive1\")", "alice -> WHOIS \(name)",
            ])
    }

    @Test func secretsBecomeVariables() throws {
        let file = try DialectLibrary.find("irc")
        let subject = try Subject(
            BoundDialect(file.dialect, source: file.source),
            variables: ["password": Array("sesame77".utf8)], secrets: ["password"])
        var script = CaseScript("", subject)
        script.connect(CaseActor(handle: "alice", name: "alice"))
        script.send(.stimulus, Array("PASS sesame77\r\n".utf8), by: "alice")
        let check = Check(CheckID("test"), "", setting: "framing", in: subject) { _ in [] }
        let text = CaseScenario(script.made(), check.heading, subject, isWritten: true).text
        #expect(text.contains("secret    password\n"))
        #expect(text.contains("alice -> PASS {{password}}\n"))
        #expect(!text.contains("sesame77"))
    }

    /// A refusal without the client's name, such as `461 KICK :…`, must not match.
    @Test func refusalsContainTheNameOfTheClient() throws {
        let file = try DialectLibrary.find("irc+rfc")
        let subject = try Subject(BoundDialect(file.dialect, source: file.source))
        var script = CaseScript("", subject)
        script.logIn(CaseActor(handle: "alice", name: "ann7"))
        script.send(
            .stimulus, Array("KICK\r\n".utf8), by: "alice",
            requires: Reaction.refusal.expected(by: "alice", in: script))
        let check = Check(CheckID("test"), "", setting: "framing", in: subject) { _ in [] }
        let text = CaseScenario(script.made(), check.heading, subject, isWritten: true).text
        #expect(text.contains("[0-9][0-9]/}} ann7 {{...}}\n"), "\(text)")
    }

    @Test func transcriptsHaveTheLinesOfTheWrittenScenario() throws {
        let subject = try subject("irc")
        var script = CaseScript("", subject)
        script.logIn(CaseActor(handle: "alice", name: "alice"))
        script.send(
            .stimulus, Array("QZX\r\n".utf8), by: "alice",
            requires: Reaction.refusal.expected(by: "alice", in: script))
        script.barrier("alice")
        let check = Check(CheckID("test"), "", setting: "framing", in: subject) { _ in [] }
        let written = CaseScenario(
            script.made(), check.heading, subject, isWritten: true, comments: ["one", "two"])
        let transcript = [0, 1, 3].map {
            TranscriptEntry(time: 0, operatorName: "alice", kind: .sent, step: $0)
        }
        let lines = written.text.split(separator: "\n", omittingEmptySubsequences: false)
        let numbered = written.numbered(transcript).compactMap(\.line)
        #expect(
            numbered.map { lines[$0 - 1] } == [
                "use login as alice (name: \"alice\")", "alice -> QZX",
                "use alive as alice (word: \"alive1\")",
            ])
    }
}

extension Template {
    /// The template without placeholders that only spell bytes.
    fileprivate var plain: Template {
        var pieces: [Piece] = []
        for piece in self.pieces {
            var bytes: [UInt8]?
            if case .literal(let literal) = piece { bytes = literal.bytes }
            if case .placeholder(let placeholder) = piece,
                case .bytes(let text, let count) = placeholder.kind
            {
                bytes =
                    text.count == 1
                    ? Array(repeating: text[0], count: count)
                    : Array(repeatElement(text, count: count).joined())
            }
            guard let bytes else {
                pieces.append(piece)
                continue
            }
            if case .literal(let last) = pieces.last {
                pieces[pieces.count - 1] = .literal(Literal(last.bytes + bytes, range: .none))
            } else if !bytes.isEmpty {
                pieces.append(.literal(Literal(bytes, range: .none)))
            }
        }
        return Template(pieces, range: .none)
    }
}

extension Step {
    fileprivate var plain: Step { mapTemplates(\.plain) }
}

extension Fragment {
    fileprivate var plain: Fragment {
        var copy = self
        copy.steps = steps.map(\.plain)
        return copy
    }
}
