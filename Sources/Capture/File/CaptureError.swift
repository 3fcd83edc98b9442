public import Diagnostics

/// Why a capture cannot be read on.
public struct CaptureError: Error, Sendable, Hashable {
    /// The kind of trouble.
    public struct Code: Sendable, Hashable {
        private enum Word: String, Sendable {
            case notACapture, unsupported, damaged, cutShort, unreadable, badFilter
        }

        private let word: Word

        private init(_ word: Word) { self.word = word }

        /// The file's first bytes are not those of a capture.
        public static let notACapture = Code(.notACapture)
        /// A capture, but one of a kind that is not read.
        public static let unsupported = Code(.unsupported)
        /// A record that cannot be: what follows it cannot be found.
        public static let damaged = Code(.damaged)
        /// The file ends within a record.
        public static let cutShort = Code(.cutShort)
        /// The system does not give the bytes.
        public static let unreadable = Code(.unreadable)
        /// A filter that cannot be understood.
        public static let badFilter = Code(.badFilter)

        /// The stable word for reports.
        public var diagnosticCode: DiagnosticCode {
            switch word {
            case .notACapture: "capture.not-a-capture"
            case .unsupported: "capture.unsupported"
            case .damaged: "capture.damaged"
            case .cutShort: "capture.cut-short"
            case .unreadable: "capture.unreadable"
            case .badFilter: "capture.bad-filter"
            }
        }
    }

    /// The kind of trouble.
    public var code: Code
    /// What was expected and what came.
    public var message: String
    /// What to do about it; nil where nothing can be done.
    public var help: String?
    /// The place in the (uncompressed) file, in bytes.
    public var offset: Int

    /// An error by its parts.
    public init(_ code: Code, _ message: String, at offset: Int = 0, help: String? = nil) {
        self.code = code
        self.message = message
        self.offset = offset
        self.help = help
    }

    /// The error as it is told.
    public var diagnostic: Diagnostic {
        let result = Diagnostic(.error, code.diagnosticCode, message)
        return help.map(result.help) ?? result
    }
}
