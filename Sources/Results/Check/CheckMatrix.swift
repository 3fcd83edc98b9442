/// What checks found in several servers, or several versions of one, side by side.
package struct CheckMatrix: Sendable {
    /// The name and version of the form in which it is written to a file.
    package static let schema = "linejudge.check-matrix/1"
    /// The most servers side by side.
    package static let serversMax = 16

    /// A server, and what was found in it.
    package struct Server: Sendable, Codable {
        /// What it is called.
        package var name: String
        /// What was found.
        package var results: CheckResults

        /// A server from its parts.
        package init(_ name: String, _ results: CheckResults) {
            self.name = name
            self.results = results
        }
    }

    /// A check, and what came of it in each server.
    package struct Row: Sendable {
        /// Its name.
        package var id: CheckID
        /// What must hold.
        package var claim: String
        /// By server; nil where it was not among the checks.
        package var cells: [CheckResult?]
        /// What more than half of those servers do of which it could be told.
        package var majority: CheckClass?
        /// The places of the servers that do something else; without a majority all that could be told.
        package var minority: [Int]

        /// Whether not all servers do the same.
        package var differs: Bool { !minority.isEmpty }
    }

    /// The servers, in the order in which they were named.
    package let servers: [Server]
    /// The checks, in the catalogue's order.
    package let rows: [Row]

    /// The servers side by side.
    package init(_ servers: [Server]) {
        self.servers = servers
        var order: [CheckID] = []
        var byID: [CheckID: [CheckResult?]] = [:]
        for (place, server) in servers.enumerated() {
            for check in server.results.checks {
                if byID[check.id] == nil {
                    order.append(check.id)
                    byID[check.id] = Array(repeating: nil, count: servers.count)
                }
                byID[check.id]?[place] = check
            }
        }
        rows = order.map { Self.row($0, byID[$0] ?? []) }
    }

    private static func row(_ id: CheckID, _ cells: [CheckResult?]) -> Row {
        let classes = cells.map { $0?.measured ?? .inconclusive }
        let decided = classes.indices.filter { classes[$0].isDecided }
        let majority = decided.map { classes[$0] }.first { candidate in
            decided.count { candidate.agrees(with: classes[$0]) } * 2 > decided.count
        }
        let minority =
            majority.map { majority in decided.filter { !majority.agrees(with: classes[$0]) } }
            ?? decided
        // Of what does not apply the reason is told.
        let words = cells.compactMap { $0 }
        let claim = (words.map(\.claim) + words.map(\.reason)).first { !$0.isEmpty } ?? ""
        return Row(id: id, claim: claim, cells: cells, majority: majority, minority: minority)
    }

    /// The checks in which not all servers do the same: the minority report.
    package var differences: [Row] { rows.filter(\.differs) }

    /// What all of it comes to: the worst of the servers.
    package var exitCode: ExitCode {
        let codes = servers.map(\.results.exitCode)
        if codes.contains(.failed) { return .failed }
        if codes.contains(.drift) { return .drift }
        if !codes.isEmpty, codes.allSatisfy({ $0 == .unavailable }) { return .unavailable }
        return codes.allSatisfy { $0 == .ok } && !codes.isEmpty ? .ok : .inconclusive
    }
}

extension CheckMatrix {
    /// One server, as a matrix of one column.
    package init(_ results: CheckResults) {
        self.init([Server(results.software ?? results.endpoint, results)])
    }
}
