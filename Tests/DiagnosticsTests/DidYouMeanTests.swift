import Diagnostics
import Testing

struct DidYouMeanTests {
    @Test(arguments: [
        ("titel", "title"), ("alic", "alice"), ("ALICE", "alice"), ("conect", "connect"),
        ("bbo", "bob"), ("hafl-close", "half-close"),
    ])
    func aSlipOfThePenFindsItsWord(_ typed: String, _ meant: String) {
        let known = ["title", "alice", "connect", "bob", "half-close"]
        #expect(didYouMean(typed, among: known) == meant)
    }

    @Test(arguments: ["", "x", "zebra", "alice", String(repeating: "alice", count: 100)])
    func whatIsNoSlipFindsNothing(_ typed: String) {
        #expect(didYouMean(typed, among: ["alice", "bob", "b"]) == nil)
    }

    @Test func theNearestOfSeveralIsTaken() {
        #expect(didYouMean("closd", among: ["close", "cloud", "closed"]) == "close")
        #expect(didYouMean("closedd", among: ["close", "closed"]) == "closed")
    }
}
