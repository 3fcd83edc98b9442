import DialectModel
import Diagnostics
import Scenario

/// A search for encoded forms of known secrets in a conversation, such as base64 or
/// percent-encoding, so that these forms do not appear in scenarios.
package enum EncodedSecrets {
    /// Minimum length of a secret whose encoded forms are searched for, in bytes.
    private static let bytesMin = SecretMask.outputBytesMin

    /// Returns the encoded forms that differ from the secrets themselves, each with a name derived
    /// from the secret's name: `password_encoded`.
    ///
    /// - Parameter others: Values that already have a name. They are not returned.
    package static func find(
        in conversation: Conversation, of known: [String: [UInt8]],
        besides others: [String: [UInt8]] = [:]
    ) -> [String: [UInt8]] {
        var found: [String: [UInt8]] = [:]
        var values = Set(known.values).union(others.values)
        var taken = Set(known.keys).union(others.keys)
        for (name, value) in known.sorted(by: { $0.key < $1.key }) where value.count >= bytesMin {
            let mask = SecretMask([value])
            for event in conversation.events {
                guard case .line(let line) = event.kind else { continue }
                for bytes in [line.bytes, line.payload ?? []] {
                    for range in mask.ranges(in: bytes)
                    where found.count < DialectSecrets.countMax
                        && values.insert(Array(bytes[range])).inserted
                    {
                        found[VariableName.unique("\(name)_encoded", &taken)] = Array(bytes[range])
                    }
                }
            }
        }
        return found
    }
}
