import ChatModel
import ReferenceServer
import Testing

/// Rooms with operators, keys and topics.
@Suite struct RoomTests {
    private func bench() -> ServiceBench {
        ServiceBench {
            $0.foundersAreOperators = true
            $0.roomFlags = [.membersOnly, .topicLocked]
            $0.presence = .peers
        }
    }

    @Test func founderIsOperatorAndMayKick() throws {
        let bench = bench()
        let ids = try bench.inChat("Maria", "Joe")
        #expect(
            bench.refusal(of: .kick(chat: 1, nickname: "Maria".bytes, reason: []), from: ids[1])
                == .needsRoomOperator)
        bench.clear()
        let kick = ChatRequest.kick(chat: 1, nickname: "JOE".bytes, reason: "x".bytes)
        let notice = ChatNotice.kicked(
            chat: 1, person: ChatUser("Maria".bytes), victim: "Joe".bytes, reason: "x".bytes)
        #expect(bench.ask(kick, from: ids[0]) == [notice])
        #expect(bench.read(ids[1]) == [notice])
        #expect(bench.refusal(of: .say("x"), from: ids[1]) == .notInRoom)
    }

    @Test func keyLimitAndInvitationRestrictJoining() throws {
        let bench = bench()
        let maria = try bench.inChat("Maria")[0]
        let joe = try bench.logIn("Joe")
        bench.send(.change(chat: 1, [.key("k".bytes)]), from: maria)
        #expect(bench.refusal(of: .join(chat: 1), from: joe) == .roomIsLocked)
        bench.send(.change(chat: 1, [.key([]), .limit(1)]), from: maria)
        #expect(bench.refusal(of: .join(chat: 1), from: joe) == .roomIsFull)
        bench.send(.change(chat: 1, [.limit(0), .flag(.inviteOnly, true)]), from: maria)
        #expect(bench.refusal(of: .join(chat: 1), from: joe) == .needsInvitation)
        bench.send(.invite(chat: 1, nickname: "joe".bytes), from: maria)
        #expect(bench.read(joe).last == .invited(chat: 1, person: ChatUser("Maria".bytes)))
        #expect(bench.refusal(of: .join(chat: 1), from: joe) == nil)
    }

    @Test func changesWithoutEffectAreNotAnnounced() throws {
        let bench = bench()
        let ids = try bench.inChat("Maria", "Joe")
        let change = ChatRequest.change(chat: 1, [.flag(.moderated, true), .limit(0)])
        #expect(
            bench.ask(change, from: ids[0])
                == [.changed(chat: 1, person: ChatUser("Maria".bytes), [.flag(.moderated, true)])])
        #expect(bench.ask(change, from: ids[0]) == [])
        #expect(bench.refusal(of: .say("x"), from: ids[1]) == .notAllowed)
        bench.send(
            .change(chat: 1, [.rank(.voiced, nickname: "Joe".bytes, true)]), from: ids[0])
        #expect(bench.refusal(of: .say("x"), from: ids[1]) == nil)
    }

    @Test func topicIsKeptAndOnlyOperatorsChangeIt() throws {
        let bench = bench()
        let ids = try bench.inChat("Maria", "Joe")
        #expect(
            bench.refusal(of: .topic(chat: 1, "x".bytes), from: ids[1]) == .needsRoomOperator)
        bench.send(.topic(chat: 1, "news".bytes), from: ids[0])
        #expect(
            bench.read(ids[1]).last
                == .topicChanged(chat: 1, person: ChatUser("Maria".bytes), "news".bytes))
        #expect(bench.service.room(1)?.topic?.text == "news".bytes)
    }

    @Test func renameIsAnnouncedOnceAndFreesTheName() throws {
        let bench = bench()
        let ids = try bench.inChat("Maria", "Joe")
        for id in ids { bench.send(.join(chat: 2), from: id) }
        let outsider = try bench.logIn("Ann")
        bench.clear()
        let notice = ChatNotice.renamed(person: ChatUser("Maria".bytes), to: "Mary".bytes)
        #expect(bench.ask(.rename(to: "Mary".bytes), from: ids[0]) == [notice])
        #expect(bench.read(ids[1]) == [notice])
        #expect(bench.read(outsider) == [])
        #expect(bench.refusal(of: .rename(to: "maria".bytes), from: outsider) == nil)
        #expect(bench.refusal(of: .rename(to: "MARY".bytes), from: outsider) == .nameInUse)
    }

    @Test func departureIsAnnouncedOncePerPeer() throws {
        let bench = bench()
        let ids = try bench.inChat("Maria", "Joe")
        for id in ids { bench.send(.join(chat: 2), from: id) }
        bench.clear()
        bench.send(.quit(reason: "bye".bytes), from: ids[0])
        #expect(
            bench.read(ids[1]) == [.departed(person: ChatUser("Maria".bytes), .quit("bye".bytes))])
    }
}

@Suite struct NameRulesTests {
    @Test(arguments: [
        (NameRules.Folding.exact, "a", "A", false), (.ascii, "aZ", "Az", true),
        (.ascii, "a[", "a{", false), (.rfc1459, "a[]\\^", "A{}|~", true),
        (.rfc1459Strict, "a[", "A{", true), (.rfc1459Strict, "^", "~", false),
        (.unicode, "Straße", "STRASSE", true), (.unicode, "é", "e\u{301}", true),
    ])
    func foldingDecidesWhichSpellingsAreEqual(
        folding: NameRules.Folding, left: String, right: String, isEqual: Bool
    ) {
        let rules = NameRules(folding: folding)
        #expect((rules.key(left.bytes) == rules.key(right.bytes)) == isEqual)
    }
}

@Suite struct AdmissionTests {
    @Test func connectionsPerAddressAreLimited() throws {
        let bench = ServiceBench { $0.connectionsPerAddressMax = 1 }
        let first = try #require(bench.tryToConnect(from: "::1"))
        #expect(bench.tryToConnect(from: "::1") == nil)
        #expect(bench.tryToConnect(from: "127.0.0.1") != nil)
        bench.disconnect(first)
        #expect(bench.tryToConnect(from: "::1") != nil)
    }

    @Test func bucketAllowsABurstAndRefills() throws {
        let bench = ServiceBench { $0.rate = RateLimit(linesPerSecond: 2, burst: 3) }
        let id = try bench.connect()
        #expect((0..<4).map { _ in bench.admitsLine(from: id) } == [true, true, true, false])
        bench.now += ServiceBench.second / 2
        #expect((0..<2).map { _ in bench.admitsLine(from: id) } == [true, false])
        bench.now += 60 * ServiceBench.second
        #expect((0..<4).map { _ in bench.admitsLine(from: id) } == [true, true, true, false])
    }

    @Test func silentSessionIsPingedFirst() throws {
        let bench = ServiceBench { $0.pingsBeforeExpiry = true }
        let id = try bench.logIn("Joe")
        bench.pass(15 * ServiceBench.second)
        #expect(bench.read(id) == [.keepalivePing])
        bench.send(.ping(token: []), from: id)
        bench.pass(15 * ServiceBench.second)
        #expect(bench.read(id).last == .keepalivePing)
        bench.pass(15 * ServiceBench.second)
        #expect(bench.read(id) == [.loggedOut(.expired)])
    }

    @Test func secondLoginReplacesTheFirstIfAllowed() throws {
        let bench = ServiceBench { $0.secondLogin = .replace }
        let first = try bench.logIn("Joe")
        let second = try bench.connect()
        #expect(bench.refusal(of: .logIn("JOE"), from: second) == nil)
        #expect(bench.read(first) == [.loggedOut(.replaced)])
        #expect(bench.closed == [first])
    }
}
