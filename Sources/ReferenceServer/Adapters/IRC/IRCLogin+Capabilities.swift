import LineProtocol

/// Capability negotiation (IRCv3).
extension IRCLogin {
    /// First `CAP LS` version in which capabilities have values.
    private static let versionWithValues = 302

    func negotiate(_ line: RequestLine, _ id: ClientID, _ context: inout RequestContext) {
        let subcommand = line.text("subcommand") ?? []
        switch String(decoding: subcommand, as: UTF8.self).uppercased() {
        case "LS":
            hold(id, context.service)
            listOffered(line.text("capabilities") ?? [], id, &context)
        case "LIST":
            let active = clients[id]?.capabilities.names ?? []
            answerCapabilities("LIST", Array(active.joined(separator: " ").utf8), id, &context)
        case "REQ":
            hold(id, context.service)
            request(line.text("capabilities") ?? [], id, &context)
        case "END":
            clients[id]?.isNegotiating = false
            register(id, &context)
        default:
            replies.send(
                "invalidCapCommand", to: id, &context,
                ["command": .text(subcommand)], text: "Invalid CAP command")
        }
    }

    /// Delays the login until capability negotiation has ended.
    private func hold(_ id: ClientID, _ service: borrowing ChatService) {
        guard service.session(id) == nil, !faults.shouldInject(.negotiationNotAwaited) else {
            return
        }
        clients[id]?.isNegotiating = true
    }

    private func listOffered(
        _ version: [UInt8], _ id: ClientID, _ context: inout RequestContext
    ) {
        let version = Int(String(decoding: version, as: UTF8.self)) ?? 0
        if version >= Self.versionWithValues, var capabilities = clients[id]?.capabilities {
            clients[id]?.hasValues = true
            capabilities.insert(.capNotify)
            clients[id]?.capabilities = capabilities
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
        guard var capabilities = clients[id]?.capabilities else { return }
        var isPossible = true
        for word in list.split(separator: ASCII.space) {
            let isRemoved = word.first == ASCII.minus
            let name = String(decoding: isRemoved ? word.dropFirst() : word, as: UTF8.self)
            guard let capability = IRCCapability(rawValue: name), offered.contains(capability),
                // With version 302, cap-notify cannot be disabled.
                !(isRemoved && capability == .capNotify && clients[id]?.hasValues == true)
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
        if isPossible { clients[id]?.capabilities = capabilities }
    }

    private func answerCapabilities(
        _ subcommand: String, _ list: [UInt8], _ id: ClientID, _ context: inout RequestContext
    ) {
        replies.send(
            "capability", to: id, &context,
            ["subcommand": .text(subcommand), "capabilities": .text(list)])
    }
}
