import LineProtocol
import Results

/// Which of several machines' parts of a load this is.
package struct Shard: Sendable, Hashable {
    /// The most shards.
    package static let countMax = LoadResults.Shards.countMax

    package var share: LoadShare
    /// Where that was found, in words; nil: it was typed.
    package var source: String?
    /// By what shards of one load know each other, where the engine says it.
    package var job: String?

    init(_ share: LoadShare, source: String? = nil, job: String? = nil) {
        self.share = share
        self.source = source
        self.job = job
    }

    /// What cannot be taken for a shard, and how to mend it.
    package struct Failure: Error, Sendable, Equatable {
        package var message: String
        package var help: String
    }

    /// Reads `1/3` or `auto`, which takes it from the engine that has started this process, or `auto/3`, where
    /// the engine does not say how many there are.
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
        self = try ShardEngine.shard(environment, count: count)
    }

    private static func typed(_ text: String, _ parts: [String]) throws(Failure) -> Shard {
        guard parts.count == 2, let index = number(parts[0]), let count = number(parts[1]),
            (1...countMax).contains(count)
        else { throw unreadable(text) }
        return Shard(try checked(index, count, "--shard \(text)"))
    }

    private static func unreadable(_ text: String) -> Failure {
        Failure(
            message: "--shard is `\(text.prefix(80))`; expected INDEX/COUNT or auto",
            help: "of three shards, the first is --shard 0/3 and the last one --shard 2/3")
    }

    /// A share that there is.
    static func checked(
        _ index: Int, _ count: Int, _ origin: String
    ) throws(Failure) -> LoadShare {
        guard (1...countMax).contains(count) else {
            throw Failure(
                message: "\(origin) names \(count) shards; there can be 1 to \(countMax)",
                help: "have fewer of them, each with --processes or --workers")
        }
        guard (0..<count).contains(index) else {
            throw Failure(
                message: "\(origin): there is no shard \(index) of \(count)",
                help: "shards count from 0: the last one is \(count - 1)/\(count)")
        }
        return LoadShare(index: index, count: count)
    }

    /// A number that is written in digits alone.
    static func number(_ text: String) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int(text)
    }

    /// `1/3`.
    package var description: String { "\(share.index)/\(share.count)" }

    /// The seed and the number of the run on which all shards agree without a word: they follow from the time
    /// that was agreed on, the job, and the seed that was typed.
    package func agreement(seed: UInt64?, startAt: Int64?) -> (seed: UInt64, run: UInt32) {
        let text = "\(startAt.map(String.init) ?? "") \(job ?? "")"
        let hash = FNV1a.hash(text)
        let seed = seed ?? 1 + SeededRandom.mixed(hash) % 999_999
        let run = SeededRandom.mixed(hash &+ SeededRandom.mixed(seed)) % 1_048_575
        return (seed, UInt32(run) + 1)
    }
}
