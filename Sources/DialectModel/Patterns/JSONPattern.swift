package import Diagnostics

/// A pattern for a JSON value. Values are compared by structure: key order, whitespace, and the
/// notation of strings and numbers do not matter.
package struct JSONPattern: Sendable {
    /// Type of JSON value that matches, with the patterns for its contents.
    package indirect enum Kind: Sendable {
        /// With `isOpen`, the object may have members that are not listed.
        case object([Member], isOpen: Bool)
        case array([JSONPattern], isOpen: Bool)
        case string(BytesPattern)
        /// A number, `true`, `false` or `null`, in canonical form.
        case scalar([UInt8])
        /// A placeholder that is not inside a string. It matches the value of a string, or the text
        /// of any other value.
        case value(BytesPattern)
    }

    /// Object key, with the pattern for its value.
    package struct Member: Sendable {
        package var key: [UInt8]
        package var value: JSONPattern
    }

    package var kind: Kind
    package var range: SourceRange

    /// Returns true if part of the pattern matches the variable's value.
    func compares(with variable: Int) -> Bool {
        switch kind {
        case .object(let members, _): members.contains { $0.value.compares(with: variable) }
        case .array(let elements, _): elements.contains { $0.compares(with: variable) }
        case .string(let bytes), .value(let bytes): bytes.compares(with: variable)
        case .scalar: false
        }
    }

    /// Returns the pattern with each byte pattern replaced by the result of `change`.
    package func mapBytes(_ change: (BytesPattern) -> BytesPattern) -> JSONPattern {
        var copy = self
        switch kind {
        case .object(let members, let isOpen):
            copy.kind = .object(
                members.map { Member(key: $0.key, value: $0.value.mapBytes(change)) },
                isOpen: isOpen)
        case .array(let elements, let isOpen):
            copy.kind = .array(elements.map { $0.mapBytes(change) }, isOpen: isOpen)
        case .string(let bytes): copy.kind = .string(change(bytes))
        case .value(let bytes): copy.kind = .value(change(bytes))
        case .scalar: break
        }
        return copy
    }
}

/// A pattern for a line that is a JSON object.
package struct JSONLinePattern: Sendable {
    package var object: JSONPattern
    /// The command; nil if there is none or if it contains a placeholder.
    package var verb: [UInt8]?
    /// Source range of the command.
    package var verbRange: SourceRange
    /// True if unlisted members cause a mismatch unless the pattern contains `{{...}}`.
    package var isStrict: Bool
}
