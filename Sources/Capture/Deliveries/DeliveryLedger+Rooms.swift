import LineProtocol

extension DeliveryLedger {
    // MARK: Connections

    /// Returns the participant for a connection.
    mutating func participant(_ connection: CapturedConnection) -> Participant {
        if let known = open[connection.number] { return known }
        let new = Participant(connection)
        open[connection.number] = new
        if new.isUnclear { unclearCount += 1 }
        if let server, server != connection.server { hasSeveralServers = true }
        server = connection.server
        return new
    }

    /// Records a new name.
    mutating func rename(_ participant: Participant, to name: [UInt8]) {
        forgetName(participant)
        // A direct message to the old name may have been refused.
        for message in messages where message.isDirect {
            settle(message, for: participant)
        }
        if !participant.name.isEmpty {
            participant.earlierNames = participant.earlierNames.suffix(7) + [participant.name]
        }
        participant.name = name
        byName[NameFolding.folded(name), default: []].append(participant.number)
    }

    private mutating func forgetName(_ participant: Participant) {
        let key = NameFolding.folded(participant.name)
        byName[key]?.removeAll { $0 == participant.number }
        if byName[key]?.isEmpty == true { byName[key] = nil }
    }

    /// The only open connection with this name; nil if there is none, or if there are several.
    func owner(of name: [UInt8]) -> Participant? {
        guard let numbers = byName[NameFolding.folded(name)], numbers.count == 1 else { return nil }
        return open[numbers[0]]
    }

    /// Records that lines in one direction are missing from the capture.
    mutating func lose(_ direction: Direction, of participant: Participant) {
        if direction == .fromClient {
            participant.hasAllSent = false
        } else {
            for message in messages { makeUnknown(message, for: participant) }
            participant.pending = []
            makeUnclear(participant)
        }
        leaveAll(participant)
    }

    private mutating func makeUnclear(_ participant: Participant) {
        guard participant.hasAllReceived else { return }
        participant.hasAllReceived = false
        unclearCount += 1
        for membership in participant.memberships where membership.state == .member {
            rooms[membership.room].unclearMembers += 1
        }
    }

    /// Records the end of a connection.
    mutating func end(_ participant: Participant, _ end: ConnectionEnd, isClosedByServer: Bool) {
        guard participant.isOpen else { return }
        // The server has processed a logout if it closes the connection.
        if end == .closed, isClosedByServer, participant.logoutIndex >= 0 {
            participant.answeredThrough = max(
                participant.answeredThrough, participant.logoutIndex)
            markProcessed(participant, through: participant.logoutIndex)
        }
        settleRequests(participant)
        leaveAll(participant)
        forgetName(participant)
        participant.isOpen = false
        if participant.isUnclear { unclearCount -= 1 }
        open[participant.number] = nil
    }

    // MARK: Rooms

    /// Returns the number of a room or recipient; nil if there are too many.
    mutating func room(_ name: [UInt8]) -> Int? {
        let key = NameFolding.folded(name)
        if let known = roomNumbers[key] { return known }
        guard rooms.count < Self.roomsMax else { return nil }
        rooms.append(Room(name: name))
        roomNumbers[key] = rooms.count - 1
        return rooms.count - 1
    }

    func isMember(_ participant: Participant, of name: [UInt8]) -> Bool {
        guard let room = roomNumbers[NameFolding.folded(name)],
            let known = participant.membership(in: room)
        else { return false }
        return participant.memberships[known].state == .member
    }

    /// Returns whether an operator may be in a room, or has requested to enter it.
    func mayBeMember(_ participant: Participant, of name: [UInt8]) -> Bool {
        guard let room = roomNumbers[NameFolding.folded(name)],
            let known = participant.membership(in: room)
        else { return false }
        return participant.memberships[known].state != .left
    }

    /// Records that an operator requests to enter a room, has entered it, or has left it.
    mutating func set(
        _ state: Participant.Membership.State, of participant: Participant, in name: [UInt8]
    ) {
        guard let room = room(name) else { return }
        let known = participant.membership(in: room)
        guard known != nil || participant.memberships.count < Participant.membershipsMax else {
            return makeUnclear(participant)
        }
        let old = known.map { participant.memberships[$0].state }
        // A member that asks to enter again stays a member.
        if old == state || state == .entering && old == .member { return }
        if old == .member {
            for message in messages where message.room == room {
                settle(message, for: participant)
            }
            let (index, isFound) = Room.index(of: participant.number, in: rooms[room].members)
            if isFound {
                rooms[room].members.remove(at: index)
                if participant.isUnclear { rooms[room].unclearMembers -= 1 }
            }
        }
        if state == .member {
            let (index, isFound) = Room.index(of: participant.number, in: rooms[room].members)
            if !isFound {
                rooms[room].members.insert(participant, at: index)
                if participant.isUnclear { rooms[room].unclearMembers += 1 }
            }
        }
        guard let known else {
            participant.memberships.append(
                Participant.Membership(room: room, state: state, since: index))
            return
        }
        participant.memberships[known].state = state
        participant.memberships[known].since = index
    }

    /// Records that it is not known which rooms an operator is in.
    mutating func leaveAll(_ participant: Participant) {
        for membership in participant.memberships where membership.state == .member {
            set(.unclear, of: participant, in: rooms[membership.room].name)
        }
        for message in messages where message.isDirect { settle(message, for: participant) }
        for index in participant.memberships.indices {
            participant.memberships[index].state = .unclear
        }
    }
}
