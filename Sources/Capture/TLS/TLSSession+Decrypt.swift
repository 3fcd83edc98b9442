import LineProtocol

/// Decrypts records.
///
/// Whether a record belongs to the current keys or to the next ones, and which number it has, is
/// decided by trying: a record is authentic only with its own keys and number. This also works after
/// a gap, when the message that announced the next keys is missing.
extension TLSSession {
    /// Maximum number of records to skip before the first one that can be decrypted.
    private static var skippedMax: Int { 64 }
    /// The same for a client that sends early data.
    private static var skippedEarlyMax: Int { 1_024 }
    /// Length of the tag that authenticates a record in bytes.
    private static var tagBytes: Int { 16 }

    /// Minimum length of an encrypted record without its header. In TLS 1.3, a record contains its
    /// type.
    func bodyBytesMin(_ stream: TLSStream) -> Int {
        (stream.epoch?.cipher.overheadBytes ?? Self.tagBytes) + (isTLS13 == true ? 1 : 0)
    }

    func takeChangeCipherSpec(_ record: TLSRecord, _ stream: TLSStream, _ output: TLSOutput) {
        guard isDecrypted else {
            if stream === server { reportDetails(output) }
            return
        }
        guard let isTLS13 else {
            // With early data, this record is only for compatibility, as always in TLS 1.3.
            if stream === client, handshake.clientHello?.hasEarlyData == false {
                wait(record, stream)
            }
            return
        }
        if !isTLS13 { changeKeys(stream, output) }
    }

    /// Lets the client's records wait for the server's hello, which may be out of order in the
    /// capture.
    private func wait(_ record: TLSRecord, _ stream: TLSStream) {
        stream.records.putBack(record)
        stream.isWaiting = true
    }

    /// Switches to the keys of the last handshake in TLS 1.2.
    private func changeKeys(_ stream: TLSStream, _ output: TLSOutput) {
        if stream === server { reportDetails(output) }
        guard let epoch = masterEpoch(stream) else {
            return end(.noSecret, stream.direction, output)
        }
        stream.use(epoch)
        stream.lostMin = 0
        stream.lostMax = 0
        stream.isAfterGap = false
    }

    func takeEncrypted(_ record: TLSRecord, _ stream: TLSStream, _ output: TLSOutput) {
        guard isDecrypted else {
            if stream === server { reportDetails(output) }
            return
        }
        if isTLS13 == nil, stream === client, handshake.clientHello?.hasEarlyData == false {
            return wait(record, stream)
        }
        if !open(record, stream, output) { skip(stream, output) }
    }

    /// Skips a record that cannot be decrypted, or ends the direction.
    private func skip(_ stream: TLSStream, _ output: TLSOutput) {
        let isBeforeTraffic = stream.epoch.map { $0.stage < .traffic } ?? (isTLS13 != false)
        let hasTraffic = secrets?[stream.trafficLabel] != nil
        guard isBeforeTraffic else {
            let problem: TLSProblem =
                stream.isAfterGap ? .gap : stream.hasDecrypted ? .damaged : .wrongSecret
            return end(problem, stream.direction, output)
        }
        let isHandshakeOver = stream === server && handshake.isDone
        guard hasTraffic || !isHandshakeOver else {
            return end(.noSecret, stream.direction, output)
        }
        stream.skipped += 1
        stream.lostMax += 1
        let hasEarlyData = stream === client && handshake.clientHello?.hasEarlyData == true
        if hasEarlyData, secrets?[.early] == nil, stream.epoch == nil, !hasReportedEarlyData {
            hasReportedEarlyData = true
            output.events.append(.problem(.noEarlySecret, .fromClient))
        }
        if stream.skipped > (hasEarlyData ? Self.skippedEarlyMax : Self.skippedMax) {
            end(hasTraffic ? .wrongSecret : .noSecret, stream.direction, output)
        }
    }

    /// Tries to decrypt what may be the next record after a gap.
    func tryCandidate(_ candidate: TLSRecord, _ stream: TLSStream, _ output: TLSOutput) {
        let recordBytes = TLSRecord.headerBytes + TLSRecordReader.bodyBytesMax
        let recordBytesMin = TLSRecord.headerBytes + bodyBytesMin(stream)
        let lost = stream.records.lostBytes
        let (lostMin, lostMax) = (stream.lostMin, stream.lostMax)
        stream.lostMin += UInt64((lost + recordBytes - 1) / recordBytes)
        stream.lostMax += UInt64(lost / recordBytesMin)
        let isData = candidate.type == TLSRecord.Content.application
        if isData || isTLS13 == false, open(candidate, stream, output) {
            stream.records.accept(candidate)
        } else {
            stream.lostMin = lostMin
            stream.lostMax = lostMax
            stream.records.reject()
            if !output.canTry { end(.gap, stream.direction, output) }
        }
    }

    /// Decrypts a record, and passes its content on. Returns false if it is not authentic with any
    /// possible keys and number.
    func open(_ record: TLSRecord, _ stream: TLSStream, _ output: TLSOutput) -> Bool {
        let bytes = stream.records.bytes
        let span = bytes.span.extracting(record.range)
        let start = output.bytes.count
        if let epoch = stream.epoch {
            let first = stream.sequence &+ stream.lostMin
            let count = stream.lostMax - min(stream.lostMin, stream.lostMax)
            if let number = number(of: span, epoch, from: first, count: count, output) {
                stream.decrypted(number)
                takeContent(of: record.type, from: start, stream, output)
                return true
            }
        }
        for epoch in following(stream) {
            guard let number = number(of: span, epoch, from: 0, count: stream.lostMax, output)
            else { continue }
            stream.use(epoch)
            stream.decrypted(number)
            if stream === server, epoch.stage == .traffic { reportDetails(output) }
            takeContent(of: record.type, from: start, stream, output)
            return true
        }
        return false
    }

    /// Returns the number of a record; nil if it is not one of `count` numbers after `first`. Its
    /// content is appended to the output.
    private func number(
        of record: Span<UInt8>, _ epoch: TLSEpoch, from first: UInt64, count: UInt64,
        _ output: TLSOutput
    ) -> UInt64? {
        var number = first
        while true {
            if output.open(record, epoch.cipher, sequence: number) { return number }
            guard output.countTrial(record.count), number < first &+ count else { return nil }
            number &+= 1
        }
    }

    /// Passes on the content of a record, which starts at an offset of the output.
    private func takeContent(
        of recordType: UInt8, from start: Int, _ stream: TLSStream, _ output: TLSOutput
    ) {
        var type = recordType
        if isTLS13 != false {
            // The type follows the content, and may be followed by zeros.
            while output.bytes.count > start, output.bytes.last == 0 { output.bytes.removeLast() }
            type = output.bytes.count > start ? output.bytes.removeLast() : 0
        }
        let content = start..<output.bytes.count
        if type == TLSRecord.Content.application {
            if !content.isEmpty { output.events.append(.content(stream.direction, content)) }
            return
        }
        let isHandshake = type == TLSRecord.Content.handshake
        if isHandshake, isTLS13 == false || stream.epoch?.stage == .handshake {
            let bytes = Array(output.bytes[content])
            readMessages(bytes.span, stream, output)
        } else if isHandshake, TLSHandshake.endsWithKeyUpdate(output.bytes[content]) {
            // If the next record were a KeyUpdate that is lost, the keys after it could not be found.
            if let next = following(stream).first { stream.use(next) }
        } else if type == TLSRecord.Content.changeCipherSpec, isTLS13 == false {
            changeKeys(stream, output)
        }
        output.bytes.removeLast(content.count)
    }

    // MARK: Keys

    /// Returns the keys that a direction may use next.
    private func following(_ stream: TLSStream) -> [TLSEpoch] {
        if let following = stream.following { return following }
        let following: [TLSEpoch?]
        switch isTLS13 {
        case true?: following = secretEpochs(stream)
        case false?: following = stream.epoch == nil ? [masterEpoch(stream)] : []
        case nil: following = stream === client && stream.epoch == nil ? earlyEpochs : []
        }
        let found = following.compactMap(\.self)
        stream.following = found
        return found
    }

    private func secretEpochs(_ stream: TLSStream) -> [TLSEpoch?] {
        guard let algorithm else { return [] }
        func epoch(_ stage: TLSEpoch.Stage, _ label: TLSSecretLabel) -> TLSEpoch? {
            secrets?[label].flatMap { TLSEpoch(stage, $0, algorithm) }
        }
        let stage = stream.epoch?.stage
        if stage == .traffic { return [stream.epoch?.updated] }
        var epochs = [epoch(.traffic, stream.trafficLabel)]
        if stage != .handshake { epochs.insert(epoch(.handshake, stream.handshakeLabel), at: 0) }
        if stage == nil, stream === client { epochs.insert(epoch(.early, .early), at: 0) }
        return epochs
    }

    /// The keys of early data for each cipher that the client offers, because the server has not
    /// chosen one yet.
    private var earlyEpochs: [TLSEpoch?] {
        guard let secret = secrets?[.early] else { return [] }
        return TLSAlgorithm.allCases.map { algorithm in
            let isOffered = handshake.clientHello?.suites.contains {
                TLSSuite.algorithm($0, isTLS13: true) == algorithm
            }
            return isOffered == true ? TLSEpoch(.early, secret, algorithm) : nil
        }
    }

    private func masterEpoch(_ stream: TLSStream) -> TLSEpoch? {
        guard let secret = secrets?[.master], let algorithm, let client = handshake.clientHello,
            let server = handshake.serverHello
        else { return nil }
        return TLSEpoch(
            master: secret, randoms: server.random + client.random, stream.direction, algorithm)
    }
}

extension TLSStream {
    var handshakeLabel: TLSSecretLabel {
        direction == .fromClient ? .clientHandshake : .serverHandshake
    }

    var trafficLabel: TLSSecretLabel { direction == .fromClient ? .clientTraffic : .serverTraffic }
}
