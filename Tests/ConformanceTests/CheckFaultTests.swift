import Conformance
import LineProtocol
import ReferenceServer
import Results
import Testing

/// Faults found by one check of a rule and not by its other checks, or by another rule.
struct CheckFaultTests {
    /// A fault and the check that finds it.
    struct Found: CustomTestStringConvertible {
        var fault: Fault
        var check: String
        var dialect: String
        /// The kind of the finding.
        var kind: String

        var testDescription: String { "\(fault.rawValue) by \(check)" }
    }

    static let found: [Found] = [
        Found(
            fault: .fewArgumentsLeave, check: "arity.few:state", dialect: "irc", kind: "lost"),
        Found(
            fault: .emptyArgumentsClose, check: "arity.empty:clientfind", dialect: "teamspeak",
            kind: "closed"),
        Found(
            fault: .segmentEndsLine, check: "frame.seg:payload", dialect: "msnp", kind: "closed"),
        Found(
            fault: .segmentEndsLine, check: "frame.seg:payload", dialect: "nats", kind: "mutated"),
        Found(
            fault: .partialLineRuns, check: "reconn.mid:bytes", dialect: "irc",
            kind: "extra-command"),
        Found(
            fault: .staleSessionAfterFin, check: "reconn.mid:login", dialect: "livechat",
            kind: "stale-session"),
        Found(
            fault: .staleSessionAfterFin, check: "frame.eof:whole", dialect: "livechat",
            kind: "stale-session"),
        Found(
            fault: .answersUnescaped, check: "esc.roundtrip:probe", dialect: "livechat",
            kind: "mutated"),
        Found(fault: .leaversHear, check: "msg.history:stays", dialect: "irc", kind: "leaked"),
        Found(fault: .drop, check: "msg.history:stays", dialect: "livechat", kind: "lost"),
    ]

    @Test(arguments: found)
    func aFaultIsFoundByTheCheckThatLooksForIt(found: Found) async throws {
        let results = try await check(
            found.dialect, fault: found.fault, only: [found.check], slow: true)
        #expect(results.map(\.verdict) == [.failed])
        #expect(results.map(\.finding?.kind) == [found.kind], "\(results.map(\.reason))")
        let sound = try await check(found.dialect, only: [found.check], slow: true)
        for result in sound {
            #expect(
                [.passed, .observed].contains(result.verdict),
                "\(result.id): \(result.verdict) \(result.reason)")
        }
    }

    @Test func whatIsReadBackIsHeldAgainstWhatWasLeft() async throws {
        let changing = { (dialect: inout Dialect) in dialect.policies["control-bytes"] = "pass" }
        for fault in [Fault.controlsStripped, nil] {
            let results = try await check(
                "irc", fault: fault, only: ["esc.roundtrip:recall"], changing: changing)
            #expect(results.map(\.verdict) == [fault == nil ? .passed : .failed])
            #expect(results.first?.finding?.kind == (fault == nil ? nil : "mutated"))
        }
    }

    // MARK: Types that no built-in dialect's clients send

    /// IRC's `WHOWAS` with another type for its count.
    private static func counting(by type: ArgumentType) -> (inout Dialect) -> Void {
        { dialect in
            dialect.commands = CommandTable(
                dialect.commands.signatures.map { signature in
                    guard signature.name == "whowas" else { return signature }
                    var signature = signature
                    signature.arguments[1].type = type
                    return signature
                })
        }
    }

    @Test(arguments: [
        ("decimal", ArgumentType.decimal), ("time", .time(.unixSeconds)), ("time", .time(.rfc3339)),
    ])
    func valuesOfDecimalsAndTimesAreTried(kind: String, type: ArgumentType) async throws {
        let only = "type.\(kind)"
        let faulty = try await check(
            "irc", fault: .badValuesClose, only: [only], changing: Self.counting(by: type))
        #expect(faulty.map(\.id.description) == ["\(only):WHOWAS.count"])
        #expect(faulty.map(\.finding?.kind) == ["closed"])
        let sound = try await check("irc", only: [only], changing: Self.counting(by: type))
        #expect(sound.map(\.verdict) == [.passed])
    }
}
