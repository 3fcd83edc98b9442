import Diagnostics
package import Results

/// A request to compare results, with the tolerance and confidence level to use.
package struct ComparisonRequest: Sendable {
    /// Largest change for the worse that is accepted in a figure, as a fraction.
    package var tolerance: Double
    /// Confidence level of the intervals, from 0 to 1.
    package var confidence: Double

    package typealias NamedResults = (name: String, results: AnyResults)

    package init(tolerance: Double, confidence: Double) {
        self.tolerance = tolerance
        self.confidence = confidence
    }

    /// Compares the first results with each of the others. Repeated load tests of one server count
    /// as a group; repeated load tests of two servers are compared with each other.
    package func compared(_ all: [NamedResults]) throws -> ComparedResults {
        if all.count == 1 { return try comparedSides(all[0]) }
        let isRepeated = all.contains { if case .repeatedLoad = $0.results { true } else { false } }
        if isRepeated {
            let groups = try all.map { try group(of: [$0]) }
            return try compared(groups)
        }
        let comparisons = try all.indices.dropFirst().map { index in
            var comparison = try Comparison.of(
                all[0].results, all[index].results, paths: (all[0].name, all[index].name),
                tolerance: tolerance, confidence: confidence)
            comparison.letters.1 = ComparisonHTML.letter(index)
            return comparison
        }
        let groups = all.compactMap { one in
            if case .load(let load) = one.results {
                LoadGroup(name: one.name, loads: [load])
            } else {
                nil
            }
        }
        return ComparedResults(groups: groups, comparisons: comparisons)
    }

    /// Compares all load tests in the first results with all load tests in the others.
    package func compared(
        _ first: [NamedResults], with others: [NamedResults]
    ) throws -> ComparedResults {
        try compared([group(of: first), group(of: others)])
    }

    private func compared(_ groups: [LoadGroup]) throws -> ComparedResults {
        let comparisons = try groups.indices.dropFirst().map { index in
            var comparison = try Comparison.of(
                groups[0], groups[index], tolerance: tolerance, confidence: confidence)
            comparison.letters.1 = ComparisonHTML.letter(index)
            return comparison
        }
        return ComparedResults(groups: groups, comparisons: comparisons)
    }

    private func comparedSides(_ one: NamedResults) throws -> ComparedResults {
        guard case .repeatedLoad(let loads) = one.results, loads.sides.count == 2 else {
            throw CommandFailure(
                .usage, .otherResults,
                "\(ResultsFile.name(one.name)) contains the results of only one server",
                help: "pass another file to compare it with")
        }
        guard
            let comparison = try loads.comparison(tolerance: tolerance, confidence: confidence)
        else {
            throw CommandFailure(
                .usage, .otherResults,
                "\(ResultsFile.name(one.name)) contains no complete load tests of both servers")
        }
        return ComparedResults(groups: loads.groups, comparisons: [comparison])
    }

    /// Returns the load tests in several results as a group.
    private func group(of all: [NamedResults]) throws(CommandFailure) -> LoadGroup {
        var loads: [LoadResults] = []
        for (name, results) in all {
            switch results {
            case .load(let load): loads.append(load)
            case .repeatedLoad(let repeated) where repeated.sides.count == 1:
                loads += repeated.sides[0].loads
            case .repeatedLoad:
                throw CommandFailure(
                    .usage, .otherResults,
                    "\(ResultsFile.name(name)) contains load tests of two servers",
                    help: "compare it alone, as in `linejudge compare FILE`")
            default:
                throw CommandFailure(
                    .usage, .otherResults,
                    "\(ResultsFile.name(name)) contains \(results.kind) results",
                    help: "only load tests can be compared in groups")
            }
        }
        guard !loads.isEmpty else {
            throw CommandFailure(
                .usage, .otherResults,
                "\(ResultsFile.name(all.first?.name ?? "-")) contains no load tests")
        }
        let first = escapedForDisplay(all.first?.name ?? "")
        let name = all.count > 1 ? "\(first) and \(all.count - 1) more" : first
        return LoadGroup(name: name, loads: loads)
    }
}
