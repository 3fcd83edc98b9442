import DialectModel
package import LineProtocol

/// A finder for the secrets in a capture's lines, so that they can be masked wherever the capture
/// repeats them.
package final class SecretFinder: LineObserver {
    private let texts: [CommandTexts]
    private var arguments: [SecretArguments]
    private let found: ([UInt8]) -> Void
    private var dialect = 0

    /// - Parameter found: Receives each secret.
    package init(_ dialects: [Dialect], found: @escaping ([UInt8]) -> Void) {
        texts = dialects.map {
            CommandTexts($0, .log, showsSecrets: false, anonymises: false)
        }
        arguments = dialects.map { SecretArguments($0) }
        self.found = found
    }

    package func switchDialect(to dialect: Int) { self.dialect = dialect }

    package func line(_ line: CapturedLine, _ message: Message, in bytes: Span<UInt8>) {
        let texts = texts[dialect]
        if texts.holdsSecret(message, in: bytes)
            || texts.hasSecretKey(line, message, in: bytes)
        {
            find(in: line, bytes)
        }
    }

    /// Finds the secrets in a line that is known to contain some.
    @inline(never)
    func find(in line: CapturedLine, _ bytes: Span<UInt8>) {
        let secrets = arguments[dialect].secrets(
            in: bytes.array(line.frame.line), payload: line.frame.payload.map { bytes.array($0) },
            from: line.direction)
        for value in secrets.flatMap(\.values) { found(value) }
    }
}
