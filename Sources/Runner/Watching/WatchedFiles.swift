import Glibc

/// Notices that files change, for `--watch`.
///
/// It looks at each file from time to time. That works on every file system and in containers, needs
/// no handle per file, and with the few hundred files of a project costs next to nothing.
package struct WatchedFiles: Sendable {
    /// The most files that are looked at.
    package static let filesMax = 10_000

    /// What of a file is compared.
    struct Stamp: Sendable, Equatable {
        var seconds: Int
        var nanoseconds: Int
        var size: Int
        var inode: UInt
    }

    private var stamps: [String: Stamp]

    /// Begins to watch files as they are now.
    package init(_ paths: some Sequence<String>) {
        stamps = Self.look(at: paths)
    }

    /// Which of the files, and of those that are given, are new, gone or changed since the last call;
    /// sorted. The given ones are watched from now on.
    package mutating func changes(in paths: some Sequence<String>) -> [String] {
        let now = Self.look(at: paths)
        let before = stamps
        stamps = now
        return Set(before.keys).union(now.keys).filter { before[$0] != now[$0] }.sorted()
    }

    /// Waits until something changes, and then until nothing more does for a moment: an editor saves
    /// in several steps.
    ///
    /// - Parameters:
    ///   - interval: how long to wait between two looks, in nanoseconds.
    ///   - paths: the files to look at, found anew each time.
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
