extension MessageList: RandomAccessCollection {
    /// 0.
    @inlinable public var startIndex: Int { 0 }
    /// How many messages there are.
    @inlinable public var endIndex: Int { messageCount }
    /// How many messages there are.
    @inlinable public var count: Int { messageCount }

    /// The message at an index, which counts from the oldest.
    @inlinable public subscript(index: Int) -> Message {
        let place = place(at: index)
        return blocks[place.block][place.offset].message
    }

    /// Goes through the messages block by block.
    public struct Iterator: IteratorProtocol {
        @usableFromInline let blocks: ContiguousArray<ContiguousArray<Entry>>
        @usableFromInline var nextBlock = 0
        @usableFromInline var block: ContiguousArray<Entry> = []
        @usableFromInline var offset = 0

        @inlinable
        init(_ blocks: ContiguousArray<ContiguousArray<Entry>>) {
            self.blocks = blocks
        }

        /// The next message.
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

    /// Goes through the messages, oldest first.
    @inlinable public func makeIterator() -> Iterator { Iterator(blocks) }

    /// The same messages, newest first; nothing is copied.
    @inlinable public var newestFirst: ReversedCollection<MessageList> { reversed() }

    /// The index of the first message that is not before a time; the list's end, if all are.
    @inlinable public func index(notBefore time: Int64) -> Int {
        guard time > .min else { return 0 }
        return index(of: placeBehind(time - 1, .max))
    }

    @inlinable
    func index(of place: Place) -> Int {
        place.block == blocks.count ? messageCount : starts[place.block] - starts[0] + place.offset
    }

    @inlinable
    func place(at index: Int) -> Place {
        let number = starts[0] + index
        // Blocks that were filled in order are full, which makes the last one the usual case of a client.
        var low = 0
        var high = starts.count - 1
        if number >= starts[high] { return Place(block: high, offset: number - starts[high]) }
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= number { low = middle } else { high = middle }
        }
        return Place(block: low, offset: number - starts[low])
    }

    /// The place behind all that are not after a message of that time and arrival.
    @inlinable
    func placeBehind(_ time: Int64, _ arrival: Int) -> Place {
        var low = 0
        var high = blocks.count
        while low < high {
            let middle = (low + high) / 2
            if blocks[middle][0].isAfter(time, arrival) { high = middle } else { low = middle + 1 }
        }
        guard low > 0 else { return Place(block: 0, offset: 0) }
        return Place(block: low - 1, offset: offsetBehind(time, arrival, in: low - 1))
    }

    @inlinable
    func offsetBehind(_ time: Int64, _ arrival: Int, in block: Int) -> Int {
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

    /// Where the message of that time and arrival stands.
    @inlinable
    func place(of time: Int64, _ arrival: Int) -> Place? {
        var place = placeBehind(time, arrival)
        guard place.offset > 0 else { return nil }
        place.offset -= 1
        return blocks[place.block][place.offset].arrival == arrival ? place : nil
    }
}
