import Diagnostics

/// Summary of a scenario, used to select and list scenarios.
package struct ScenarioOutline: Sendable, Equatable {
    /// Title; defaults to the file name without its extension.
    package var title: String
    /// Name or path of the dialect; nil if the scenario specifies none.
    package var dialect: String?
    package var tags: [String]
    package var operators: [String]
    /// The source lines of each top-level step, in order.
    package var stepLines: [ClosedRange<Int>]
    package var lineCount: Int

    package init(_ file: ScenarioFile) {
        title = file.header.title?.text ?? Self.name(of: file.source.path)
        dialect = file.header.dialect?.text
        tags = file.header.tags.map(\.text)
        operators = file.operatorNames
        lineCount = file.source.lineCount
        stepLines = file.steps.map { step in
            let first = file.source.line(at: step.range.start)
            let last = file.source.line(at: max(step.range.start, step.range.end - 1))
            return first...max(first, last)
        }
    }

    /// Returns the index of the first step that ends on or after a line; nil if there is none.
    package func step(atLine line: Int) -> Int? {
        stepLines.firstIndex { $0.upperBound >= line }
    }

    private static func name(of path: String) -> String {
        let file = path.split(separator: "/").last.map(String.init) ?? path
        return file.hasSuffix(".chat") ? String(file.dropLast(5)) : file
    }
}
