import ChatModel
package import LineProtocol

/// An adapter for the MSN Messenger protocol, with the notification server and the switchboard on
/// one connection. CAL calls a user, ANS answers, and MSG sends to everyone else in the session.
/// Accounts map to nicknames, sessions to rooms, and statuses to away messages.
package final class MSNPAdapter: ProtocolAdapter {
    static let versions = ["MSNP8", "MSNP9", "MSNP10", "MSNP11", "MSNP12"]
    static let accountBytesMax = 129
    /// Maximum time until a client's next PNG, in seconds.
    static let pingSeconds: Int64 = 50

    let encoder: ReplyEncoder
    var slots = SlotTable<MSNPClientState>()
    var calls: [Int64: [CallTicket]] = [:]
    private var sessionLast: Int64 = 1_000

    package init(_ dialect: Dialect) throws(ServerError) {
        encoder = ReplyEncoder(dialect)
        try encoder.require(client: ["version", "user", "send", "call", "answer", "ping", "out"])
        try encoder.require(server: ["versionIs", "userIs", "received", "failed", "ring", "pinged"])
    }

    package static func rules(_ dialect: Dialect) -> ChatRules {
        var rules = ChatRules(timing: dialect.timing)
        rules.names = NameRules(bytesMax: accountBytesMax, folding: .ascii, alphabet: .word)
            .decided(by: dialect)
        rules.presence = .all
        rules.secondLogin = dialect.policies["second-login"] == "refuse" ? .refuse : .replace
        rules.anyLineKeepsAlive = true
        return rules
    }

    package func greet(_ id: ClientID, _ context: inout RequestContext) {
        slots[id] = MSNPClientState()
    }

    package func forget(_ id: ClientID) { slots[id] = nil }

    package func receive(
        _ line: RequestLine, from id: ClientID, _ context: inout RequestContext
    ) {
        guard line.frame.issue == nil, let name = line.signature?.name,
            let verb = MSNPVerb(rawValue: name)
        else {
            // After a framing error or an unknown command, the start of the next command cannot be
            // found, so the connection is closed.
            if line.frame.issue == .unterminated { return }
            guard line.frame.issue == nil, line.signature != nil else {
                return context.close(id, .protocolViolated)
            }
            return fail(.commandDisabled, line, id, &context)
        }
        guard line.message.issues.allSatisfy(Self.isHarmless) else {
            return fail(.invalidParameter, line, id, &context)
        }
        guard verb.isEarly || context.service.session(id) != nil else {
            if context.closesEarly(id) { return }
            return fail(.notLoggedIn, line, id, &context)
        }
        context.service.keepAlive(id, context.now)
        receive(verb, line, id, &context)
    }

    /// Returns whether a line with this issue is executed anyway. Only surplus arguments are
    /// tolerated, because newer clients send them.
    private static func isHarmless(_ issue: MessageIssue) -> Bool {
        if case .tooMany = issue { true } else { false }
    }

    private func receive(
        _ verb: MSNPVerb, _ line: RequestLine, _ id: ClientID, _ context: inout RequestContext
    ) {
        switch verb {
        case .version: agreeOnVersion(line, id, &context)
        case .clientVersion: replyClientVersion(line, id, &context)
        case .user: logIn(line, id, &context)
        case .ping: context.answer(id, encoder.line("pinged", ["seconds": .int(Self.pingSeconds)]))
        case .out: context.ask(.logout, from: id)
        case .status: changeStatus(line, id, &context)
        case .synchronise:
            answer("synchronised", line, id, &context, ["version": .text("0")])
        case .privacy: answer("privacyIs", line, id, &context, ["details": echo(line, "mode")])
        case .prompt: answer("promptIs", line, id, &context, ["details": echo(line, "mode")])
        case .personalMessage: answer("personalMessageSet", line, id, &context)
        case .call: call(line, id, &context)
        case .answer: answerCall(line, id, &context)
        case .send: send(line, id, &context)
        }
    }

    private func echo(_ line: RequestLine, _ name: String) -> ArgumentValue {
        .list([.int(transaction(line)), .text(line.text(name) ?? [])])
    }

    // MARK: Answers

    func transaction(_ line: RequestLine) -> Int64 { line.repeatedNumber("transaction") ?? 0 }

    /// Sends an answer that repeats the request's transaction ID.
    func answer(
        _ name: String, _ line: RequestLine, _ id: ClientID, _ context: inout RequestContext,
        _ values: ReplyEncoder.Values = [:]
    ) {
        context.answer(
            id, encoder.line(name, values, and: ["transaction": .int(transaction(line))]))
    }

    func fail(
        _ failure: MSNPFailure, _ line: RequestLine, _ id: ClientID,
        _ context: inout RequestContext
    ) {
        answer("failed", line, id, &context, ["code": .text(String(failure.rawValue))])
    }

    // MARK: Login

    private func agreeOnVersion(
        _ line: RequestLine, _ id: ClientID, _ context: inout RequestContext
    ) {
        let offered = line.list("versions").map { String(decoding: $0, as: UTF8.self) }
        guard let best = offered.first(where: Self.versions.contains) else {
            answer("versionIs", line, id, &context, ["versions": .list([.text("0")])])
            return context.close(id, .protocolViolated)
        }
        slots[id]?.hasVersion = true
        answer(
            "versionIs", line, id, &context, ["versions": .list([.text(best), .text("CVR0")])])
    }

    private func replyClientVersion(
        _ line: RequestLine, _ id: ClientID, _ context: inout RequestContext
    ) {
        let version = ArgumentValue.text(line.text("clientVersion") ?? [0x30])
        let page = ArgumentValue.text("http://linejudge.test/")
        answer(
            "clientVersionIs", line, id, &context,
            [
                "recommended": version, "same": version, "minimum": version, "download": page,
                "page": page,
            ])
    }

    /// Handles `USR n TWN I account`, which is answered with a challenge, and the subsequent
    /// `USR n TWN S ticket`.
    private func logIn(_ line: RequestLine, _ id: ClientID, _ context: inout RequestContext) {
        guard context.service.session(id) == nil else {
            return fail(.alreadyLoggedIn, line, id, &context)
        }
        let third = line.text("third") ?? []
        guard slots[id]?.hasVersion == true, !third.isEmpty else {
            return fail(.invalidParameter, line, id, &context)
        }
        let policy = ArgumentValue.text(line.text("first") ?? [])
        switch line.text("second") {
        case Array("I".utf8):
            slots[id]?.account = third
            answer(
                "userIs", line, id, &context,
                ["first": policy, "second": .text("S"), "details": .list([.text("challenge")])])
        case Array("S".utf8): finishLogin(ticket: third, line, id, &context)
        default: fail(.invalidParameter, line, id, &context)
        }
    }

    private func finishLogin(
        ticket: [UInt8], _ line: RequestLine, _ id: ClientID, _ context: inout RequestContext
    ) {
        guard let account = slots[id]?.account else {
            return fail(.invalidParameter, line, id, &context)
        }
        do throws(Refusal) {
            try context.attempt(
                .login(nickname: account, password: ticket, isVisitor: false), from: id)
            answer(
                "userIs", line, id, &context,
                [
                    "first": .text("OK"), "second": .text(account),
                    "details": .list([.text(account), .text("1"), .text("0")]),
                ])
        } catch {
            fail(MSNPFailure(error.cause), line, id, &context)
        }
    }

    // MARK: Presence

    /// Sets the client's status. The first status is answered with the statuses of all other
    /// clients. Every change is announced to the other clients.
    private func changeStatus(
        _ line: RequestLine, _ id: ClientID, _ context: inout RequestContext
    ) {
        let status = line.text("status") ?? Array("NLN".utf8)
        answer(
            "statusIs", line, id, &context,
            [
                "status": .text(status),
                "capabilities": .int(line.repeatedNumber("capabilities") ?? 0),
            ])
        if slots[id]?.hasStatus == false {
            slots[id]?.hasStatus = true
            for other in context.service.present
            where other != id && slots[other]?.hasStatus == true {
                guard let session = context.service.session(other), session.away != hidden else {
                    continue
                }
                let account = ArgumentValue.text(session.nickname.bytes)
                answer(
                    "initialStatus", line, id, &context,
                    [
                        "status": .text(session.away ?? Array("NLN".utf8)), "account": account,
                        "name": account, "capabilities": .int(0),
                    ])
            }
        }
        context.ask(.away(status), from: id)
    }

    var hidden: [UInt8] { Array("HDN".utf8) }

    func newSession(_ service: borrowing ChatService) -> Int64 {
        repeat { sessionLast += 1 } while service.room(.number(sessionLast)) != nil
        return sessionLast
    }
}

/// MSNP-specific state of a client.
struct MSNPClientState {
    var hasVersion = false
    var account: [UInt8]?
    var hasStatus = false
}

/// An unanswered invitation to a session.
struct CallTicket {
    var callee: ClientID
    var ticket: [UInt8]
}
