import Testing

@testable import Conformance

@Suite
struct PeerBytesTests {
    private func difference(_ sent: [String], _ received: [String]) -> PeerBytes.Difference? {
        PeerBytes.difference(
            sent: sent.map { Array($0.utf8) }, received: received.map { Array($0.utf8) })
    }

    @Test
    func whatArrivesAsItWasSaidHasNoDifference() {
        #expect(difference([], []) == nil)
        #expect(difference(["a", "b"], ["a", "b"]) == nil)
    }

    @Test
    func eachDifferenceHasItsName() {
        #expect(difference(["abc"], []) == .lost)
        #expect(difference(["a", "b"], ["b"]) == .lost)
        #expect(difference(["abc"], ["abc", "abc"]) == .duplicated)
        #expect(difference(["a", "b"], ["b", "a"]) == .reordered)
        #expect(difference(["abcd"], ["ab"]) == .truncated(at: 2))
        #expect(difference(["abcd"], ["abXd"]) == .mutated(at: 2))
        #expect(difference(["ab"], ["abcd"]) == .longer(by: 2))
        #expect(difference(["abcd"], ["ab", "cd"]) == .split(2))
        #expect(difference(["ab", "cd"], ["abcd"]) == .merged)
        #expect(difference(["ab"], ["ab", "QUIT"]) == .extra(Array("QUIT".utf8)))
    }
}
