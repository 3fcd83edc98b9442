import LineProtocol
import Results

/// Operators that behave unlike the others, and how they come and go.
///
/// Times and counts of what reaches them are kept apart, and nothing is owed to them but to those who come and go:
/// what they miss is their own doing. What the server does to the others because of them is what is measured.
extension OperatorPool {
    /// How much of a persona's last line is kept.
    static let lastWordsBytesMax = 512
    /// How many of the newest messages are looked through for those of one that leaves; an older one that is still
    /// under way stays so until the end.
    static let lookedThroughMax: UInt64 = 65_536

    /// Gives everybody its part.
    mutating func assignRoles() {
        tallies = plan.kinds.map { _ in PersonaTally() }
        for index in operators.indices {
            let kind = plan.kindNumber(of: firstOperator + index)
            operators[index].kind = UInt8(kind)
            guard let persona = plan.kinds[kind].persona, persona.role != .ordinary else {
                continue
            }
            operators[index].role = persona.role
            tallies[kind].operators += 1
            let (room, member) = (Int(operators[index].room), Int(operators[index].member))
            // What is said to one other goes to those who are always there.
            if persona.role == .reconnecting, !isRelayed {
                ledgers[room].makeGuest(member)
            } else {
                ledgers[room].makeBystander(member)
            }
        }
        if isRelayed { choosePartners() }
    }

    private var isRelayed: Bool { plan.mix.weights.contains { $0.action == .relay } }

    /// Each relays to the next member that behaves as anybody; to itself if there is none.
    private mutating func choosePartners() {
        partners = operators.indices.map { index in
            let room = Int(operators[index].room)
            let members = ledgers[room].members
            for step in 1..<max(members, 2) {
                let other = (Int(operators[index].member) + step) % members
                if operators[self.index(room: room, member: other)].role == .ordinary {
                    return Int32(other)
                }
            }
            return operators[index].member
        }
    }

    /// The persona of an operator; nil if it behaves as anybody.
    package func persona(of index: Int) -> Persona? {
        guard hasPersonas, operators[index].role != .ordinary else { return nil }
        return plan.kinds[Int(operators[index].kind)].persona
    }

    /// Whether the operator has to say now and then that it is still there.
    package func keepsAlive(_ index: Int) -> Bool {
        operators[index].phase == .ready && operators[index].role.answers
    }

    /// Whether answers to an operator can be counted upon: it reads as fast as they come.
    func isListening(_ index: Int) -> Bool {
        operators[index].role == .ordinary || operators[index].role == .reconnecting
    }

    private func tallyPlace(_ index: Int) -> Int { Int(operators[index].kind) }

    // MARK: What is noted

    mutating func noteReceived(_ bytes: Int, _ index: Int) {
        guard operators[index].role != .ordinary else { return }
        tallies[tallyPlace(index)].bytesReceived += UInt64(bytes)
    }

    mutating func noteSent(_ entry: MessageLog.Entry) {
        let index = Int(entry.sender)
        guard operators[index].role != .ordinary else { return }
        tallies[tallyPlace(index)].sent += 1
    }

    mutating func noteLastWords(_ bytes: Span<UInt8>, _ frame: Frame, _ index: Int) {
        let upper = min(frame.line.upperBound, frame.line.lowerBound + Self.lastWordsBytesMax)
        lastWords[index] = bytes.array(frame.line.lowerBound..<upper)
    }

    mutating func noteRefusal(_ bytes: Span<UInt8>, _ frame: Frame, _ index: Int) {
        noteLastWords(bytes, frame, index)
        tallies[tallyPlace(index)].refused += 1
        let line = lastWords[index] ?? []
        tallies[tallyPlace(index)].note("the server refused something to \(name(index))", line)
    }

    mutating func noteAnswer(_ entry: MessageLog.Entry, _ index: Int, _ now: Int64) {
        guard entry.isMeasured else { return }
        tallies[tallyPlace(index)].recorder.record(
            .probe, intended: entry.intended, sent: entry.sent, over: now)
    }

    mutating func deliverToPersona(_ text: MessageText, _ index: Int, _ now: Int64) {
        tallies[tallyPlace(index)].arrived += 1
        guard log.contains(text.message) else { return }
        let entry = log[text.message]
        guard entry.isMeasured, entry.sequence == text.sequence,
            entry.sender == Int32(Int(text.sender) - firstOperator)
        else { return }
        tallies[tallyPlace(index)].recorder.record(
            entry.action == .relay ? .relay : .say, intended: entry.intended, sent: entry.sent,
            over: now)
    }

    // MARK: Silence and ends

    /// One that never logs in is connected: there is nothing more for it to do.
    mutating func keepSilent(_ index: Int, since start: Int64, at now: Int64) {
        silentStarts[index] = nil
        tallies[tallyPlace(index)].recorder.record(.connect, now - start)
        getReady(index, at: now)
    }

    /// The server has closed a persona's connection: told and counted, and no fault of the server's.
    mutating func cut(_ index: Int, byReset: Bool, at now: Int64) {
        counts.cut += 1
        let kind = tallyPlace(index)
        tallies[kind].cut += 1
        let how = byReset ? "reset" : "closed"
        tallies[kind].note(
            "the server \(how) the connection of \(name(index))", lastWords[index] ?? [])
        lastWords[index] = nil
        breakOff(index, textsMayBeLost: true)
        operators[index].phase = .gone
        if operators[index].role == .reconnecting, comings != nil {
            operators[index].phase = .away
        }
    }

    /// The connection is no more: nothing arrives over it, and what was asked will not be answered.
    private mutating func breakOff(_ index: Int, textsMayBeLost: Bool) {
        let (room, member) = (Int(operators[index].room), Int(operators[index].member))
        ledgers[room].depart(member)
        if textsMayBeLost { ledgers[room].cutOff(member) }
        abandonMessages(of: index, textsToo: textsMayBeLost)
        forgetFramer(index)
    }

    /// What waits for a persona's socket will never leave.
    package mutating func lostUnsent(_ index: Int) {
        ledgers[Int(operators[index].room)].cutOff(Int(operators[index].member))
        abandonMessages(of: index, textsToo: true)
    }

    private mutating func abandonMessages(of index: Int, textsToo: Bool) {
        let least = log.end - min(log.end, Self.lookedThroughMax)
        for number in max(log.first, least)..<log.end {
            guard log.contains(number), log[number].sender == Int32(index) else { continue }
            switch log[number].action {
            case .probe, .keepalive: log.abandon(number)
            case .say, .relay: if textsToo { log.abandon(number) }
            }
        }
        operators[index].oldestProbe = 0
        operators[index].newestProbe = 0
        operators[index].answerStep = 0
    }

    /// The start of a line that will have no end.
    private mutating func forgetFramer(_ index: Int) {
        let slot = Int(operators[index].framer)
        guard slot >= 0 else { return }
        framers[slot] = LineFramer(plan.playbook.dialect, direction: .fromServer)
        operators[index].framer = -1
        freeFramers.append(Int32(slot))
    }

    // MARK: Coming and going

    /// Spreads the first departures over one stay.
    mutating func startComings(_ phases: Phases) {
        var wheel = TimerWheel(operators: operators.count, now: phases.start)
        for index in operators.indices where operators[index].role == .reconnecting {
            guard operators[index].phase == .ready, let persona = persona(of: index) else {
                continue
            }
            wheel.set(
                index, at: phases.start + Int64(random.nextFraction() * Double(persona.every)))
        }
        if wheel.count > 0 { comings = wheel }
    }

    /// Whoever's time has come leaves, or sets out to come back.
    mutating func comeAndGo(at now: Int64) {
        guard let phases, now < phases.end else { return }
        dueComings.removeAll(keepingCapacity: true)
        comings?.take(at: now, into: &dueComings)
        for (index, _) in dueComings {
            switch operators[index].phase {
            case .ready: depart(index, at: now)
            case .away:
                operators[index].phase = .waiting
                ledgers[Int(operators[index].room)].setOut(Int(operators[index].member))
                setOut(index, at: now)
            case .waiting, .setup, .failed, .gone: break
            }
        }
    }

    private mutating func depart(_ index: Int, at now: Int64) {
        guard let persona = persona(of: index) else { return }
        tallies[tallyPlace(index)].departures += 1
        switch persona.leave {
        case .logout:
            outputs.append(.send(index, logoutBytes(index)))
            outputs.append(.leave(index, plan.playbook.halfCloses))
        case .close: outputs.append(.leave(index, true))
        case .reset: outputs.append(.reset(index))
        }
        breakOff(index, textsMayBeLost: persona.leave != .logout)
        operators[index].phase = .away
        comings?.set(index, at: now + persona.away)
    }

    /// It is in its room again.
    mutating func comeBack(_ index: Int, at now: Int64) {
        tallies[tallyPlace(index)].returns += 1
        ledgers[Int(operators[index].room)].comeBack(Int(operators[index].member))
        if let persona = persona(of: index) { comings?.set(index, at: now + persona.every) }
        thinks(index, at: now)
    }

    /// It was not let in again, and tries once more later.
    mutating func stayAway(_ index: Int, _ story: String, _ line: [UInt8], at now: Int64) {
        operators[index].phase = .away
        tallies[tallyPlace(index)].returnsFailed += 1
        tallies[tallyPlace(index)].note("\(name(index)) did not get back: \(story)", line)
        forgetFramer(index)
        if let persona = persona(of: index) { comings?.set(index, at: now + persona.away) }
    }

    /// What a slow writer writes: something that the server answers, or the start of a line without an end.
    package mutating func dribble(_ index: Int, at now: Int64) -> [UInt8] {
        let template = templates[Int(LoadAction.probe.rawValue)]
        guard !template.bytes.isEmpty else { return [UInt8(ascii: "x")] }
        render(Due(index: index, action: .probe, intended: now), MessageLog.Entry(), 0)
        return outgoing
    }
}
