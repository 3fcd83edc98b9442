/// Names of operators and rooms in one run of a load test.
struct RunNames: Sendable {
    /// The run's number.
    let run: UInt32

    /// Returns an operator's name: `lj`, the run number and the operator's number.
    func name(_ number: Int) -> [UInt8] {
        var bytes = Array("lj0000000".utf8)
        write(name: number, to: &bytes, at: 0)
        return bytes
    }

    func write(name number: Int, to bytes: inout [UInt8], at offset: Int) {
        var span = bytes.mutableSpan
        span[offset] = UInt8(ascii: "l")
        span[offset + 1] = UInt8(ascii: "j")
        Base32.write(UInt64(run & 0x7FFF), 3, to: &span, at: offset + 2)
        Base32.write(UInt64(number), 4, to: &span, at: offset + 5)
    }

    /// Returns a room's eight-digit number on the server.
    func wireNumber(room: Int) -> Int { 10_000_000 + Int(run % 89) * 1_000_000 + room }
}
