import Glibc

/// Access to files in `/proc`.
package enum ProcFile {
    private static let chunkBytes = 65_536

    /// Returns the contents of a small file; nil if it cannot be read.
    package static func text(_ path: String) -> String? {
        var bytes: [UInt8] = []
        let isRead = read(path) {
            bytes += $0
            return true
        }
        guard isRead else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Passes a file to `body` in chunks, for as long as that returns true. Returns false if the
    /// file cannot be read to its end.
    package static func read(_ path: String, _ body: (ArraySlice<UInt8>) -> Bool) -> Bool {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return false }
        defer { close(file) }
        var buffer = [UInt8](repeating: 0, count: chunkBytes)
        while true {
            let count = unsafe buffer.withUnsafeMutableBytes { bytes in
                unsafe Glibc.read(file, bytes.baseAddress, bytes.count)
            }
            if count > 0, !body(buffer[..<count]) { return false }
            if count == 0 { return true }
            if count < 0 { return false }
        }
    }

    /// Returns the numeric file names in a folder, in ascending order.
    package static func numbers(in folder: String) -> [Int] {
        guard let directory = unsafe opendir(folder) else { return [] }
        defer { unsafe closedir(directory) }
        var numbers: [Int] = []
        while let entry = unsafe readdir(directory) {
            // `entry.pointee.d_name` would copy 256 bytes, more than the entry may have.
            guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { continue }
            let name = unsafe String(
                cString: UnsafeRawPointer(entry).advanced(by: offset)
                    .assumingMemoryBound(to: CChar.self))
            if let number = Int(name) { numbers.append(number) }
        }
        return numbers.sorted()
    }

    /// Returns the fields of a line of `/proc/PID/stat` from the third one on, which is the state; nil
    /// if the line is malformed. The name in parentheses before them may contain any characters.
    package static func fieldsAfterName(_ stat: String) -> [Substring]? {
        stat.lastIndex(of: ")").map { stat[stat.index(after: $0)...].split(separator: " ") }
    }

    /// Returns how long a thread was ready to run but waited for a CPU, in nanoseconds; nil if
    /// unknown. The kernel does not count the current wait.
    ///
    /// - Parameter folder: The thread's folder in `/proc`.
    package static func waitingNanoseconds(of folder: String) -> UInt64? {
        let numbers = text("\(folder)/schedstat")?.split(separator: " ", maxSplits: 2)
        return numbers.flatMap { $0.count > 1 ? UInt64($0[1]) : nil }
    }

    /// Returns the number of files a process has open; nil if the process may not be inspected.
    package static func openFiles(of pid: Int) -> Int? {
        let folder = "/proc/\(pid)/fd"
        var status = stat()
        guard unsafe stat(folder, &status) == 0, unsafe access(folder, R_OK) == 0 else {
            return nil
        }
        // Since Linux 6.2, the folder's size is the number of open files. Before, it was 0.
        return status.st_size > 0 ? Int(status.st_size) : numbers(in: folder).count
    }
}
