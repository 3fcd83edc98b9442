/// Conversations that correspond to each other in two captures.
struct ConversationPairs {
    /// Indices of corresponding conversations.
    private(set) var pairs: [(Int, Int)] = []
    /// Number of conversations without a counterpart.
    private(set) var unmatched = (0, 0)

    /// Pairs conversations with the same name and, among the others, those with the same sequence
    /// of commands, in the order of the captures.
    init(_ one: ComparableCapture, _ other: ComparableCapture) {
        let (first, second) = (Self.spoken(one), Self.spoken(other))
        pairs = Self.paired(
            first, second, by: { Self.name(one.conversations[$0]) },
            { Self.name(other.conversations[$0]) })
        let rest = (Self.without(pairs.map(\.0), first), Self.without(pairs.map(\.1), second))
        let commands = (
            rest.0.map { Self.commands(one.conversations[$0]) },
            rest.1.map { Self.commands(other.conversations[$0]) }
        )
        // The order is usually the same. A conversation that took another course is between
        // two that are the same.
        var alignment = SequenceAlignment(counts: (commands.0.count, commands.1.count))
        alignment.pairsReplaced = true
        pairs += alignment.pairs { from, to, _ in
            commands.0[from] == commands.1[to]
        }.map { (rest.0[$0], rest.1[$1]) }
        pairs += Self.paired(
            Self.without(pairs.map(\.0), first), Self.without(pairs.map(\.1), second),
            by: { Self.commands(one.conversations[$0]) }, { Self.commands(other.conversations[$0]) }
        )
        unmatched = (first.count - pairs.count, second.count - pairs.count)
    }

    /// Returns the indices of the conversations in which the client sent lines.
    private static func spoken(_ capture: ComparableCapture) -> [Int] {
        capture.conversations.indices.filter { !capture.conversations[$0].requests.isEmpty }
    }

    private static func without(_ taken: [Int], _ all: [Int]) -> [Int] {
        let taken = Set(taken)
        return all.filter { !taken.contains($0) }
    }

    /// Pairs elements with the same key, in order.
    private static func paired(
        _ first: [Int], _ second: [Int], by key: (Int) -> String, _ otherKey: (Int) -> String
    ) -> [(Int, Int)] {
        var free: [String: [Int]] = [:]
        for index in second.reversed() { free[otherKey(index), default: []].append(index) }
        return first.compactMap { index in
            let key = key(index)
            guard !key.isEmpty, let found = free[key]?.popLast() else { return nil }
            return (index, found)
        }
    }

    private static func name(_ conversation: ComparableConversation) -> String {
        String(decoding: conversation.name, as: UTF8.self)
    }

    private static func commands(_ conversation: ComparableConversation) -> String {
        conversation.lines.filter(\.isFromClient).map(\.command).joined(separator: " ")
    }

    /// Returns the indices of the requests in the first conversation by the index of the same
    /// request in the second.
    static func requests(
        of one: ComparableConversation, in other: ComparableConversation
    ) -> [Int: Int] {
        let (first, second) = (one.requests, other.requests)
        let pairs = SequenceAlignment(counts: (first.count, second.count)).pairs {
            from, to, isExact in
            let (sent, resent) = (one.lines[first[from]], other.lines[second[to]])
            return sent.command == resent.command
                && (!isExact || sent.arguments.elementsEqual(resent.arguments, by: ==))
        }
        return Dictionary(
            pairs.map { (second[$1], first[$0]) }, uniquingKeysWith: { first, _ in first })
    }
}
