import DialectModel
import LineProtocol

/// Holds the first events of connections whose dialect or roles are not yet known.
///
/// A held connection's `isRead` flag is false, so that holding events does not slow down other
/// connections.
extension ConversationDecoder {
    /// Maximum number of bytes held across all connections.
    private static var bytesMax: Int { 4 << 20 }
    /// Maximum number of ports for which evidence is kept.
    private static var portsMax: Int { 1_024 }

    /// Starts to hold a connection's events if its dialect or its roles are not known.
    mutating func hold(_ connection: CapturedConnection) {
        guard connection.isUndecided || connection.hasUncertainRoles else { return }
        connection.held = HeldConversation(hasUncertainRoles: connection.hasUncertainRoles)
        connection.isRead = false
    }

    /// Holds an event. Returns false if the connection is not held.
    mutating func hold(
        _ event: HeldConversation.Event, _ connection: CapturedConnection, _ packet: PacketInfo
    ) -> Bool {
        guard let held = connection.held else { return false }
        held.append(event, packet)
        if case .ended = event {
            release(connection, held)
        } else if held.isFull {
            release(connection, held)
        }
        return true
    }

    /// Holds bytes of a stream, and releases all held events once the dialect and the roles are
    /// known. Returns false if the connection is not held.
    mutating func hold(
        _ bytes: Span<UInt8>, _ connection: CapturedConnection, _ direction: Direction,
        _ packet: PacketInfo
    ) -> Bool {
        guard let held = connection.held else { return false }
        let isNotText = TLSRecord.starts(bytes) || WebSocketReader.isHandshake(bytes)
        let header =
            direction == .fromClient && held.client.bytes.isEmpty ? ProxyHeader(bytes) : nil
        let hasLine = held.append(bytes, direction, packet, headerBytes: header?.count ?? 0)
        heldConversationBytes += bytes.count
        if isNotText || held.isFull || heldConversationBytes > Self.bytesMax {
            release(connection, held)
        } else if hasLine, areRolesKnown(held),
            !connection.isUndecided || held.hasEnoughLines
        {
            release(connection, held)
        }
        return true
    }

    /// Returns whether it is clear which side is the server, and records whether the sides have to
    /// be swapped.
    private func areRolesKnown(_ held: HeldConversation) -> Bool {
        guard held.hasUncertainRoles else { return true }
        let candidates = dialects.usual.map { [$0] } ?? dialects.candidates
        func known(_ client: HeldConversation.Side, _ server: HeldConversation.Side) -> Int {
            candidates.map {
                let dialect = dialects.dialects[$0].dialect
                return DialectSearch.fit(client.bytes.span, .fromClient, dialect).known
                    + DialectSearch.fit(server.bytes.span, .fromServer, dialect).known
            }.max() ?? 0
        }
        let (asAssumed, swapped) = (
            known(held.client, held.server), known(held.server, held.client)
        )
        held.isSwapped = swapped > asAssumed
        return swapped != asAssumed
    }

    /// Processes the held events. If the sides have to be swapped, requests the swap instead; the
    /// reassembler performs it after the current segment.
    private mutating func release(_ connection: CapturedConnection, _ held: HeldConversation) {
        if !held.isSwapped, held.hasUncertainRoles { _ = areRolesKnown(held) }
        if held.isSwapped {
            swapRequest = connection
        } else {
            replay(connection, held)
        }
    }

    /// Processes the held events of a connection whose sides have been swapped.
    mutating func swapped(_ connection: CapturedConnection) {
        guard let held = connection.held else { return }
        held.swapSides()
        connection.dialect = dialects.ports[connection.server.port] ?? dialects.usual
        replay(connection, held)
    }

    private mutating func replay(_ connection: CapturedConnection, _ held: HeldConversation) {
        connection.held = nil
        connection.isRead = !held.isDecrypted
        heldConversationBytes -= held.bytes.count
        if connection.isUndecided { decide(connection, held) }
        // If the events include a reset, the reassembler has already recorded it.
        let afterReset = Direction.allCases.map { connection.half($0).isAfterReset }
        for direction in Direction.allCases { connection.half(direction).isAfterReset = false }
        for (event, packet) in held.events {
            switch event {
            case .opened: emitter.sink.opened(connection, packet)
            case .bytes(let direction, let range):
                let piece = held.bytes.span.extracting(range)
                if held.isDecrypted {
                    plainBytes(connection, from: direction, piece, packet)
                } else {
                    rareBytes(connection, direction, piece, packet)
                }
            case .gap(let direction, let found):
                if held.isDecrypted {
                    plainGap(connection, from: direction, found, packet)
                } else {
                    gap(connection, direction, found, packet)
                }
            case .conflict(let direction, let found): conflict(connection, direction, found, packet)
            case .halfClosed(let direction): halfClosed(connection, direction, packet)
            case .ended(let end):
                ended(connection, end, packet)
                for (direction, isAfter) in zip(Direction.allCases, afterReset) {
                    connection.half(direction).isAfterReset = isAfter
                }
            }
        }
    }

    /// Detects a connection's dialect from its first lines and those of earlier connections to the
    /// same port. Once the dialect is certain, it is used for all connections to that port.
    private mutating func decide(_ connection: CapturedConnection, _ held: HeldConversation) {
        let isText = held.client.lines + held.server.lines > 0
        let isWebSocket = WebSocketReader.isHandshake(held.client.bytes.span)
        guard isText, !isWebSocket, !TLSRecord.starts(held.client.bytes.span) else { return }
        let port = connection.server.port
        var known = evidence[port] ?? PortEvidence(dialects, port: port)
        known.add(held, dialects, isMidstream: !connection.startWasSeen)
        let best = known.best.map { dialects.candidates[$0] }
        if known.isCertain {
            dialects.ports[port] = best ?? dialects.fallback
            evidence[port] = nil
        } else if evidence.count < Self.portsMax {
            evidence[port] = known
        }
        connection.dialect = best ?? dialects.fallback
        guard let best, let first = held.events.first else { return }
        emitter.sink.note(
            .speaks(dialects.dialects[best].dialect.name), connection, nil, first.packet)
    }

    /// Index of each server port's dialect, as given or as detected so far.
    var detectedPorts: [UInt16: Int] {
        let uncertain = evidence.mapValues {
            $0.best.map { dialects.candidates[$0] } ?? dialects.fallback
        }
        return dialects.ports.merging(uncertain) { known, _ in known }
    }
}
