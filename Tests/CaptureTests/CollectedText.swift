@testable import Capture

extension LogWriter {
    /// The collected text; empty for other targets.
    var collected: [UInt8] { (target as? CollectedText)?.bytes ?? [] }
}

extension JSONLinesWriter {
    /// The collected text; empty for other targets.
    var collected: [UInt8] { (target as? CollectedText)?.bytes ?? [] }
}
