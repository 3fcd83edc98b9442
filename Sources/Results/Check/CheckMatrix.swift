/// Results of checks on several servers, or on several versions of one server, side by side.
package struct CheckMatrix: Sendable {
    package static let schema = "linejudge.check-matrix/2"
    package static let serversMax = 16

    /// A server in the matrix, with its results.
    package struct Server: Sendable, Codable {
        package var name: String
        package var results: CheckResults

        package init(_ name: String, _ results: CheckResults) {
            self.name = name
            self.results = results
        }
    }

    /// A row of the matrix: a check, with its result on each server.
    package struct Row: Sendable {
        package var id: CheckID
        package var claim: String
        /// Results in the order of the servers; nil where the check did not run.
        package var cells: [CheckResult?]
        /// Behaviour shared by more than half of the servers with a conclusive result; nil if there
        /// is no such majority.
        package var majority: CheckClass?
        /// Indices of the servers that behave differently from the majority or, if there is no
        /// majority, of all servers with a conclusive result.
        package var minority: [Int]

        package var differs: Bool { !minority.isEmpty }
    }

    /// The servers, in the order they were given.
    package let servers: [Server]
    /// The checks, in catalogue order.
    package let rows: [Row]

    package init(_ servers: [Server]) {
        self.servers = servers
        var order: [CheckID] = []
        var byID: [CheckID: [CheckResult?]] = [:]
        for (index, server) in servers.enumerated() {
            for check in server.results.checks {
                if byID[check.id] == nil {
                    order.append(check.id)
                    byID[check.id] = Array(repeating: nil, count: servers.count)
                }
                byID[check.id]?[index] = check
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
        // A check that does not apply to the dialect has a `reason`, but its `claim` is empty.
        let results = cells.compactMap { $0 }
        let claim = (results.map(\.claim) + results.map(\.reason)).first { !$0.isEmpty } ?? ""
        return Row(id: id, claim: claim, cells: cells, majority: majority, minority: minority)
    }

    package var differences: [Row] { rows.filter(\.differs) }

    /// The most severe of the servers' exit codes.
    package var exitCode: ExitCode {
        let codes = servers.map(\.results.exitCode)
        if codes.contains(.failed) { return .failed }
        if codes.contains(.drift) { return .drift }
        if !codes.isEmpty, codes.allSatisfy({ $0 == .unavailable }) { return .unavailable }
        return codes.allSatisfy { $0 == .ok } && !codes.isEmpty ? .ok : .inconclusive
    }
}

extension CheckMatrix {
    package init(_ results: CheckResults) {
        self.init([Server(results.software ?? results.endpoint, results)])
    }
}
