@testable import Capture

extension LogWriter {
    /// What was written, where that is kept.
    var collected: [UInt8] { (target as? CollectedText)?.bytes ?? [] }
}

extension JSONLinesWriter {
    /// What was written, where that is kept.
    var collected: [UInt8] { (target as? CollectedText)?.bytes ?? [] }
}
