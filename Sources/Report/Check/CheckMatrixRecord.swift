import Conformance

/// Several servers side by side as they stand in a file: `linejudge.check-matrix/1`.
struct CheckMatrixRecord: Codable {
    struct Server: Codable {
        var name: String
        var results: CheckRecord
    }

    /// A check in which not all servers do the same.
    struct Difference: Codable {
        var id: String
        /// What more than half of them do.
        var majority: String?
        /// Who does something else.
        var minority: [String]
        /// By server; who could not be told is left out.
        var classes: [String: String]
    }

    var schema: String
    var servers: [Server]
    var differences: [Difference]

    init(_ matrix: CheckMatrix) {
        schema = CheckMatrix.schema
        servers = matrix.servers.map { Server(name: $0.name, results: CheckRecord($0.results)) }
        differences = matrix.differences.map { row in
            var classes: [String: String] = [:]
            for (server, cell) in zip(matrix.servers, row.cells) {
                guard let measured = cell?.measured, measured.isDecided else { continue }
                classes[server.name] = "\(measured)"
            }
            return Difference(
                id: "\(row.id)", majority: row.majority.map { "\($0)" },
                minority: row.minority.map { matrix.servers[$0].name }, classes: classes)
        }
    }
}
