/// The last records of a chat: a ring in which the newest takes the place of the oldest.
package struct ChatHistory: Sendable {
    package let recordsMax: Int
    private var records: [ChatRecord] = []
    /// Where the oldest record stands once the ring is full.
    private var oldest = 0

    package init(recordsMax: Int) {
        self.recordsMax = recordsMax
    }

    package var count: Int { records.count }

    package mutating func append(_ record: ChatRecord) {
        guard recordsMax > 0 else { return }
        if records.count < recordsMax {
            records.append(record)
        } else {
            records[oldest] = record
            oldest = (oldest + 1) % recordsMax
        }
    }

    /// At most `count` records, newest first; those that visitors do not see only if `withHidden`.
    package func newestFirst(_ count: Int, withHidden: Bool) -> [ChatRecord] {
        var result: [ChatRecord] = []
        for age in 0..<records.count where result.count < count {
            let place = (oldest + records.count - 1 - age) % records.count
            if withHidden || !records[place].isHidden { result.append(records[place]) }
        }
        return result
    }
}
