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
                while let line = lines.line(in: bytes, from: rest) {
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

    /// Handles a plain line. Makes a frame only if the line is not cached, which is rare.
    @inline(never)
    private mutating func takeLine(
        _ bytes: Span<UInt8>, _ line: PlainLine, of lines: PlainLineFinder, _ index: Int,
        _ now: Int64
    ) {
        counts.lines += 1
        guard operators[index].phase != .setup, counts.lines < schema.next else {
            return takeFrame(bytes, lines.frame(line), index, now)
        }
        if !takeCached(bytes, line.text, index, now) { take(bytes, lines.frame(line), index, now) }
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
        if frame.payload == nil, frame.issue == nil, takeCached(bytes, frame.line, index, now) {
            return
        }
        take(bytes, frame, index, now)
    }

    /// True if sent messages must be passed to ``noteRequests(_:_:)``.
    var tracksRequests: Bool { framers.tracksRequests }

    /// Records sent messages, which determine whether their answers have blocks.
    mutating func noteRequests(_ bytes: [UInt8], _ index: Int) {
        framers.noteRequests(bytes, &operators[index].framer)
    }

    private mutating func take(_ bytes: Span<UInt8>, _ frame: Frame, _ index: Int, _ now: Int64) {
        let first = reader.firstRule(of: bytes, frame)
        var rule = first
        while let found = rule {
            switch reader.purpose(found) {
            case .answer(let step):
                if takeAnswer(step, bytes, index, now) { return }
            case .arrival, .roomMessage:
                let text = takeText(bytes, frame, index, now)
                // If an earlier rule also matched, similar lines may need different handling, so
                // the line is not cached.
                if let text, rule == first { reader.remember(bytes, frame, text) }
                return
            case .standing(let reply):
                if operators[index].role.answers { answer(reply, bytes, index) }
                return
            case .reject:
                takeRefusal(bytes, frame, index, now)
                return
            }
            rule = reader.firstRule(of: bytes, frame, after: found)
        }
        counts.otherLines += 1
        if reader.isSuspicious(frame) { schema.note(bytes, frame, number: counts.lines) }
        if operators[index].role != .ordinary { behaviours.noteLine(bytes, frame, index) }
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
            number = operators[index].oldestProbe
            guard number != 0 else { return false }
        }
        guard number == operators[index].oldestProbe else {
            // Only the last line of an answer to another probe counts.
            if step == facts.probeAnswers - 1 { finishProbe(number, index, now) }
            return true
        }
        guard step == Int(operators[index].answerStep) else { return false }
        operators[index].answerStep += 1
        guard Int(operators[index].answerStep) == facts.probeAnswers else { return true }
        operators[index].answerStep = 0
        operators[index].oldestProbe = log.contains(number) ? log[number].following : 0
        if operators[index].oldestProbe == 0 { operators[index].newestProbe = 0 }
        finishProbe(number, index, now)
        return true
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

    /// Fast path for a line that differs from an earlier line only in its message body. Returns
    /// false if the line differs elsewhere or contains an error.
    @inline(__always)
    private mutating func takeCached(
        _ bytes: Span<UInt8>, _ line: Range<Int>, _ index: Int, _ now: Int64
    ) -> Bool {
        guard let (template, text) = reader.cached(bytes, line) else { return false }
        let room = Int(operators[index].room)
        let sender = Int(text.sender) &- firstOperator &- self.index(room: room, member: 0)
        guard Int(text.room) == rooms.lowerBound &+ room, sender >= 0,
            sender < ledgers[room].members,
            template.sender < 0 || UInt32(bitPattern: template.sender) == text.sender,
            template.room < 0 || UInt32(bitPattern: template.room) == text.room,
            text.kind == .say || partner(room, sender) == Int(operators[index].member)
        else { return false }
        count(text, room, sender, bytes, line, index, now)
        return true
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
        let sender = Int(text.sender) - firstOperator - self.index(room: room, member: 0)
        guard sender >= 0, sender < ledgers[room].members else {
            broken(.phantom, bytes, frame.line, now) { pool in
                "\(pool.name(index)) received a message that no operator sent"
            }
            return false
        }
        if text.kind == .relay, partner(room, sender) != receiver {
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
