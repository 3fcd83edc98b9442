import Diagnostics
import Glibc
import LineProtocol
import Results

/// Checks limits before a load test starts.
extension LoadSetup {
    /// Number of file descriptors needed for purposes other than operators' sockets.
    static let otherDescriptors = 64

    /// Throws an error if there are fewer rooms than processes, because a room cannot be split.
    func checkRooms() throws(CommandFailure) {
        let (rooms, parts) = (plan.layout.rooms, options.share.count * processes)
        guard parts > rooms, plan.layout.operators > 0 else { return }
        let name = plan.operatorScript.dialectName
        if rooms == 1, !plan.operatorScript.hasRooms {
            throw CommandFailure(
                .usage, .badOption,
                "in \(name), every user receives every message, so the load cannot be divided",
                help: "use one process")
        }
        throw CommandFailure(
            .usage, .badOption,
            "\(parts) \(shard == nil ? "processes" : "shards and processes") need a room each, "
                + "but the load test has only \(counted(rooms, "room"))",
            help: "use smaller rooms (--room-size) or fewer processes")
    }

    /// Throws an error if the dialect does not permit messages as long as requested.
    func checkTextLength() throws(CommandFailure) {
        let script = plan.operatorScript
        let bytes = script.widths.text
        let limits = script.dialect.framing.fromClient.limits
        for (action, _) in plan.mix.weights {
            guard let template = script.sends[action] else { continue }
            var framer = LineFramer(script.dialect, direction: .fromClient)
            framer.append(template.bytes.span)
            let (limit, excess): (String, Int)
            switch framer.next()?.issue {
            case .lineOverLimit(let count):
                (limit, excess) = ("lines are limited to \(limits.lineBytesMax) bytes", count)
            case .payloadOverLimit(let count):
                let max = limits.payloadBytesMax
                (limit, excess) = ("payloads are limited to \(max) bytes", count - max)
            default: continue
            }
            let bytesMax = bytes - excess
            throw CommandFailure(
                .usage, .badOption,
                "a message of \(bytes) bytes is too long for \(script.dialectName): \(limit)",
                help: bytesMax >= MessageText.bytesMin
                    ? "use --text-bytes \(bytesMax) or less"
                    : "load tests need messages of at least \(MessageText.bytesMin) bytes")
        }
    }

    /// Raises the limit on open files as far as needed. Throws an error if the limit remains too
    /// low.
    func raiseDescriptors() throws(CommandFailure) {
        let needed = max(self.needed, ownOperators(processes) + Self.otherDescriptors)
        let most = Self.descriptorLimit(raisedTo: needed)
        guard needed > most else { return }
        throw CommandFailure(
            .usage, .badOption,
            "the open-file limit is \(most), but \(needed) are needed",
            help: "raise the limit (ulimit -n \(needed)), or \(advice(most))")
    }

    /// Number of descriptors that this process needs: one per operator that it simulates and, for
    /// the reference server, one per connection.
    private var needed: Int {
        let mine = processes == 1 ? ownOperators(1) : 0
        return mine + (endpoint == nil ? ownOperators(1) : 0) + Self.otherDescriptors
    }

    /// Returns the largest number of descriptors that any process needs for its operators if the
    /// load is divided among `processes` processes.
    private func ownOperators(_ processes: Int) -> Int {
        (0..<processes).map { part -> Int in
            let share = options.share.part(part, of: processes)
            let talkers = plan.layout.operators(share).count
            // A closed connection may linger while its replacement is opened.
            return talkers + 2 * (plan.operators(share) - talkers)
        }.max() ?? 0
    }

    /// Returns help for a load test that exceeds the limit on open files.
    private func advice(_ most: Int) -> String {
        if endpoint == nil {
            return
                "start the server separately (linejudge serve), and pass its address with --server"
        }
        let counts = processes + 1..<ProcessFleet.processesMax + 1
        let enough = counts.first {
            $0 * options.share.count <= plan.layout.rooms
                && ownOperators($0) + Self.otherDescriptors <= most
        }
        if let enough { return "use --processes \(enough) (each process has its own limit)" }
        return "divide the load among several machines (--shard)"
    }

    /// Raises the limit on open files as far as needed and allowed, and returns it.
    private static func descriptorLimit(raisedTo needed: Int) -> Int {
        var limit = rlimit()
        let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard unsafe getrlimit(kind, &limit) == 0 else { return .max }
        if limit.rlim_cur < needed, limit.rlim_cur < limit.rlim_max {
            limit.rlim_cur = limit.rlim_max
            _ = unsafe setrlimit(kind, &limit)
        }
        return Int(clamping: limit.rlim_max)
    }
}
