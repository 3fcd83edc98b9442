import LineProtocol

/// The tags of a client's line, still escaped. Of repeated keys, the last one wins.
struct IRCClientTags {
    /// Maximum length of a label, in bytes (IRCv3 labeled-response).
    private static let labelBytesMax = 64

    private var tags: [(key: ArraySlice<UInt8>, whole: ArraySlice<UInt8>)] = []
    private let faults: FaultInjector

    init(_ line: RequestLine, _ dialect: Dialect, _ faults: FaultInjector) {
        self.faults = faults
        guard let bytes = line.tags, let syntax = dialect.syntax.fromClient.tags else { return }
        for tag in bytes.split(separator: syntax.separator) {
            let key = tag.prefix { $0 != syntax.assignment }
            if !tags.contains(where: { $0.key == key })
                || !faults.shouldInject(.duplicateTagsRelayed)
            {
                tags.removeAll { $0.key == key }
            }
            tags.append((key, tag))
        }
    }

    /// The label; nil if it is missing or invalid.
    var label: [UInt8]? {
        guard let label = tags.first(where: { $0.key.elementsEqual("label".utf8) }) else {
            return nil
        }
        let value = label.whole.dropFirst(label.key.count + 1)
        return (1...Self.labelBytesMax).contains(value.count) ? Array(value) : nil
    }

    /// Appends the tags that are relayed to the recipients, each after a separator.
    func appendRelayed(to result: inout [UInt8]) {
        for tag in tags where isRelayed(tag.key) {
            result.append(0x3B)
            result.append(contentsOf: relayed(tag.whole))
        }
    }

    /// Returns whether a tag from a client is relayed.
    private func isRelayed(_ key: ArraySlice<UInt8>) -> Bool {
        if key.first == 0x2B { return true }
        return !key.elementsEqual("label".utf8) && faults.shouldInject(.serverTagsRelayed)
    }

    private func relayed(_ tag: ArraySlice<UInt8>) -> [UInt8] {
        guard tag.contains(ASCII.backslash), faults.shouldInject(.tagEscapesLost) else {
            return Array(tag)
        }
        return tag.filter { $0 != ASCII.backslash }
    }
}
