extension MessageLog {
    /// Puts a message where its time says.
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

    /// Looks the id up and stores it in one go; false: it is there.
    @inlinable
    mutating func remember(_ id: Message.ID, _ stamp: Stamp) -> Bool {
        // Duplicates are rare: storing at once saves the others a second look-up.
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

    /// Takes a message out. One of the same id may come again.
    @inlinable
    @discardableResult
    public mutating func remove(id: Message.ID) -> Message? {
        guard let place = place(of: id) else { return nil }
        stamps[id] = nil
        return list.remove(at: place)
    }

    /// Puts a message in the place of the one of the same id, such as one that has been delivered since; with
    /// another time it moves.
    ///
    /// - Returns: the message that stood there; nil, and nothing done, if there is none.
    @inlinable
    @discardableResult
    public mutating func replace(_ message: Message) -> Message? {
        guard let place = place(of: message.id) else { return nil }
        let old = list.blocks[place.block][place.offset]
        guard old.message.time != message.time else {
            list.blocks[place.block][place.offset].message = message
            return old.message
        }
        _ = list.remove(at: place)
        _ = list.insert(message, arrival: old.arrival)
        stamps[message.id] = Stamp(time: message.time, arrival: old.arrival)
        return old.message
    }

    /// Takes everything out and forgets what there was.
    @inlinable
    public mutating func removeAll() {
        self = MessageLog(messagesMax: messagesMax)
    }
}
