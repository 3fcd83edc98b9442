import LineProtocol
import ReferenceServer
import Testing

/// The clock is a parameter, so an hour passes instantly.
@Suite struct ExpiryTests {
    private let second = ServiceBench.second

    @Test func sessionExpiresWithoutPing() throws {
        let bench = ServiceBench()
        let id = try bench.logIn("Joe")
        bench.pass(30 * second - 1)
        #expect(bench.closed == [])
        bench.pass(1)
        #expect(bench.read(id) == [.loggedOut(.expired)])
        #expect(bench.closed == [id])
        #expect(bench.refusal(of: .logIn("joe"), from: try bench.connect()) == nil)
    }

    @Test func pingKeepsTheSessionAlive() throws {
        let bench = ServiceBench()
        let id = try bench.logIn("Joe")
        for _ in 0..<240 {
            bench.pass(15 * second)
            bench.send(.ping(token: []), from: id)
        }
        #expect(bench.closed == [])
        bench.pass(30 * second)
        #expect(bench.closed == [id])
    }

    @Test func messagesWithoutPingDoNotKeepTheSessionAlive() throws {
        let bench = ServiceBench()
        let ids = try bench.inChat("Joe")
        bench.pass(29 * second)
        bench.send(.say("still here"), from: ids[0])
        bench.pass(1 * second)
        #expect(bench.closed == ids)
    }

    @Test func connectionWithoutALoginExpires() throws {
        let bench = ServiceBench { $0.loginWithin = 10 * ServiceBench.second }
        let id = try bench.connect()
        bench.send(.ping(token: []), from: id)
        bench.pass(10 * second - 1)
        #expect(bench.closed == [])
        bench.clear()
        bench.pass(1)
        #expect(
            bench.read(id) == [.refused(.verb(.login), Refusal(.tooLate, "no login in time"))])
        #expect(bench.closed == [id])
        #expect(bench.connectionCount == 0)
    }

    @Test func loginInTimeKeepsTheConnection() throws {
        let bench = ServiceBench { $0.loginWithin = 10 * ServiceBench.second }
        let id = try bench.connect()
        bench.pass(10 * second - 1)
        #expect(bench.refusal(of: .logIn("Joe"), from: id) == nil)
        bench.pass(10 * second)
        #expect(bench.closed == [])
    }

    @Test func nothingExpiresWithoutTiming() throws {
        let bench = ServiceBench {
            $0.expiresAfter = nil
            $0.loginWithin = nil
        }
        _ = try bench.logIn("Joe")
        _ = try bench.connect()
        #expect(bench.nextDeadline == nil)
        bench.pass(1_000_000 * second)
        #expect(bench.closed == [])
    }

    @Test func nextDeadlineIsTheEarliestOfAll() throws {
        let bench = ServiceBench { $0.loginWithin = 5 * ServiceBench.second }
        let joe = try bench.logIn("Joe")
        #expect(bench.nextDeadline == 30 * second)
        bench.pass(2 * second)
        let unnamed = try bench.connect()
        #expect(bench.nextDeadline == 7 * second)
        bench.disconnect(unnamed)
        bench.send(.ping(token: []), from: joe)
        #expect(bench.nextDeadline == 32 * second)
        bench.send(.logout, from: joe)
        #expect(bench.nextDeadline == nil)
    }

    @Test func lastToPingExpiresLast() throws {
        let bench = ServiceBench()
        let ids = try ["a", "b", "c", "d"].map { try bench.logIn($0) }
        for index in [2, 0, 3, 1] {
            bench.pass(second)
            bench.send(.ping(token: []), from: ids[index])
        }
        bench.pass(40 * second)
        #expect(bench.closed == [2, 0, 3, 1].map { ids[$0] })
    }

    /// Compares random events with a plain list of deadlines.
    @Test(arguments: [1, 2, 3] as [UInt64])
    func deadlinesMatchTheModel(seed: UInt64) throws {
        let bench = ServiceBench { $0.expiresAfter = 100 }
        var random = SeededRandom(seed: seed)
        var deadlines: [ClientID: Int64] = [:]
        for step in 0..<2_000 {
            bench.pass(Int64(random.next(below: 6)))
            deadlines = deadlines.filter { $0.value > bench.now }
            #expect(bench.sessionCount == deadlines.count)
            let known = deadlines.keys.sorted { $0.slot < $1.slot }
            switch random.next(below: 3) {
            case 0:
                deadlines[try bench.logIn("n\(step)")] = bench.now + 100
            case 1:
                guard let id = known.randomElement(using: &random) else { continue }
                bench.send(.ping(token: []), from: id)
                deadlines[id] = bench.now + 100
            default:
                guard let id = known.randomElement(using: &random) else { continue }
                bench.disconnect(id)
                deadlines[id] = nil
            }
        }
        bench.pass(100)
        #expect(bench.connectionCount == 0)
    }
}
