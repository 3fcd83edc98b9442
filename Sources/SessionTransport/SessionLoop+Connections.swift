import Transport
import Glibc
import NIOCore
import NIOPosix
import Scenario
import Session

extension SessionLoop where Machine: ~Copyable {
    // MARK: Actions

    func send(_ bytes: [UInt8], _ connection: Connection) {
        guard let channel = connection.channel, !connection.isHalfClosed else { return }
        channel.writeAndFlush(ByteBuffer(bytes: bytes)).assumeIsolated().whenFailure { error in
            if isReset(error) { connection.sawReset = true }
        }
    }

    /// Starts or stops holding back writes. Has no effect on a Unix socket, because it has no
    /// segments.
    func setCork(_ isOn: Bool, _ connection: Connection) {
        guard case .host = context.endpoint.address else { return }
        let cork = ChannelOptions.Types.SocketOption(
            level: .tcp, name: NIOBSDSocket.Option(rawValue: TCP_CORK))
        do {
            try connection.channel?.syncOptions?.setOption(cork, value: isOn ? 1 : 0)
        } catch {
            if connection.phase == .open, !connection.isClosedByPeer {
                note("cannot delay writes (TCP_CORK): \(error)")
            }
        }
    }

    /// Stops reading and makes the receive buffer as small as the kernel allows, or resumes
    /// reading.
    func setReading(_ isReading: Bool, _ connection: Connection) {
        guard let channel = connection.channel else { return }
        if !isReading {
            channel.setOption(.socketOption(.so_rcvbuf), value: 4_096)
                .assumeIsolated().whenFailure {
                    self.note("the receive buffer could not be reduced: \($0)")
                }
        }
        channel.setOption(.autoRead, value: isReading).assumeIsolated().whenFailure { error in
            // On a closed channel, there is nothing left to read.
            if let error = error as? ChannelError, error == .ioOnClosedChannel { return }
            self.note("reading could not be \(isReading ? "resumed" : "stopped"): \(error)")
        }
    }

    func halfClose(_ connection: Connection) {
        guard !connection.isHalfClosed else { return }
        connection.isHalfClosed = true
        connection.channel?.close(mode: .output, promise: nil)
    }

    /// Closes the sending direction. Received data is discarded until the peer closes the
    /// connection or the time is up.
    func close(_ id: ConnectionID, drainingFor time: Int64) {
        guard let connection = connections[id] else { return }
        switch connection.phase {
        case .connecting: discard(connection)
        case .gone: break
        case .draining: setDrainTimer(time, connection)
        case .open:
            connection.phase = .draining
            setReading(true, connection)
            setDrainTimer(time, connection)
            endOutput(connection)
        }
    }

    private func endOutput(_ connection: Connection) {
        guard let channel = connection.channel else { return discard(connection) }
        guard connection.isClosedByPeer else {
            if !connection.isHalfClosed { channel.close(mode: .output, promise: nil) }
            return
        }
        // Nothing more can arrive. The empty write completes after all earlier writes.
        channel.writeAndFlush(ByteBuffer()).assumeIsolated().whenComplete { _ in
            self.discard(connection)
        }
    }

    /// Sets the drain timer. If the timer is already running, this can shorten it but not extend
    /// it.
    private func setDrainTimer(_ time: Int64, _ connection: Connection) {
        let deadline = NIODeadline.now() + .nanoseconds(time)
        if let timer = connection.drainTimer {
            guard connection.drainDeadline > deadline else { return }
            timer.cancel()
        }
        connection.drainDeadline = deadline
        connection.drainTimer = eventLoop.assumeIsolated().scheduleTask(deadline: deadline) {
            // An edge-triggered server can miss a FIN that arrives together with data, and is not
            // notified of it again. It cannot miss a reset, so the reset ensures that no session on
            // the server outlives the scenario.
            self.reset(connection)
        }
    }

    func abort(_ id: ConnectionID) {
        guard let connection = connections[id] else { return }
        reset(connection)
    }

    /// Resets the connection. Because the linger time is zero, closing the socket discards unsent
    /// data and sends RST.
    private func reset(_ connection: Connection) {
        guard let socket = connection.channel as? any SocketOptionProvider,
            case .host = context.endpoint.address
        else { return discard(connection) }
        connection.phase = .draining
        socket.setSoLinger(linger(l_onoff: 1, l_linger: 0)).assumeIsolated()
            .whenComplete { _ in self.discard(connection) }
    }

    // MARK: Connection events

    func closing(_ close: WebSocketClose, _ connection: Connection) {
        guard connection.phase == .open, !close.isNormal else { return }
        let reason = "the server closed the WebSocket with \(close)"
        emit(.closing(connection.id, reason: reason))
    }

    func peerClosed(_ connection: Connection, isWhole: Bool) {
        switch connection.phase {
        case .connecting: connection.isClosedEarly = true
        case .gone: break
        case .draining: discard(connection)
        case .open: reportClosed(connection, isWhole: isWhole)
        }
    }

    private func reportClosed(_ connection: Connection, isWhole: Bool) {
        if !connection.isClosedByPeer {
            connection.isClosedByPeer = true
            emit(.closed(connection.id, connection.sawReset ? .reset : .fin))
        }
        if isWhole, connection.phase == .open { discard(connection) }
    }

    func failed(_ error: any Error, _ connection: Connection) {
        if isReset(error) {
            connection.sawReset = true
        } else if connection.phase == .open, !connection.isClosedByPeer {
            let failure = ConnectFailure(
                error, endpoint: context.endpoint, timeout: limits.connectTimeout)
            note(failure.reason)
        }
    }

    private func note(_ text: String) {
        guard notes.count < TransportLimits.notesMax, !notes.contains(text) else { return }
        notes.append(text)
    }
}
