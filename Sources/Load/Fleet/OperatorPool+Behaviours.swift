import LineProtocol
import Results

/// Misbehaving operators, such as slow readers and operators that reconnect.
///
/// Their latencies and counts are kept separately. Of these operators, only reconnecting ones are
/// owed messages; the others miss messages through their own behaviour. The load test measures
/// whether misbehaving operators change how the server treats ordinary ones.
extension OperatorPool {
    /// Assigns kinds and behaviours to operators.
    mutating func assignRoles() {
        for index in operators.indices {
            let kind = plan.kindNumber(of: firstOperator + index)
            operators[index].kind = UInt8(kind)
            guard let behaviour = plan.kinds[kind].behaviour, behaviour.role != .ordinary else {
                continue
            }
            operators[index].role = behaviour.role
            behaviours[operators[index]].operators += 1
            let (room, member) = (Int(operators[index].room), Int(operators[index].member))
            // If messages are relayed, only operators that never leave receive them.
            if behaviour.role == .reconnecting, !isRelayed {
                ledgers[room].makeGuest(member)
            } else {
                ledgers[room].makeBystander(member)
            }
        }
        if isRelayed { table.choosePartners(operators) }
    }

    /// True if messages go to single operators instead of rooms. Plans cannot mix the two.
    var isRelayed: Bool { plan.mix.weights.contains { $0.action == .relay } }

    /// Returns an operator's misbehaviour; nil for ordinary operators.
    package func behaviour(of index: Int) -> OperatorBehaviour? {
        guard hasBehaviours, operators[index].role != .ordinary else { return nil }
        return plan.kinds[Int(operators[index].kind)].behaviour
    }

    /// Returns true if the operator sends keepalives.
    package func keepsAlive(_ index: Int) -> Bool {
        operators[index].phase == .ready && operators[index].role.canTalk
    }

    // MARK: Recording

    mutating func noteRefusal(_ bytes: Span<UInt8>, _ frame: Frame, _ index: Int) {
        behaviours.noteLine(bytes, frame, index)
        behaviours[operators[index]].refused += 1
        behaviours.note(
            "the server refused a request from \(name(index))", index, operators[index])
    }

    mutating func noteAnswer(_ entry: SentMessageLog.Entry, _ index: Int, _ now: Int64) {
        guard entry.isMeasured else { return }
        behaviours[operators[index]].recorder.record(
            .probe, intended: entry.intended, sent: entry.sent, over: now)
    }

    mutating func deliverToDeviating(_ text: MessageText, _ index: Int, _ now: Int64) {
        behaviours[operators[index]].arrived += 1
        guard log.contains(text.message) else { return }
        let entry = log[text.message]
        guard entry.isMeasured, entry.sequence == text.sequence,
            entry.sender == Int32(Int(text.sender) - firstOperator)
        else { return }
        behaviours[operators[index]].recorder.record(
            entry.action == .relay ? .relay : .say, intended: entry.intended, sent: entry.sent,
            over: now)
    }

    // MARK: Silent operators and closed connections

    /// Handles the established connection of a silent operator, which does nothing more.
    mutating func keepSilent(_ index: Int, since start: Int64, at now: Int64) {
        silentStarts[index] = nil
        behaviours[operators[index]].recorder.record(.connect, now - start)
        getReady(index, at: now)
    }

    /// Records that the server closed a misbehaving operator's connection. This is reported, but it
    /// is not a violation.
    mutating func recordDisconnection(_ index: Int, byReset: Bool, at now: Int64) {
        counts.disconnected += 1
        behaviours[operators[index]].disconnected += 1
        behaviours.note(endOfConnection(index, byReset: byReset), index, operators[index])
        behaviours.forgetLine(index)
        breakOff(index, textsMayBeLost: true)
        operators[index].phase = .gone
        if operators[index].role == .reconnecting, reconnectTimers != nil {
            operators[index].phase = .away
        }
    }

    /// Stops tracking an operator's in-flight messages after its connection has ended.
    private mutating func breakOff(_ index: Int, textsMayBeLost: Bool) {
        let (room, member) = (Int(operators[index].room), Int(operators[index].member))
        ledgers[room].depart(member)
        if textsMayBeLost { ledgers[room].cutOff(member) }
        abandonMessages(of: index, textsToo: textsMayBeLost)
        framers.discard(&operators[index].framer)
    }

    /// Stops tracking an operator's outstanding messages, because some are still queued and will
    /// never be sent.
    package mutating func lostUnsent(_ index: Int) {
        ledgers[Int(operators[index].room)].cutOff(Int(operators[index].member))
        abandonMessages(of: index, textsToo: true)
    }

    private mutating func abandonMessages(of index: Int, textsToo: Bool) {
        log.abandon(from: Int32(index), textsToo: textsToo)
        operators[index].probes = ProbeQueue()
    }

    // MARK: Departures and returns

    /// Spreads the first departures over one reconnect period.
    mutating func scheduleDepartures(_ phases: Phases) {
        var wheel = TimerWheel(operators: operators.count, now: phases.start)
        for index in operators.indices where operators[index].role == .reconnecting {
            guard operators[index].phase == .ready, let behaviour = behaviour(of: index) else {
                continue
            }
            wheel.set(
                index, at: phases.start + turns.randomTime(upTo: behaviour.every))
        }
        if wheel.count > 0 { reconnectTimers = wheel }
    }

    /// Disconnects or reconnects operators due to leave or return.
    mutating func departAndReturn(at now: Int64) {
        guard let phases = turns.phases, now < phases.end else { return }
        dueReconnects.removeAll(keepingCapacity: true)
        reconnectTimers?.take(at: now, into: &dueReconnects)
        for (index, _) in dueReconnects {
            switch operators[index].phase {
            case .ready: depart(index, at: now)
            case .away:
                operators[index].phase = .waiting
                ledgers[Int(operators[index].room)].startReturn(Int(operators[index].member))
                startSetup(index, at: now)
            case .waiting, .setup, .failed, .gone: break
            }
        }
    }

    private mutating func depart(_ index: Int, at now: Int64) {
        guard let behaviour = behaviour(of: index) else { return }
        behaviours[operators[index]].departures += 1
        switch behaviour.leave {
        case .logout:
            outputs.append(.send(index, logoutBytes(index)))
            outputs.append(.leave(index, plan.operatorScript.halfCloses))
        case .close: outputs.append(.leave(index, true))
        case .reset: outputs.append(.reset(index))
        }
        breakOff(index, textsMayBeLost: behaviour.leave != .logout)
        operators[index].phase = .away
        reconnectTimers?.set(index, at: now + behaviour.away)
    }

    /// Handles a reconnecting operator's return to its room.
    mutating func returned(_ index: Int, at now: Int64) {
        behaviours[operators[index]].returns += 1
        ledgers[Int(operators[index].room)].finishReturn(Int(operators[index].member))
        if let behaviour = behaviour(of: index) {
            reconnectTimers?.set(index, at: now + behaviour.every)
        }
        thinks(index, at: now)
    }

    /// Handles a failed return; the operator tries again later.
    mutating func returnFailed(_ index: Int, _ story: String, _ line: [UInt8], at now: Int64) {
        operators[index].phase = .away
        behaviours[operators[index]].returnsFailed += 1
        behaviours[operators[index]].note("\(name(index)) failed to reconnect: \(story)", line)
        framers.discard(&operators[index].framer)
        if let behaviour = behaviour(of: index) {
            reconnectTimers?.set(index, at: now + behaviour.away)
        }
    }

    /// Returns a slow writer's next bytes: the dialect's probe or, if there is none, a byte of an
    /// endless line.
    package mutating func slowWrite(_ index: Int, at now: Int64) -> [UInt8] {
        guard writer.canWrite(.probe) else { return [UInt8(ascii: "x")] }
        write(DueAction(index: index, action: .probe, intended: now), SentMessageLog.Entry(), 0)
        return outgoing
    }
}
