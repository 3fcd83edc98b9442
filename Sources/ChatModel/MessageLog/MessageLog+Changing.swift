extension MessageLog {
    /// Inserts a message in time order. If the log is full, the oldest message is dropped.
    ///
    /// - Returns: the message's index and the message dropped to make room for it, or the reason it
    ///   was not inserted.
    @inlinable
    @discardableResult
    public mutating func insert(_ message: Message) -> MessageInsertion<Message> {
        let time = message.time
        if let oldest = list.first, list.count >= messagesMax, time < oldest.time {
            return stamps[message.id] == nil ? .tooOld : .duplicate
        }
        guard time >= horizon, messagesMax > 0 else { return .tooOld }
        let stamp = Stamp(time: time, arrival: arrivalCount)
        guard remember(message.id, stamp) else { return .duplicate }
        arrivalCount += 1
        let index = list.insert(message, arrival: stamp.arrival)
        guard list.count > messagesMax else { return .inserted(at: index, dropped: nil) }
        return .inserted(at: index - 1, dropped: dropOldest())
    }

    /// Stores a stamp for the id. If the id already has one, keeps that one and returns false.
    @inlinable
    mutating func remember(_ id: Message.ID, _ stamp: Stamp) -> Bool {
        // Duplicates are rare, so storing first saves a second lookup.
        guard let stored = stamps.updateValue(stamp, forKey: id) else { return true }
        stamps[id] = stored
        return false
    }

    @inlinable
    mutating func dropOldest() -> Message {
        let oldest = list.removeOldest()
        if oldest.time > horizon {
            for id in dropped { stamps[id] = nil }
            dropped.removeAll(keepingCapacity: true)
            droppedOldest = 0
            horizon = oldest.time
        }
        if dropped.count < messagesMax {
            dropped.append(oldest.id)
        } else {
            stamps[dropped[droppedOldest]] = nil
            dropped[droppedOldest] = oldest.id
            droppedOldest = (droppedOldest + 1) % messagesMax
        }
        return oldest
    }

    /// Removes the message with this id and returns it; nil if there is none. A message with the
    /// same id can then be inserted again.
    @inlinable
    @discardableResult
    public mutating func remove(id: Message.ID) -> Message? {
        guard let position = position(of: id) else { return nil }
        stamps[id] = nil
        return list.remove(at: position)
    }

    /// Replaces the message with the same id, for example when the server has confirmed its
    /// delivery. If the time has changed, the message moves to its new position.
    ///
    /// - Returns: the replaced message; nil if there was none, in which case nothing changes.
    @inlinable
    @discardableResult
    public mutating func replace(_ message: Message) -> Message? {
        guard let position = position(of: message.id) else { return nil }
        let old = list.blocks[position.block][position.offset]
        guard old.message.time != message.time else {
            list.blocks[position.block][position.offset].message = message
            return old.message
        }
        _ = list.remove(at: position)
        _ = list.insert(message, arrival: old.arrival)
        stamps[message.id] = Stamp(time: message.time, arrival: old.arrival)
        return old.message
    }

    /// Removes all messages, along with the record of which messages were dropped.
    @inlinable
    public mutating func removeAll() {
        self = MessageLog(messagesMax: messagesMax)
    }
}
