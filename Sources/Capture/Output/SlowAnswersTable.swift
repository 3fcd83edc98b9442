import Diagnostics

extension TimedCapture {
    /// A table of the slowest answers; empty if there are none.
    package var slowAnswersTable: String {
        let (answers, count) = (slowAnswers.answers, slowAnswers.count)
        guard !answers.isEmpty else { return "" }
        let head = ["", "took", "server", "network", "window", "connection", "packets"]
        let rows = answers.map { answer in
            [
                metrics[answer.metric].name, durationText(answer.nanoseconds),
                durationText(answer.server), durationText(answer.network),
                durationText(answer.window), "#\(answer.connection)",
                "\(answer.request.number) → \(answer.answer.number)",
            ]
        }
        let which =
            count > answers.count
            ? "The slowest \(answers.count) of \(count) slow answers" : "Slow answers"
        let table = TextTable.text([head] + rows, words: [0, 5, 6])
        return "\n  \(which), and how long they waited for what:\n"
            + table.split(separator: "\n").map { "  \($0)\n" }.joined()
    }
}
