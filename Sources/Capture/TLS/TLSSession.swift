import LineProtocol

/// The TLS layer of a connection. It reads the handshake and, with secrets from a key log, decrypts
/// the data.
final class TLSSession {
    /// Maximum number of bytes that wait for the server's hello.
    static let waitingBytesMax = 1 << 16

    private let keys: TLSKeys?
    var handshake = TLSHandshake()
    let client = TLSStream(.fromClient)
    let server = TLSStream(.fromServer)
    /// True if the key log has secrets for the connection.
    private(set) var isDecrypted = false
    /// Secrets of the session; nil if there are none, or until the client's hello has been read.
    private(set) var secrets: [TLSSecretLabel: [UInt8]]?
    /// Cipher of the session; nil until the server's hello has been read.
    private(set) var algorithm: TLSAlgorithm?
    private var readClientHello: TLSHandshake.ClientHello?
    private var readServerHello: TLSHandshake.ServerHello?
    private var hasReportedSession = false
    private var hasReportedDetails = false
    var hasReportedEarlyData = false
    /// Number of held bytes that the decoder has counted.
    var countedBytes = 0

    /// Creates a session.
    ///
    /// - Parameter keys: The key log; nil to only read the handshake.
    init(_ keys: TLSKeys?) { self.keys = keys }

    /// True if the key log may have secrets for the connection.
    var mayDecrypt: Bool { keys != nil }

    /// True if no more bytes are needed.
    var isOver: Bool { client.isEnded && server.isEnded }

    /// True if the session uses TLS 1.3; nil until the server's hello has been read.
    var isTLS13: Bool? { handshake.serverHello?.isTLS13 }

    /// Number of bytes held.
    var heldBytes: Int {
        client.records.heldBytes + server.records.heldBytes + handshake.heldBytes
    }

    func stream(_ direction: Direction) -> TLSStream {
        direction == .fromClient ? client : server
    }

    /// Reads the next bytes of a side.
    func read(_ bytes: Span<UInt8>, _ direction: Direction, into output: TLSOutput) {
        let stream = stream(direction)
        guard !stream.isEnded else { return }
        stream.records.append(bytes)
        readRecords(stream, output)
        if client.isWaiting {
            if handshake.serverHello != nil {
                client.isWaiting = false
                readRecords(client, output)
            } else if client.records.heldBytes > Self.waitingBytesMax {
                end(.noHandshake, nil, output)
            }
        }
    }

    /// Continues after missing bytes.
    func gap(_ count: Int, _ direction: Direction, into output: TLSOutput) {
        let stream = stream(direction)
        guard !stream.isEnded else { return }
        handshake.stop(direction)
        let isHello =
            direction == .fromClient ? handshake.clientHello == nil : handshake.serverHello == nil
        if isHello || !isDecrypted || stream.isWaiting { return end(.noHandshake, nil, output) }
        stream.gap(count)
    }

    /// Reports what has not been reported by the end of the connection.
    func finish(into output: TLSOutput) {
        reportSession(output)
        reportDetails(output)
        for stream in [client, server] where isDecrypted && !stream.isEnded {
            if let problem = unreadProblem(stream) {
                output.events.append(.problem(problem, stream.direction))
            }
        }
        stop()
    }

    /// Returns the reason none of the records at the end of a direction were decrypted; nil if
    /// there are none.
    private func unreadProblem(_ stream: TLSStream) -> TLSProblem? {
        if stream.isWaiting { return .noHandshake }
        if stream.isAfterGap {
            // Without bytes after the gap, nothing is missing.
            let isSearched = stream.records.hasSearched || stream.records.heldBytes > 0
            return stream.records.isSearching && isSearched ? .gap : nil
        }
        guard stream.skipped > 0 else { return nil }
        if secrets?[stream.trafficLabel] == nil { return .noSecret }
        return secrets?[stream.handshakeLabel] == nil ? nil : .wrongSecret
    }

    /// Stops reading.
    func stop() {
        for stream in [client, server] {
            stream.end()
            handshake.stop(stream.direction)
        }
    }

    /// Ends a direction, or both.
    func end(_ problem: TLSProblem, _ direction: Direction?, _ output: TLSOutput) {
        reportSession(output)
        if direction != .fromClient { reportDetails(output) }
        if isDecrypted, !isOver { output.events.append(.problem(problem, direction)) }
        guard let direction else { return stop() }
        stream(direction).end()
        handshake.stop(direction)
    }

    private func readRecords(_ stream: TLSStream, _ output: TLSOutput) {
        while !stream.isEnded, !stream.isWaiting {
            switch stream.records.next(bodyBytesMin: bodyBytesMin(stream)) {
            case .record(let record): take(record, stream, output)
            case .candidate(let record): tryCandidate(record, stream, output)
            case .incomplete: return stream.records.compact()
            case .malformed: end(.malformed, stream.direction, output)
            case .lost: end(.gap, stream.direction, output)
            }
        }
        stream.records.compact()
    }

    private func take(_ record: TLSRecord, _ stream: TLSStream, _ output: TLSOutput) {
        let isEncrypted = stream.epoch != nil && isTLS13 == false
        switch record.type {
        case TLSRecord.Content.application: takeEncrypted(record, stream, output)
        case TLSRecord.Content.changeCipherSpec where !isEncrypted:
            takeChangeCipherSpec(record, stream, output)
        case _ where isEncrypted: takeEncrypted(record, stream, output)
        case TLSRecord.Content.handshake:
            // The ChangeCipherSpec may have been lost.
            let mayBeEncrypted = isDecrypted && isTLS13 == false && stream.isAfterGap
            if mayBeEncrypted, open(record, stream, output) { return }
            let bytes = stream.records.bytes
            readMessages(bytes.span.extracting(record.body), stream, output)
        default:
            // An alert ends the handshake.
            if !isDecrypted, stream === server { reportDetails(output) }
        }
    }

    /// Reads messages of the handshake.
    func readMessages(_ bytes: Span<UInt8>, _ stream: TLSStream, _ output: TLSOutput) {
        handshake.read(bytes, stream.direction)
        if handshake.clientHello != readClientHello { takeClientHello(output) }
        if handshake.serverHello != readServerHello { takeServerHello(output) }
        if handshake.isDone { reportDetails(output) }
        if handshake.acceptsEarlyData == false, client.epoch?.stage == .early,
            !hasReportedEarlyData
        {
            hasReportedEarlyData = true
            output.events.append(.problem(.earlyDataRefused, .fromClient))
        }
        let isMissing =
            stream === client ? handshake.clientHello == nil : handshake.serverHello == nil
        if isMissing, handshake.isOver(stream.direction) { end(.noHandshake, nil, output) }
    }

    private func takeClientHello(_ output: TLSOutput) {
        let isSame = handshake.clientHello?.random == readClientHello?.random
        readClientHello = handshake.clientHello
        guard let hello = readClientHello, !isSame else { return }
        secrets = keys?.secrets(for: hello.random)
        if !hasReportedSession { isDecrypted = secrets != nil }
        reportSession(output)
    }

    private func takeServerHello(_ output: TLSOutput) {
        readServerHello = handshake.serverHello
        guard let hello = readServerHello else { return }
        let isHandshakeSecret = secrets?[.serverHandshake] != nil
        if hello.isTLS13, !isHandshakeSecret { reportDetails(output) }
        guard isDecrypted else { return }
        client.following = nil
        server.following = nil
        algorithm = TLSSuite.algorithm(hello.suite, isTLS13: hello.isTLS13)
        guard algorithm == nil || hello.isCompressed || hello.version < 0x0303 else { return }
        let name = TLSHandshake.name(ofVersion: hello.version)
        let suite = hello.isCompressed ? "compression" : TLSSuite.name(hello.suite)
        end(.unsupported("\(name) with \(suite)"), nil, output)
    }

    // MARK: Reports

    private func reportSession(_ output: TLSOutput) {
        guard !hasReportedSession, mayDecrypt else { return }
        hasReportedSession = true
        output.events.append(isDecrypted ? .knownSession : .unknownSession)
    }

    /// Reports the details of the handshake, if there are any. Without secrets, nothing else has to
    /// be read.
    func reportDetails(_ output: TLSOutput) {
        guard !hasReportedDetails else { return }
        hasReportedDetails = true
        reportSession(output)
        if handshake.details != TLSDetails() {
            output.events.append(.details(handshake.details))
        }
        if !isDecrypted { stop() }
    }
}
