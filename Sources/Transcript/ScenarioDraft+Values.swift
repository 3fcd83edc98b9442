import LineProtocol
import Scenario

/// Finds values that a client received from the server and later sent.
extension ScenarioDraft {
    /// The position of a field in the draft: step and field index.
    struct FieldPosition: Hashable, Sendable {
        var step: Int
        var field: Int
    }

    /// Minimum length of related values. Shorter values may be equal by chance.
    private static var relatedBytesMin: Int { 3 }

    /// Replaces values with variables if the server sent them before a client did.
    mutating func relate() {
        var known = Set(options.secrets.values)
        for name in loginNames where !name.isEmpty { known.insert(name) }
        var origins: [[UInt8]: FieldPosition] = [:]
        var names: [[UInt8]: (name: String, origin: FieldPosition)] = [:]
        var taken = Set(options.secrets.keys)
        for index in steps.indices {
            switch steps[index].kind {
            case .expect(let line) where line.line.isRegular:
                for (field, part) in line.line.fields.enumerated() where part.isPlain {
                    let value = line.line.value(part)
                    guard !value.isEmpty, !known.contains(value), origins[value] == nil else {
                        continue
                    }
                    origins[value] = FieldPosition(step: index, field: field)
                }
            case .send(let line) where line.line.isRegular:
                for part in line.line.fields where part.isPlain {
                    let value = line.line.value(part)
                    if let origin = origins[value], names[value] == nil,
                        value.count >= Self.relatedBytesMin || options.relatesShortValues
                    {
                        let wanted = argument(at: origin) ?? part.argument
                        names[value] = (
                            VariableName.unique(
                                wanted.flatMap { VariableName.from(Array($0.utf8)) } ?? "value",
                                &taken), origin
                        )
                    }
                    if names[value] == nil { known.insert(value) }
                }
            default: continue
            }
        }
        for (value, variable) in names { put(value, variable.name, variable.origin) }
        compareSources()
    }

    private func argument(at field: FieldPosition) -> String? {
        guard case .expect(let line) = steps[field.step].kind else { return nil }
        return line.line.fields[field.field].argument
    }

    /// Replaces a value with a variable, which is captured at `origin` and used in all later fields
    /// with that value.
    private mutating func put(_ value: [UInt8], _ name: String, _ origin: FieldPosition) {
        change { index, line in
            guard line.line.isRegular else { return }
            for (field, part) in line.line.fields.enumerated() {
                guard part.isPlain, line.line.value(part) == value else { continue }
                let slot = FieldPosition(step: index, field: field)
                if slot == origin {
                    line.fields[field] = .capture(name)
                } else if index > origin.step || index == origin.step && field > origin.field {
                    line.fields[field] = .variable(name)
                }
            }
        }
    }

    /// Limits the comparison of sources to the part that is an operator's name. The other parts,
    /// such as the host, may vary.
    private mutating func compareSources() {
        let names = loginNames.filter { !$0.isEmpty }
        change { _, line in
            guard let range = line.line.source else { return }
            let source = Array(line.line.bytes[range])
            guard
                let name = names.filter({ source.starts(with: $0) }).max(by: { $0.count < $1.count }
                )
            else { return }
            if source.count == name.count {
                line.source = [.bytes(source)]
            } else if !isWordByte(source[name.count]) {
                line.source = [.bytes(name + [source[name.count]]), .placeholder("{{_}}")]
            }
        }
    }

    mutating func change(_ body: (Int, inout Line) -> Void) {
        for index in steps.indices {
            switch steps[index].kind {
            case .send(var line):
                body(index, &line)
                steps[index].kind = .send(line)
            case .expect(var line):
                body(index, &line)
                steps[index].kind = .expect(line)
            default: continue
            }
        }
    }
}

/// Returns true for letters, digits, `_` and the bytes of non-ASCII characters.
func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x80...0xFF: true
    default: false
    }
}
