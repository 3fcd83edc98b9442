import ChatModel
import DialectModel
import LineProtocol

/// SASL authentication with the PLAIN mechanism (RFC 4616).
extension IRCAdapter {
    /// Base64 characters per AUTHENTICATE line. A shorter line is the last one.
    private static let pieceBytes = 400
    private static let dataBytesMax = 4 * pieceBytes

    func authenticate(_ line: RequestLine, _ id: ClientID, _ context: inout RequestContext) {
        let data = line.text("data") ?? []
        guard !accounts.isEmpty else {
            return reply("saslFailed", id, &context, ["text": .text("SASL is not offered")])
        }
        if data == [0x2A] {
            slots[id]?.saslData = []
            return abortAuthentication(id, &context)
        }
        guard let known = slots[id]?.saslData else { return choose(data, id, &context) }
        guard data.count <= Self.pieceBytes, known.count + data.count <= Self.dataBytesMax else {
            slots[id]?.saslData = nil
            return reply("saslTooLong", id, &context, ["text": .text("SASL message too long")])
        }
        slots[id]?.saslData = known + (data == [0x2B] ? [] : data)
        if data.count < Self.pieceBytes { finish(id, &context) }
    }

    /// Aborts the authentication in progress, if any.
    func abortAuthentication(_ id: ClientID, _ context: inout RequestContext) {
        guard slots[id]?.saslData != nil else { return }
        slots[id]?.saslData = nil
        reply("saslAborted", id, &context, ["text": .text("SASL authentication aborted")])
    }

    private func choose(
        _ mechanism: [UInt8], _ id: ClientID, _ context: inout RequestContext
    ) {
        guard mechanism.map(ASCII.uppercased) == Array("PLAIN".utf8) else {
            reply(
                "saslMechanisms", id, &context,
                ["mechanisms": .text("PLAIN"), "text": .text("are available SASL mechanisms")])
            return fail(id, &context)
        }
        slots[id]?.saslData = []
        reply("authenticate", id, &context, ["data": .text("+")])
    }

    private func fail(_ id: ClientID, _ context: inout RequestContext) {
        reply("saslFailed", id, &context, ["text": .text("SASL authentication failed")])
    }

    private func finish(_ id: ClientID, _ context: inout RequestContext) {
        let data = slots[id]?.saslData ?? []
        slots[id]?.saslData = nil
        guard let plain = Base64.decoded(data) else { return fail(id, &context) }
        let parts = plain.split(separator: 0, omittingEmptySubsequences: false).map(Array.init)
        guard parts.count == 3, let key = names.key(parts[1]), let account = accounts[key],
            account.password == parts[2], parts[0].isEmpty || names.key(parts[0]) == key
        else { return fail(id, &context) }
        slots[id]?.account = account.name
        let person =
            context.service.session(id)?.person
            ?? ChatUser(
                client(id, context.service), account: slots[id]?.user?.name ?? [0x2A],
                host: [0x2A])
        reply(
            "loggedIn", id, &context,
            [
                "mask": .text(source(person)), "account": .text(account.name),
                "text": .text(Array("You are now logged in as ".utf8) + account.name),
            ])
        reply("saslSuccess", id, &context, ["text": .text("SASL authentication successful")])
        guard let session = context.service.session(id) else { return }
        context.effects.append(
            .broadcast(
                context.service.peers(of: id, session), except: nil,
                .accountChanged(person: session.person, account: account.name)))
    }
}
