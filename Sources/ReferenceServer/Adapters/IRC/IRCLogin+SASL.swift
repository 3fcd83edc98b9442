import ChatModel
import DialectModel
import LineProtocol

/// SASL authentication with the PLAIN mechanism (RFC 4616).
extension IRCLogin {
    /// Base64 characters per AUTHENTICATE line. A shorter line is the last one.
    private static let pieceBytes = 400
    private static let dataBytesMax = 4 * pieceBytes

    func authenticate(_ line: RequestLine, _ id: ClientID, _ context: inout RequestContext) {
        let data = line.text("data") ?? []
        guard !accounts.isEmpty else {
            return replies.send("saslFailed", to: id, &context, text: "SASL is not offered")
        }
        if data == [0x2A] {
            clients[id]?.saslData = []
            return abortAuthentication(id, &context)
        }
        guard let known = clients[id]?.saslData else { return choose(data, id, &context) }
        guard data.count <= Self.pieceBytes, known.count + data.count <= Self.dataBytesMax else {
            clients[id]?.saslData = nil
            return replies.send("saslTooLong", to: id, &context, text: "SASL message too long")
        }
        clients[id]?.saslData = known + (data == [0x2B] ? [] : data)
        if data.count < Self.pieceBytes { finish(id, &context) }
    }

    /// Aborts the authentication in progress, if any.
    func abortAuthentication(_ id: ClientID, _ context: inout RequestContext) {
        guard clients[id]?.saslData != nil else { return }
        clients[id]?.saslData = nil
        replies.send("saslAborted", to: id, &context, text: "SASL authentication aborted")
    }

    private func choose(
        _ mechanism: [UInt8], _ id: ClientID, _ context: inout RequestContext
    ) {
        guard mechanism.map(ASCII.uppercased) == Array("PLAIN".utf8) else {
            replies.send(
                "saslMechanisms", to: id, &context,
                ["mechanisms": .text("PLAIN")], text: "are available SASL mechanisms")
            return fail(id, &context)
        }
        clients[id]?.saslData = []
        replies.send("authenticate", to: id, &context, ["data": .text("+")])
    }

    private func fail(_ id: ClientID, _ context: inout RequestContext) {
        replies.send("saslFailed", to: id, &context, text: "SASL authentication failed")
    }

    private func finish(_ id: ClientID, _ context: inout RequestContext) {
        let data = clients[id]?.saslData ?? []
        clients[id]?.saslData = nil
        guard let plain = Base64.decoded(data) else { return fail(id, &context) }
        let parts = plain.split(separator: 0, omittingEmptySubsequences: false).map(Array.init)
        guard parts.count == 3, let key = names.key(parts[1]), let account = accounts[key],
            account.password == parts[2], parts[0].isEmpty || names.key(parts[0]) == key
        else { return fail(id, &context) }
        clients[id]?.account = account.name
        let person =
            context.service.session(id)?.person
            ?? ChatUser(
                clients.name(of: id, context.service), account: clients[id]?.user?.name ?? [0x2A],
                host: [0x2A])
        replies.send(
            "loggedIn", to: id, &context,
            [
                "mask": .text(person.hostmask), "account": .text(account.name),
                "text": .text(Array("You are now logged in as ".utf8) + account.name),
            ])
        replies.send("saslSuccess", to: id, &context, text: "SASL authentication successful")
        guard let session = context.service.session(id) else { return }
        context.effects.append(
            .broadcast(
                context.service.peers(of: id, session), except: nil,
                .accountChanged(person: session.person, account: account.name)))
    }
}
