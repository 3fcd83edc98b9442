import ChatClient
import Testing

@Suite struct ReconnectPolicyTests {
    @Test func aPolicyHasNoNegativeTimes() {
        let policy = ReconnectPolicy(attemptsMax: -1, delayFirst: -5, delayMax: -9)
        #expect(policy == ReconnectPolicy(attemptsMax: 0, delayFirst: 0, delayMax: 0))
    }
}
