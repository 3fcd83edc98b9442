import LineProtocol
import Results

/// Processes received bytes.
extension OperatorPool {
    /// Handles bytes received by an operator.
    package mutating func receive(_ bytes: Span<UInt8>, _ index: Int, at now: Int64) {
        counts.bytesReceived += UInt64(bytes.count)
        if operators[index].role != .ordinary {
            behaviours[operators[index]].bytesReceived += UInt64(bytes.count)
        }
        var rest = 0
        if operators[index].framer < 0 {
            // Nearly all reads consist of whole lines, which need not be copied.
            if let lines = framers.plainLines {
                while true {
                    rest = takeBroadcasts(bytes, from: rest, index, now)
                    guard let line = lines.line(in: bytes, from: rest) else { break }
                    rest = line.end
                    takeLine(bytes, line, of: lines, index, now)
                }
            }
            // An unfinished line of a connection that has just been given up is discarded.
            if rest == bytes.count || operators[index].phase == .away { return }
        }
        let slot = framers.reserve(&operators[index].framer)
        guard let pooled = framers.borrow(slot) else { return }
        pooled.framer.append(bytes.extracting(rest..<bytes.count))
        while let frame = pooled.framer.next() {
            counts.lines += 1
            takeFrame(pooled.framer.buffer.span, frame, index, now)
        }
        framers.giveBack(pooled, slot, &operators[index].framer)
    }

    /// Handles a plain line.
    @inline(never)
    private mutating func takeLine(
        _ bytes: Span<UInt8>, _ line: PlainLine, of lines: PlainLineFinder, _ index: Int,
        _ now: Int64
    ) {
        counts.lines += 1
        guard operators[index].phase != .setup, counts.lines < schema.next else {
            return takeFrame(bytes, lines.frame(line), index, now)
        }
        if let text = take(bytes, lines.frame(line), index, now) {
            noteBroadcast(text, bytes, line, to: index)
        }
    }

    @inline(never)
    private mutating func takeFrame(
        _ bytes: Span<UInt8>, _ frame: Frame, _ index: Int, _ now: Int64
    ) {
        if operators[index].phase == .setup {
            schema.note(bytes, frame, number: counts.lines)
            take(bytes.extracting(frame.whole), setup: index, at: now)
            return
        }
        if counts.lines >= schema.next || frame.issue != nil {
            schema.sample(bytes, frame, number: counts.lines)
        }
        take(bytes, frame, index, now)
    }

    /// True if sent messages must be passed to ``noteRequests(_:_:)``.
    var tracksRequests: Bool { framers.tracksRequests }

    /// Records sent messages, which determine whether their answers have blocks.
    mutating func noteRequests(_ bytes: [UInt8], _ index: Int) {
        framers.noteRequests(bytes, &operators[index].framer)
    }

    /// Returns the line's message if it is correct and other members of the room would handle the
    /// line in the same way.
    @discardableResult
    private mutating func take(
        _ bytes: Span<UInt8>, _ frame: Frame, _ index: Int, _ now: Int64
    ) -> MessageText? {
        let first = reader.firstRule(of: bytes, frame)
        var rule = first
        while let found = rule {
            switch reader.purpose(found) {
            case .answer(let step):
                if takeAnswer(step, bytes, index, now) { return nil }
            case .arrival, .roomMessage:
                let text = takeText(bytes, frame, index, now)
                // If an earlier rule also matched, other operators may handle the line differently.
                return rule == first ? text : nil
            case .standing(let reply):
                if operators[index].role.canTalk { answer(reply, bytes, index) }
                return nil
            case .reject:
                takeRefusal(bytes, frame, index, now)
                return nil
            }
            rule = reader.firstRule(of: bytes, frame, after: found)
        }
        counts.otherLines += 1
        if reader.isSuspicious(frame) { schema.note(bytes, frame, number: counts.lines) }
        if operators[index].role != .ordinary { behaviours.noteLine(bytes, frame, index) }
        return nil
    }

    // MARK: Probes

    private mutating func takeAnswer(
        _ step: Int, _ bytes: Span<UInt8>, _ index: Int, _ now: Int64
    ) -> Bool {
        let number: UInt64
        if facts.probeHasToken {
            guard let token = reader.token(bytes), log.contains(token),
                log[token].sender == Int32(index)
            else { return false }
            number = token
        } else {
            number = operators[index].probes.oldest
            guard number != 0 else { return false }
        }
        let (isExpected, isComplete) = operators[index].probes.takeAnswer(
            to: number, step: step, of: facts.probeAnswers, in: log)
        if isComplete { finishProbe(number, index, now) }
        return isExpected
    }

    private mutating func finishProbe(_ number: UInt64, _ index: Int, _ now: Int64) {
        guard log.contains(number), !log[number].isOver else { return }
        let entry = log[number]
        _ = log.receive(number)
        if entry.action == .probe {
            counts.answered += 1
            if operators[index].role != .ordinary {
                noteAnswer(entry, index, now)
            } else {
                latencies.answered(entry, at: now)
            }
            thinks(index, at: now)
        }
    }

    // MARK: Texts

    /// Fast path for lines that another member of the room has received. Returns the offset after
    /// them.
    @inline(__always)
    private mutating func takeBroadcasts(
        _ bytes: Span<UInt8>, from start: Int, _ index: Int, _ now: Int64
    ) -> Int {
        var last = operators[index].lastBroadcast
        guard last != 0, operators[index].phase != .setup else { return start }
        let (room, member) = (Int(operators[index].room), Int(operators[index].member))
        let roomNumber = UInt32(truncatingIfNeeded: rooms.lowerBound &+ room)
        var offset = start
        while counts.lines &+ 1 < schema.next,
            let line = broadcasts.match(
                after: last, receivedBy: member, in: roomNumber, bytes, at: offset)
        {
            counts.lines &+= 1
            last = line.number
            let end = offset &+ Int(line.contentCount)
            count(line.text, room, Int(line.sender), bytes, offset..<end, index, now)
            offset &+= Int(line.count)
        }
        if offset > start { operators[index].lastBroadcast = last }
        return offset
    }

    /// Records a correct message, so that the same line is recognised when other members receive it.
    private mutating func noteBroadcast(
        _ text: MessageText, _ bytes: Span<UInt8>, _ line: PlainLine, to index: Int
    ) {
        let room = Int(operators[index].room)
        guard text.kind == .say, ledgers[room].members >= BroadcastLines.membersMin else { return }
        operators[index].lastBroadcast = broadcasts.note(
            bytes, line, text, from: table.member(numbered: text.sender, ofRoom: room),
            after: operators[index].lastBroadcast)
    }

    /// Checks a message; returns nil if it is invalid or from another run.
    private mutating func takeText(
        _ bytes: Span<UInt8>, _ frame: Frame, _ index: Int, _ now: Int64
    ) -> MessageText? {
        switch reader.text(bytes) {
        case .success(let text):
            return takeText(text, bytes, frame, index, now) ? text : nil
        case .failure(.notOurs) where !reader.isFromOneOfUs(bytes): counts.foreign += 1
        case .failure(.otherRun), nil: counts.foreign += 1
        case .failure:
            broken(.corrupted, bytes, frame.line, now) { pool in
                "\(pool.name(index)) received a corrupted message"
            }
        }
        return nil
    }

    private mutating func takeText(
        _ text: MessageText, _ bytes: Span<UInt8>, _ frame: Frame, _ index: Int, _ now: Int64
    ) -> Bool {
        let room = Int(operators[index].room)
        let receiver = Int(operators[index].member)
        let ourRoom = rooms.lowerBound + room
        guard Int(text.room) == ourRoom else {
            broken(.leaked, bytes, frame.line, now) { pool in
                "\(pool.name(index)) received a message from room \(text.room) in room \(ourRoom)"
            }
            return false
        }
        let sender = table.member(numbered: text.sender, ofRoom: room)
        guard sender >= 0, sender < ledgers[room].members else {
            broken(.phantom, bytes, frame.line, now) { pool in
                "\(pool.name(index)) received a message that no operator sent"
            }
            return false
        }
        if text.kind == .relay, table.partner(of: sender, room: room) != receiver {
            broken(.leaked, bytes, frame.line, now) { pool in
                "\(pool.name(index)) received a message for another operator"
            }
            return false
        }
        let isRight =
            reader.isAttributed(to: Int(text.sender), bytes)
            && reader.isAddressed(to: ourRoom, bytes)
        if !isRight {
            broken(.corrupted, bytes, frame.line, now) { pool in
                "\(pool.name(index)) received a message, but its line names a different sender or room"
            }
        }
        count(text, room, sender, bytes, frame.line, index, now)
        return isRight
    }

    private mutating func count(
        _ text: MessageText, _ room: Int, _ sender: Int, _ bytes: Span<UInt8>,
        _ line: Range<Int>, _ index: Int, _ now: Int64
    ) {
        let receiver = Int(operators[index].member)
        if sender == receiver, !facts.echoes, text.kind == .say { return }
        let fault: (kind: Violation.Kind, how: String)
        switch ledgers[room].receive(receiver, from: sender, text.sequence) {
        case .inOrder, .ahead: return deliver(text, index, now)
        case .bygone: return
        case .late: fault = (.reordered, " after a later one")
        case .duplicate: fault = (.duplicate, " twice")
        case .phantom: fault = (.phantom, ", which was never sent")
        }
        broken(fault.kind, bytes, line, now) { pool in
            let sender = pool.name(Int(text.sender) - pool.firstOperator)
            return
                "\(pool.name(index)) received message \(text.sequence) from \(sender)\(fault.how)"
        }
        if fault.kind == .reordered { deliver(text, index, now) }
    }

    /// Counts a correct delivery.
    private mutating func deliver(_ text: MessageText, _ index: Int, _ now: Int64) {
        if operators[index].role != .ordinary {
            deliverToDeviating(text, index, now)
            return
        }
        counts.delivered += 1
        let sender = Int32(truncatingIfNeeded: Int(text.sender) - firstOperator)
        guard let message = log.deliver(text.message, text.sequence, from: sender, at: now) else {
            return
        }
        latencies.delivered(message, at: now)
        if message.isOver { finishText(log[text.message], last: now) }
    }

    mutating func finishText(_ entry: SentMessageLog.Entry, last: Int64) {
        latencies.completed(entry, last: last)
        thinks(Int(entry.sender), at: last)
    }

    // MARK: Replies, refusals and violations

    private mutating func answer(_ reply: ReplyTemplate, _ bytes: Span<UInt8>, _ index: Int) {
        let result = reader.reply(reply, to: bytes, from: plan.name(firstOperator + index))
        outputs.append(.send(index, result))
    }

    private mutating func takeRefusal(
        _ bytes: Span<UInt8>, _ frame: Frame, _ index: Int, _ now: Int64
    ) {
        if operators[index].role != .ordinary {
            noteRefusal(bytes, frame, index)
            return
        }
        broken(.refused, bytes, frame.line, now) { pool in
            "the server refused a request from \(pool.name(index))"
        }
    }

    private mutating func broken(
        _ kind: Violation.Kind, _ bytes: Span<UInt8>, _ line: Range<Int>, _ now: Int64,
        _ story: (borrowing OperatorPool) -> String
    ) {
        let upper = min(line.upperBound, line.lowerBound + ViolationList.lineBytesMax)
        note(kind) { pool in
            Violation(
                kind, story(pool), line: bytes.array(line.lowerBound..<upper),
                time: pool.sinceStart(now))
        }
    }
}
