import CEpoll
import Diagnostics
import Glibc

/// Connecting, sending and closing.
extension LoadWorker {
    /// Maximum number of retries for a refused connection while other connections succeed.
    static let retriesMax = 5
    /// Connection timeout, in nanoseconds.
    static let connectTimeout: Int64 = 20_000_000_000
    /// Number of refused connections that abort the load test if no connection has succeeded.
    static let refusalsMax = 3
    /// Maximum number of connections per loopback address, which has about 28,000 ephemeral ports.
    static let connectionsPerSource = 20_000
    /// Value in ``sockets`` that marks an event-loop connection.
    static let eventLoopMark = Int32.max

    mutating func beginSetups(at now: Int64) {
        let elapsed = now - setupStart
        let allowed =
            options.ramp <= 0
            ? pool.count
            : Int(min(Double(elapsed) / Double(options.ramp), 1) * Double(pool.count).rounded(.up))
        while nextToBegin < pool.count, nextToBegin < max(allowed, 1),
            connecting.count < Int(ConnectWindow.sizeMax),
            window.hasRoom(connecting.count - stuckConnects + waitingToConnect.count)
        {
            pool.begin(nextToBegin, at: now)
            nextToBegin += 1
            carryOut()
            while let index = waitingToConnect.popLast() { connect(index, at: lj_now()) }
        }
    }

    mutating func connect(_ index: Int, at now: Int64) {
        let number = pool.firstOperator + index
        let behaviour = index < pool.count ? pool.behaviour(of: index) : nil
        if let eventLoops {
            loopConnections[index] = eventLoops.connect(
                index, receiveBuffer: behaviour?.receiveBuffer, source: sourceName(number))
            sockets[index] = Self.eventLoopMark
            connecting[index] = now
            return
        }
        let made = lj_tcp_socket(address.family, options.resetsOnClose ? 1 : 0)
        guard made >= 0 else {
            connectFailed(
                index, "cannot create a socket: \(Self.text(-made))", isOurs: true, at: now)
            return
        }
        if let source = source(number) {
            let error = source.bind(made)
            // If an address chosen by this program cannot be bound, the system chooses one. An
            // address given by the user must work.
            if error != 0, !options.sources.isEmpty {
                close(made)
                connectFailed(
                    index, "cannot bind the source address: \(Self.text(error))", isOurs: true,
                    at: now)
                return
            }
        }
        if let size = behaviour?.receiveBuffer { Self.setReceiveBuffer(made, size) }
        let error = address.connect(made)
        if error == EAGAIN, address.isLocal {
            // The listen queue of the Unix socket is full: try again later.
            close(made)
            waitingToConnect.append(index)
            return
        }
        guard error == 0 || error == EINPROGRESS else {
            close(made)
            failConnect(index, error, at: now)
            return
        }
        sockets[index] = made
        connecting[index] = now
        _ = lj_poll_add(set, made, UInt32(index), UInt32(LJ_WRITABLE))
    }

    mutating func finishConnect(_ index: Int) {
        let now = lj_now()
        let socket = sockets[index]
        let error = -lj_socket_error(socket)
        let start = connecting.removeValue(forKey: index) ?? now
        guard error == 0 else {
            close(socket)
            sockets[index] = -1
            failConnect(index, error, at: now)
            carryOut()
            return
        }
        monitor(index)
        established(index, since: start, at: now)
    }

    /// Handles an established connection.
    mutating func established(_ index: Int, since start: Int64, at now: Int64) {
        retries[index] = nil
        window.connected(after: now - start, at: now)
        connectedCount += 1
        if index < pool.count {
            pool.connected(index, at: now)
        } else {
            scenarioPool?.connected(index - pool.count, at: now)
        }
        carryOut()
    }

    private mutating func failConnect(_ index: Int, _ error: Int32, at now: Int64) {
        let isOurs = [EADDRNOTAVAIL, EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(error)
        // A missing Unix socket counts as refused, like a closed port.
        let isRefused = error == ECONNREFUSED || error == ENOENT && address.isLocal
        failConnect(index, Self.text(error), isRefused: isRefused, isOurs: isOurs, at: now)
    }

    mutating func failConnect(
        _ index: Int, _ reason: String, isRefused: Bool, isOurs: Bool, at now: Int64
    ) {
        window.failed(at: now)
        if isRefused, connectedCount == 0 {
            refusals += 1
            if refusals >= Self.refusalsMax || refusals >= sockets.count { monitor.abort(reason) }
        }
        let tries = retries[index, default: 0]
        // An operator retries a refused connection while others succeed; a scenario run fails
        // instead.
        if !isOurs, connectedCount > 0, tries < Self.retriesMax, index < pool.count {
            retries[index] = tries + 1
            waitingToConnect.append(index)
            return
        }
        connectFailed(index, reason, isOurs: isOurs, at: now)
    }

    private mutating func connectFailed(
        _ index: Int, _ reason: String, isOurs: Bool, at now: Int64
    ) {
        if index < pool.count {
            pool.connectFailed(index, reason: reason, isOurs: isOurs, at: now)
        } else {
            if isOurs { scenarioPool?.counts.unconnectedHere += 1 }
            scenarioPool?.connectFailed(index - pool.count, reason: reason, at: now)
        }
    }

    // MARK: Source addresses

    /// Returns the local address to connect from; nil lets the system choose.
    private func source(_ number: Int) -> SocketAddress? {
        if !options.sources.isEmpty { return options.sources[number % options.sources.count] }
        guard number >= Self.connectionsPerSource else { return nil }
        return address.loopbackSource(UInt8(1 + number / Self.connectionsPerSource % 250))
    }

    private func sourceName(_ number: Int) -> String? {
        if !options.sources.isEmpty {
            return options.sources[number % options.sources.count].name
        }
        guard number >= Self.connectionsPerSource, address.isLoopback else { return nil }
        return "127.0.0.\(1 + number / Self.connectionsPerSource % 250)"
    }

    mutating func giveUpSlowConnects(at now: Int64) {
        // The kernel retries dropped handshakes only after seconds. Slow attempts are not counted
        // against the limit, so other operators need not wait for them.
        stuckConnects = connecting.values.count { now - $0 > ConnectWindow.slowNanoseconds }
        for (index, start) in connecting where now - start > Self.connectTimeout {
            connecting[index] = nil
            closeSocket(index)
            failConnect(index, ETIMEDOUT, at: now)
        }
        let again = waitingToConnect
        waitingToConnect = []
        for index in again { connect(index, at: now) }
    }

    // MARK: Closing

    mutating func closeSocket(_ index: Int) {
        guard sockets[index] >= 0 else { return }
        if eventLoops != nil {
            loopConnections[index]?.leave(halfCloses: true)
            loopConnections[index] = nil
        } else {
            close(sockets[index])
        }
        sockets[index] = -1
        pending[index] = nil
        resets.remove(index)
    }

    mutating func resetSocket(_ index: Int) {
        guard sockets[index] >= 0 else { return }
        if eventLoops == nil {
            lj_reset_on_close(sockets[index])
        } else {
            loopConnections[index]?.reset()
            loopConnections[index] = nil
        }
        closeSocket(index)
    }

    /// Closes the sending side.
    func halfCloseSocket(_ index: Int) {
        guard sockets[index] >= 0 else { return }
        if eventLoops == nil {
            shutdown(sockets[index], Int32(SHUT_WR))
        } else {
            loopConnections[index]?.halfClose()
        }
    }

    /// Logs out the operators that read and send messages, resets the others, and waits up to
    /// ``FleetOptions/closeTimeout`` for the server to close the connections.
    mutating func logOut() {
        for index in sockets.indices where sockets[index] >= 0 {
            // Operators that do not read, and unfinished scenario runs, do not log out.
            guard index < pool.count, pool.behaviour(of: index)?.role.canTalk != false,
                !isPacedReader(index)
            else {
                resetSocket(index)
                continue
            }
            let leave = pool.logout(index)
            send(leave.bytes[...], index)
            if leave.halfCloses { halfCloseSocket(index) }
        }
        let deadline = lj_now() + options.closeTimeout
        while lj_now() < deadline, sockets.contains(where: { $0 >= 0 }), !monitor.isAborted {
            turn()
        }
        for index in sockets.indices where sockets[index] >= 0 {
            // Resetting the remaining connections avoids leaving ports in TIME_WAIT.
            resetSocket(index)
        }
        for socket in lingering.keys { close(socket) }
        lingering = [:]
    }

    private static func text(_ error: Int32) -> String {
        SystemError(error).description.lowercased()
    }
}
