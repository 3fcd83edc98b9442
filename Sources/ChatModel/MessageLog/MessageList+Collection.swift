extension MessageList: RandomAccessCollection {
    /// Always 0.
    @inlinable public var startIndex: Int { 0 }
    /// The number of messages.
    @inlinable public var endIndex: Int { messageCount }
    /// The number of messages.
    @inlinable public var count: Int { messageCount }

    /// The message at an index; index 0 is the oldest.
    @inlinable public subscript(index: Int) -> Message {
        let position = position(at: index)
        return blocks[position.block][position.offset].message
    }

    /// An iterator over the messages, oldest first.
    public struct Iterator: IteratorProtocol {
        @usableFromInline let blocks: ContiguousArray<ContiguousArray<Entry>>
        @usableFromInline var nextBlock = 0
        @usableFromInline var block: ContiguousArray<Entry> = []
        @usableFromInline var offset = 0

        @inlinable
        init(_ blocks: ContiguousArray<ContiguousArray<Entry>>) {
            self.blocks = blocks
        }

        /// Returns the next message; nil at the end.
        @inlinable public mutating func next() -> Message? {
            if offset == block.count {
                guard nextBlock < blocks.count else { return nil }
                block = blocks[nextBlock]
                nextBlock += 1
                offset = 0
            }
            offset += 1
            return block[offset - 1].message
        }
    }

    /// Returns an iterator over the messages, oldest first.
    @inlinable public func makeIterator() -> Iterator { Iterator(blocks) }

    /// The messages, newest first. Nothing is copied.
    @inlinable public var newestFirst: ReversedCollection<MessageList> { reversed() }

    /// Returns the index of the first message at or after a time, in nanoseconds since 1970;
    /// `endIndex` if there is none.
    @inlinable public func index(notBefore time: Int64) -> Int {
        guard time > .min else { return 0 }
        return index(of: positionAfter(time - 1, .max))
    }

    @inlinable
    func index(of position: Position) -> Int {
        position.block == blocks.count
            ? messageCount : starts[position.block] - starts[0] + position.offset
    }

    @inlinable
    func position(at index: Int) -> Position {
        let number = starts[0] + index
        // Check the last block first: blocks filled in order are full, so most lookups end there.
        var low = 0
        var high = starts.count - 1
        if number >= starts[high] { return Position(block: high, offset: number - starts[high]) }
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= number { low = middle } else { high = middle }
        }
        return Position(block: low, offset: number - starts[low])
    }

    /// Returns the position after all messages that sort at or before the given time and arrival
    /// number.
    @inlinable
    func positionAfter(_ time: Int64, _ arrival: Int) -> Position {
        var low = 0
        var high = blocks.count
        while low < high {
            let middle = (low + high) / 2
            if blocks[middle][0].isAfter(time, arrival) { high = middle } else { low = middle + 1 }
        }
        guard low > 0 else { return Position(block: 0, offset: 0) }
        return Position(block: low - 1, offset: offsetAfter(time, arrival, in: low - 1))
    }

    @inlinable
    func offsetAfter(_ time: Int64, _ arrival: Int, in block: Int) -> Int {
        var low = 0
        var high = blocks[block].count
        while low < high {
            let middle = (low + high) / 2
            if blocks[block][middle].isAfter(time, arrival) {
                high = middle
            } else {
                low = middle + 1
            }
        }
        return low
    }

    /// Returns the position of the message with the given time and arrival; nil if there is none.
    @inlinable
    func position(of time: Int64, _ arrival: Int) -> Position? {
        var position = positionAfter(time, arrival)
        guard position.offset > 0 else { return nil }
        position.offset -= 1
        return blocks[position.block][position.offset].arrival == arrival ? position : nil
    }
}
