import Diagnostics
import Load
import Runner

extension FuzzTarget {
    static func plan(_ bytes: [UInt8]) {
        // The plan's other files contain the plan itself.
        let source = SourceText(path: "fuzz.yaml", bytes: bytes)
        _ = try? PlanReader.plan(source) { _ in .success(bytes) }
    }

    static func data(_ bytes: [UInt8]) {
        guard let (name, rest) = firstLine(bytes) else { return }
        let path = String(decoding: name, as: UTF8.self)
        let source = SourceText(path: path, bytes: Array(rest))
        if path.hasSuffix("csv") || path.hasSuffix("jsonl") {
            _ = try? DataTable(source)
        } else {
            _ = try? VariablesFile(source)
        }
    }
}
