import Foundation
import Testing

@testable import Runner

struct WatchedFilesTests {
    @Test func newDeletedAndChangedFilesAreDetected() async throws {
        try await withFolder(["a": "1", "b": "1", "c": "1"]) { folder in
            let paths = ["a", "b", "c", "d"].map { folder($0) }
            var watched = WatchedFiles(paths)
            #expect(watched.changes(in: paths) == [])
            try folder.write("a", "22")
            try folder.write("d", "1")
            try FileManager.default.removeItem(atPath: folder("b"))
            #expect(watched.changes(in: paths) == [folder("a"), folder("b"), folder("d")])
            #expect(watched.changes(in: paths) == [])
        }
    }

    @Test(.timeLimit(.minutes(5))) func waitingReturnsTheChanges() async throws {
        try await withFolder(["a": "1"]) { folder in
            var watched = WatchedFiles([folder("a")])
            try folder.write("a", "22")
            let changed = try await watched.next(every: 1_000_000) { [folder("a")] }
            #expect(changed == [folder("a")])
        }
    }
}
