package import LineProtocol

/// An encoder for livechat notices.
package struct NoticeWriter: Sendable {
    private let vocabulary: ChatVocabulary
    private let encoder: MessageEncoder

    package init(_ dialect: Dialect) throws(ServerError) {
        self.init(try ChatVocabulary(dialect), dialect)
    }

    init(_ vocabulary: ChatVocabulary, _ dialect: Dialect) {
        self.vocabulary = vocabulary
        encoder = MessageEncoder(dialect, direction: .fromServer)
    }

    /// Appends the line for a notice, including the terminator. Appends nothing if livechat has no
    /// command for the notice.
    ///
    /// - Throws: `EncodingError` if the dialect cannot encode a value; `line` is then unchanged.
    package func append(_ notice: ChatNotice, to line: inout [UInt8]) throws(EncodingError) {
        guard let kind = notice.kind else { return }
        guard let entry = vocabulary.notices[NoticeKind.indices[kind] ?? 0] else { return }
        let values = notice.values(vocabulary)
        let ordered = entry.order.map { index in index.map { values[$0] } ?? .absent }
        try encoder.append(entry.command, ordered, to: &line)
    }
}
