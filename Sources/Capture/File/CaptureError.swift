package import Diagnostics

/// An error that prevents the rest of a capture from being read.
package struct CaptureError: Error, Sendable, Hashable {
    /// The kind of capture error.
    package struct Code: Sendable, Hashable {
        private enum Word: String, Sendable {
            case notACapture, unsupported, damaged, cutShort, unreadable, cannotUnpack, badFilter
        }

        private let word: Word

        private init(_ word: Word) { self.word = word }

        /// The file is not a capture.
        package static let notACapture = Code(.notACapture)
        /// The file is a capture, but its format or compression is not supported.
        package static let unsupported = Code(.unsupported)
        /// A record is invalid, so the start of the next record cannot be found.
        package static let damaged = Code(.damaged)
        /// The file ends in the middle of a record.
        package static let cutShort = Code(.cutShort)
        /// Reading failed with a system error.
        package static let unreadable = Code(.unreadable)
        /// A compressed file could not be decompressed completely.
        package static let cannotUnpack = Code(.cannotUnpack)
        /// The filter expression is invalid.
        package static let badFilter = Code(.badFilter)

        /// Stable code of the error, used in reports.
        package var diagnosticCode: DiagnosticCode {
            switch word {
            case .notACapture: "capture.not-a-capture"
            case .unsupported: "capture.unsupported"
            case .damaged: "capture.damaged"
            case .cutShort: "capture.cut-short"
            case .unreadable: "capture.unreadable"
            case .cannotUnpack: "capture.cannot-unpack"
            case .badFilter: "capture.bad-filter"
            }
        }
    }

    package var code: Code
    package var message: String
    package var help: String?

    package init(_ code: Code, _ message: String, help: String? = nil) {
        self.code = code
        self.message = message
        self.help = help
    }

    /// Returns the error with the name of its file. Messages about files that cannot be read
    /// contain it already.
    package func inFile(_ name: String) -> CaptureError {
        guard code != .unreadable, code != .cannotUnpack else { return self }
        var error = self
        error.message = "`\(name)`: \(message)"
        return error
    }

    /// The error as a diagnostic.
    package var diagnostic: Diagnostic {
        let result = Diagnostic(.error, code.diagnosticCode, message)
        return help.map(result.help) ?? result
    }
}
