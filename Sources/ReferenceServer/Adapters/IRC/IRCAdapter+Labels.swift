import LineProtocol

extension IRCAdapter {
    /// Turns everything that a client receives because of its labelled command into one labelled
    /// response: a line, a batch of lines, or an acknowledgement.
    ///
    /// - Parameter start: Number of effects before the command was executed.
    func respond(
        _ label: [UInt8], since start: Int, _ id: ClientID, _ context: inout RequestContext
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
        let response = labelled(lines, label, id, context.service)
        let end = others.firstIndex(of: .close(id)) ?? others.endIndex
        others.insert(.line(id, response), at: end)
        context.effects.replaceSubrange(start..., with: others)
    }

    private func encoded(
        _ notice: ChatNotice, _ id: ClientID, _ service: borrowing ChatService
    ) -> [[UInt8]] {
        var bytes: [UInt8] = []
        do { try encode(notice, to: id, service, &bytes) } catch { return [] }
        return split(bytes)
    }

    /// Splits encoded lines, keeping their terminators.
    private func split(_ bytes: [UInt8]) -> [[UInt8]] {
        bytes.split(separator: ASCII.lf).map { $0 + [ASCII.lf] }
    }

    private func labelled(
        _ lines: [[UInt8]], _ label: [UInt8], _ id: ClientID, _ service: borrowing ChatService
    ) -> [UInt8] {
        let tag = Array("label=".utf8) + label
        let source = ArgumentValue.text(Self.serverName)
        if lines.isEmpty {
            if faults.strikes(.silentCommandsUnlabelled) { return [] }
            return add(tag, to: encoder.line("acknowledged", ["source": source]))
        }
        if lines.count == 1 { return add(tag, to: lines[0]) }
        if faults.strikes(.batchesUnlabelled) { return Array(lines.joined()) }
        batchCount += 1
        let reference = Array("b\(batchCount)".utf8)
        let first = encoder.line(
            "batch",
            [
                "source": source, "reference": .text([0x2B] + reference),
                "type": .text("labeled-response"),
            ])
        let last = encoder.line(
            "batch", ["source": source, "reference": .text([ASCII.minus] + reference)])
        let member = Array("batch=".utf8) + reference
        return add(tag, to: first) + lines.flatMap { add(member, to: $0) } + last
    }
}
