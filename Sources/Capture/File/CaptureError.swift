package import Diagnostics

/// Why a capture cannot be read on.
package struct CaptureError: Error, Sendable, Hashable {
    /// The kind of trouble.
    package struct Code: Sendable, Hashable {
        private enum Word: String, Sendable {
            case notACapture, unsupported, damaged, cutShort, unreadable, badFilter
        }

        private let word: Word

        private init(_ word: Word) { self.word = word }

        /// The file's first bytes are not those of a capture.
        package static let notACapture = Code(.notACapture)
        /// A capture, but one of a kind that is not read.
        package static let unsupported = Code(.unsupported)
        /// A record that cannot be: what follows it cannot be found.
        package static let damaged = Code(.damaged)
        /// The file ends within a record.
        package static let cutShort = Code(.cutShort)
        /// The system does not give the bytes.
        package static let unreadable = Code(.unreadable)
        /// A filter that cannot be understood.
        package static let badFilter = Code(.badFilter)

        /// The stable word for reports.
        package var diagnosticCode: DiagnosticCode {
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
    package var code: Code
    /// What was expected and what came.
    package var message: String
    /// What to do about it; nil where nothing can be done.
    package var help: String?
    /// The place in the (uncompressed) file, in bytes.
    package var offset: Int

    /// An error by its parts.
    package init(_ code: Code, _ message: String, at offset: Int = 0, help: String? = nil) {
        self.code = code
        self.message = message
        self.offset = offset
        self.help = help
    }

    /// The error as it is told.
    package var diagnostic: Diagnostic {
        let result = Diagnostic(.error, code.diagnosticCode, message)
        return help.map(result.help) ?? result
    }
}
