import ChatModel
import Testing

private struct MayLogOut: Question {}
private struct MayClose: Question { var chat: Int }

@Suite struct QuestionTests {
    private let multicast = Multicast<Int> { Issue.record("\($0)") }
    private let clock = ManualClock()

    private func listener(_ name: String) -> Listener<Int> {
        Listener(named: name, on: .pool) { _ in }
    }

    private func ask() async -> Consent {
        await multicast.ask(MayLogOut(), within: .seconds(1), clock: clock)
    }

    @Test(arguments: [
        ([], true), ([true], true), ([false], false), ([true, true], true),
        ([true, false, true], false), ([false, false], false),
    ])
    func oneNoDecidesAndNoListenersMeanYes(_ answers: [Bool], _ expected: Bool) async throws {
        for (index, answer) in answers.enumerated() {
            try multicast.add(
                listener("\(index)").answering(MayLogOut.self, on: .own) { _ in answer })
        }
        let consent = await ask()
        #expect(consent.isYes == expected)
        #expect(consent.askedCount == answers.count)
        #expect((consent.objector == nil) == expected)
    }

    @Test func onlyListenersThatAnswerAreAsked() async throws {
        try multicast.add(listener("deaf"))
        try multicast.add(
            listener("closes").answering(MayClose.self, on: .own) { $0.chat == 7 })
        #expect(await ask() == Consent())
        let seven = await multicast.ask(MayClose(chat: 7), within: .seconds(1), clock: clock)
        #expect(seven.isYes && seven.askedCount == 1)
        let eight = await multicast.ask(MayClose(chat: 8), within: .seconds(1), clock: clock)
        #expect(eight.objector == "closes")
    }

    @Test func oneListenerAnswersSeveralQuestionsEachOnItsExecutor() async throws {
        try multicast.add(
            listener("view")
                .answering(MayLogOut.self) { @MainActor _ in
                    MainActor.assertIsolated()
                    return true
                }
                .answering(MayClose.self) { @TestActor question in
                    TestActor.assertIsolated()
                    return question.chat == 1
                })
        #expect(await ask().isYes)
        #expect(
            await !multicast.ask(MayClose(chat: 2), within: .seconds(1), clock: clock).isYes)
    }

    @MainActor @Test func anAskerOnTheListenersExecutorIsAnswered() async throws {
        try multicast.add(
            Listener(named: "view") { @MainActor _ in }
                .answering(MayLogOut.self) { @MainActor _ in false })
        #expect(await ask().objector == "view")
    }

    @Test func aListenerMayAskDuringAnEvent() async throws {
        let outcome = ReceivedEvents<Consent>()
        try multicast.add(
            Listener(named: "view") { @MainActor [multicast, clock] _ in
                outcome.note(
                    await multicast.ask(MayLogOut(), within: .seconds(1), clock: clock))
            }
            .answering(MayLogOut.self) { @MainActor _ in true })
        multicast.broadcast(1)
        let consent = await outcome.first(1)[0]
        #expect(consent.isYes && consent.askedCount == 1)
    }

    @Test(arguments: [Consent.Silence.countsAsNo, .countsAsYes])
    func aBlockedListenerIsWaitedForUntilTheLimit(
        _ silence: Consent.Silence
    ) async throws {
        let blocked = StepQueue()
        try multicast.add(
            Listener(named: "stuck", on: blocked.listenerExecutor) { _ in }
                .answering(MayLogOut.self, on: .own) { _ in true })
        async let asking = multicast.ask(
            MayLogOut(), within: .seconds(1), clock: clock, silence: silence)
        await clock.sleeper()
        clock.advance(by: .seconds(1))
        let consent = await asking
        #expect(consent.isYes == (silence == .countsAsYes))
        #expect(consent.silent == ["stuck"])
        #expect(consent.askedCount == 1)
        // A late answer has no effect.
        blocked.run()
        #expect(await multicast.ask(MayClose(chat: 1), within: .zero, clock: clock).isYes)
    }

    @Test func answersFollowAllEarlierEvents() async throws {
        let queue = StepQueue()
        let received = ReceivedEvents<Int>()
        try multicast.add(
            Listener(named: "view", on: queue.listenerExecutor) { received.note($0) }
                .answering(MayLogOut.self, on: .own) { _ in received.all == Array(1...200) })
        for event in 1...200 { multicast.broadcast(event) }
        async let asking = ask()
        await clock.sleeper()
        multicast.broadcast(201)
        queue.run()
        #expect(await asking.isYes)
        #expect(received.all == Array(1...201))
    }

    @Test func aListenerRemovedBeforeItsAnswerCountsAsNotAsked() async throws {
        let queue = StepQueue()
        let id = try multicast.add(
            Listener(named: "view", on: queue.listenerExecutor) { _ in }
                .answering(MayLogOut.self, on: .own) { _ in false })
        async let asking = ask()
        await clock.sleeper()
        multicast.remove(id)
        queue.run()
        #expect(await asking == Consent())
    }

    @Test func aNoDecidesWithoutWaitingForOthers() async throws {
        let blocked = StepQueue()
        try multicast.add(
            Listener(named: "stuck", on: blocked.listenerExecutor) { _ in }
                .answering(MayLogOut.self, on: .own) { _ in true })
        try multicast.add(listener("no").answering(MayLogOut.self, on: .own) { _ in false })
        let consent = await ask()
        #expect(consent.objector == "no" && consent.silent.isEmpty)
    }

    @Test func aWeakListenerAnswersWhileItsObjectExists() async throws {
        var view: StepQueue? = StepQueue()
        if let view {
            try multicast.add(
                Listener(named: "view", weakly: view, on: .pool) { _, _ in }
                    .answering(MayLogOut.self, weakly: view, on: .own) { _, _ in false })
        }
        #expect(await !ask().isYes)
        view = nil
        #expect(await ask() == Consent())
    }

    @Test func openQuestionsPerListenerAreLimited() async throws {
        let reports = ReceivedEvents<MulticastReport>()
        let multicast = Multicast<Int> { reports.note($0) }
        let blocked = StepQueue()
        try multicast.add(
            Listener(named: "stuck", on: blocked.listenerExecutor) { _ in }
                .answering(MayLogOut.self, on: .own) { _ in true })
        for _ in 0..<65 {
            let consent = await multicast.ask(MayLogOut(), within: .zero, clock: clock)
            #expect(consent.silent == ["stuck"])
        }
        #expect(reports.all == [.tooManyQuestions(listener: "stuck", questionsMax: 64)])
        #expect(blocked.waitingCount == 64)
    }
}
