import CEpoll
import Glibc

/// An action that is about to be sent.
struct PreparedAction {
    /// Index of the operator.
    var index: Int
    /// Number of the action's entry in the log of sent messages.
    var number: UInt64
    /// Range of the action's bytes in the output.
    var bytes: Range<Int>
    /// Time at which the action was sent, in nanoseconds on the monotonic clock.
    var time: Int64 = 0
}

/// Performing actions, and sending.
///
/// Several actions are prepared before they are sent, for the same reason for which several sockets
/// are read before the bytes are handled. Each counts as sent at the time when it really is.
extension LoadWorker {
    /// Sends due actions, at most `most` or ``groupMax``. Returns their number.
    @discardableResult
    mutating func sendDue(atMost most: Int) -> Int {
        let now = lj_now()
        while prepared.count < min(most, Self.groupMax), let due = pool.takeDue(at: now) {
            let number = pool.prepare(due)
            let offset = output.count
            pool.writer.appendBytes(to: &output)
            prepared.append(
                PreparedAction(index: due.index, number: number, bytes: offset..<output.count))
        }
        for position in prepared.indices {
            prepared[position].time = lj_now()
            send(prepared[position].bytes, prepared[position].index)
        }
        for action in prepared { pool.sent(action.number, at: action.time) }
        let count = prepared.count
        prepared.removeAll(keepingCapacity: true)
        output.removeAll(keepingCapacity: true)
        return count
    }

    /// Sends a part of the output.
    @inline(__always)
    private mutating func send(_ part: Range<Int>, _ index: Int) {
        // Usually, nothing else needs the bytes.
        guard eventLoops == nil, pending.isEmpty, !pool.tracksRequests, sockets[index] >= 0 else {
            return send(output[part], index)
        }
        let socket = sockets[index]
        let count = unsafe output.withUnsafeBytes { buffer in
            unsafe lj_send(socket, buffer.baseAddress?.advanced(by: part.lowerBound), part.count)
        }
        if count != part.count { finishSending(output[part], index, count) }
    }

    mutating func send(_ bytes: ArraySlice<UInt8>, _ index: Int) {
        let socket = sockets[index]
        guard socket >= 0, !bytes.isEmpty else { return }
        if pool.tracksRequests { pool.noteRequests(Array(bytes), index) }
        if eventLoops != nil {
            if loopConnections[index]?.send(Array(bytes)) == false {
                pool.noteBlocked(isDropped: true)
            }
            return
        }
        if !pending.isEmpty, pending[index] != nil {
            wait(bytes, index)
            return
        }
        finishSending(bytes, index, Self.write(bytes, to: socket))
    }

    /// Handles the result of a write: the number of bytes written, or a negative error number.
    private mutating func finishSending(
        _ bytes: ArraySlice<UInt8>, _ index: Int, _ result: Int
    ) {
        if result == bytes.count { return }
        if result >= 0 || SocketResult.isTemporary(result) {
            wait(bytes.dropFirst(max(result, 0)), index)
        } else {
            sendFailed(index, -result)
        }
    }

    private static func write(_ bytes: ArraySlice<UInt8>, to socket: Int32) -> Int {
        unsafe bytes.withUnsafeBytes { buffer in
            unsafe lj_send(socket, buffer.baseAddress, buffer.count)
        }
    }

    /// Ends a connection that can no longer send. The next reads return what the server has sent
    /// before, and then the end.
    private mutating func sendFailed(_ index: Int, _ error: Int) {
        pending[index] = nil
        // The error is reported only once, so a read would return an ordinary end.
        if error == Int(ECONNRESET) { resets.insert(index) }
        shutdown(sockets[index], Int32(SHUT_RDWR))
    }

    private mutating func wait(_ bytes: ArraySlice<UInt8>, _ index: Int) {
        let waiting = pending[index]?.count ?? 0
        pool.noteBlocked(isDropped: waiting + bytes.count > Self.pendingBytesMax)
        guard waiting + bytes.count <= Self.pendingBytesMax else { return }
        pending[index, default: []] += bytes
        if waiting == 0 { monitor(index) }
    }

    /// Polls a socket for reading, unless its operator is a slow reader, and for writing if data is
    /// queued. If it is ready already, the next wait returns it.
    func monitor(_ index: Int) {
        let reading = isPacedReader(index) ? 0 : LJ_READABLE
        let writing = pending[index] == nil ? 0 : LJ_WRITABLE
        _ = lj_poll_change(set, sockets[index], UInt32(index), UInt32(reading | writing))
    }

    mutating func flush(_ index: Int) {
        guard let bytes = pending[index] else { return }
        let count = Self.write(bytes[...], to: sockets[index])
        guard count >= 0 || SocketResult.isTemporary(count) else {
            sendFailed(index, -count)
            return
        }
        let rest = bytes.dropFirst(max(count, 0))
        pending[index] = rest.isEmpty ? nil : Array(rest)
        monitor(index)
    }
}
