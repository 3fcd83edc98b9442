import ChatModel
package import LineProtocol

/// The MSN Messenger protocol, with notification server and switchboard on one connection: CAL rings
/// somebody, ANS comes, and what MSG carries goes to all others in the same session. An account is a name,
/// a session is a room, a status is what one is away for.
package final class MSNPVoice: Voice {
    static let versions = ["MSNP8", "MSNP9", "MSNP10", "MSNP11", "MSNP12"]
    static let accountBytesMax = 129
    /// How long a client may wait with its next PNG, in seconds.
    static let pingSeconds: Int64 = 50

    let words: Wording
    var seats = SeatTable<MSNPSeat>()
    /// Who was rung, for which session.
    var calls: [Int64: [CallTicket]] = [:]
    private var sessionLast: Int64 = 1_000

    package init(_ dialect: Dialect) throws(ServerError) {
        words = Wording(dialect)
        try words.require(client: ["version", "user", "send", "call", "answer", "ping", "out"])
        try words.require(server: ["versionIs", "userIs", "received", "failed", "ring", "pinged"])
    }

    /// How the hall behaves where this is spoken.
    package static func rules(_ dialect: Dialect) -> ChatRules {
        var rules = ChatRules(timing: dialect.timing)
        rules.names = NameRules(bytesMax: accountBytesMax, folding: .ascii, alphabet: .word)
            .decided(by: dialect)
        rules.presence = .everybody
        rules.secondLogin = dialect.policies["second-login"] == "refuse" ? .refuse : .replace
        rules.anyLineKeepsAlive = true
        return rules
    }

    package func greet(_ id: ConnectionID, _ stage: inout Stage) { seats[id] = MSNPSeat() }

    package func forget(_ id: ConnectionID) { seats[id] = nil }

    package func hear(_ line: HeardLine, from id: ConnectionID, _ stage: inout Stage) {
        guard line.frame.issue == nil, let name = line.signature?.name,
            let verb = MSNPVerb(rawValue: name)
        else {
            // Nobody knows where the next command starts, or what it is: servers close.
            if line.frame.issue == .unterminated { return }
            guard line.frame.issue == nil, line.signature != nil else {
                return stage.close(id, .protocolViolated)
            }
            return fail(.commandDisabled, line, id, &stage)
        }
        guard line.message.issues.allSatisfy(Self.isHarmless) else {
            return fail(.invalidParameter, line, id, &stage)
        }
        guard verb.isEarly || stage.hall.session(id) != nil else {
            if stage.closesEarly(id) { return }
            return fail(.notLoggedIn, line, id, &stage)
        }
        stage.hall.keepAlive(id, stage.now)
        hear(verb, line, id, &stage)
    }

    /// Only surplus arguments are: a newer client sends them.
    private static func isHarmless(_ issue: MessageIssue) -> Bool {
        if case .tooMany = issue { true } else { false }
    }

    private func hear(
        _ verb: MSNPVerb, _ line: HeardLine, _ id: ConnectionID, _ stage: inout Stage
    ) {
        switch verb {
        case .version: agreeOnVersion(line, id, &stage)
        case .clientVersion: tellClientVersion(line, id, &stage)
        case .user: logIn(line, id, &stage)
        case .ping: stage.answer(id, words.line("pinged", ["seconds": .int(Self.pingSeconds)]))
        case .out: stage.ask(.logout, from: id)
        case .status: changeStatus(line, id, &stage)
        case .synchronise:
            answer("synchronised", line, id, &stage, ["version": .text("0")])
        case .privacy: answer("privacyIs", line, id, &stage, ["details": echo(line, "mode")])
        case .prompt: answer("promptIs", line, id, &stage, ["details": echo(line, "mode")])
        case .personalMessage: answer("personalMessageSet", line, id, &stage)
        case .call: call(line, id, &stage)
        case .answer: comeIn(line, id, &stage)
        case .send: send(line, id, &stage)
        }
    }

    private func echo(_ line: HeardLine, _ name: String) -> ArgumentValue {
        .list([.int(transaction(line)), .text(line.text(name) ?? [])])
    }

    // MARK: Words

    func transaction(_ line: HeardLine) -> Int64 { line.number("transaction") ?? 0 }

    /// Answers under the transaction id of the request.
    func answer(
        _ name: String, _ line: HeardLine, _ id: ConnectionID, _ stage: inout Stage,
        _ values: Wording.Values = [:]
    ) {
        stage.answer(
            id, words.line(name, values, and: ["transaction": .int(transaction(line))]))
    }

    func fail(
        _ failure: MSNPFailure, _ line: HeardLine, _ id: ConnectionID, _ stage: inout Stage
    ) {
        answer("failed", line, id, &stage, ["code": .text(String(failure.rawValue))])
    }

    // MARK: Login

    private func agreeOnVersion(_ line: HeardLine, _ id: ConnectionID, _ stage: inout Stage) {
        let offered = line.list("versions").map { String(decoding: $0, as: UTF8.self) }
        guard let best = offered.first(where: Self.versions.contains) else {
            answer("versionIs", line, id, &stage, ["versions": .list([.text("0")])])
            return stage.close(id, .protocolViolated)
        }
        seats[id]?.hasVersion = true
        answer(
            "versionIs", line, id, &stage, ["versions": .list([.text(best), .text("CVR0")])])
    }

    private func tellClientVersion(_ line: HeardLine, _ id: ConnectionID, _ stage: inout Stage) {
        let version = ArgumentValue.text(line.text("clientVersion") ?? [0x30])
        let page = ArgumentValue.text("http://linejudge.test/")
        answer(
            "clientVersionIs", line, id, &stage,
            [
                "recommended": version, "same": version, "minimum": version, "download": page,
                "page": page,
            ])
    }

    /// `USR n TWN I account`, which is answered with a challenge, then `USR n TWN S ticket`.
    private func logIn(_ line: HeardLine, _ id: ConnectionID, _ stage: inout Stage) {
        guard stage.hall.session(id) == nil else {
            return fail(.alreadyLoggedIn, line, id, &stage)
        }
        let third = line.text("third") ?? []
        guard seats[id]?.hasVersion == true, !third.isEmpty else {
            return fail(.invalidParameter, line, id, &stage)
        }
        let policy = ArgumentValue.text(line.text("first") ?? [])
        switch line.text("second") {
        case Array("I".utf8):
            seats[id]?.account = third
            answer(
                "userIs", line, id, &stage,
                ["first": policy, "second": .text("S"), "details": .list([.text("challenge")])])
        case Array("S".utf8): finishLogin(ticket: third, line, id, &stage)
        default: fail(.invalidParameter, line, id, &stage)
        }
    }

    private func finishLogin(
        ticket: [UInt8], _ line: HeardLine, _ id: ConnectionID, _ stage: inout Stage
    ) {
        guard let account = seats[id]?.account else {
            return fail(.invalidParameter, line, id, &stage)
        }
        do throws(Refusal) {
            try stage.attempt(
                .login(nickname: account, password: ticket, isVisitor: false), from: id)
            answer(
                "userIs", line, id, &stage,
                [
                    "first": .text("OK"), "second": .text(account),
                    "details": .list([.text(account), .text("1"), .text("0")]),
                ])
        } catch {
            fail(MSNPFailure(error.cause), line, id, &stage)
        }
    }

    // MARK: Presence

    /// The first status shows who else is there; each is told to the others.
    private func changeStatus(_ line: HeardLine, _ id: ConnectionID, _ stage: inout Stage) {
        let status = line.text("status") ?? Array("NLN".utf8)
        answer(
            "statusIs", line, id, &stage,
            ["status": .text(status), "capabilities": .int(line.number("capabilities") ?? 0)])
        if seats[id]?.hasStatus == false {
            seats[id]?.hasStatus = true
            for other in stage.hall.present where other != id && seats[other]?.hasStatus == true {
                guard let session = stage.hall.session(other), session.away != hidden else {
                    continue
                }
                let account = ArgumentValue.text(session.nickname.bytes)
                answer(
                    "initialStatus", line, id, &stage,
                    [
                        "status": .text(session.away ?? Array("NLN".utf8)), "account": account,
                        "name": account, "capabilities": .int(0),
                    ])
            }
        }
        stage.ask(.away(status), from: id)
    }

    var hidden: [UInt8] { Array("HDN".utf8) }

    /// A new number for a session.
    func newSession(_ hall: borrowing ChatHall) -> Int64 {
        repeat { sessionLast += 1 } while hall.room(.number(sessionLast)) != nil
        return sessionLast
    }
}

/// What a connection has told before its login, and what only this protocol wants to know of it.
struct MSNPSeat {
    var hasVersion = false
    var account: [UInt8]?
    var hasStatus = false
}

/// An invitation to a session that has not been taken up.
struct CallTicket {
    var callee: ConnectionID
    var ticket: [UInt8]
}
