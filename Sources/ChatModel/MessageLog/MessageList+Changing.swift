extension MessageList {
    /// Inserts the message at its position and returns its index. `arrival` must be greater than
    /// every other arrival number, unless it is the number of a removed message.
    @inlinable
    mutating func insert(_ message: Message, arrival: Int) -> Int {
        let entry = Entry(arrival: arrival, message: message)
        guard let last = blocks.last?.last, last.isAfter(message.time, arrival) else {
            append(entry)
            return messageCount - 1
        }
        let position = positionAfter(message.time, arrival)
        let index = index(of: position)
        blocks[position.block].insert(entry, at: position.offset)
        messageCount += 1
        renumber(from: position.block + 1, by: 1)
        divide(position.block)
        return index
    }

    @inlinable
    mutating func append(_ entry: Entry) {
        let last = blocks.count - 1
        if last >= 0, blocks[last].count < Self.blockMessagesMax {
            blocks[last].append(entry)
        } else {
            starts.append(last < 0 ? 0 : starts[last] + blocks[last].count)
            blocks.append([entry])
        }
        messageCount += 1
    }

    /// Splits a block that has exceeded its maximum size.
    @inlinable
    mutating func divide(_ block: Int) {
        guard blocks[block].count > Self.blockMessagesMax else { return }
        let half = blocks[block].count / 2
        blocks.insert(ContiguousArray(blocks[block][half...]), at: block + 1)
        blocks[block].removeSubrange(half...)
        starts.insert(starts[block] + half, at: block + 1)
    }

    @inlinable
    mutating func renumber(from block: Int, by distance: Int) {
        for later in block..<starts.count { starts[later] += distance }
    }

    /// Removes the oldest message. The list must not be empty.
    @inlinable
    mutating func removeOldest() -> Message {
        messageCount -= 1
        guard blocks[0].count > 1 else {
            starts.removeFirst()
            return blocks.removeFirst()[0].message
        }
        starts[0] += 1
        return blocks[0].removeFirst().message
    }

    @inlinable
    mutating func remove(at position: Position) -> Message {
        let message = blocks[position.block].remove(at: position.offset).message
        messageCount -= 1
        renumber(from: position.block + 1, by: -1)
        if blocks[position.block].isEmpty {
            blocks.remove(at: position.block)
            starts.remove(at: position.block)
        } else {
            joinNext(position.block)
        }
        return message
    }

    /// Merges a block with the next one if both are small, so that a list that has shrunk does not
    /// keep more blocks than it needs.
    @inlinable
    mutating func joinNext(_ block: Int) {
        guard block + 1 < blocks.count,
            blocks[block].count + blocks[block + 1].count <= Self.blockMessagesMax / 2
        else { return }
        blocks[block].append(contentsOf: blocks[block + 1])
        blocks.remove(at: block + 1)
        starts.remove(at: block + 1)
    }
}
