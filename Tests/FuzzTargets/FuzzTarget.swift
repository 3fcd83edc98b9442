import Capture
import Conformance
import Diagnostics
import DialectFiles
import DialectModel
import LineProtocol
import RegularExpressions
import Results
import Scenario
import Session

/// A reader of input from outside, which must not crash, hang or use unlimited memory, whatever the
/// bytes are.
public enum FuzzTarget: String, CaseIterable, Sendable {
    /// Framing and decoding of lines in all built-in dialects. The first byte selects the dialect and
    /// the direction, the second the size of the pieces in which the rest arrives.
    case codec
    /// Dialect files, including their behaviours.
    case dialect
    /// Scenarios: parsing, compiling and formatting.
    case scenario
    /// Regular expressions: the first line is an expression, and the rest a text.
    case expression
    /// Results files of `run`, `check` and `load`.
    case results
    /// Baseline files of `check`.
    case baseline
    /// Captures. The first byte selects the dialect.
    case capture
    /// WebSocket connections. The first byte selects the side, and whether the handshake is complete;
    /// the second the size of the pieces in which the rest arrives.
    case webSocket = "websocket"

    /// Maximum size of an input in bytes.
    public static let bytesMax = 64 << 10

    /// Reads the bytes. The result is dropped; a crash is the only failure.
    public func run(_ bytes: [UInt8]) {
        switch self {
        case .codec: Self.codec(bytes)
        case .dialect: Self.dialect(bytes)
        case .scenario: Self.scenario(bytes)
        case .expression: Self.expression(bytes)
        case .results: _ = try? AnyResults(bytes)
        case .baseline:
            _ = try? BaselineReader.baseline(SourceText(path: "fuzz.yaml", bytes: bytes))
        case .capture: Self.capture(bytes)
        case .webSocket: Self.webSocket(bytes)
        }
    }

    private static let dialects: [BoundDialect] = DialectLibrary.builtInNames.compactMap { name in
        (try? DialectLibrary.find(name)).map { BoundDialect.of($0) }
    }

    private static func dialect(of byte: UInt8) -> BoundDialect? {
        dialects.isEmpty ? nil : dialects[Int(byte) % dialects.count]
    }

    private static func codec(_ bytes: [UInt8]) {
        guard bytes.count > 2, let bound = dialect(of: bytes[0] >> 1) else { return }
        let dialect = bound.dialect
        let direction: Direction = bytes[0] & 1 == 0 ? .fromClient : .fromServer
        let size = Int(bytes[1]) + 1
        var framer = LineFramer(dialect, direction: direction)
        let decoder = MessageDecoder(dialect)
        var message = Message()
        var secrets = SecretArguments(dialect)
        var rest = bytes.dropFirst(2)
        while !rest.isEmpty {
            let piece = Array(rest.prefix(size))
            rest = rest.dropFirst(size)
            framer.append(piece.span)
            while let frame = framer.next() {
                let line = Array(framer.buffer[frame.line])
                decoder.decode(line, from: direction, into: &message)
                _ = secrets.secrets(in: line, payload: nil, from: direction)
            }
        }
        _ = framer.finish()
    }

    private static func dialect(_ bytes: [UInt8]) {
        let source = SourceText(path: "fuzz.yaml", bytes: bytes)
        guard let dialect = DialectReader.read(source).dialect else { return }
        let bound = BoundDialect(dialect, source: source)
        _ = bound.lint
        _ = DialectWriter.yaml(dialect)
    }

    private static func scenario(_ bytes: [UInt8]) {
        let source = SourceText(path: "fuzz.chat", bytes: bytes)
        let outcome = ScenarioParser.parse(source)
        _ = DiagnosticRenderer().text(outcome.diagnostics)
        guard !outcome.diagnostics.hasErrors else { return }
        if let bound = dialect(of: UInt8(truncatingIfNeeded: bytes.count)) {
            _ = try? ProgramCompiler.compile(outcome.file, with: bound)
        }
        guard let text = try? ScenarioFormatter.format(source) else { return }
        let again = try? ScenarioFormatter.format(SourceText(path: "fuzz.chat", text: text))
        if again != text { fatalError("formatting is not idempotent") }
    }

    private static func expression(_ bytes: [UInt8]) {
        let parts = bytes.split(
            separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2,
            let expression = try? RegularExpression(String(decoding: parts[0], as: UTF8.self))
        else { return }
        _ = expression.matches(Array(parts[1]))
    }

    private static func capture(_ bytes: [UInt8]) {
        guard bytes.count > 1, let bound = dialect(of: bytes[0]) else { return }
        let sink = JSONLinesWriter(CollectedText(), bound.dialect, showsSecrets: false)
        var decoder = CaptureDecoder(
            MemorySource(Array(bytes.dropFirst())), sink, bound, ReassemblyOptions())
        try? decoder.run()
        decoder.finish()
    }
}
