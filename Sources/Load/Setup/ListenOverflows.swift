import FoundationEssentials

/// Counter of listen queue overflows on this machine.
enum ListenOverflows {
    /// Overflows so far; nil if the system does not report them.
    static var count: Int? {
        guard let text = try? String(contentsOfFile: "/proc/net/netstat", encoding: .utf8) else {
            return nil
        }
        let rows = text.split(separator: "\n").filter { $0.hasPrefix("TcpExt:") }
            .map { $0.split(separator: " ") }
        guard rows.count >= 2, let column = rows[0].firstIndex(of: "ListenOverflows"),
            column < rows[1].count
        else { return nil }
        return Int(rows[1][column])
    }
}
