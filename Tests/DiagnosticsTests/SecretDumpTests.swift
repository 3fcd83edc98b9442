import Diagnostics
import Testing

/// Secrets that continue from one row of a dump to the next.
struct SecretDumpTests {
    private static let secrets = ["quietmeadowfield", "Ma&rble/2031", "frosty-mount7"]

    private struct Format: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var width: Int
        var row: @Sendable (_ offset: Int, _ bytes: [UInt8]) -> String

        static func number(_ value: Int, _ radix: Int, _ digits: Int) -> String {
            let text = String(value, radix: radix)
            return String(repeating: "0", count: digits - text.count) + text
        }

        static func numbers(_ bytes: [UInt8], _ radix: Int, _ digits: Int) -> [String] {
            bytes.map { number(Int($0), radix, digits) }
        }

        static func padded(_ text: String, _ count: Int) -> String {
            text + String(repeating: " ", count: max(0, count - text.count))
        }
    }

    private static let formats: [Format] = [
        Format(testDescription: "xxd -b", width: 6) { offset, bytes in
            let numbers = Format.numbers(bytes, 2, 8).joined(separator: " ")
            let text = String(decoding: bytes, as: UTF8.self)
            return "\(Format.number(offset, 16, 8)): \(Format.padded(numbers, 53))  \(text)"
        },
        Format(testDescription: "xxd", width: 16) { offset, bytes in
            let digits = Format.numbers(bytes, 16, 2)
            let pairs = stride(from: 0, to: digits.count, by: 2).map {
                digits[$0..<min($0 + 2, digits.count)].joined()
            }
            let numbers = Format.padded(pairs.joined(separator: " "), 39)
            let text = String(decoding: bytes, as: UTF8.self)
            return "\(Format.number(offset, 16, 8)): \(numbers)  \(text)"
        },
        Format(testDescription: "hexdump -C", width: 16) { offset, bytes in
            let digits = Format.numbers(bytes, 16, 2)
            let halves = [digits.prefix(8), digits.dropFirst(8)].map { $0.joined(separator: " ") }
            let numbers = Format.padded(halves.joined(separator: "  "), 48)
            let text = String(decoding: bytes, as: UTF8.self)
            return "\(Format.number(offset, 16, 8))  \(numbers)  |\(text)|"
        },
        Format(testDescription: "od -c", width: 16) { offset, bytes in
            let text = bytes.map { "   \(Character(Unicode.Scalar($0)))" }.joined()
            return Format.number(offset, 8, 7) + text
        },
        Format(testDescription: "od -t u1", width: 16) { offset, bytes in
            Format.number(offset, 8, 7) + bytes.map { $0 < 100 ? "  \($0)" : " \($0)" }.joined()
        },
        Format(testDescription: "gdb x/8xb", width: 8) { offset, bytes in
            let name = offset == 0 ? "<buffer>" : "<buffer+\(offset)>"
            return "0x\(Format.number(0x404040 + offset, 16, 6)) \(name):"
                + Format.numbers(bytes, 16, 2).map { "\t0x\($0)" }.joined()
        },
        Format(testDescription: "curl --trace-ascii", width: 16) { offset, bytes in
            "\(Format.number(offset, 16, 4)): \(String(decoding: bytes, as: UTF8.self))"
        },
    ]

    @Test(arguments: secrets, formats)
    private func secretsInSeveralRowsAreMasked(_ secret: String, _ format: Format) {
        let mask = SecretMask([Array(secret.utf8)])
        for start in 0..<16 {
            let bytes = Array(String(repeating: "%", count: start).utf8) + Array(secret.utf8)
            func dump(_ bytes: [UInt8]) -> [String] {
                stride(from: 0, to: bytes.count, by: format.width).map {
                    format.row($0, Array(bytes[$0..<min($0 + format.width, bytes.count)]))
                }
            }
            let rows = dump(bytes)
            guard rows.count > 1 else { continue }
            let result = mask.masked(rows.joined(separator: "\n"))
            // The same dump with other bytes shows which tokens belong to the secret.
            let others = Set(
                dump(bytes.prefix(start) + secret.utf8.map { _ in UInt8(ascii: "%") }).flatMap {
                    $0.split(whereSeparator: \.isWhitespace)
                })
            let left = result.split(whereSeparator: \.isWhitespace)
                .filter { !others.contains($0) && !$0.contains("***") }
            #expect(left.isEmpty, "\(start): \(left) in \(result) of \(rows)")
        }
    }

    @Test func rowsStayInLinesOfTheirOwn() {
        let dump = """
            00000000: 0d0a 7175 6965 746d 6561 646f 7766 6965  ..quietmeadowfie
            00000010: 6c64 0d0a                                ld..
            """
        #expect(
            SecretMask([Array("quietmeadowfield".utf8)]).masked(dump) == """
                00000000: 0d0a ***  ..***
                00000010: *** 0d0a                                ***..
                """)
    }

    @Test func otherTextWithNumbersAtTheStartIsKept() {
        let text = """
            2031 quiet meadow
            2032 the field of wheat
            2033: ma rble 2031
            """
        for secret in Self.secrets {
            #expect(SecretMask([Array(secret.utf8)]).masked(text) == text)
        }
    }
}
