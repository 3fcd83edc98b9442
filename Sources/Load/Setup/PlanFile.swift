import Console
import Diagnostics
import FoundationEssentials
package import Results
import Runner

/// A plan file, or a scenario file to run repeatedly.
package struct PlanFile {
    private static let bytesMax = 512 << 10

    package var plan = LoadPlan()
    /// Contents of the plan; nil for a scenario.
    package private(set) var text: String?

    /// Reads the file. Paths in it are relative to its folder.
    ///
    /// - Parameter text: Contents of the plan, which a worker process receives from the main
    ///   process.
    package init(_ path: String, text given: String? = nil) throws(CommandFailure) {
        guard !path.hasSuffix(ScenarioFinder.ending) else {
            plan.kinds = [OperatorKind(scenario: path)]
            return
        }
        let source: SourceText =
            if let given {
                SourceText(path: path, text: given)
            } else {
                try TextFiles.read(path, bytesMax: Self.bytesMax)
            }
        text = String(decoding: source.bytes, as: UTF8.self)
        do {
            plan = try PlanReader.plan(source) { Self.curve($0, beside: path) }
        } catch {
            throw CommandFailure(.unparsable, error)
        }
        LoadScenarios.resolve(&plan, from: path)
    }

    /// Reads a CSV file with a rate curve.
    private static func curve(
        _ name: String, beside path: String
    ) -> Result<[UInt8], PlanReader.Unreadable> {
        let folder = URL(filePath: path).deletingLastPathComponent().relativePath
        let file = name.hasPrefix("/") || path == "-" ? name : folder + "/" + name
        guard let data = FileManager.default.contents(atPath: file) else {
            return .failure(.init("no such file"))
        }
        return data.count > PlanReader.curveBytesMax
            ? .failure(.init("the file is too large")) : .success(Array(data))
    }
}
