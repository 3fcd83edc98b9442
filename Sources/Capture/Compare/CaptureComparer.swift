import LineProtocol
package import Results

/// A comparison of the server's answers in two captures of the same conversations.
///
/// Lines are compared by command and arguments. The order of lines does not matter, except between
/// lines from the same source, because it depends on other connections.
package struct CaptureComparer {
    private let captures: (ComparableCapture, ComparableCapture)
    private var words: (ValueWords, ValueWords)
    private var ledger: DifferenceLedger
    private var comparison: CaptureComparison
    /// Names of the operators in the first capture.
    private var names: Set<[UInt8]> = []

    /// A line of the server with its masked values.
    struct Answer {
        var line: ComparableLine
        /// Index in the conversation.
        var index: Int
        /// Index of the client's line before it in the first capture's conversation; -1 if there is
        /// none, and nil if the other capture does not have that line.
        var request: Int?
        var values: [[UInt8]]
        /// True if the line was sent because of another client.
        var isUnsolicited: Bool
        /// True if it depends on timing whether the line arrives.
        var isOptional: Bool

        /// The command and the names of the arguments.
        var form: [[UInt8]] {
            [Array(line.command.utf8)] + line.arguments.map { Array($0.name.utf8) }
        }
    }

    package init(
        _ one: ComparableCapture, _ other: ComparableCapture, _ comparison: CaptureComparison
    ) {
        captures = (one, other)
        words = (ValueWords(startedAt: one.startedAt), ValueWords(startedAt: other.startedAt))
        ledger = DifferenceLedger()
        self.comparison = comparison
        names = Set(one.conversations.map(\.name).filter { !$0.isEmpty })
    }

    /// Compares the captures.
    package mutating func compared() -> CaptureComparison {
        let pairs = ConversationPairs(captures.0, captures.1)
        let requests = pairs.pairs.map { pair in
            ConversationPairs.requests(
                of: captures.0.conversations[pair.0], in: captures.1.conversations[pair.1])
        }
        for conversation in captures.0.conversations {
            words.1.knows(conversation.name)
            for line in conversation.lines where line.isFromClient {
                for argument in line.arguments { words.1.knows(argument.value) }
            }
        }
        for (pair, requests) in zip(pairs.pairs, requests) { learn(pair, requests) }
        for (pair, requests) in zip(pairs.pairs, requests) { compare(pair, requests) }
        comparison.conversations = pairs.pairs.count
        comparison.requests = requests.reduce(0) { $0 + $1.count }
        ledger.finish(&comparison)
        addNotes(pairs.unmatched)
        if !comparison.differences.isEmpty {
            comparison.verdict = .failed
        } else if comparison.requests == 0 {
            comparison.verdict = .inconclusive
        }
        return comparison
    }

    private mutating func addNotes(_ unmatched: (Int, Int)) {
        for (letter, count, isCut) in [
            ("A", unmatched.0, captures.0.isCut), ("B", unmatched.1, captures.1.isCut),
        ] {
            if count > 0 {
                comparison.notes.append(
                    "conversations that are only in \(letter) and are not compared: \(count)")
            }
            if isCut {
                comparison.notes.append(
                    "\(letter) is longer than \(ComparableSink.linesMax) lines; the rest is not compared"
                )
            }
        }
        if ledger.unaligned > 0 {
            comparison.notes.append(
                "lines that a client sent in only one of the captures: \(ledger.unaligned)")
        }
    }

    /// Learns which names and values differ, from what clients sent.
    private mutating func learn(_ pair: (Int, Int), _ requests: [Int: Int]) {
        let (one, other) = (captures.0.conversations[pair.0], captures.1.conversations[pair.1])
        if one.name != other.name { words.1.learn(other.name, one.name) }
        for (to, from) in requests {
            let (sent, resent) = (one.lines[from].arguments, other.lines[to].arguments)
            for (own, their) in zip(sent, resent) where own.name == their.name {
                if own.value != their.value { words.1.learn(their.value, own.value) }
            }
        }
    }

    // MARK: Conversations

    private mutating func compare(_ pair: (Int, Int), _ requests: [Int: Int]) {
        let (one, other) = (captures.0.conversations[pair.0], captures.1.conversations[pair.1])
        let aligned = Set(requests.values)
        ledger.unaligned += one.requests.count + other.requests.count - 2 * requests.count
        var before = answers(one, words.0, canMiss: other.waitedAtEnd) {
            aligned.contains($0) ? $0 : nil
        }
        var after = answers(other, words.1, canMiss: one.waitedAtEnd) { requests[$0] }
        let context = DifferenceLedger.Context(one, other, requests, answers: after)
        for answer in before { ledger.record(answer, isFirst: true, context) }
        for answer in after { ledger.record(answer, isFirst: false, context) }

        let same = Self.match(&before, &after) { $0.form + $0.values }
        compareOrder(same, context)
        let similar = Self.match(&before, &after) { answer in
            answer.form + answer.values.map { Array(ValueWords.outline($0).joined(separator: [0])) }
        }
        let changed = Self.match(&before, &after) { answer in
            answer.request.map {
                [answer.form[0], Array("\(answer.isUnsolicited ? -2 : $0)".utf8)]
            }
        }
        for (old, new) in similar + changed where !areUnrelated(old, new) {
            ledger.compareArguments(old, new, context)
        }
        ledger.add(before, after, context)
        ledger.addEnd(context)
    }

    /// Returns the server's lines.
    ///
    /// - Parameters:
    ///   - canMiss: Whether the other conversation lasted long enough for lines that arrive after
    ///     the client's last line.
    ///   - request: Converts the index of a client's line; nil if the other capture does not have
    ///     that line.
    private func answers(
        _ conversation: ComparableConversation, _ words: ValueWords, canMiss: Bool,
        _ request: (Int) -> Int?
    ) -> [Answer] {
        var current: Int? = -1
        var answers: [Answer] = []
        // Number of the client's later lines.
        var later = conversation.requests.count
        for (index, line) in conversation.lines.enumerated() {
            if line.isFromClient {
                current = request(index)
                later -= 1
                continue
            }
            let values = line.arguments.map { words.masked($0.value) }
            let source = words.masked(line.source)
            let isUnsolicited =
                line.isDelivery
                || names.contains(source) && source != words.masked(conversation.name)
            let isAfterClose = conversation.linesBeforeClose.map { index >= $0 } ?? false
            // Whether a client still sees that others leave depends on timing.
            let isOptional =
                isAfterClose || later == 0 && isUnsolicited && !canMiss
                || later < 2 && !line.isDelivery && mentionsOthers(values, conversation, words)
            answers.append(
                Answer(
                    line: line, index: index, request: current, values: values,
                    isUnsolicited: isUnsolicited, isOptional: isOptional))
        }
        return answers
    }

    /// Returns whether two lines that need not arrive come from different sources, for example
    /// because each capture shows only the first of several clients that left at once.
    private func areUnrelated(_ old: Answer, _ new: Answer) -> Bool {
        old.isOptional && new.isOptional
            && words.0.masked(old.line.source) != words.1.masked(new.line.source)
    }

    private func mentionsOthers(
        _ values: [[UInt8]], _ conversation: ComparableConversation, _ words: ValueWords
    ) -> Bool {
        let own = words.masked(conversation.name)
        return values.contains { value in
            ValueWords.words(value).contains { $0 != own && names.contains($0) }
        }
    }

    /// Removes pairs of lines with the same key from both arrays, and returns them. Lines without a
    /// key stay.
    private static func match(
        _ before: inout [Answer], _ after: inout [Answer], by key: (Answer) -> [[UInt8]]?
    ) -> [(Answer, Answer)] {
        var free: [[[UInt8]]: [Int]] = [:]
        for index in after.indices.reversed() {
            if let key = key(after[index]) { free[key, default: []].append(index) }
        }
        var pairs: [(Answer, Answer)] = []
        var taken: Set<Int> = []
        before.removeAll { answer in
            guard let key = key(answer), let found = free[key]?.popLast() else { return false }
            pairs.append((answer, after[found]))
            taken.insert(found)
            return true
        }
        after = after.indices.filter { !taken.contains($0) }.map { after[$0] }
        return pairs
    }

    /// Compares the order of lines from the same source.
    private mutating func compareOrder(
        _ pairs: [(Answer, Answer)], _ context: DifferenceLedger.Context
    ) {
        var latest: [String: (Answer, Answer)] = [:]
        for pair in pairs where pair.0.isUnsolicited && !pair.0.line.source.isEmpty {
            let key = "\(pair.0.line.command) \(pair.0.line.source)"
            if let last = latest[key], pair.1.index < last.1.index {
                ledger.addOrder(pair.0, pair.1, context)
            } else {
                latest[key] = pair
            }
        }
    }
}
