import LineProtocol

extension IRCAdapter {
    /// First `CAP LS` version in which capabilities have values.
    private static let versionWithValues = 302

    func negotiate(_ line: RequestLine, _ id: ClientID, _ context: inout RequestContext) {
        let subcommand = line.text("subcommand") ?? []
        switch String(decoding: subcommand, as: UTF8.self).uppercased() {
        case "LS":
            hold(id, context.service)
            listOffered(line.text("capabilities") ?? [], id, &context)
        case "LIST":
            let active = slots[id]?.capabilities.names ?? []
            answerCapabilities("LIST", Array(active.joined(separator: " ").utf8), id, &context)
        case "REQ":
            hold(id, context.service)
            request(line.text("capabilities") ?? [], id, &context)
        case "END":
            slots[id]?.isNegotiating = false
            register(id, &context)
        default:
            reply(
                "invalidCapCommand", id, &context,
                ["command": .text(subcommand), "text": .text("Invalid CAP command")])
        }
    }

    /// Delays the login until capability negotiation has ended.
    private func hold(_ id: ClientID, _ service: borrowing ChatService) {
        guard service.session(id) == nil, !faults.shouldInject(.negotiationNotAwaited) else {
            return
        }
        slots[id]?.isNegotiating = true
    }

    private func listOffered(
        _ version: [UInt8], _ id: ClientID, _ context: inout RequestContext
    ) {
        let version = Int(String(decoding: version, as: UTF8.self)) ?? 0
        if version >= Self.versionWithValues, var capabilities = slots[id]?.capabilities {
            slots[id]?.hasValues = true
            capabilities.insert(.capNotify)
            set(capabilities, id)
        }
        let list = offered.map { capability in
            guard version >= Self.versionWithValues, let value = capability.value else {
                return capability.rawValue
            }
            return "\(capability.rawValue)=\(value)"
        }
        answerCapabilities("LS", Array(list.joined(separator: " ").utf8), id, &context)
    }

    /// Enables either all of the requested capabilities or none.
    private func request(_ list: [UInt8], _ id: ClientID, _ context: inout RequestContext) {
        guard var capabilities = slots[id]?.capabilities else { return }
        var isPossible = true
        for word in list.split(separator: ASCII.space) {
            let isRemoved = word.first == ASCII.minus
            let name = String(decoding: isRemoved ? word.dropFirst() : word, as: UTF8.self)
            guard let capability = IRCCapability(rawValue: name), offered.contains(capability),
                // With version 302, cap-notify cannot be disabled.
                !(isRemoved && capability == .capNotify && slots[id]?.hasValues == true)
            else {
                if !faults.shouldInject(.unknownCapabilitiesAccepted) { isPossible = false }
                continue
            }
            if isRemoved {
                if !faults.shouldInject(.capabilitiesKept) { capabilities.remove(capability) }
            } else {
                capabilities.insert(capability)
            }
        }
        answerCapabilities(isPossible ? "ACK" : "NAK", list, id, &context)
        if isPossible { set(capabilities, id) }
    }

    private func answerCapabilities(
        _ subcommand: String, _ list: [UInt8], _ id: ClientID, _ context: inout RequestContext
    ) {
        reply(
            "capability", id, &context,
            ["subcommand": .text(subcommand), "capabilities": .text(list)])
    }

    private func set(_ capabilities: IRCCapabilities, _ id: ClientID) {
        countForm(of: id, -1)
        slots[id]?.capabilities = capabilities
        countForm(of: id, 1)
    }

    /// Adds `step` to ``formCount`` if the client's capabilities change the lines it receives.
    func countForm(of id: ClientID, _ step: Int) {
        if form(of: id) != 0 { formCount += step }
    }

    func has(_ capability: IRCCapability, _ id: ClientID) -> Bool {
        slots[id]?.capabilities.contains(capability) == true
    }

    package var hasForms: Bool { formCount > 0 || faults.isArmed(.unrequestedTags) }

    package func form(of id: ClientID) -> Int { slots[id]?.capabilities.form ?? 0 }
}
