extension Multicast {
    /// Asks the listeners that answer questions of this type. Any no is a no, nobody is a yes.
    ///
    /// Each answers on its own executor, after it has heard all that was broadcast before the question;
    /// only one that is waiting in the middle of an event, maybe for this very question, answers at once.
    /// The asker is suspended, so that a listener on the asker's own executor can answer; one whose executor
    /// is blocked is waited for no longer than said.
    ///
    /// - Parameters:
    ///   - question: what is asked.
    ///   - limit: how long answers are waited for.
    ///   - clock: the clock that says so.
    ///   - silence: what a listener counts as that has not answered by then.
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
                // Thrown only when it is cancelled, which also ends the wait.
                group.addTask { try? await clock.sleep(for: limit) }
                await group.next()
                group.cancelAll()
            }
        }
        return ballot.close(silence)
    }
}

extension Mailbox {
    /// Brings the question to the listener's executor.
    func ask(
        _ question: any Question, _ type: ObjectIdentifier, after number: Int, _ ballot: Ballot
    ) {
        guard let answer = listener.answers[type] else {
            return ballot.answer(nil, from: id)
        }
        guard beginQuestion() else { return }
        switch listener.ear {
        case .plain(let executor, let tell):
            executor.submit { [self] in
                catchUp(to: number, tell)
                self.answer(question, answer, ballot)
            }
        case .isolated(let actor, let tell):
            Task { [self] in
                await catchUp(to: number, tell, in: actor)
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
