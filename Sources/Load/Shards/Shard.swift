import LineProtocol
import Results

/// One machine's part of a load test that runs on several machines.
package struct Shard: Sendable, Hashable {
    package static let countMax = LoadResults.Shards.countMax

    package var share: LoadShare
    /// Name of the launcher (such as Slurm) whose environment variables determined the shard; nil if
    /// the shard was given explicitly.
    package var source: String?
    /// Identifier shared by all shards of one load test; nil if the launcher does not provide one.
    package var job: String?

    init(_ share: LoadShare, source: String? = nil, job: String? = nil) {
        self.share = share
        self.source = source
        self.job = job
    }

    /// The reason a shard is invalid, with advice.
    package struct Failure: Error, Sendable, Equatable {
        package var message: String
        package var help: String
    }

    /// Parses `1/3`, `auto` (detect the shard from the launcher that started this process) or
    /// `auto/3` (for launchers that do not provide the count).
    package init(_ text: String, environment: [String: String]) throws(Failure) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts[0] == "auto", parts.count <= 2 else {
            self = try Self.typed(text, parts)
            return
        }
        var count: Int?
        if parts.count == 2 {
            guard let number = Self.number(parts[1]), (1...Self.countMax).contains(number) else {
                throw Self.unreadable(text)
            }
            count = number
        }
        self = try ShardLauncher.shard(environment, count: count)
    }

    private static func typed(_ text: String, _ parts: [String]) throws(Failure) -> Shard {
        guard parts.count == 2, let index = number(parts[0]), let count = number(parts[1]),
            (1...countMax).contains(count)
        else { throw unreadable(text) }
        return Shard(try checked(index, count, "--shard \(text)"))
    }

    private static func unreadable(_ text: String) -> Failure {
        Failure(
            message: "invalid value `\(text.prefix(80))` for --shard: expected INDEX/COUNT or auto",
            help: "of three shards, the first is --shard 0/3 and the last one --shard 2/3")
    }

    /// Returns the share for an index and a count. Throws an error if they are invalid.
    static func checked(
        _ index: Int, _ count: Int, _ origin: String
    ) throws(Failure) -> LoadShare {
        guard (1...countMax).contains(count) else {
            throw Failure(
                message:
                    "\(origin) specifies \(count) shards; the number must be from 1 to \(countMax)",
                help: "use fewer shards, each with more --processes or --workers")
        }
        guard (0..<count).contains(index) else {
            throw Failure(
                message: "\(origin): there is no shard \(index) of \(count)",
                help: "shards are numbered from 0: the last one is \(count - 1)/\(count)")
        }
        return LoadShare(index: index, count: count)
    }

    /// Parses a number consisting only of digits; returns nil for anything else.
    static func number(_ text: String) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy(ASCII.isDigit) else {
            return nil
        }
        return Int(text)
    }

    package var description: String { "\(share.index)/\(share.count)" }

    /// Returns the seed and run number. Every shard computes the same values from the agreed start
    /// time, the job and the given seed.
    package func agreement(seed: UInt64?, startAt: Int64?) -> (seed: UInt64, run: UInt32) {
        let text = "\(startAt.map(String.init) ?? "") \(job ?? "")"
        let hash = FNV1a.hash(text)
        let seed = seed ?? 1 + SeededRandom.mixed(hash) % 999_999
        let run = SeededRandom.mixed(hash &+ SeededRandom.mixed(seed)) % 1_048_575
        return (seed, UInt32(run) + 1)
    }
}
