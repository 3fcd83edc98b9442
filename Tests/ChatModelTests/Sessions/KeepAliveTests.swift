import ChatModel
import Testing

@Suite struct KeepAliveTests {
    private func keepAlive() -> KeepAlive { KeepAlive(expiresAfter: 30, now: 100) }

    @Test func aPingIsSentThreeTimesInTheTimeAfterWhichTheSessionExpires() {
        var keepAlive = keepAlive()
        #expect(keepAlive.action(at: 100) == .wait(until: 110))
        #expect(keepAlive.action(at: 109) == .wait(until: 110))
        #expect(keepAlive.action(at: 110) == .ping)
        keepAlive.sent(at: 110)
        keepAlive.heard()
        #expect(keepAlive.action(at: 110) == .wait(until: 120))
    }

    @Test func aPingThatCameLateIsNotMadeUpFor() {
        var keepAlive = keepAlive()
        keepAlive.sent(at: 127)
        #expect(keepAlive.action(at: 128) == .wait(until: 137))
    }

    @Test func aSessionFromWhichNothingIsHeardIsLost() {
        var keepAlive = keepAlive()
        for time: Int64 in [110, 120, 130] {
            #expect(keepAlive.action(at: time) == .ping)
            keepAlive.sent(at: time)
        }
        #expect(keepAlive.action(at: 139) == .wait(until: 140))
        #expect(keepAlive.action(at: 140) == .lost)
        keepAlive.heard()
        #expect(keepAlive.action(at: 140) == .ping)
    }

    @Test func nothingIsSentAfterLogout() {
        var keepAlive = keepAlive()
        keepAlive.end()
        #expect(keepAlive.action(at: 1_000) == .end)
    }
}
