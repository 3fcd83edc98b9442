import Glibc

/// Files that are watched for changes, for `--watch`.
///
/// Files are polled. Polling works on every file system and in containers, needs no handle per
/// file, and costs little for the few hundred files of a project.
package struct WatchedFiles: Sendable {
    package static let filesMax = 10_000

    /// Attributes that reveal changes to a watched file.
    struct Stamp: Sendable, Equatable {
        var seconds: Int
        var nanoseconds: Int
        var size: Int
        var inode: UInt
    }

    private var stamps: [String: Stamp]

    /// Starts watching files, with their current state as the baseline.
    package init(_ paths: some Sequence<String>) {
        stamps = Self.look(at: paths)
    }

    /// Returns the files that were created, deleted or changed since the last call, sorted by path,
    /// and watches the given files from then on.
    package mutating func changes(in paths: some Sequence<String>) -> [String] {
        let now = Self.look(at: paths)
        let before = stamps
        stamps = now
        return Set(before.keys).union(now.keys).filter { before[$0] != now[$0] }.sorted()
    }

    /// Waits for a change, and then until a poll finds no further changes, because editors save
    /// files in several steps.
    ///
    /// - Parameters:
    ///   - interval: Polling interval in nanoseconds.
    ///   - paths: Function that returns the files to watch. It is called for each poll.
    /// - Throws: `CancellationError`.
    package mutating func next(
        every interval: Int64 = 200_000_000, in paths: @Sendable () -> [String]
    ) async throws -> [String] {
        var changed: Set<String> = []
        while true {
            let new = changes(in: paths())
            if new.isEmpty, !changed.isEmpty { return changed.sorted() }
            changed.formUnion(new)
            try await Task.sleep(for: .nanoseconds(interval))
        }
    }

    private static func look(at paths: some Sequence<String>) -> [String: Stamp] {
        var stamps: [String: Stamp] = [:]
        for path in paths.prefix(filesMax) {
            var status = stat()
            guard unsafe stat(path, &status) == 0 else { continue }
            stamps[path] = Stamp(
                seconds: status.st_mtim.tv_sec, nanoseconds: status.st_mtim.tv_nsec,
                size: Int(status.st_size), inode: UInt(status.st_ino))
        }
        return stamps
    }
}
