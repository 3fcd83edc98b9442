import LineProtocol
import Results

/// Processes received bytes.
extension OperatorPool {
    /// Handles bytes received by an operator.
    package mutating func receive(_ bytes: Span<UInt8>, _ index: Int, at now: Int64) {
        counts.bytesReceived += UInt64(bytes.count)
        if hasBehaviours { noteReceived(bytes.count, index) }
        let slot = framer(of: index)
        guard var framer = framers[slot].take() else { return }
        framer.append(bytes)
        while let frame = framer.next() {
            counts.lines += 1
            if operators[index].phase == .setup {
                schema.note(framer.buffer.span, frame, number: counts.lines)
                take(framer.buffer.span.extracting(frame.whole), setup: index, at: now)
            } else {
                if counts.lines >= schema.next || frame.issue != nil {
                    schema.sample(framer.buffer.span, frame, number: counts.lines)
                }
                if takeCached(framer.buffer.span, frame, index, now) { continue }
                take(framer.buffer.span, frame, index, now)
            }
        }
        if framer.isAtRest {
            operators[index].framer = -1
            freeFramers.append(Int32(slot))
        }
        framers[slot] = consume framer
    }

    /// True if sent messages must be passed to ``noteRequests(_:_:)``.
    var tracksRequests: Bool { requestFramer != nil }

    /// Notes sent messages whose answers may have blocks.
    mutating func noteRequests(_ bytes: [UInt8], _ index: Int) {
        guard var requests = requestFramer.take() else { return }
        let slot = framer(of: index)
        requests.append(bytes)
        while let frame = requests.next() {
            framers[slot]?.noteOther(frame, in: requests.buffer.span)
        }
        requestFramer = consume requests
    }

    /// Returns the index of the framer with the operator's unfinished line or unanswered requests,
    /// or of a free framer. Few framers are needed because most reads end with a complete line.
    mutating func framer(of index: Int) -> Int {
        let own = Int(operators[index].framer)
        if own >= 0 { return own }
        let slot: Int
        if let free = freeFramers.popLast() {
            slot = Int(free)
        } else {
            slot = framers.count
            framers.append(LineFramer(plan.operatorScript.dialect, direction: .fromServer))
        }
        operators[index].framer = Int32(slot)
        return slot
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
                if let text, rule == first { remember(bytes, frame, text) }
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
        if operators[index].role != .ordinary { noteLastWords(bytes, frame, index) }
    }

    // MARK: Probes

    private mutating func takeAnswer(
        _ step: Int, _ bytes: Span<UInt8>, _ index: Int, _ now: Int64
    ) -> Bool {
        let number: UInt64
        if facts.probeHasToken {
            let token = reader.withSlot(.token, bytes) { Self.token($0) } ?? nil
            guard let token, log.contains(token), log[token].sender == Int32(index) else {
                return false
            }
            number = token
        } else {
            number = operators[index].oldestProbe
            guard number != 0 else { return false }
        }
        guard number == operators[index].oldestProbe else {
            finishOutOfTurn(number, step, index, now)
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

    /// Handles a line of the answer to a probe other than the operator's oldest. Only the last line of
    /// an answer counts.
    private mutating func finishOutOfTurn(_ number: UInt64, _ step: Int, _ index: Int, _ now: Int64)
    {
        guard step == facts.probeAnswers - 1, !log[number].isOver else { return }
        finishProbe(number, index, now)
    }

    private mutating func finishProbe(_ number: UInt64, _ index: Int, _ now: Int64) {
        guard log.contains(number), !log[number].isOver else { return }
        let entry = log[number]
        _ = log.receive(number)
        if entry.action == .probe {
            counts.answered += 1
            if operators[index].role != .ordinary {
                noteAnswer(entry, index, now)
            } else if entry.isMeasured {
                probeTimes.record(intended: entry.intended, sent: entry.sent, over: now)
            }
            thinks(index, at: now)
        }
    }

    // MARK: Texts

    /// Fast path for a line that differs from an earlier line only in its message body. Returns
    /// false if the line differs elsewhere or contains an error.
    @inline(__always)
    private mutating func takeCached(
        _ bytes: Span<UInt8>, _ frame: Frame, _ index: Int, _ now: Int64
    ) -> Bool {
        guard frame.payload == nil, frame.issue == nil,
            let (template, textRange) = templateCache.find(bytes, frame.line),
            let text = MessageText(unchanged: bytes.extracting(textRange), run: facts.run)
        else { return false }
        let room = Int(operators[index].room)
        let sender = Int(text.sender) &- firstOperator &- self.index(room: room, member: 0)
        guard Int(text.room) == rooms.lowerBound &+ room, sender >= 0,
            sender < ledgers[room].members,
            template.sender < 0 || UInt32(bitPattern: template.sender) == text.sender,
            template.room < 0 || UInt32(bitPattern: template.room) == text.room,
            text.kind == .say || partner(room, sender) == Int(operators[index].member)
        else { return false }
        count(text, room, sender, bytes, frame, index, now)
        return true
    }

    /// Caches the line around a message body, so that similar lines need not be decoded.
    private mutating func remember(_ bytes: Span<UInt8>, _ frame: Frame, _ text: MessageText) {
        guard templateCache.isLearning, frame.payload == nil, frame.issue == nil else { return }
        var template = LineTemplateCache.CachedTemplate()
        if reader.has(.from) { template.sender = Int32(bitPattern: text.sender) }
        if reader.has(.room) { template.room = Int32(bitPattern: text.room) }
        let offset = reader.withSlot(.text, bytes) { part in
            LineTemplateCache.onlyOffset(of: part, in: bytes, frame.line)
        }
        guard let offset, let offset else { return }
        templateCache.remember(bytes, frame.line, textAt: offset, template)
    }

    /// Checks a message; returns nil if it is invalid or from another run.
    private mutating func takeText(
        _ bytes: Span<UInt8>, _ frame: Frame, _ index: Int, _ now: Int64
    ) -> MessageText? {
        let run = facts.run
        let read = reader.withSlot(.text, bytes) { part -> Result<MessageText, MessageText.Flaw> in
            do throws(MessageText.Flaw) {
                return .success(try MessageText(reading: part, run: run))
            } catch {
                return .failure(error)
            }
        }
        switch read {
        case .success(let text):
            return takeText(text, bytes, frame, index, now) ? text : nil
        case .failure(.corrupted):
            broken(
                .corrupted, { pool in "\(pool.name(index)) received a corrupted message" }, bytes,
                frame, now)
        case .failure(.notOurs) where isFromOneOfUs(bytes):
            broken(
                .corrupted, { pool in "\(pool.name(index)) received a corrupted message" }, bytes,
                frame, now)
        case .failure, nil:
            counts.foreign += 1
        }
        return nil
    }

    private func isFromOneOfUs(_ bytes: Span<UInt8>) -> Bool {
        let ours = plan.name(0)
        return reader.withSlot(.from, bytes) { part in
            guard part.count == SlotWidths.name else { return false }
            for index in 0..<5 where part[index] != ours[index] { return false }
            return true
        } ?? false
    }

    private mutating func takeText(
        _ text: MessageText, _ bytes: Span<UInt8>, _ frame: Frame, _ index: Int, _ now: Int64
    ) -> Bool {
        let room = Int(operators[index].room)
        let receiver = Int(operators[index].member)
        let ourRoom = rooms.lowerBound + room
        guard Int(text.room) == ourRoom else {
            broken(
                .leaked,
                { pool in
                    "\(pool.name(index)) received a message from room \(text.room) in room \(ourRoom)"
                }, bytes,
                frame, now)
            return false
        }
        let sender = Int(text.sender) - firstOperator - self.index(room: room, member: 0)
        guard sender >= 0, sender < ledgers[room].members else {
            broken(
                .phantom,
                { pool in "\(pool.name(index)) received a message that no operator sent" }, bytes,
                frame, now)
            return false
        }
        if text.kind == .relay, partner(room, sender) != receiver {
            broken(
                .leaked, { pool in "\(pool.name(index)) received a message for another operator" },
                bytes,
                frame, now)
            return false
        }
        let isRight = isAttributed(to: Int(text.sender), bytes) && isAddressed(to: ourRoom, bytes)
        if !isRight {
            broken(
                .corrupted,
                { pool in
                    "\(pool.name(index)) received a message, but its line names a different sender or room"
                },
                bytes, frame, now)
        }
        count(text, room, sender, bytes, frame, index, now)
        return isRight
    }

    private mutating func count(
        _ text: MessageText, _ room: Int, _ sender: Int, _ bytes: Span<UInt8>, _ frame: Frame,
        _ index: Int, _ now: Int64
    ) {
        let receiver = Int(operators[index].member)
        if sender == receiver, !facts.echoes, text.kind == .say { return }
        switch ledgers[room].receive(receiver, from: sender, text.sequence) {
        case .inOrder, .ahead:
            deliver(text, index, now)
        case .late:
            broken(
                .reordered,
                { pool in
                    "\(pool.name(index)) received message \(text.sequence) from \(pool.name(of: text)) after a later one"
                },
                bytes, frame, now)
            deliver(text, index, now)
        case .duplicate:
            broken(
                .duplicate,
                { pool in
                    "\(pool.name(index)) received message \(text.sequence) from \(pool.name(of: text)) twice"
                }, bytes,
                frame, now)
        case .phantom:
            broken(
                .phantom,
                { pool in
                    "\(pool.name(index)) received message \(text.sequence) from \(pool.name(of: text)), which was never sent"
                },
                bytes, frame, now)
        case .bygone: break
        }
    }

    private func name(of text: MessageText) -> String {
        String(decoding: plan.name(Int(text.sender)), as: UTF8.self)
    }

    /// Returns true if the line names the right sender, or no sender.
    private func isAttributed(to sender: Int, _ bytes: Span<UInt8>) -> Bool {
        let run = facts.nameRun
        return reader.withSlot(.from, bytes) { part in
            guard part.count == SlotWidths.name, part[0] == UInt8(ascii: "l"),
                part[1] == UInt8(ascii: "j")
            else { return false }
            return Base32.read(part, 2, 3) == run
                && Base32.read(part, 5, 4) == UInt64(sender)
        } ?? true
    }

    private func isAddressed(to room: Int, _ bytes: Span<UInt8>) -> Bool {
        let expected = facts.firstWireRoom + room
        return reader.withSlot(.room, bytes) { part in
            var number = 0
            for index in 0..<part.count {
                guard part[index] >= 0x30, part[index] <= 0x39, number <= expected else {
                    return false
                }
                number = number * 10 + Int(part[index] - 0x30)
            }
            return number == expected
        } ?? true
    }

    /// Counts a correct delivery.
    private mutating func deliver(_ text: MessageText, _ index: Int, _ now: Int64) {
        if operators[index].role != .ordinary {
            deliverToDeviating(text, index, now)
            return
        }
        counts.delivered += 1
        let sender = Int32(truncatingIfNeeded: Int(text.sender) - firstOperator)
        guard let entry = log.deliver(text.message, text.sequence, from: sender, at: now) else {
            return
        }
        if entry.isMeasured {
            if entry.action == .relay {
                relayTimes.record(intended: entry.intended, sent: entry.sent, over: now)
            } else {
                sayTimes.record(intended: entry.intended, sent: entry.sent, over: now)
            }
        }
        if entry.isOver { finishText(entry, last: now) }
    }

    mutating func finishText(_ entry: SentMessageLog.Entry, last: Int64) {
        if entry.isMeasured, entry.action == .say {
            recorder.record(
                .sayFirst, intended: entry.intended, sent: entry.sent, over: entry.first)
            recorder.record(
                .sayMedian, intended: entry.intended, sent: entry.sent, over: entry.median)
            recorder.record(.sayLast, intended: entry.intended, sent: entry.sent, over: last)
            recorder.record(.saySpread, last - entry.first)
        }
        thinks(Int(entry.sender), at: last)
    }

    // MARK: Replies, refusals and violations

    private mutating func answer(_ reply: ReplyTemplate, _ bytes: Span<UInt8>, _ index: Int) {
        var result: [UInt8] = []
        for piece in reply.pieces {
            switch piece {
            case .literal(let literal): result += literal
            case .slot(.name): result += plan.name(firstOperator + index)
            case .slot(let slot):
                result += reader.withSlot(slot, bytes) { $0.array(0..<$0.count) } ?? []
            }
        }
        outputs.append(.send(index, result))
    }

    private mutating func takeRefusal(
        _ bytes: Span<UInt8>, _ frame: Frame, _ index: Int, _ now: Int64
    ) {
        if operators[index].role != .ordinary {
            noteRefusal(bytes, frame, index)
            return
        }
        broken(
            .refused, { pool in "the server refused a request from \(pool.name(index))" }, bytes,
            frame, now)
    }

    private mutating func broken(
        _ kind: Violation.Kind, _ story: (borrowing OperatorPool) -> String, _ bytes: Span<UInt8>,
        _ frame: Frame, _ now: Int64
    ) {
        let upper = min(
            frame.line.upperBound, frame.line.lowerBound + ViolationList.lineBytesMax)
        note(kind) { pool in
            Violation(
                kind, story(pool), line: bytes.array(frame.line.lowerBound..<upper),
                time: pool.sinceStart(now))
        }
    }
}
