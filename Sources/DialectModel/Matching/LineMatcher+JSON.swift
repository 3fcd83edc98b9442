import Diagnostics
import LineProtocol

/// Compares lines that are JSON objects.
extension LineMatcher {
    func mismatchJSON(
        _ pattern: JSONLinePattern, _ line: ReceivedLine, _ verb: [UInt8],
        _ context: inout MatchContext
    ) -> Mismatch? {
        guard let object = JSONText.value(line.bytes) else {
            return Mismatch(
                part: "", expected: "a JSON object", got: Mismatch.quoted(line.bytes),
                range: pattern.object.range, isOtherCommand: true)
        }
        if let wanted = pattern.verb, !isSameCommand(wanted, verb) {
            return Mismatch(
                part: "as the command", expected: escapedForDisplay(wanted),
                got: verb.isEmpty ? Mismatch.quoted(line.bytes) : escapedForDisplay(verb),
                range: pattern.verbRange,
                isOtherCommand: true)
        }
        var comparison = JSONComparison(bytes: line.bytes, isStrict: pattern.isStrict)
        guard let found = comparison.mismatch(pattern.object, object, "", &context) else {
            return nil
        }
        switch found {
        case .bytes(let part, let pattern, let bytes):
            return difference(part, pattern, bytes, context)
        case .other(let mismatch): return mismatch
        }
    }

    private func isSameCommand(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        guard dialect.syntax.fromServer.ignoresVerbCase else { return one == other }
        return one.map(ASCII.uppercased) == other.map(ASCII.uppercased)
    }
}

/// A comparison between a JSON line and a pattern.
private struct JSONComparison {
    let bytes: [UInt8]
    let isStrict: Bool

    /// A difference between byte strings, or any other mismatch.
    enum Difference {
        case bytes(part: String, BytesPattern, [UInt8])
        case other(Mismatch)
    }

    /// Compares a value with a pattern. Returns the first difference; nil if the value matches.
    ///
    /// - Parameter path: the path of the value, for messages; empty for the whole line.
    mutating func mismatch(
        _ pattern: JSONPattern, _ value: Field, _ path: String, _ context: inout MatchContext
    ) -> Difference? {
        let part = path.isEmpty ? "" : "for key `\(path)`"
        switch pattern.kind {
        case .object(let wanted, let isOpen):
            guard let members = JSONText.members(value, in: bytes) else {
                return other(part, "an object", value, pattern)
            }
            return mismatch(wanted, isOpen, members, pattern, path, &context)
        case .array(let wanted, let isOpen):
            guard let elements = JSONText.elements(value, in: bytes) else {
                return other(part, "an array", value, pattern)
            }
            guard isOpen ? elements.count >= wanted.count : elements.count == wanted.count else {
                let lead = isOpen ? "at least " : ""
                return .other(
                    Mismatch(
                        part: part,
                        expected: "an array of \(lead)\(counted(wanted.count, "element"))",
                        got: counted(elements.count, "element"), range: pattern.range))
            }
            for (index, wanted) in wanted.enumerated() {
                let path = path.isEmpty ? "\(index)" : "\(path).\(index)"
                if let found = mismatch(wanted, elements[index], path, &context) { return found }
            }
            return nil
        case .string(let wanted):
            guard value.form == .jsonString else { return other(part, "a string", value, pattern) }
            return compare(wanted, JSONText.text(value, in: bytes), part, &context)
        case .scalar(let wanted):
            guard value.form == .jsonValue, JSONText.canonical(value, in: bytes) == wanted else {
                return other(part, escapedForDisplay(wanted), value, pattern)
            }
            return nil
        case .value(let wanted):
            let text = JSONText.text(value, in: bytes)
            guard let difference = compare(wanted, text, part, &context) else { return nil }
            return isSameValue(wanted, text, context) ? nil : difference
        }
    }

    private mutating func mismatch(
        _ wanted: [JSONPattern.Member], _ isOpen: Bool, _ members: [(key: [UInt8], value: Field)],
        _ pattern: JSONPattern, _ path: String, _ context: inout MatchContext
    ) -> Difference? {
        for member in wanted {
            let key = escapedForDisplay(member.key)
            let inner = path.isEmpty ? key : "\(path).\(key)"
            // If a key occurs more than once, its last value counts.
            guard let found = members.last(where: { $0.key == member.key }) else {
                return .other(
                    Mismatch(
                        part: "", expected: "key `\(inner)`", got: "none",
                        range: member.value.range))
            }
            if let difference = mismatch(member.value, found.value, inner, &context) {
                return difference
            }
        }
        guard isStrict, !isOpen,
            let extra = members.first(where: { member in
                !wanted.contains { $0.key == member.key }
            })
        else { return nil }
        return .other(
            Mismatch(
                part: path.isEmpty ? "" : "for key `\(path)`",
                expected: path.isEmpty ? "no other keys" : "an object with no other keys",
                got: "key `\(escapedForDisplay(extra.key))`", range: pattern.range))
    }

    private func compare(
        _ pattern: BytesPattern, _ text: [UInt8], _ part: String, _ context: inout MatchContext
    ) -> Difference? {
        var trial = context
        guard !pattern.matches(text, &trial) else {
            context = trial
            return nil
        }
        return .bytes(part: part, pattern, text)
    }

    /// Returns true if the pattern is a single variable whose value is the same JSON value as
    /// `text`, even if it is written differently.
    private func isSameValue(
        _ pattern: BytesPattern, _ text: [UInt8], _ context: MatchContext
    ) -> Bool {
        guard pattern.elements.count == 1, case .variable(let variable) = pattern.elements[0],
            let value = context.captures.last(where: { $0.variable == variable })?.bytes
                ?? context.variables[variable]
        else { return false }
        return JSONText.isSame(value, text)
    }

    private func other(
        _ part: String, _ expected: String, _ value: Field, _ pattern: JSONPattern
    ) -> Difference {
        .other(
            Mismatch(
                part: part, expected: expected, got: escapedForDisplay(Array(bytes[value.json])),
                range: pattern.range))
    }
}
