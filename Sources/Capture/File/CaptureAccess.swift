/// Access to the capture files that are read as one stream. Files are referred to by index.
///
/// A file is opened when its packets are needed, and closed when it has been read to the end. It
/// can be opened again after that.
package protocol CaptureAccess: AnyObject {
    /// Number of files; at most ``MergeOrder/filesMax``.
    var count: Int { get }
    /// Opens a file at its beginning. Throws if it cannot be opened.
    func open(_ file: Int) throws(CaptureError) -> any CaptureSource
    /// Closes an open file; does nothing if the file is not open.
    func close(_ file: Int)
    /// Closes all open files.
    func closeAll()
}

/// The order in which to open capture files that are read as one stream: by the time of their first
/// packet. Files that begin at the same time keep their order.
package struct MergeOrder: Sendable {
    /// Maximum number of files.
    package static let filesMax = 4_096
    /// Initial size of the window on each file.
    static let windowBytes = 1 << 17

    /// A file and the time of its first packet.
    struct Item: Sendable, Equatable {
        var file: Int
        /// Time in nanoseconds since 1970. Files whose first packet cannot be read or has no time
        /// are opened first, with the lowest possible time.
        var firstTime: Int64
    }

    /// The files, in the order in which to open them.
    let items: [Item]

    /// Reads the first packet of each file.
    package init(_ files: any CaptureAccess) {
        guard files.count > 1 else {
            items = (0..<files.count).map { Item(file: $0, firstTime: .min) }
            return
        }
        let unordered = (0..<files.count).map { file in
            let time = Self.firstTime(file, files)
            files.close(file)
            return Item(file: file, firstTime: time)
        }
        items = unordered.sorted { ($0.firstTime, $0.file) < ($1.firstTime, $1.file) }
    }

    private static func firstTime(_ file: Int, _ files: any CaptureAccess) -> Int64 {
        do throws(CaptureError) {
            var reader = CaptureReader(try files.open(file), file: 0, windowBytes: windowBytes)
            return try reader.next()?.time ?? .min
        } catch {
            // The error is reported when the file's packets are read.
            return .min
        }
    }
}
