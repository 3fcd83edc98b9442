/// Unique names for the servers in a matrix.
package enum ServerNames {
    /// Returns distinct names: the second server with the same name gets the `#2` suffix, and so
    /// on.
    package static func distinct(_ names: [String]) -> [String] {
        var counts: [String: Int] = [:]
        return names.map { name in
            counts[name, default: 0] += 1
            return counts[name] == 1 ? name : "\(name)#\(counts[name] ?? 0)"
        }
    }

    /// Returns the servers, with `#2`, `#3` and so on appended to repeated names.
    package static func distinct(_ servers: [CheckMatrix.Server]) -> [CheckMatrix.Server] {
        zip(distinct(servers.map(\.name)), servers).map { CheckMatrix.Server($0, $1.results) }
    }
}
