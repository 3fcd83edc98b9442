import Diagnostics

/// What a scenario is selected and listed by.
package struct ScenarioOutline: Sendable, Equatable {
    /// The title; without one, the file's name without its folder and ending.
    package var title: String
    /// The dialect's name or path.
    package var dialect: String?
    /// Words to select by.
    package var tags: [String]
    /// Who takes part.
    package var operators: [String]
    /// The lines of each step on the outermost level, in order.
    package var stepLines: [ClosedRange<Int>]
    /// How many lines the file has.
    package var lineCount: Int

    /// The outline of a file.
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

    /// The step that stands in a line, or is the next after it; nil beyond the last step.
    package func step(atLine line: Int) -> Int? {
        stepLines.firstIndex { $0.upperBound >= line }
    }

    private static func name(of path: String) -> String {
        let file = path.split(separator: "/").last.map(String.init) ?? path
        return file.hasSuffix(".chat") ? String(file.dropLast(5)) : file
    }
}
