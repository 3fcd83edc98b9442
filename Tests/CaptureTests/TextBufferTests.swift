import Testing

@testable import Capture

struct TextBufferTests {
    private static func text(_ write: (inout TextBuffer) -> Void) -> String {
        var buffer = TextBuffer(capacity: 64)
        write(&buffer)
        return String(decoding: buffer.bytes, as: UTF8.self)
    }

    @Test func numbersAreWrittenInDecimal() {
        let units = (0..<20).reduce(into: [UInt64(1)]) { units, _ in
            units.append(units[units.count - 1] &* 10)
        }
        let edges = units.flatMap { [$0 &- 1, $0, $0 &+ 1, $0 &* 9, $0 &* 10 &- 1] }
        for number in edges + [0, .max, .max - 1] + stride(from: 0, to: 100_000_000, by: 9_973) {
            #expect(Self.text { $0.append(magnitude: number) } == String(number))
        }
        for number in [Int64.min, -100_000_000, -1, 0, .max] {
            #expect(Self.text { $0.append(decimal: number) } == String(number))
        }
    }

    @Test func eachHalfOfEightDigitsIsRight() {
        for half in UInt64(0)..<10_000 {
            let text = String(10_000 + half).dropFirst()
            #expect(Self.text { $0.append(eightDigits: half) } == "0000" + text)
            #expect(Self.text { $0.append(eightDigits: half * 10_000) } == text + "0000")
        }
    }

    @Test func shortNumbersHaveLeadingZeros() {
        #expect(Self.text { $0.append(sixDigits: 42) } == "000042")
        #expect(Self.text { $0.append(sixDigits: 999_999) } == "999999")
        #expect(Self.text { $0.append(7, digits: 2) } == "07")
    }

    /// Places each kind of byte at each position of texts of each length, between bytes that need
    /// escaping.
    @Test func onlyTextWithoutSpecialBytesIsPlain() {
        let special: [UInt8] = [0, 0x1F, 0x22, 0x5C, 0x7F, 0x80, 0xFF]
        for count in 0...40 {
            for start in 1...3 {
                var bytes = [UInt8](repeating: 0x22, count: start + count + 3)
                let range = start..<(start + count)
                for (index, byte) in zip(range, [UInt8](0x23...0x5B)) { bytes[index] = byte }
                let isPlain = TextBuffer.isPlain(range, of: bytes.span)
                #expect(isPlain)
                for index in range {
                    let plain = bytes[index]
                    for byte in special {
                        bytes[index] = byte
                        let isPlain = TextBuffer.isPlain(range, of: bytes.span)
                        #expect(!isPlain, "\(byte) at \(index)")
                    }
                    bytes[index] = plain
                }
            }
        }
    }

    @Test func plainTextIsQuotedUnchanged() {
        for count in 0...300 {
            for rest in [0, 1, 31, 32, 64] {
                let bytes = (0..<(count + 2 + rest)).map { UInt8(0x30 + $0 % 64) }
                let range = 2..<(2 + count)
                let expected = "\"\(String(decoding: bytes[range], as: UTF8.self))\""
                let written = Self.text { $0.append(quotedPlain: range, of: bytes.span) }
                #expect(written == expected)
            }
        }
    }
}
