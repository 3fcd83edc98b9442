import LineProtocol
import Results
import Testing

@testable import Load

/// Runs a search on a simulated system of known capacity.
private func search(
    start: Double = 100, maximum: Double = PlanText.rateMax,
    _ answer: (Double, Int) -> RateSearch.Outcome
) -> RateSearch {
    var search = RateSearch(start: start, maximum: maximum)
    while let (rate, _) = search.next { search.note(answer(rate, search.steps.count)) }
    return search
}

@Test(arguments: [1.5, 30, 99, 100, 101, 777, 12_345, 2_000_000])
func theCapacityOfASystemIsFound(capacity: Double) throws {
    let found = search { rate, _ in rate <= capacity ? .passed : .failed }
    let rate = try #require(found.confirmed)
    #expect(rate <= capacity)
    #expect(rate * (1 + RateSearch.precision) * 1.001 >= min(capacity, PlanText.rateMax))
    #expect(found.steps.count <= RateSearch.stepsMax)
    #expect(found.steps.last?.purpose == .confirmation)
}

@Test func aSystemThatHoldsNothingHasNoRate() {
    let found = search { _, _ in .failed }
    #expect(found.best == nil)
    #expect(found.steps.map(\.purpose).dropFirst().allSatisfy { $0 == .halving })
    #expect((found.steps.last?.rate ?? 0) >= RateSearch.rateMin)
}

@Test func aSystemThatHoldsEverythingIsLoadedNoHigherThanAsked() {
    let found = search(maximum: 5_000) { _, _ in .passed }
    #expect(found.confirmed == 5_000)
    #expect(found.bound == nil)
}

@Test func aRateThatHeldByLuckIsNotConfirmed() throws {
    // At 800 the threshold is met once, and never again.
    let found = search { rate, step in rate <= 400 || step == 3 ? .passed : .failed }
    let rate = try #require(found.confirmed)
    #expect(rate <= 400)
    #expect(rate * (1 + RateSearch.precision) >= 399)
}

@Test func aGeneratorThatWasTheLimitIsNamedAsTheBound() {
    let found = search { rate, _ in rate <= 1_000 ? .passed : .inconclusive }
    #expect(found.confirmed != nil)
    #expect(found.bound?.outcome == .inconclusive)
}

@Test(arguments: 0..<20)
func aSystemThatAnswersByChanceIsNotAskedForEver(seed: Int) {
    var random = SeededRandom(seed: UInt64(seed))
    let found = search { _, _ in random.next() & 1 == 0 ? .passed : .failed }
    #expect(found.steps.count <= RateSearch.stepsMax)
}
