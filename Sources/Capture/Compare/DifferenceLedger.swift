import LineProtocol
import Results

/// The differences found so far, by kind. Each kind is counted, with one example.
struct DifferenceLedger {
    /// Maximum number of kinds of differences. Others are left out, with a note.
    static let kindsMax = 1_000

    typealias Answer = CaptureComparer.Answer
    typealias Difference = CaptureComparison.Difference

    /// What makes two differences the same kind.
    private struct Key: Hashable {
        var kind: CaptureComparison.Kind
        var request: String?
        var line = ""
        var replacement = ""
        var argument = ""
        var isUnsolicited = false
        /// True for values that may vary.
        var isVarying = false
    }

    /// The words that differ in an argument.
    private struct ArgumentChange {
        /// The client's command before the line; nil if the line is unsolicited.
        var request: String?
        var slot: Slot
        var words: [(before: [UInt8]?, after: [UInt8]?)]
        var example: CaptureComparison.Example
    }

    /// An argument of a command, or of the answers to a request.
    private struct Slot: Hashable {
        var request: String?
        var command: String
        var argument: String
    }

    /// The values of an argument in one capture.
    private struct Values {
        var first: [UInt8]
        var count = 1
        var isConstant = true
    }

    /// A pair of conversations.
    struct Context {
        let one: ComparableConversation
        let other: ComparableConversation
        /// Index of the requests in the second conversation by their index in the first.
        let requests: [Int: Int]
        /// Last request of each conversation.
        let last: (Int?, Int?)
        /// The requests that have an answer in the second conversation.
        let answered: Set<Int>

        /// - Parameters:
        ///   - requests: The index in the first conversation by the index in the second.
        ///   - answers: The server's lines in the second conversation.
        init(
            _ one: ComparableConversation, _ other: ComparableConversation, _ requests: [Int: Int],
            answers: [Answer]
        ) {
            self.one = one
            self.other = other
            self.requests = Dictionary(
                requests.map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })
            last = (one.requests.last, other.requests.last)
            answered = Set(answers.filter { !$0.isUnsolicited }.compactMap(\.request))
        }
    }

    private var found: [Key: Difference] = [:]
    private var order: [Key] = []
    private var omitted = 0
    private var changes: [ArgumentChange] = []
    private var values: ([Slot: Values], [Slot: Values]) = ([:], [:])
    /// Number of requests by command.
    private var requests: [String: Int] = [:]
    /// Number of answers by the commands of the request and the answer.
    private var answers: [[String?]: Int] = [:]
    /// Number of lines that a client sent in only one of the captures.
    var unaligned = 0

    // MARK: Counts

    /// Records the values of a line, to learn which arguments are constant in a capture.
    mutating func record(_ answer: Answer, isFirst: Bool, _ context: Context) {
        let request = request(answer, context)
        for (argument, value) in zip(answer.line.arguments, answer.values) {
            let slot = Slot(
                request: request, command: answer.line.command, argument: argument.name)
            if isFirst {
                Self.record(value, &values.0[slot])
            } else {
                Self.record(value, &values.1[slot])
            }
        }
    }

    private static func record(_ value: [UInt8], _ values: inout Values?) {
        guard var known = values else {
            values = Values(first: value)
            return
        }
        known.count += 1
        if known.first != value { known.isConstant = false }
        values = known
    }

    private func request(_ answer: Answer, _ context: Context) -> String? {
        answer.isUnsolicited ? nil : answer.request.flatMap { name($0, context) }
    }

    /// Returns whether an argument has the same value in all of several lines of both captures.
    private func isConstant(_ slot: Slot) -> Bool {
        [values.0[slot], values.1[slot]].allSatisfy {
            $0.map { $0.isConstant && $0.count > 1 } ?? false
        }
    }

    // MARK: Lines

    /// Adds lines that are in only one of the conversations.
    mutating func add(_ before: [Answer], _ after: [Answer], _ context: Context) {
        countAnswers(context)
        var later = Dictionary(grouping: after.filter { !$0.isOptional }, by: Self.group)
        for (request, lines) in Self.grouped(before.filter { !$0.isOptional }) {
            let key = Self.group(lines[0])
            let others = later.removeValue(forKey: key) ?? []
            let isUnsolicited = lines[0].isUnsolicited
            if request >= 0, !isUnsolicited, others.isEmpty, !context.answered.contains(request) {
                if mayMiss(request, context) { continue }
                let words = name(request, context)
                add(
                    Key(kind: .unanswered, request: words), example(lines[0], nil, context))
                continue
            }
            let common = isUnsolicited ? 0 : min(lines.count, others.count)
            for (old, new) in zip(lines, others).prefix(common) {
                add(
                    Key(
                        kind: .replaced, request: name(request, context), line: old.line.command,
                        replacement: new.line.command), example(old, new, context))
            }
            for old in lines.dropFirst(common) where !mayMiss(request, context) {
                addSingle(.missing, old, context)
            }
            for new in others.dropFirst(common) { addAdditional(new, context) }
        }
        for lines in later.values.sorted(by: { $0[0].index < $1[0].index }) {
            for new in lines { addAdditional(new, context) }
        }
    }

    /// Groups lines by request. Unsolicited lines are grouped by command.
    private static func group(_ answer: Answer) -> String {
        answer.isUnsolicited ? answer.line.command : "\(answer.request ?? -2)"
    }

    private static func grouped(_ answers: [Answer]) -> [(request: Int, lines: [Answer])] {
        var groups: [String: Int] = [:]
        var result: [(request: Int, lines: [Answer])] = []
        for answer in answers {
            guard let request = answer.isUnsolicited ? -1 : answer.request else { continue }
            let key = group(answer)
            if let index = groups[key] {
                result[index].lines.append(answer)
            } else {
                groups[key] = result.count
                result.append((request, [answer]))
            }
        }
        return result
    }

    /// Returns whether an answer may be missing only because of the second capture.
    private func mayMiss(_ request: Int, _ context: Context) -> Bool {
        context.other.hasGaps
            || context.other.isOpen && context.requests[request] == context.last.1
    }

    private mutating func addAdditional(_ answer: Answer, _ context: Context) {
        guard answer.request != nil || answer.isUnsolicited, !context.one.hasGaps else { return }
        if context.one.isOpen, answer.request == context.last.0 { return }
        addSingle(.additional, answer, context)
    }

    private mutating func addSingle(
        _ kind: CaptureComparison.Kind, _ answer: Answer, _ context: Context
    ) {
        let request = request(answer, context)
        let isMissing = kind == .missing
        add(
            Key(
                kind: kind, request: request, line: answer.line.command,
                isUnsolicited: answer.isUnsolicited),
            isMissing ? example(answer, nil, context) : example(nil, answer, context))
    }

    private mutating func countAnswers(_ context: Context) {
        var seen: Set<[String]> = []
        var request = -1
        for (index, line) in context.one.lines.enumerated() {
            if line.isFromClient {
                request = context.requests[index] == nil ? -2 : index
                if request >= 0 { requests[line.command, default: 0] += 1 }
            } else if seen.insert(["\(request)", line.command]).inserted || request < 0 {
                let command = name(request, context)
                answers[[command, line.command], default: 0] += 1
            }
            if !line.isFromClient { answers[["*", line.command], default: 0] += 1 }
        }
    }

    private func name(_ request: Int, _ context: Context) -> String? {
        request >= 0 ? context.one.lines[request].command : nil
    }

    // MARK: Arguments

    /// Compares the arguments of two lines with the same command.
    mutating func compareArguments(_ old: Answer, _ new: Answer, _ context: Context) {
        var others = zip(new.line.arguments, new.values).map { ($0.name, $1) }
        for (argument, value) in zip(old.line.arguments, old.values) {
            let index = others.firstIndex { $0.0 == argument.name }
            let other = index.map { others.remove(at: $0).1 }
            change(argument.name, from: value, to: other, (old, new), context)
        }
        for (name, value) in others { change(name, from: nil, to: value, (old, new), context) }
    }

    private mutating func change(
        _ argument: String, from old: [UInt8]?, to new: [UInt8]?, _ lines: (Answer, Answer),
        _ context: Context
    ) {
        guard old != new else { return }
        let slot = Slot(command: lines.0.line.command, argument: argument)
        var change = ArgumentChange(
            request: request(lines.0, context), slot: slot, words: [(old, new)],
            example: example(lines.0, lines.1, context))
        guard let old, let new else { return changes.append(change) }
        func split(_ value: [UInt8]) -> [[UInt8]] {
            value.split(separator: ASCII.space).map { Array($0) }
        }
        let (before, after) = (split(old), split(new))
        func sorted(_ words: [[UInt8]]) -> [[UInt8]] {
            words.sorted { $0.lexicographicallyPrecedes($1) }
        }
        // Lists may be in any order.
        if sorted(before) == sorted(after) { return }
        if before.count == after.count {
            change.words = zip(before, after).filter { $0 != $1 }.map { Self.trimmed($0, $1) }
        }
        changes.append(change)
    }

    /// Returns two words without the punctuation that they have in common at the start and the end.
    private static func trimmed(
        _ before: [UInt8], _ after: [UInt8]
    ) -> (before: [UInt8]?, after: [UInt8]?) {
        var (one, other) = (before[...], after[...])
        while let first = one.first, first == other.first, !ValueWords.isInWord(first) {
            (one, other) = (one.dropFirst(), other.dropFirst())
        }
        while let last = one.last, last == other.last, !ValueWords.isInWord(last) {
            (one, other) = (one.dropLast(), other.dropLast())
        }
        return (Array(one), Array(other))
    }

    /// Returns whether two words may differ in each run.
    private func isVarying(
        _ change: ArgumentChange, _ words: (before: [UInt8]?, after: [UInt8]?)
    ) -> Bool {
        guard let before = words.before, let after = words.after, ValueWords.hasDigit(before),
            ValueWords.outline(before) == ValueWords.outline(after)
        else { return false }
        var slot = change.slot
        slot.request = change.request
        return !isConstant(slot)
    }

    private mutating func addChanges() {
        var targets: [[UInt8]: Set<[UInt8]>] = [:]
        var slots: [[UInt8]: Set<Slot>] = [:]
        for change in changes {
            for case (let before?, let after?) in change.words
            where !isVarying(change, (before, after)) {
                targets[before, default: []].insert(after)
                slots[before, default: []].insert(change.slot)
            }
        }
        for change in changes {
            let words = change.words.filter { !isVarying(change, $0) }
            let mayVary = words.isEmpty
            var shown = words.isEmpty ? change.words : words
            let renamed = words.filter { word in
                guard let before = word.before else { return false }
                return targets[before]?.count == 1 && slots[before, default: []].count > 1
            }
            for word in renamed {
                add(
                    Key(
                        kind: .renamed, replacement: text(word.after) ?? "",
                        argument: text(word.before) ?? ""), change.example,
                    values: (text(word.before), text(word.after)))
            }
            shown.removeAll { word in renamed.contains { $0.before == word.before } }
            guard let word = shown.first else { continue }
            add(
                Key(
                    kind: .argument, line: change.slot.command, argument: change.slot.argument,
                    isVarying: mayVary), change.example,
                values: (text(word.before), text(word.after)))
        }
        changes = []
    }

    private func text(_ value: [UInt8]?) -> String? {
        value.map { String(decoding: $0.prefix(Self.valueBytesMax), as: UTF8.self) }
    }

    /// Maximum size of a value in a difference.
    private static let valueBytesMax = 120

    // MARK: Order and end

    mutating func addOrder(_ old: Answer, _ new: Answer, _ context: Context) {
        add(
            Key(kind: .order, line: old.line.command, isUnsolicited: true),
            example(old, new, context))
    }

    /// Adds that the server ended a conversation, if it did so only in the second capture and the
    /// client would have sent more.
    mutating func addEnd(_ context: Context) {
        let (one, other) = (context.one, context.other)
        guard other.isEndedByServer, !other.isOpen, !other.hasGaps,
            other.requests.count < one.requests.count, let last = other.requests.last
        else { return }
        add(
            Key(kind: .closed, request: other.lines[last].command),
            CaptureComparison.Example(request: Self.line(other.lines[last], other)))
    }

    // MARK: Result

    private mutating func add(
        _ key: Key, _ example: CaptureComparison.Example,
        values: (String?, String?) = (nil, nil)
    ) {
        if let known = found[key] {
            found[key]?.count = known.count + 1
            return
        }
        guard order.count < Self.kindsMax else {
            omitted += 1
            return
        }
        var difference = Difference(key.kind, isUnsolicited: key.isUnsolicited)
        difference.request = key.request
        difference.line = key.line.isEmpty ? nil : key.line
        difference.replacement =
            key.kind != .replaced ? nil : key.replacement
        difference.argument = key.kind == .argument ? key.argument : nil
        (difference.before, difference.after) = values
        difference.count = 1
        difference.example = example
        found[key] = difference
        order.append(key)
    }

    private func total(_ difference: Difference) -> Int? {
        switch difference.kind {
        case .unanswered: difference.request.flatMap { requests[$0] }
        case .missing:
            answers[[difference.isUnsolicited ? "*" : difference.request, difference.line]]
        case .additional:
            difference.isUnsolicited ? nil : difference.request.flatMap { requests[$0] }
        default: nil
        }
    }

    /// Adds all differences to the comparison.
    mutating func finish(_ comparison: inout CaptureComparison) {
        addChanges()
        for key in order {
            guard var difference = found[key] else { continue }
            difference.total = total(difference).map { max($0, difference.count) }
            if key.isVarying {
                comparison.varying.append(difference)
            } else {
                comparison.differences.append(difference)
            }
        }
        if omitted > 0 {
            comparison.notes.append("further differences that are not listed: \(omitted)")
        }
    }

    private func example(
        _ old: Answer?, _ new: Answer?, _ context: Context
    ) -> CaptureComparison.Example {
        var example = CaptureComparison.Example()
        let request = (old ?? new).flatMap(\.request) ?? -1
        if request >= 0, (old ?? new)?.isUnsolicited == false {
            example.request = Self.line(context.one.lines[request], context.one)
        }
        example.before = old.map { Self.line($0.line, context.one) }
        example.after = new.map { Self.line($0.line, context.other) }
        return example
    }

    private static func line(
        _ line: ComparableLine, _ conversation: ComparableConversation
    ) -> CaptureComparison.Line {
        CaptureComparison.Line(
            packet: line.packet.number, time: line.packet.timeText, connection: conversation.number,
            operator: String(decoding: conversation.name, as: UTF8.self),
            text: (line.isFromClient ? "→ " : "← ") + String(decoding: line.text, as: UTF8.self))
    }
}
