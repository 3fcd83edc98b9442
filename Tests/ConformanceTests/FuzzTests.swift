import DialectModel
import DialectFiles
import LineProtocol
import ReferenceServer
import Results
import Session
import TestServers
import Testing

@testable import Conformance

/// The fuzzer finds faults within a bounded number of trials, and nothing on a healthy server.
struct FuzzTests {
    private func fuzz(
        _ dialect: String, fault: Fault? = nil, trials: Int, seed: UInt64 = 1
    ) async throws -> [CheckResult] {
        let file = try DialectLibrary.find(dialect)
        let subject = try Subject(BoundDialect.of(file))
        var options = ServerOptions(file.dialect)
        if let fault { options.faults = FaultInjector(rates: [fault: 1], seed: 1) }
        let server = try await SimulatedServer.start(speaking: file.dialect, options: options)
        let fuzzer = Fuzzer(
            subject,
            CheckOptions(
                seed: seed, repetitions: 0, shrinks: false,
                patience: fault == nil ? nil : 3_000_000_000),
            FuzzOptions(time: .seconds(60), trialsMax: trials, findings: 1),
            executor: server)
        let results = await fuzzer.run().results
        await server.shutdown()
        return results
    }

    @Test(arguments: ["livechat", "irc", "nats"])
    func nothingIsFoundInAServerWithoutFaults(dialect: String) async throws {
        let results = try await fuzz(dialect, trials: 64)
        #expect(results.map { "\($0.id): \($0.verdict)" } == ["fuzz: passed"])
    }

    @Test(
        arguments: [
            (.nulDeafens, "wedged"), (.mutate, "mutated"), (.segmentEndsLine, nil),
        ] as [(Fault, String?)])
    func faultsAreFound(fault: Fault, kind: String?) async throws {
        let results = try await fuzz("irc", fault: fault, trials: 96)
        let failed = results.filter { [.failed, .flaky].contains($0.verdict) }
        #expect(!failed.isEmpty, "\(results.map { "\($0.id) \($0.reason)" })")
        if let kind { #expect(failed.contains { $0.finding?.kind == kind }, "\(failed.map(\.id))") }
        #expect(failed.allSatisfy { $0.scenario != nil })
    }
}

/// The fuzzer's parts.
struct FuzzInputTests {
    @Test func anInputIsReadBackFromItsFile() throws {
        var input = FuzzInput(lines: [Array("PING \0\\ é\r\n".utf8), [0xFF, 0x0A]], cuts: [3, 7])
        input.ending = .closeWithData
        input.texts = [[], [0x20, 0x61]]
        #expect(FuzzInput(text: input.text) == input)
        #expect(FuzzInput(text: "something else\n") == nil)
    }

    @Test func piecesAreCutWhereTheInputSays() {
        let input = FuzzInput(lines: [Array("abc".utf8), Array("de".utf8)], cuts: [1, 4])
        #expect(input.pieces.map { String(decoding: $0, as: UTF8.self) } == ["a", "bcd", "e"])
    }

    @Test(arguments: ["livechat", "irc", "msnp", "nats", "plain", "teamspeak"])
    func trialsOfASeedAreTheSameAndBounded(dialect: String) throws {
        let grammar = FuzzGrammar(try EvidenceTable.subject(dialect))
        for trial in 0..<100 {
            var first = FuzzMutator(grammar, seed: 7, trial: trial)
            var second = FuzzMutator(grammar, seed: 7, trial: trial)
            let input = first.trial(grammar.seeds)
            #expect(input == second.trial(grammar.seeds))
            #expect(input.lines.count <= FuzzInput.linesMax + 1)
            #expect(input.bytes.count <= FuzzInput.bytesMax + 2)
            #expect(!input.lines.isEmpty)
        }
    }

    @Test func aFindingIsMadeSmallerInLinesAndBytes() async {
        let input = FuzzInput(
            lines: ["one\n", "two bad three\n", "four\n"].map { Array($0.utf8) }, cuts: [2, 9])
        let shrinker = FuzzShrinker { $0.bytes.firstRange(of: Array("bad".utf8)) != nil }
        let smallest = await shrinker.shrunk(input)
        #expect(smallest.lines == [Array("bad".utf8)])
        #expect(smallest.cuts.isEmpty)
    }

    @Test func shapesDistinguishCommandsAndKindsOfArguments() throws {
        let shapes = FuzzShapes(try EvidenceTable.subject("irc").dialect)
        func shape(_ line: String) -> String {
            String(decoding: shapes.shape(Array(line.utf8)), as: UTF8.self)
        }
        #expect(shape(":s 421 nick FOO :Unknown command") == shape(":t 421 other BAR :No such"))
        #expect(
            shape(":s 421 nick FOO :Unknown command") != shape(":s 421 nick 12 :Unknown command"))
        #expect(shape("PING x") == "PING w1")
    }
}
