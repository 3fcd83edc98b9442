extension Multicast {
    /// Asks the listeners that answer questions of this type. If any listener answers no, the
    /// result is no immediately. If there are no such listeners, the result is yes.
    ///
    /// Each listener answers on its own executor, after handling all events that were broadcast
    /// before the question. A listener that is suspended while handling an event answers
    /// immediately, because it may itself be waiting for this question. The caller is suspended, so
    /// listeners that use its executor can answer.
    ///
    /// - Parameters:
    ///   - question: the question.
    ///   - limit: the maximum time to wait for answers.
    ///   - clock: the clock that measures `limit`.
    ///   - silence: how to count listeners that have not answered in time.
    /// - Returns: the result. Cancelling the task has the same effect as reaching the time limit.
    public func ask<Asked: Question, Time: Clock>(
        _ question: Asked, within limit: Duration, clock: Time,
        silence: Consent.Silence = .countsAsNo
    ) async -> Consent where Time.Duration == Duration {
        let (mailboxes, eventCount) = answerers(of: ObjectIdentifier(Asked.self))
        let ballot = Ballot()
        ballot.open(for: mailboxes.map { ($0.id, $0.listener.name) })
        for mailbox in mailboxes {
            mailbox.ask(question, ObjectIdentifier(Asked.self), after: eventCount, ballot)
        }
        if !ballot.isDecided {
            await withTaskGroup { group in
                group.addTask { await ballot.decision() }
                // Throws only on cancellation, which also ends the wait.
                group.addTask { try? await clock.sleep(for: limit) }
                await group.next()
                group.cancelAll()
            }
        }
        return ballot.close(silence)
    }
}

extension Mailbox {
    func ask(
        _ question: any Question, _ type: ObjectIdentifier, after number: Int, _ ballot: Ballot
    ) {
        guard let answer = listener.answers[type] else {
            return ballot.answer(nil, from: id)
        }
        guard beginQuestion() else { return }
        switch listener.receiver {
        case .plain(let executor, let handle):
            executor.submit { [self] in
                catchUp(to: number, handle)
                self.answer(question, answer, ballot)
            }
        case .isolated(let actor, let handle):
            Task { [self] in
                await catchUp(to: number, handle, in: actor)
                await self.answer(question, answer, ballot, in: actor)
            }
        }
    }

    private func answer(_ question: any Question, _ answer: Answer, _ ballot: Ballot) {
        switch answer {
        case .plain(let body):
            reply(isOver ? nil : body(question), ballot)
        case .isolated(let actor, _):
            Task { [self] in await self.answer(question, answer, ballot, in: actor) }
        }
    }

    private func answer(
        _ question: any Question, _ answer: Answer, _ ballot: Ballot,
        in actor: isolated (any Actor)?
    ) async {
        guard !isOver else { return reply(nil, ballot) }
        switch answer {
        case .plain(let body): reply(body(question), ballot)
        case .isolated(_, let body): reply(await body(question), ballot)
        }
    }

    private func reply(_ answer: Bool?, _ ballot: Ballot) {
        endQuestion()
        ballot.answer(answer, from: id)
    }
}
