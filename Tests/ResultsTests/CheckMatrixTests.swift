import Results
import Testing

struct CheckMatrixTests {
    /// Returns a matrix of servers whose behaviour in the same check is the given word; `?` means
    /// inconclusive and nil that the server lacks the check.
    private func matrix(_ words: [String?]) -> CheckMatrix {
        CheckMatrix(
            words.enumerated().map { index, word in
                var results = CheckResults(
                    toolVersion: "", seed: 1, dialect: "irc", endpoint: "", startedAt: 0)
                results.checks =
                    word.map { word in
                        let isDecided = word != "?"
                        var check = CheckResult(
                            CheckID("frame.nul"), isDecided ? .observed : .inconclusive, reason: "")
                        check.classes = isDecided ? [word] : []
                        return [check]
                    } ?? []
                return CheckMatrix.Server("server \(index)", results)
            })
    }

    @Test(
        arguments: [
            (["a", "a", "a"], "a", []), (["a", "b", "a"], "a", [1]), (["a", "b"], nil, [0, 1]),
            (["a", "b", "c"], nil, [0, 1, 2]), (["a", "?", "a"], "a", []), (["a", "?"], "a", []),
            (["a", nil, "b", "a"], "a", [2]), (["?", "?"], nil, []),
            (["a", "a", "b", "b"], nil, [0, 1, 2, 3]),
        ] as [([String?], String?, [Int])])
    func minorityDiffersFromMoreThanHalfOfTheServers(
        words: [String?], majority: String?, minority: [Int]
    ) throws {
        let row = try #require(matrix(words).rows.first)
        #expect(row.majority == majority.map { CheckClass($0) })
        #expect(row.minority == minority)
        #expect(row.cells.map { $0 != nil } == words.map { $0 != nil })
    }

    @Test func worstServerDeterminesTheExitCode() {
        #expect(matrix(["a", "b"]).exitCode == .ok)
        #expect(matrix(["a", "?"]).exitCode == .inconclusive)
        #expect(matrix([]).exitCode == .inconclusive)
    }
}
