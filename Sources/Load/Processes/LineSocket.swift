import Foundation
import Glibc

/// Values as lines of JSON over a socket between two processes of one machine.
///
/// One thread reads; whoever has something to say writes.
final class LineSocket: @unchecked Sendable {
    /// The longest line: a report with all of its histograms takes less than a hundredth of this.
    static let lineBytesMax = 64 << 20
    private static let readBytesMax = 65_536

    /// Why nothing can be read.
    enum Failure: Error, Equatable {
        case tooLong
        case notJSON
        case system(Int32)
    }

    private let descriptor: Int32
    private let writing = NSLock()
    /// What has been read and not taken.
    private var buffer: [UInt8] = []
    /// How far the buffer was looked through for the end of a line.
    private var searched = 0

    /// A socket that is closed with its owner.
    init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Two sockets, each the other's end; neither is inherited by other programs.
    static func pair() -> (LineSocket, Int32)? {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0 else { return nil }
        return (LineSocket(ends[0]), ends[1])
    }

    /// Says something; false if nobody reads any more.
    @discardableResult
    func write(_ value: some Encodable) -> Bool {
        guard let line = try? JSONEncoder().encode(value) else { return false }
        return writing.withLock { send(Array(line) + [UInt8(ascii: "\n")]) }
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

    /// The next value; nil once the other end says no more. Waits.
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

    /// Says that nothing more will be said.
    func finish() { shutdown(descriptor, Int32(SHUT_WR)) }
}
