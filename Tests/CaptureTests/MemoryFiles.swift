@testable import Capture

/// Captures in memory that are read as one stream.
final class MemoryFiles: CaptureAccess {
    private let captures: [[UInt8]]
    /// Captures that cannot be opened.
    private let missing: Set<Int>
    private var openNow: Set<Int> = []
    /// The largest number of captures that were open at the same time.
    private(set) var openMost = 0

    init(_ captures: [[UInt8]], missing: Set<Int> = []) {
        self.captures = captures
        self.missing = missing
    }

    var count: Int { captures.count }
    var areAllClosed: Bool { openNow.isEmpty }

    func open(_ file: Int) throws(CaptureError) -> any CaptureSource {
        guard !missing.contains(file) else {
            throw CaptureError(.unreadable, "cannot read capture \(file)")
        }
        openNow.insert(file)
        openMost = max(openMost, openNow.count)
        return MemorySource(captures[file], pieceBytesMax: 4_096)
    }

    func close(_ file: Int) { openNow.remove(file) }

    func closeAll() { openNow.removeAll() }
}
