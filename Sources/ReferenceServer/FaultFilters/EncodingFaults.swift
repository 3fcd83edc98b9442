import LineProtocol

/// Faults in the encoding of relayed messages and of answers.
struct EncodingFaults {
    private let faults: FaultInjector
    private let rule: EscapeRule
    private let terminator: [UInt8]

    init(_ dialect: Dialect, _ faults: FaultInjector) {
        self.faults = faults
        rule = dialect.argumentRule(.fromServer)
        terminator = dialect.framing.fromServer.terminator.bytes
    }

    /// Applies the faults that affect relayed messages to the line of a message.
    func change(_ line: inout [UInt8]) {
        guard let marker = rule.marker, line.contains(marker), line.count > terminator.count else {
            return
        }
        let body = Array(line.dropLast(terminator.count))
        if faults.shouldInject(.escapeLost) {
            do { line = try rule.decode(body) + terminator } catch { return }
        } else if faults.shouldInject(.escapeEncodedTwice) {
            line = twice(body, marker) + terminator
        }
    }

    /// Applies the fault that affects answers to a line that answers a client's own request.
    func change(answer line: inout [UInt8]) {
        guard let marker = rule.marker, line.contains(marker), line.count > terminator.count,
            faults.shouldInject(.answersUnescaped)
        else { return }
        let body = Array(line.dropLast(terminator.count))
        do { line = try rule.decode(body) + terminator } catch { return }
    }

    private func twice(_ body: [UInt8], _ marker: UInt8) -> [UInt8] {
        let spelling: [UInt8] =
            switch rule {
            case .percent: [ASCII.percent, 0x32, 0x35]
            case .table(let table):
                [marker, table.meaning.first { $0.value == marker }?.key ?? marker]
            default: [marker, marker]
            }
        return body.flatMap { $0 == marker ? spelling : [$0] }
    }

    var stray: [UInt8] { Array("XYZZY".utf8) + terminator }

    /// Returns the text with its last letter or digit replaced by a different one; nil if the text
    /// contains no letters or digits.
    static func mutated(_ text: [UInt8]) -> [UInt8]? {
        guard let index = text.lastIndex(where: isLetterOrDigit) else { return nil }
        var text = text
        text[index] = text[index] == 0x78 ? 0x79 : 0x78
        return text
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        ASCII.isDigit(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }
}
