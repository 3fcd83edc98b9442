import LineProtocol

/// Bytes computed from variables.
package indirect enum ComputedBytes: Sendable {
    case sum([Term])
    case base64(MessageTemplate.Bytes)

    /// A term of a sum in a placeholder, such as `b` in `{{a + b}}`.
    package struct Term: Sendable {
        /// Constant or variable in a sum.
        package enum Operand: Sendable {
            case number(Int64)
            case variable(Int)
        }

        package var isNegative: Bool
        package var operand: Operand
    }

    /// The reason a value cannot be computed.
    package enum Failure: Error, Sendable, Equatable {
        case noValue(variable: Int)
        case notANumber([UInt8])
        /// The sum does not fit into 64 bits.
        case overflow
    }

    /// Returns the sum of the terms as decimal digits.
    ///
    /// - Parameter value: returns a variable's value.
    package static func sum(
        _ terms: [Term], _ value: (Int) -> [UInt8]?
    ) throws(Failure) -> [UInt8] {
        var sum: Int64 = 0
        for term in terms {
            let number: Int64
            switch term.operand {
            case .number(let constant): number = constant
            case .variable(let variable):
                guard let bytes = value(variable) else { throw .noValue(variable: variable) }
                guard case .int(let parsed)? = ValueConversion.value(bytes, .int) else {
                    throw .notANumber(bytes)
                }
                number = parsed
            }
            let (result, isOver) =
                term.isNegative
                ? sum.subtractingReportingOverflow(number) : sum.addingReportingOverflow(number)
            guard !isOver else { throw .overflow }
            sum = result
        }
        return Array(String(sum).utf8)
    }

    /// Returns the computed value; nil if a variable has no value or a term of a sum is not a
    /// number.
    func bytes(_ value: (Int) -> [UInt8]?) -> [UInt8]? {
        switch self {
        case .sum(let terms): return try? Self.sum(terms, value)
        case .base64(let bytes):
            var plain: [UInt8] = []
            for element in bytes.elements {
                switch element {
                case .literal(let literal): plain += literal
                case .verbatim(let variable), .variable(let variable), .checked(let variable, _):
                    guard let bytes = value(variable) else { return nil }
                    plain += bytes
                case .computed(let inner):
                    guard let bytes = inner.bytes(value) else { return nil }
                    plain += bytes
                case .environment, .loginName, .length: return nil
                }
            }
            return Base64.encoded(plain)
        }
    }
}
