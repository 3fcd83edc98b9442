import FoundationEssentials
import Glibc
import Synchronization

/// A socket that two local processes use to exchange JSON values, one per line.
///
/// Only one thread may read; any thread may write.
final class LineSocket: @unchecked Sendable {
    /// Maximum line length. A report with all its histograms needs less than a hundredth of this.
    static let lineBytesMax = 64 << 20
    private static let readBytesMax = 65_536

    /// The reason a read failed.
    enum Failure: Error, Equatable {
        case tooLong
        case notJSON
        case system(Int32)
    }

    private let descriptor: Int32
    private let writing = Mutex(())
    /// Bytes read but not yet consumed.
    private var buffer: [UInt8] = []
    /// Number of bytes already searched for the end of a line.
    private var searched = 0

    /// Takes ownership of a descriptor.
    init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Creates a pair of connected sockets that child processes do not inherit. Returns nil if the
    /// system refuses.
    static func pair() -> (LineSocket, Int32)? {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0 else { return nil }
        return (LineSocket(ends[0]), ends[1])
    }

    /// Writes a value. Returns false if the other end has closed the connection.
    @discardableResult
    func write(_ value: some Encodable) -> Bool {
        guard let line = try? JSONEncoder().encode(value) else { return false }
        return writing.withLock { _ in send(Array(line) + [UInt8(ascii: "\n")]) }
    }

    private func send(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                unsafe Glibc.send(
                    descriptor, buffer.baseAddress?.advanced(by: sent), buffer.count - sent,
                    Int32(MSG_NOSIGNAL))
            }
            if count > 0 {
                sent += count
            } else if errno != EINTR {
                return false
            }
        }
        return true
    }

    /// Waits for the next value; nil at the end of the stream.
    func read<Value: Decodable>(_ type: Value.Type) throws(Failure) -> Value? {
        guard let line = try line() else { return nil }
        guard let value = try? JSONDecoder().decode(type, from: Data(line)) else {
            throw .notJSON
        }
        return value
    }

    private func line() throws(Failure) -> [UInt8]? {
        while true {
            if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                let line = Array(buffer[..<end])
                buffer.removeSubrange(...end)
                searched = 0
                return line
            }
            searched = buffer.count
            if buffer.count > Self.lineBytesMax { throw .tooLong }
            var part = [UInt8](repeating: 0, count: Self.readBytesMax)
            let count = unsafe part.withUnsafeMutableBytes { bytes in
                unsafe recv(descriptor, bytes.baseAddress, bytes.count, 0)
            }
            if count > 0 {
                buffer += part[..<count]
            } else if count == 0 || errno == ECONNRESET {
                return nil
            } else if errno != EINTR {
                throw .system(errno)
            }
        }
    }

    /// Closes the sending side.
    func finish() { shutdown(descriptor, Int32(SHUT_WR)) }
}
