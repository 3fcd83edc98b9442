import LineProtocol
import Results

/// The values that an action sends. Operators and rooms are numbered across the whole load test.
struct ActionValues {
    var action: LoadAction
    var sender: Int
    /// The operator that the sender relays to.
    var recipient: Int
    var room: Int
    /// Sequence number of the message among those of its sender.
    var sequence: UInt32
    /// Number of the action's entry in the log of sent messages.
    var message: UInt64
}

/// A writer that turns actions into bytes by filling in the script's templates.
struct ActionWriter {
    private let names: RunNames
    /// Send templates, by raw value of the action.
    private let templates: [SendTemplate]
    private let logout: SendTemplate
    /// Length of generated message bodies, in bytes.
    private let textBytes: Int
    /// For each action, the bytes written last, or its template's bytes.
    private var buffers: [[UInt8]]
    /// Index in ``buffers`` of the most recent action.
    private var latest = 0

    /// Bytes of the most recent action.
    var bytes: [UInt8] { buffers[latest] }

    /// Appends the bytes of the most recent action, without retaining their array.
    func appendBytes(to output: inout [UInt8]) {
        unsafe buffers[latest].withUnsafeBufferPointer { bytes in
            unsafe output.append(contentsOf: bytes)
        }
    }

    init(_ plan: FleetPlan) {
        names = plan.names
        logout = plan.operatorScript.logout
        textBytes = plan.operatorScript.widths.text
        templates = LoadAction.allCases.map { plan.operatorScript.sends[$0] ?? SendTemplate() }
        buffers = templates.map(\.bytes)
    }

    /// Returns true if the dialect supports the action.
    func canWrite(_ action: LoadAction) -> Bool {
        !templates[Int(action.rawValue)].bytes.isEmpty
    }

    /// Writes an action to ``bytes``. Each part of the template that varies is overwritten.
    mutating func write(_ values: ActionValues) {
        let action = Int(values.action.rawValue)
        latest = action
        for patchIndex in templates[action].patches.indices {
            let patch = templates[action].patches[patchIndex]
            let offset = patch.offset
            switch patch.slot {
            case .name, .from: names.write(name: values.sender, to: &buffers[action], at: offset)
            case .to: names.write(name: values.recipient, to: &buffers[action], at: offset)
            case .room:
                let number = names.wireNumber(room: values.room)
                Self.write(room: number, to: &buffers[action], at: offset)
            case .token: Self.write(token: values.message, to: &buffers[action], at: offset)
            case .text: text(values).write(to: &buffers[action], at: offset, count: textBytes)
            case .capture0, .capture1, .capture2, .capture3: break
            }
        }
    }

    /// Returns the bytes of the dialect's logout for an operator.
    func logoutBytes(_ number: Int) -> [UInt8] {
        var bytes = logout.bytes
        for patch in logout.patches {
            switch patch.slot {
            case .name: names.write(name: number, to: &bytes, at: patch.offset)
            case .token: Self.write(token: 0, to: &bytes, at: patch.offset)
            default: break
            }
        }
        return bytes
    }

    private static func write(room number: Int, to bytes: inout [UInt8], at offset: Int) {
        var span = bytes.mutableSpan
        var rest = number
        var at = offset + SlotWidths.room
        while at > offset {
            at -= 1
            span[at] = 0x30 + UInt8(rest % 10)
            rest /= 10
        }
    }

    private func text(_ values: ActionValues) -> MessageText {
        MessageText(
            kind: values.action == .relay ? .relay : .say, run: names.run,
            room: UInt32(values.room), sender: UInt32(values.sender), sequence: values.sequence,
            message: values.message)
    }

    /// Writes a token: `lj` and the probe's number.
    private static func write(token number: UInt64, to bytes: inout [UInt8], at offset: Int) {
        var span = bytes.mutableSpan
        span[offset] = UInt8(ascii: "l")
        span[offset + 1] = UInt8(ascii: "j")
        Base32.write(number, SlotWidths.token - 2, to: &span, at: offset + 2)
    }

    /// Returns the probe's number in a token; nil if Linejudge did not write the token.
    static func token(_ bytes: Span<UInt8>) -> UInt64? {
        guard bytes.count == SlotWidths.token, bytes[0] == UInt8(ascii: "l"),
            bytes[1] == UInt8(ascii: "j")
        else { return nil }
        return Base32.read(bytes, 2, SlotWidths.token - 2)
    }
}
