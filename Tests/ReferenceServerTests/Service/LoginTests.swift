import ChatModel
import ReferenceServer
import Testing

@Suite struct LoginTests {
    @Test func loginIsAnsweredWithIdentifierAndNickname() throws {
        let bench = ServiceBench()
        let id = try bench.connect()
        #expect(
            bench.ask(.logIn("Maria"), from: id)
                == [.loggedIn(identifier: 1, nickname: "Maria".bytes)])
        #expect(bench.sessionCount == 1)
    }

    @Test func identifiersAreNeverReused() throws {
        let bench = ServiceBench()
        bench.disconnect(try bench.logIn("Maria"))
        let id = try bench.connect()
        #expect(
            bench.ask(.logIn("Maria"), from: id)
                == [.loggedIn(identifier: 2, nickname: "Maria".bytes)])
    }

    @Test(arguments: [
        ("Maria", "maria"), ("Maria", "MARIA"), ("Ärger", "äRGER"), ("Straße", "STRASSE"),
        ("ΣΊΣΥΦΟΣ", "σίσυφος"), ("e\u{301}va", "ÉVA"), ("J.R.", "j.r."),
    ])
    func nicknamesAreUniqueInAnySpelling(first: String, second: String) throws {
        let bench = ServiceBench()
        _ = try bench.logIn(first)
        let id = try bench.connect()
        #expect(bench.refusal(of: .logIn(second), from: id) == .nameInUse)
        #expect(bench.sessionCount == 1)
    }

    @Test(arguments: [("Maria", "maria"), ("maria", "MARIA"), ("x{y", "X[Y"), ("X[Y", "x{y")])
    func theFaultSeparatesNamesThatDifferInCase(first: String, second: String) throws {
        let faults = FaultInjector(rates: [.namesExact: 1], seed: 1)
        let bench = ServiceBench(faults: faults) { $0.names = NameRules(folding: .rfc1459) }
        let holder = try bench.logIn(first)
        let other = try bench.connect()
        #expect(bench.refusal(of: .logIn(second), from: other) == nil)
        #expect(faults.counts.first?.count == 1)
        #expect(bench.holder(of: first) == holder)
        #expect(bench.holder(of: second) == other)
        let third = try bench.connect()
        #expect(bench.refusal(of: .logIn(first), from: third) == .nameInUse)
        #expect(bench.refusal(of: .logIn(second), from: third) == .nameInUse)
    }

    @Test(arguments: ["Marie", "Maria2", "Mariä", "Мaria"])
    func otherNicknamesAreFree(nickname: String) throws {
        let bench = ServiceBench()
        _ = try bench.logIn("Maria")
        #expect(bench.refusal(of: .logIn(nickname), from: try bench.connect()) == nil)
    }

    @Test func nicknameIsShownAsGiven() throws {
        let bench = ServiceBench()
        let id = try bench.logIn("MaRia")
        #expect(
            bench.ask(.who(chat: 0), from: id).first
                == .listed(identifier: 1, nickname: "MaRia".bytes, isVisitor: false))
    }

    @Test(arguments: [
        [], " Joe".bytes, "Joe ".bytes, "\u{A0}Joe".bytes, "Jo\ne".bytes, "Jo\u{0}e".bytes,
        "Jo\u{200B}e".bytes, "Jo\u{2028}e".bytes, [0xFF, 0x41], [0xC3],
    ])
    func invalidNicknamesAreRefusedAtLogin(nickname: [UInt8]) throws {
        let bench = ServiceBench()
        let request = ChatRequest.login(nickname: nickname, password: [], isVisitor: false)
        #expect(bench.refusal(of: request, from: try bench.connect()) == .badName)
        #expect(bench.sessionCount == 0)
    }

    @Test func nicknameMayBeAsLongAsTheLimit() throws {
        let bench = ServiceBench { $0.names.bytesMax = 8 }
        #expect(bench.refusal(of: .logIn("12345678"), from: try bench.connect()) == nil)
        #expect(
            bench.refusal(of: .logIn("123456789"), from: try bench.connect()) == .badName)
    }

    @Test func refusedLoginMayBeRetried() throws {
        let bench = ServiceBench()
        _ = try bench.logIn("Maria")
        let id = try bench.connect()
        #expect(bench.refusal(of: .logIn("maria"), from: id) == .nameInUse)
        #expect(bench.refusal(of: .logIn("Joe"), from: id) == nil)
    }

    @Test func secondLoginOfAConnectionIsRefused() throws {
        let bench = ServiceBench()
        let id = try bench.logIn("Maria")
        #expect(bench.refusal(of: .logIn("Joe"), from: id) == .alreadyLoggedIn)
        #expect(bench.refusal(of: .whisper("hello", to: "maria"), from: id) == nil)
    }

    @Test func passwordIsRequiredIfSet() throws {
        let bench = ServiceBench { $0.password = "secret".bytes }
        let id = try bench.connect()
        let wrong = ChatRequest.login(
            nickname: "Joe".bytes, password: "Secret".bytes, isVisitor: false)
        let right = ChatRequest.login(
            nickname: "Joe".bytes, password: "secret".bytes, isVisitor: false)
        #expect(bench.refusal(of: wrong, from: id) == .badPassword)
        #expect(bench.refusal(of: right, from: id) == nil)
    }

    @Test(
        arguments: [
            .logout, .say("x"), .sayHidden("x"), .join(chat: 1), .leave(chat: 1),
            .whisper("x", to: "Joe"), .who(chat: 0), .history(chat: 1, count: 1),
            .runAction(chat: 1, action: "<a/>".bytes),
        ] as [ChatRequest])
    func everythingElseNeedsALoginFirst(request: ChatRequest) throws {
        let bench = ServiceBench()
        let id = try bench.connect()
        #expect(bench.refusal(of: request, from: id) == .notLoggedIn)
        #expect(bench.closed.isEmpty)
        #expect(bench.refusal(of: .logIn("Joe"), from: id) == nil)
    }

    @Test func pingIsAnsweredBeforeAndAfterLogin() throws {
        let bench = ServiceBench()
        let id = try bench.connect()
        #expect(bench.ask(.ping(token: "a|1".bytes), from: id) == [.pong(token: "a|1".bytes)])
        bench.send(.logIn("Joe"), from: id)
        #expect(bench.ask(.ping(token: []), from: id) == [.pong(token: [])])
    }

    @Test func logoutIsAnsweredThenTheConnectionIsClosedAndTheNicknameIsFree() throws {
        let bench = ServiceBench()
        let id = try bench.logIn("Joe")
        #expect(bench.ask(.logout, from: id) == [.loggedOut(.loggedOut)])
        #expect(bench.closed == [id])
        #expect(bench.connectionCount == 0)
        #expect(bench.refusal(of: .logIn("JOE"), from: try bench.connect()) == nil)
    }

    @Test func nothingIsCarriedOutAfterLogout() throws {
        let bench = ServiceBench()
        let id = try bench.logIn("Joe")
        bench.send(.logout, from: id)
        #expect(bench.ask(.ping(token: []), from: id) == [])
    }

    @Test func invalidLineIsRefusedWithTheCodecsReason() throws {
        let bench = ServiceBench()
        let id = try bench.logIn("Joe")
        let refusal = Refusal(.notUnderstood, "no such command")
        #expect(
            bench.ask(.unreadable(.wire("S9".bytes), refusal), from: id)
                == [.refused(.wire("S9".bytes), refusal)])
    }
}
