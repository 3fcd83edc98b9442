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
    /// Framing, decoding and encoding of both directions of a connection. The first line names the
    /// dialect, the next byte is the size of the pieces in which the rest arrives, and each byte
    /// 0x1E changes the direction. The client begins.
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
    /// Plans of `load`.
    case plan
    /// Rows of a scenario and files with variables. The first line is the name of the file.
    case data
    /// Captures. The first line names the dialect and the output: `lines`, `scenario` or `latency`.
    case capture
    /// TCP segments of one connection with few sequence numbers, so that they overlap. The first
    /// line is that of `capture`.
    case reassembler
    /// WebSocket connections. The first byte selects the side, and whether the handshake is
    /// complete; the second the size of the pieces in which the rest arrives.
    case webSocket = "websocket"
    /// Requests for metrics and live pages. The first byte selects the page, the second the size of
    /// the pieces in which the rest arrives.
    case http
    /// Masking of secrets: the first line is a secret, and the rest a text.
    case mask

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
        case .plan: Self.plan(bytes)
        case .data: Self.data(bytes)
        case .capture: Self.capture(bytes)
        case .reassembler: Self.reassembler(bytes)
        case .webSocket: Self.webSocket(bytes)
        case .http: Self.http(bytes)
        case .mask: Self.mask(bytes)
        }
    }

    private static let dialects: [(name: String, bound: BoundDialect)] =
        DialectLibrary.builtInNames.compactMap { name in
            (try? DialectLibrary.find(name)).map { (name, BoundDialect.of($0)) }
        }

    /// Returns the dialect with this name. Any other name selects one of the dialects, so that
    /// mutated names are not wasted.
    static func dialect(named name: some Collection<UInt8>) -> BoundDialect? {
        if let found = dialects.first(where: { $0.name.utf8.elementsEqual(name) }) {
            return found.bound
        }
        let sum = name.reduce(0) { $0 + Int($1) }
        return dialects.isEmpty ? nil : dialects[sum % dialects.count].bound
    }

    /// Splits the bytes after the first line.
    static func firstLine(_ bytes: [UInt8]) -> (line: ArraySlice<UInt8>, rest: ArraySlice<UInt8>)? {
        guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        return (bytes[..<end], bytes[(end + 1)...])
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
        if let bound = dialect(named: bytes.suffix(1)) {
            _ = try? ProgramCompiler.compile(outcome.file, with: bound)
        }
        guard let text = try? ScenarioFormatter.format(source) else { return }
        let again = try? ScenarioFormatter.format(SourceText(path: "fuzz.chat", text: text))
        if again != text { fatalError("formatting is not idempotent") }
    }

    private static func expression(_ bytes: [UInt8]) {
        guard let (line, text) = firstLine(bytes),
            let expression = try? RegularExpression(String(decoding: line, as: UTF8.self))
        else { return }
        _ = expression.matches(Array(text))
    }

    private static func mask(_ bytes: [UInt8]) {
        guard let (secret, text) = firstLine(bytes) else { return }
        let mask = SecretMask([Array(secret)])
        let masked = mask.masked(Array(text))
        let source = SourceText(path: "fuzz.txt", bytes: Array(text))
        if mask.masked(source).bytes.count != text.count { fatalError("positions have changed") }
        // A secret of asterisks, or one that overlaps itself, can remain.
        let isPlain = Set(secret).count == secret.count && !secret.contains(UInt8(ascii: "*"))
        guard isPlain, secret.count >= 4, Set(secret).isDisjoint(with: "%&=+\\".utf8) else {
            return
        }
        if contains(masked, Array(secret)) { fatalError("the secret is not masked") }
    }

    private static func contains(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
        bytes.indices.contains { bytes[$0...].starts(with: part) }
    }
}
