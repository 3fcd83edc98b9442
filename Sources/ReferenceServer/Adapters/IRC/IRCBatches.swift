import LineProtocol

/// A writer of batches (IRCv3 batch), and of labelled responses, which can be batches.
struct IRCBatches {
    private let notices: IRCNoticeEncoder
    private let replies: IRCReplies
    /// Number of batches so far.
    private var count = 0

    init(_ notices: IRCNoticeEncoder) {
        self.notices = notices
        replies = notices.replies
    }

    /// Wraps encoded lines in a batch with a new reference.
    mutating func batch(
        of lines: [[UInt8]], type: String, _ parameters: [ArgumentValue] = []
    ) -> [[UInt8]] {
        count += 1
        let reference = Array("b\(count)".utf8)
        let source = ArgumentValue.text(IRCRules.serverName)
        let first = replies.encoder.line(
            "batch",
            [
                "source": source, "reference": .text([ASCII.plus] + reference),
                "type": .text(type), "parameters": .list(parameters),
            ])
        let last = replies.encoder.line(
            "batch", ["source": source, "reference": .text([ASCII.minus] + reference)])
        let isWrong = replies.faults.shouldInject(.batchReferencesWrong)
        let member = Array("batch=\(isWrong ? "x" : "")".utf8) + reference
        let isUnfinished = replies.faults.shouldInject(.unfinishedBatches)
        return [first] + lines.map { add(member, to: $0) } + (isUnfinished ? [] : [last])
    }

    /// Returns whether the lines form a single batch.
    private func isBatch(_ lines: [[UInt8]]) -> Bool {
        let start = [ASCII.colon] + IRCRules.serverName + Array(" BATCH ".utf8)
        return lines.first?.starts(with: start + [ASCII.plus]) == true
            && lines.last?.starts(with: start + [ASCII.minus]) == true
    }

    /// Adds a tag to an encoded line, before its other tags.
    private func add(_ tag: [UInt8], to line: [UInt8]) -> [UInt8] {
        let isTagged = line.first == 0x40
        let head = [0x40] + tag + [isTagged ? 0x3B : ASCII.space]
        return head + (isTagged ? line[1...] : line[...])
    }

    // MARK: Labelled responses

    /// Combines everything that a client receives because of a labelled command into one labelled
    /// response: a line, a batch of lines, or an acknowledgement.
    ///
    /// - Parameter start: Number of effects before the command was executed.
    mutating func respond(
        _ label: [UInt8], since start: Int, to id: ClientID, _ context: inout RequestContext
    ) {
        let effects = Array(context.effects[start...])
        var lines: [[UInt8]] = []
        var others: [ChatEffect] = []
        for effect in effects {
            switch effect {
            case .answer(id, let notice):
                lines += encoded(notice, id, context.service)
            case .line(id, let bytes):
                lines += split(bytes)
            case .broadcast(let audience, let sender, let notice)
            where sender != id && !notice.isMessage && audience.contains(id):
                lines += encoded(notice, id, context.service)
                others.append(.broadcast(audience.filter { $0 != id }, except: sender, notice))
            default: others.append(effect)
            }
        }
        let end = others.firstIndex(of: .close(id)) ?? others.endIndex
        let isClosing = end < others.endIndex
        let response =
            isClosing && replies.faults.shouldInject(.closingLinesUnlabelled)
            ? Array(lines.joined()) : labelled(lines, label)
        others.insert(.line(id, response), at: end)
        context.effects.replaceSubrange(start..., with: others)
    }

    private func encoded(
        _ notice: ChatNotice, _ id: ClientID, _ service: borrowing ChatService
    ) -> [[UInt8]] {
        var bytes: [UInt8] = []
        do { try notices.encode(notice, to: id, service, &bytes) } catch { return [] }
        return split(bytes)
    }

    /// Splits encoded lines, keeping their terminators.
    private func split(_ bytes: [UInt8]) -> [[UInt8]] {
        bytes.split(separator: ASCII.lf).map { $0 + [ASCII.lf] }
    }

    private mutating func labelled(_ lines: [[UInt8]], _ label: [UInt8]) -> [UInt8] {
        let tag = Array("label=".utf8) + label
        let source = ArgumentValue.text(IRCRules.serverName)
        if lines.isEmpty {
            if replies.faults.shouldInject(.silentCommandsUnlabelled) { return [] }
            return add(tag, to: replies.encoder.line("acknowledged", ["source": source]))
        }
        // A batch is already a single response.
        if lines.count == 1 || isBatch(lines) {
            return add(tag, to: lines[0]) + Array(lines[1...].joined())
        }
        if replies.faults.shouldInject(.batchesUnlabelled) { return Array(lines.joined()) }
        let batch = batch(of: lines, type: "labeled-response")
        return add(tag, to: batch[0]) + Array(batch[1...].joined())
    }
}
