import LineProtocol
import Testing

@testable import ChatClient

@Suite struct ReconnectPolicyTests {
    @Test func aPolicyClampsNegativeValues() {
        let policy = ReconnectPolicy(attemptsMax: -1, delayFirst: -5, delayMax: -9)
        #expect(policy == ReconnectPolicy(attemptsMax: 0, delayFirst: 0, delayMax: 0))
    }

    @Test(arguments: [(1, 100), (2, 200), (3, 400), (4, 800), (5, 1_000), (60, 1_000)])
    func delaysDoubleUpToTheMaximumWithJitter(
        _ attempt: Int, _ longest: Int64
    ) {
        let policy = ReconnectPolicy(attemptsMax: 99, delayFirst: 100, delayMax: 1_000)
        var random = SeededRandom(seed: 7)
        let delays = (0..<200).map { _ in policy.delay(attempt, &random) }
        #expect(delays.allSatisfy { $0 <= longest && $0 >= longest - longest / 2 })
        #expect(Set(delays).count > 20)
    }

    @Test func delaysDoNotOverflow() {
        let policy = ReconnectPolicy(delayFirst: .max / 2 + 1, delayMax: .max)
        var random = SeededRandom(seed: 7)
        #expect(policy.delay(9, &random) >= .max / 2)
    }
}
