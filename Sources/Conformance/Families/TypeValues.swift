import Diagnostics
import DialectModel
import LineProtocol
import Results
import Scenario
import Session

/// The `type.…` rules, about arguments whose values do not match their type, or are edge cases of
/// that type.
enum TypeValues: CheckFamily {
    static let ruleID = "type"

    static func entries(_ subject: Subject) -> [CatalogueEntry] {
        guard subject.hasVerbs else {
            return notApplicable("the dialect's lines have no arguments")
        }
        var entries: [CatalogueEntry] = []
        for (signature, verb) in subject.clientCommands {
            for index in signature.arguments.indices {
                guard let trial = ValueTrial(signature, verb, index, subject) else { continue }
                entries.append(.check(check(trial, subject)))
            }
        }
        if let check = RoomNumbers.check(subject) { entries.append(.check(check)) }
        return entries.isEmpty
            ? notApplicable("all arguments of client commands are text") : entries
    }

    private static func check(_ trial: ValueTrial, _ subject: Subject) -> Check {
        let id = CheckID("type.\(trial.kind)", trial.name)
        return Check(
            id, "\(trial.claim) \(claim(trial.mismatch))", setting: "tolerance.mismatch",
            says: word(trial.mismatch), in: subject,
            level: trial.mismatch == .reject ? nil : .robustness
        ) { maker in
            let groups = [
                ("values of the wrong type", trial.wrong, reaction(trial.mismatch)),
                ("edge cases", trial.edge, Reaction.tolerance),
            ]
            return groups.flatMap { title, values, reaction -> [CheckCase] in
                if values.isEmpty { return [] }
                if maker.subject.errorsClose {
                    return values.map {
                        made("\(title): \(short($0))", [$0], trial, reaction, &maker)
                    }
                }
                return [made(title, values, trial, reaction, &maker)]
            }
        }
    }

    private static func short(_ value: [UInt8]) -> String {
        let start = String(decoding: value.prefix(20), as: UTF8.self)
        return value.count > 20 ? start + "…" : start
    }

    private static func made(
        _ title: String, _ values: [[UInt8]], _ trial: ValueTrial, _ reaction: Reaction,
        _ maker: inout CaseMaker
    ) -> CheckCase {
        var script = maker.script(title)
        script.barrier("alice", role: .control)
        let digits = String(decoding: beyondInt32, as: UTF8.self)
        let negative = ExpectedPattern.matching(".*-\(digits).*")
        for value in values {
            let line = trial.line(value, maker.subject)
            script.send(
                .stimulus, line, by: "alice",
                requires: reaction.expected(by: "alice", in: script))
            if value == beyondInt32 {
                script.require(negative.map { [.expect("alice", .never, $0)] } ?? [])
            }
            script.step(.question, .sync("alice"))
        }
        script.barrier("alice")
        let overflows = values.contains(beyondInt32)
        return script.made(.any) { evidence in
            if evidence.closingAnswer() != nil { return .passed }
            if overflows, let wrapped = wrapped(&evidence) { return wrapped }
            return reaction.judge(&evidence).decided
        }
    }

    /// The smallest positive number that does not fit into a signed 32-bit integer.
    static let beyondInt32 = Array("2147483648".utf8)

    /// Returns a failure if the server returned `beyondInt32` as a negative number, otherwise nil.
    private static func wrapped(_ evidence: inout Evidence) -> Judgement? {
        let first = evidence.stimuli.first ?? 0
        for (entry, step) in evidence.entries
        where step >= first && entry.kind == .received && entry.role == .plain
            && entry.bytes.contains([ASCII.minus] + beyondInt32)
        {
            return .failed(
                Finding(
                    "mutated", expected: "2147483648 unchanged, or a refusal",
                    got: "the server answered `\(escapedForDisplay(entry.bytes))`"))
        }
        return nil
    }

    private static func reaction(_ mismatch: Tolerance.Mismatch) -> Reaction {
        switch mismatch {
        case .reject: .refusal
        case .zero: .tolerance
        case .open: .tolerance
        }
    }

    private static func word(_ mismatch: Tolerance.Mismatch) -> String {
        switch mismatch {
        case .reject: "reject"
        case .zero: "zero"
        case .open: "?"
        }
    }

    private static func claim(_ mismatch: Tolerance.Mismatch) -> String {
        mismatch == .reject ? "is refused" : "is accepted or refused, and the session continues"
    }
}

/// An argument, with invalid values and edge cases to try for it.
struct ValueTrial: Sendable {
    var kind: String
    /// Name of the command and argument, such as `JOIN.channels`.
    var name: String
    /// Description of the invalid value, for the text of the requirement.
    var claim: String
    var mismatch: Tolerance.Mismatch
    /// Values that do not match the type.
    var wrong: [[UInt8]] = []
    /// Edge cases of the type.
    var edge: [[UInt8]] = []
    private var verb: [UInt8]
    private var before: [ArgumentSignature]
    private var argument: ArgumentSignature
    private var after: [ArgumentSignature]
    private var payload: PayloadLine?

    /// Creates the trial; nil if every value matches the type, or if the argument does not appear
    /// in the line.
    init?(
        _ signature: CommandSignature, _ verb: [UInt8], _ index: Int, _ subject: Subject
    ) {
        argument = signature.arguments[index]
        self.verb = verb
        switch argument.position {
        case .field, .key: before = Self.inLine(signature.arguments[..<index])
        case .payload:
            before = []
            payload = PayloadLine(signature, verb, subject)
            if payload == nil { return nil }
        default: return nil
        }
        // Another rule covers lines with a payload.
        guard payload != nil || signature.payloadArgument == nil else { return nil }
        after = Self.inLine(signature.arguments[(index + 1)...]).filter(\.isRequired)
        let word = String(decoding: verb, as: UTF8.self)
        name = "\(word).\(argument.name)"
        // Not every server that rejects wrong values also rejects them in optional arguments.
        let mismatch = subject.tolerance(signature).mismatch
        self.mismatch = argument.isRequired || mismatch != .reject ? mismatch : .open
        kind = ""
        claim = ""
        guard fill(subject) else { return nil }
        claim =
            "a value for `\(argument.name)` of \(word) that is not of type \(argument.type.name)"
    }

    private static func inLine(_ arguments: ArraySlice<ArgumentSignature>) -> [ArgumentSignature] {
        arguments.filter { argument in
            switch argument.position {
            case .field, .key, .correlation: argument.presence != .variadic
            default: false
            }
        }
    }

    private mutating func fill(_ subject: Subject) -> Bool {
        if subject.dialect.syntax.fromClient.json != nil {
            (kind, wrong, edge) = JSONSample.trial(argument.type)
            return true
        }
        func bytes(_ words: [String]) -> [[UInt8]] { words.map { Array($0.utf8) } }
        if let words = NumberWords(argument.type) {
            (kind, wrong, edge) = (words.kind, bytes(words.wrong), bytes(words.edge))
            return true
        }
        switch argument.type {
        case .bool:
            kind = "bool"
            edge = bytes(["true", "false", "TRUE", "yes", "2", "-1", "on"])
        case .list(_, let separator):
            kind = "list"
            edge = lists(separator, subject)
        case .choice(let words):
            kind = "choice"
            wrong = bytes(["zzz", words.first.map { $0 + $0 } ?? "y"])
        case .json:
            kind = "json"
            let deep = String(repeating: "[", count: 500)
            wrong = bytes(["{\"a\":", "{]", "nul"])
            edge = bytes([deep + String(repeating: "]", count: 500), "1e999", "{\"a\":1,\"a\":2}"])
        case .xml:
            kind = "xml"
            let deep = String(repeating: "<a>", count: 300) + String(repeating: "</a>", count: 300)
            edge = bytes([
                "<a>", "<a></b>", deep,
                "<!DOCTYPEa[<!ENTITYb\"bb\"><!ENTITYc\"&b;&b;\">]><a>&c;</a>",
            ])
        default: return false
        }
        return true
    }

    private func lists(_ separator: UInt8, _ subject: Subject) -> [[UInt8]] {
        let one = SampleArgument.value(argument.type)
        let room = subject.dialect.framing.fromClient.limits.lineBytesMax - 100
        let count = max(2, min(100, room / (one.count + 1)))
        return [
            [separator], one + [separator, separator] + one,
            Array(repeatElement(one, count: 2).joined(separator: [separator])),
            Array(repeatElement(one, count: count).joined(separator: [separator])),
        ]
    }

    func line(_ value: [UInt8], _ subject: Subject) -> [UInt8] {
        if let payload { return payload.bytes(value) }
        if subject.dialect.syntax.fromClient.json != nil {
            let others = (before + after).map { argument in
                let sample = SampleArgument.value(argument.type)
                return (argument, JSONSample.text(sample, argument.type))
            }
            return subject.object(verb, others + [(argument, value)])
        }
        let marker: UInt8 = 0x11
        // Line with a marker in place of the value. No sample value contains the marker.
        var stand = argument
        stand.type = .choice([String(UnicodeScalar(marker))])
        var line = SampleArgument.line(verb, before + [stand] + after, subject)
        let rule = subject.dialect.argumentRule(.fromClient)
        var spelled = value
        do { spelled = try rule.encode(value) } catch { spelled = value }
        if let index = line.firstIndex(of: marker) {
            line.replaceSubrange(index...index, with: spelled)
        }
        return line
    }
}

/// Sample values for numbers and times.
private struct NumberWords {
    let kind: String
    let wrong: [String]
    let edge: [String]

    init?(_ type: ArgumentType) {
        switch type {
        case .int:
            kind = "int"
            wrong = ["1e3", "0x1", "x", "\u{661}", "1.5"]
            edge = [
                "-1", "0", "00", "+1", "2147483648", "4294967296", "9223372036854775807",
                "9223372036854775808", "1" + String(repeating: "0", count: 30),
            ]
        case .decimal:
            kind = "decimal"
            wrong = ["x", "1.2.3", "1e", "0x1.8", "--1", ".", "\u{661}.5"]
            edge = [
                "-1.5", "0", "-0.0", "+1.5", "00.50", ".5", "5.", "1e3", "1e999", "nan",
                String(repeating: "9", count: 40), "0." + String(repeating: "0", count: 30) + "1",
            ]
        case .time(.rfc3339):
            kind = "time"
            wrong = [
                "x", "1", "2026-13-01T00:00:00Z", "2026-02-30T00:00:00Z", "2026-01-01T25:00:00Z",
                "2026-01-01",
            ]
            edge = [
                "0000-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "2016-12-31T23:59:60Z",
                "2026-01-01t00:00:00z", "2026-01-01T00:00:00+23:59", "2026-01-01T00:00:00",
                "2026-01-01T00:00:00.123456789123Z",
            ]
        case .time:
            kind = "time"
            wrong = ["x", "1e", "2026-01-01", "\u{661}"]
            edge = [
                "-1", "0", "1.5", "2147483648", "253402300800", "9223372036854775807",
                "1" + String(repeating: "0", count: 30),
            ]
        default: return nil
        }
    }
}

/// The `type.int:room` check, about room numbers that do not fit into a signed 32-bit integer.
enum RoomNumbers {
    private static let numbers = [2_147_483_655, 4_294_967_303, 9_007_199_254_740_993]

    /// Creates the check; nil if rooms are not identified by numbers.
    static func check(_ subject: Subject) -> Check? {
        guard subject.talk?.isRoom == true, let enter = subject.bound["enter"],
            enter.sentLines.contains(where: { hasNumber($0, subject) })
        else { return nil }
        return Check(
            CheckID("type.int", "room"), "a large number is echoed unchanged",
            setting: "arguments", in: subject, level: .robustness
        ) { maker in
            numbers.map { number in
                let entering = entering(enter, maker.subject)
                var script = maker.script("a room with the number \(number)", ["alice", "bob"])
                if let entering { script.fragments.append(entering) }
                script.enter(room: maker.room(), ["alice", "bob"])
                script.barrier("alice", role: .control)
                for handle in ["alice", "bob"] {
                    let values: [(String, Value)] = [
                        ("room", .int(number)), ("name", .text(script.actor(handle).name)),
                    ]
                    let parameters = entering?.parameters.map(\.text) ?? ["room"]
                    let given = values.filter { parameters.contains($0.0) }
                    script.step(
                        .stimulus,
                        .use(
                            entering?.name.text ?? enter.name, as: handle,
                            given.map { Argument($0.0, $0.1) }))
                }
                script.barrier("alice")
                return script.made { evidence in
                    if evidence.result.diagnostic?.code.word == "run.refused" { return .passed }
                    return evidence.scripted()
                }
            }
        }
    }

    /// Returns a fragment in which a client enters a room, unless the server refuses the room. Returns
    /// nil if the behaviour cannot be refused or uses values that the login captured, which a
    /// fragment does not know.
    private static func entering(_ enter: BoundBehaviour, _ subject: Subject) -> Fragment? {
        let steps = enter.steps
        guard let first = steps.firstIndex(where: { $0.awaited != nil }),
            case .expect(let expectation) = steps[first].kind, let refusal = subject.refusalPattern,
            enter.sends.flatMap(\.placeholders).compactMap(\.variable)
                .allSatisfy(["room", "name"].contains)
        else { return nil }
        let choice = Step.oneOf(
            Array(steps[first...]), [.expect(nil, expectation.mode, refusal)])
        let all = steps[..<first] + [choice]
        let parameters = ["room", "name"].filter { name in
            all.contains { $0.uses(variable: name) }
        }
        return Fragment("enter-or-refusal", parameters, Array(all))
    }

    /// Returns whether a room number is a separate argument.
    private static func hasNumber(_ line: LineShape, _ subject: Subject) -> Bool {
        let arguments = subject.dialect.commands.signatures[line.command].arguments
        return arguments.indices.contains {
            arguments[$0].type == .int && line.arguments[$0] == [.variable("room")]
        }
    }
}
