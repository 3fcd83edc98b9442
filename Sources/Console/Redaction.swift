import Diagnostics
import Synchronization

/// Secrets of the process, which ``Output`` and ``OutputFile`` mask in everything they write.
///
/// Results already mask secrets, including short ones, when they are stored. This filter is a
/// second line of defence, for text that does not go through results.
package enum Redaction {
    private static let mask = Mutex(SecretMask())

    /// Masks these secrets in all output from now on, except short ones and numbers.
    package static func hide(_ secrets: some Sequence<[UInt8]>) {
        mask.withLock { mask in
            for secret in secrets { mask.hide(secret) }
        }
    }

    /// Masks a secret that was found in a line in all output from now on, except short ones and
    /// numbers.
    package static func hideLearned(_ secret: [UInt8]) {
        mask.withLock { $0.hideLearned(secret) }
    }

    /// Returns the text with all secrets masked; nil if it contains none.
    static func masked(_ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
        mask.withLock { mask in
            if mask.isEmpty { return nil }
            let bytes = unsafe Array(bytes)
            let masked = mask.masked(bytes)
            return masked == bytes ? nil : masked
        }
    }

    /// Returns the text with all secrets masked.
    package static func masked(_ bytes: [UInt8]) -> [UInt8] {
        mask.withLock { $0.masked(bytes) }
    }
}
