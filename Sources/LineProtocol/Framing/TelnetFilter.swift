/// Filter that removes telnet commands from a stream and replaces a doubled IAC with a single one
/// (RFC 854, RFC 855).
struct TelnetFilter: Sendable {
    private enum State { case data, command, option, subnegotiation, subnegotiationCommand }

    private var state = State.data

    mutating func filter(_ bytes: Span<UInt8>, into target: inout [UInt8]) {
        for offset in 0..<bytes.count {
            let byte = bytes[offset]
            switch state {
            case .data:
                if byte == ASCII.iac { state = .command } else { target.append(byte) }
            case .command:
                state = afterCommand(byte, &target)
            case .option:
                state = .data
            case .subnegotiation:
                if byte == ASCII.iac { state = .subnegotiationCommand }
            case .subnegotiationCommand:
                state = byte == 0xF0 ? .data : .subnegotiation
            }
        }
    }

    private func afterCommand(_ byte: UInt8, _ target: inout [UInt8]) -> State {
        switch byte {
        case ASCII.iac:
            target.append(byte)
            return .data
        case 0xFB...0xFE:  // WILL, WON'T, DO, DON'T: an option follows
            return .option
        case 0xFA:
            return .subnegotiation
        default:
            return .data
        }
    }
}
