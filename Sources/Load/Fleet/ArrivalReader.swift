import LineProtocol
import Results

/// A reader for lines that operators receive. It finds the rule that a line matches, and the values
/// in the line.
///
/// Methods that are called for each line are mutating, because the compiler would copy the struct
/// for each call of a nonmutating one.
struct ArrivalReader {
    private let facts: LineFacts
    private var matcher: RuleMatcher
    /// Name of the first operator. All operator names of a run start with the same five bytes.
    private let firstName: [UInt8]

    init(_ plan: FleetPlan, _ facts: LineFacts) {
        self.facts = facts
        matcher = RuleMatcher(plan.operatorScript)
        firstName = plan.name(0)
    }

    /// Returns the index of the first rule after `start` that matches the line; nil if none does.
    mutating func firstRule(of bytes: Span<UInt8>, _ frame: Frame, after start: Int = -1) -> Int? {
        matcher.firstRule(of: bytes, frame, after: start)
    }

    func purpose(_ rule: Int) -> MatchRules.Purpose { matcher.purpose(rule) }

    /// Returns true if the last matched line may violate the command table.
    func isSuspicious(_ frame: Frame) -> Bool { matcher.isSuspicious(frame) }

    // MARK: Parts of the last matched line

    /// Returns the message body, or the reason it cannot be parsed; nil if the line has none.
    mutating func text(_ bytes: Span<UInt8>) -> Result<MessageText, MessageText.Flaw>? {
        let run = facts.run
        return matcher.withSlot(.text, bytes) { part in
            do throws(MessageText.Flaw) {
                return .success(try MessageText(reading: part, run: run))
            } catch {
                return .failure(error)
            }
        }
    }

    /// Returns the number of the probe that the line answers; nil if it contains no such token.
    mutating func token(_ bytes: Span<UInt8>) -> UInt64? {
        matcher.withSlot(.token, bytes) { ActionWriter.token($0) } ?? nil
    }

    /// Returns true if the line names an operator of this run as its sender.
    mutating func isFromOneOfUs(_ bytes: Span<UInt8>) -> Bool {
        let ours = firstName
        return matcher.withSlot(.from, bytes) { part in
            guard part.count == SlotWidths.name else { return false }
            for index in 0..<5 where part[index] != ours[index] { return false }
            return true
        } ?? false
    }

    /// Returns true if the line names this sender or none.
    mutating func isAttributed(to sender: Int, _ bytes: Span<UInt8>) -> Bool {
        let run = facts.nameRun
        return matcher.withSlot(.from, bytes) { part in
            guard part.count == SlotWidths.name, part[0] == UInt8(ascii: "l"),
                part[1] == UInt8(ascii: "j")
            else { return false }
            guard let number = Base32.read(part, 2, 7) else { return false }
            return number >> 20 == run && number & Base32.most(digits: 4) == UInt64(sender)
        } ?? true
    }

    /// Returns true if the line names this room or none.
    mutating func isAddressed(to room: Int, _ bytes: Span<UInt8>) -> Bool {
        let expected = facts.firstWireRoom + room
        return matcher.withSlot(.room, bytes) { part in
            var number = 0
            for index in 0..<part.count {
                guard part[index] >= 0x30, part[index] <= 0x39, number <= expected else {
                    return false
                }
                number = number * 10 + Int(part[index] - 0x30)
            }
            return number == expected
        } ?? true
    }

    /// Returns an operator's reply to the line.
    mutating func reply(_ reply: ReplyTemplate, to bytes: Span<UInt8>, from name: [UInt8])
        -> [UInt8]
    {
        var result: [UInt8] = []
        for piece in reply.pieces {
            switch piece {
            case .literal(let literal): result += literal
            case .slot(.name): result += name
            case .slot(let slot):
                result += matcher.withSlot(slot, bytes) { $0.array(0..<$0.count) } ?? []
            }
        }
        return result
    }
}
