import ChatModel
package import LineProtocol

extension MSNPAdapter {
    /// Calls another user, starting a session if the caller is not in one.
    func call(_ line: RequestLine, _ id: ClientID, _ context: inout RequestContext) {
        let account = line.text("account") ?? []
        guard let caller = context.service.session(id) else { return }
        guard let callee = context.service.holder(of: account), callee != id,
            let other = context.service.session(callee), other.away != hidden
        else { return fail(.notOnline, line, id, &context) }
        do throws(Refusal) {
            var room = caller.chats.first
            if room == nil {
                let new = RoomName.number(newSession(context.service))
                try context.attempt(.join(chat: new), from: id)
                room = new
            }
            guard let room else { return }
            guard !other.chats.contains(room) else {
                return fail(.alreadyThere, line, id, &context)
            }
            ring(callee, by: caller, room.number, &context)
            answer(
                "ringing", line, id, &context,
                ["state": .text("RINGING"), "session": .text(String(room.number))])
        } catch {
            fail(MSNPFailure(error.cause), line, id, &context)
        }
    }

    private func ring(
        _ callee: ClientID, by caller: ChatSession, _ session: Int64,
        _ context: inout RequestContext
    ) {
        let ticket = Array("\(session).\(callee.slot)".utf8)
        calls[session, default: []].removeAll { $0.callee == callee }
        calls[session, default: []].append(CallTicket(callee: callee, ticket: ticket))
        let account = ArgumentValue.text(caller.nickname.bytes)
        context.answer(
            callee,
            encoder.line(
                "ring",
                [
                    "session": .text(String(session)), "address": .text("127.0.0.1:1863"),
                    "kind": .text("CKI"), "ticket": .text(ticket), "account": account,
                    "name": account,
                ]))
    }

    /// Answers a call: sends the new member a list of the current members, and notifies them of the
    /// new member.
    func answerCall(_ line: RequestLine, _ id: ClientID, _ context: inout RequestContext) {
        let session = Int64(String(decoding: line.text("session") ?? [], as: UTF8.self)) ?? 0
        let ticket = line.text("ticket") ?? []
        guard let called = calls[session]?.first(where: { $0.callee == id }),
            called.ticket == ticket, let room = context.service.room(.number(session))
        else { return fail(.authenticationFailed, line, id, &context) }
        for chat in context.service.session(id)?.chats ?? [] {
            context.ask(.leave(chat: chat), from: id)
        }
        for (index, member) in room.members.enumerated() {
            guard let present = context.service.session(member) else { continue }
            let account = ArgumentValue.text(present.nickname.bytes)
            answer(
                "present", line, id, &context,
                [
                    "index": .int(Int64(index + 1)), "count": .int(Int64(room.members.count)),
                    "account": account, "name": account,
                ])
        }
        calls[session]?.removeAll { $0.callee == id }
        if calls[session]?.isEmpty == true { calls[session] = nil }
        do throws(Refusal) {
            try context.attempt(.join(chat: .number(session)), from: id)
            answer("answered", line, id, &context, ["state": .text("OK")])
        } catch {
            fail(MSNPFailure(error.cause), line, id, &context)
        }
    }

    /// Sends a message to everyone else in the session. A letter selects the acknowledgements: U
    /// for none, N for failures only, A or D for both success and failure.
    func send(_ line: RequestLine, _ id: ClientID, _ context: inout RequestContext) {
        let letter = line.text("acknowledge") ?? []
        let room = context.service.session(id)?.chats.first
        let others = room.flatMap { context.service.room($0)?.members.count } ?? 0
        guard let room, others > 1 else {
            if letter != [0x55] { answer("undelivered", line, id, &context) }
            return
        }
        context.ask(
            .say(from: 0, chat: room, text: line.payload ?? [], isHidden: false), from: id)
        if letter == [0x41] || letter == [0x44] { answer("delivered", line, id, &context) }
    }

    package func encode(
        _ notice: ChatNotice, to id: ClientID?, _ service: borrowing ChatService,
        _ line: inout [UInt8]
    ) throws(EncodingError) {
        switch notice {
        case .message(let record, _):
            let account = ArgumentValue.text(record.sender.nickname)
            try encoder.append(
                "received",
                ["account": account, "name": account, "message": .bytes(record.text)], to: &line)
        case .joined(_, let person) where !isSelf(person, id, service):
            let account = ArgumentValue.text(person.nickname)
            try encoder.append("joined", ["account": account, "name": account], to: &line)
        case .left(_, let person, _) where !isSelf(person, id, service):
            try encoder.append("left", ["account": .text(person.nickname)], to: &line)
        case .awayChanged(let person, let status):
            let account = ArgumentValue.text(person.nickname)
            if status == hidden {
                try encoder.append("wentOffline", ["account": account], to: &line)
            } else {
                try encoder.append(
                    "cameOnline",
                    [
                        "status": .text(status ?? Array("NLN".utf8)), "account": account,
                        "name": account, "capabilities": .int(0),
                    ], to: &line)
            }
        case .operatorLoggedOut(_, let nickname, _):
            try encoder.append("wentOffline", ["account": .text(nickname)], to: &line)
        case .loggedOut(let departure): try encodeEnd(departure, &line)
        case .goingDown: try encoder.append("hasEnded", ["reason": .text("SSD")], to: &line)
        default: break
        }
    }

    private func encodeEnd(_ departure: DisconnectReason, _ line: inout [UInt8])
        throws(EncodingError)
    {
        // A client that logs out receives no closing line.
        if departure == .loggedOut { return }
        let reason = departure == .replaced ? ArgumentValue.text("OTH") : .absent
        try encoder.append("hasEnded", ["reason": reason], to: &line)
    }

    /// Returns whether the notice is about the client that receives it.
    private func isSelf(
        _ person: ChatUser, _ id: ClientID?, _ service: borrowing ChatService
    ) -> Bool {
        guard let id else { return false }
        return service.session(id)?.nickname.bytes == person.nickname
    }
}
