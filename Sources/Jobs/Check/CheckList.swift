package import Conformance
import Console
import Diagnostics
import LineProtocol
import Report

/// The output of `check --list`.
package struct CheckList {
    private let entries: [CatalogueEntry]
    private let style: Style

    package init(_ setup: CheckSetup, _ colours: Colours) {
        entries = setup.entries
        style = colours.style(for: .standard)
    }

    package func write() {
        let width = entries.map { ColumnText.width("\($0.id)") }.max() ?? 0
        for entry in entries {
            let id = ColumnText.padded(escapedForDisplay("\(entry.id)"), to: width)
            switch entry {
            case .check(let check):
                let clause = check.clause.map { ", \($0.document)" } ?? ""
                let needs = check.needs.map { "; needs \($0.kind) \($0.name)" }.joined()
                Output.standard.write(
                    "\(id)  \(escapedForDisplay(check.claim))"
                        + style(
                            "  (\(check.level.rawValue)\(clause); \(check.basis)\(needs))", .dim)
                        + "\n"
                )
            case .notApplicable(_, let reason):
                Output.standard.write(style("\(id)  not applicable: \(reason)", .dim) + "\n")
            }
        }
    }
}
