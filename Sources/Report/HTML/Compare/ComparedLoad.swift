import Results

/// A load test in a comparison, with its colour and label.
struct ComparedLoad {
    let name: String
    let results: LoadResults
    let columns: LoadColumns
    let timeline: LoadTimeline
    let letter: String
    /// CSS class of the load test's lines in charts.
    let `class`: String

    /// - Parameters:
    ///   - name: The escaped name of the results.
    ///   - index: Position in the comparison; 0 for the baseline.
    init(_ results: LoadResults, name: String, index: Int) throws {
        self.results = results
        self.name = name
        columns = try LoadColumns(results.seconds)
        timeline = LoadTimeline(results, columns)
        letter = ComparisonHTML.letter(index)
        `class` = "s\(index % ComparisonHTML.resultsMax + 1)"
    }

    /// Returns the value of each column that has one, with its time in seconds. Columns
    /// after the measurement period are left out.
    func points(_ value: (LoadColumns.Column) -> Double?) -> [(time: Double, value: Double)] {
        columns.columns.filter(timeline.isMeasured).compactMap { column in
            value(column).map { (column.middle, $0) }
        }
    }

    /// The server's CPU use in cores, with times in seconds; empty if the server was not observed.
    var serverCores: [(time: Double, value: Double)] {
        guard let server = results.processes?.first(where: { $0.role == "server" }) else {
            return []
        }
        return server.samples.dropFirst().filter {
            $0.timeNanoseconds >= 0 && Double($0.timeNanoseconds) / 1e9 <= timeline.end
        }.map { (Double($0.timeNanoseconds) / 1e9, $0.cores) }
    }
}
