import LineProtocol
import Scenario

/// Which values belong together: what the server gave first and a client said back.
extension ScenarioDraft {
    /// A field of a step.
    struct Place: Hashable, Sendable {
        var step: Int
        var field: Int
    }

    /// A shorter value may be the same by chance.
    private static var telltaleBytesMin: Int { 3 }

    /// Makes variables of values that came from the server before a client said them.
    mutating func relate() {
        var known = Set(options.secrets.values)
        for name in loginNames where !name.isEmpty { known.insert(name) }
        var origins: [[UInt8]: Place] = [:]
        var names: [[UInt8]: (name: String, origin: Place)] = [:]
        var taken = Set(options.secrets.keys)
        for index in steps.indices {
            switch steps[index].kind {
            case .expect(let line) where line.line.isRegular:
                for (field, part) in line.line.fields.enumerated() where part.isPlain {
                    let value = line.line.value(part)
                    guard !value.isEmpty, !known.contains(value), origins[value] == nil else {
                        continue
                    }
                    origins[value] = Place(step: index, field: field)
                }
            case .send(let line) where line.line.isRegular:
                for part in line.line.fields where part.isPlain {
                    let value = line.line.value(part)
                    if let origin = origins[value], names[value] == nil,
                        value.count >= Self.telltaleBytesMin || options.relatesShortValues
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

    private func argument(at place: Place) -> String? {
        guard case .expect(let line) = steps[place.step].kind else { return nil }
        return line.line.fields[place.field].argument
    }

    /// Puts the variable in each place from its origin on that has the value.
    private mutating func put(_ value: [UInt8], _ name: String, _ origin: Place) {
        change { index, line in
            guard line.line.isRegular else { return }
            for (field, part) in line.line.fields.enumerated() {
                guard part.isPlain, line.line.value(part) == value else { continue }
                let place = Place(step: index, field: field)
                if place == origin {
                    line.fields[field] = .capture(name)
                } else if index > origin.step || index == origin.step && field > origin.field {
                    line.fields[field] = .variable(name)
                }
            }
        }
    }

    /// A source is compared as far as it names an operator: the rest (hosts, servers) is another's.
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

/// Whether a byte belongs to a word or number: letters, digits, `_`, and what is beyond ASCII.
func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x80...0xFF: true
    default: false
    }
}
