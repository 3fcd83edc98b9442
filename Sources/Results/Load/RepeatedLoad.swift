/// Results of repeated load tests of one server, or of two servers in turn, as stored in the
/// results file of `load --repeat`.
///
/// The members are those of the `linejudge.repeated-load/1` schema.
package struct RepeatedLoad: Sendable, Codable, Equatable {
    package static let schema = "linejudge.repeated-load/1"
    /// Maximum number of load tests of each server.
    package static let repeatsMax = 100

    package var schema = Self.schema
    package var toolVersion: String
    /// The servers, at most two.
    package var sides: [Side]
    /// Signal that ended the last load test early (`interrupted` or `terminated`); nil if none did.
    package var interruption: String?

    /// The load tests of one server.
    package struct Side: Sendable, Codable, Equatable {
        /// Name of the server: its address, or the command that started it.
        package var name: String
        /// The load tests, in the order in which they ran. If there are two servers, load tests
        /// with the same index ran one after the other.
        package var loads: [LoadResults]

        package init(name: String, loads: [LoadResults] = []) {
            self.name = name
            self.loads = loads
        }
    }

    package init(toolVersion: String, sides: [Side], interruption: String? = nil) {
        self.toolVersion = toolVersion
        self.sides = sides
        self.interruption = interruption
    }

    /// Returns the index of the server that each load test uses. With two servers, the order is
    /// A B B A A B B A…, which cancels out a steady drift in the machine's speed.
    package static func order(repeats: Int, servers: Int) -> [Int] {
        guard servers == 2 else { return [Int](repeating: 0, count: repeats) }
        return (0..<repeats).flatMap { $0 % 2 == 0 ? [0, 1] : [1, 0] }
    }

    /// Removes load tests that have no counterpart, because the last one was interrupted.
    package mutating func keepPairs() {
        guard let count = sides.map(\.loads.count).min() else { return }
        for index in sides.indices { sides[index].loads = Array(sides[index].loads.prefix(count)) }
    }

    /// Failed if any load test failed, and otherwise inconclusive if most load tests of a server
    /// were inconclusive. An occasional hiccup of the generator counts as part of the variation
    /// between load tests.
    package var exitCode: ExitCode {
        let verdicts = sides.map { $0.loads.map(\.verdict) }
        if verdicts.joined().contains(.failed) { return .failed }
        let isUndecided = verdicts.contains { side in
            side.isEmpty || side.count(where: { $0 != .passed }) * 2 > side.count
        }
        return isUndecided ? .inconclusive : .ok
    }
}
