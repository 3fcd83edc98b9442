import Glibc
import Load
import Results
import Runner

/// What a load needs, looked at before it begins.
extension LoadSetup {
    /// Descriptors that are needed beside the sockets.
    static let descriptorsBeside = 64

    /// A room belongs to one process, so that each needs one.
    func checkRooms() throws(CommandFailure) {
        let (rooms, parts) = (plan.layout.rooms, options.share.count * processes)
        guard parts > rooms, plan.layout.operators > 0 else { return }
        let name = plan.operatorScript.dialectName
        if rooms == 1, !plan.operatorScript.hasRooms {
            throw CommandFailure(
                .usage, .badOption,
                "in \(name) everybody hears everybody, so that the operators cannot be divided",
                help: "let one process make this load")
        }
        throw CommandFailure(
            .usage, .badOption,
            "\(parts) \(shard == nil ? "processes" : "shards and processes") need a room each, "
                + "and there are \(rooms)",
            help: "write smaller rooms (--room-size), or have fewer of them")
    }

    /// As many files as the system lets this process have; too few is said before anything begins.
    func raiseDescriptors() throws(CommandFailure) {
        let needed = max(self.needed, ownOperators(processes) + Self.descriptorsBeside)
        let most = Self.descriptorLimit(raisedTo: needed)
        guard needed > most else { return }
        throw CommandFailure(
            .usage, .badOption,
            "this process may have \(most) open files, and needs \(needed)",
            help: "raise the limit (ulimit -n \(needed)), or \(advice(most))")
    }

    /// What this process needs: its operators, and both ends of all if the server is the built-in one.
    private var needed: Int {
        let mine = processes == 1 ? ownOperators(1) : 0
        return mine + (endpoint == nil ? ownOperators(1) : 0) + Self.descriptorsBeside
    }

    /// The most operators of one process if there were so many.
    private func ownOperators(_ processes: Int) -> Int {
        (0..<processes).map { part -> Int in
            let share = options.share.part(part, of: processes)
            let talkers = plan.layout.operators(share).count
            // A connection that a play has closed lingers while the next one is made.
            return talkers + 2 * (plan.operators(share) - talkers)
        }.max() ?? 0
    }

    /// How else the load can be made.
    private func advice(_ most: Int) -> String {
        if endpoint == nil {
            return "start the server by itself (linejudge serve) and name it with --server"
        }
        let counts = processes + 1..<ProcessFleet.processesMax + 1
        let enough = counts.first {
            $0 * options.share.count <= plan.layout.rooms
                && ownOperators($0) + Self.descriptorsBeside <= most
        }
        if let enough { return "write --processes \(enough): each may have as many" }
        return "divide the load among machines"
    }

    /// How many files this process may have open, after that was raised as far as is needed and allowed.
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
