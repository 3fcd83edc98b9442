import Diagnostics
import Synchronization

/// The secrets of the process. They are masked in everything that ``Output`` and ``OutputFile``
/// write, wherever the text comes from.
///
/// Results mask secrets when they are stored, which also covers short ones. This filter is the
/// second line of defence, for text that does not go through results.
package enum Redaction {
    private static let mask = Mutex(SecretMask())

    /// Masks these secrets in all output from now on, unless they are short or numbers.
    package static func hide(_ secrets: some Sequence<[UInt8]>) {
        mask.withLock { mask in
            for secret in secrets { mask.hide(secret) }
        }
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
