/// Conversations that correspond to each other in two captures.
struct ConversationPairs {
    /// Indices of corresponding conversations.
    private(set) var pairs: [(Int, Int)] = []
    /// Numbers of conversations without a counterpart.
    private(set) var unmatched = (0, 0)

    /// Pairs conversations with the same name and, among the others, those with the same sequence
    /// of commands.
    init(_ one: ComparableCapture, _ other: ComparableCapture) {
        var rest = (
            one.conversations.indices.filter { !one.conversations[$0].requests.isEmpty },
            other.conversations.indices.filter { !other.conversations[$0].requests.isEmpty }
        )
        let total = rest
        for key in [Self.name, Self.commands] {
            var free: [String: [Int]] = [:]
            for index in rest.1.reversed() {
                free[key(other.conversations[index]), default: []].append(index)
            }
            var unpaired: [Int] = []
            for index in rest.0 {
                let name = key(one.conversations[index])
                if !name.isEmpty, let found = free[name]?.popLast() {
                    pairs.append((index, found))
                } else {
                    unpaired.append(index)
                }
            }
            let taken = Set(pairs.map(\.1))
            rest = (unpaired, rest.1.filter { !taken.contains($0) })
        }
        unmatched = (total.0.count - pairs.count, total.1.count - pairs.count)
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
        var found: [Int: Int] = [:]
        var (from, to) = (0, 0)
        /// Returns whether the lines have the same command and, if `isExact`, the same arguments.
        func isSame(_ from: Int, _ to: Int, isExact: Bool = false) -> Bool {
            guard first.indices.contains(from), second.indices.contains(to) else { return false }
            let (sent, resent) = (one.lines[first[from]], other.lines[second[to]])
            return sent.command == resent.command
                && (!isExact || sent.arguments.elementsEqual(resent.arguments, by: ==))
        }
        while from < first.count, to < second.count {
            if !isSame(from, to, isExact: true) {
                // Skip the fewest lines after which they are the same again.
                let isExact = isSame(from, to)
                let skip = (1...Self.skippedMax).first {
                    isSame(from + $0, to, isExact: isExact)
                        || isSame(from, to + $0, isExact: isExact)
                }
                if let skip {
                    if isSame(from + skip, to, isExact: isExact) {
                        from += skip
                    } else {
                        to += skip
                    }
                } else if !isExact {
                    from += 1
                    to += 1
                    continue
                }
            }
            found[second[to]] = first[from]
            from += 1
            to += 1
        }
        return found
    }

    /// Maximum number of lines to skip.
    private static let skippedMax = 128
}
