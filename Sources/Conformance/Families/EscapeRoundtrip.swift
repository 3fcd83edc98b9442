import LineProtocol
import Results
import Scenario

/// The `esc.roundtrip` rule: every message that the dialect can express arrives unchanged.
enum EscapeRoundtrip: CheckFamily {
    static let ruleID = "esc.roundtrip"
    private static let bytesPerText = 16
    private static let pairsPerText = 20
    private static let textsPerCase = 8
    private static let randomTexts = 8
    private static let randomBytes = 40

    static func entries(_ subject: Subject) -> [CatalogueEntry] {
        let echoes = EscapeEcho.entries(subject)
        guard let position = TextPosition(subject) else {
            return notApplicable(subject.noMessages) + echoes
        }
        let all = (UInt8.min...UInt8.max).map(\.self)
        let left = position.leftOut(all)
        return [
            check(
                "bytes", "each byte\(left) of a message arrives unchanged", position, subject, bytes
            ),
            check(
                "ends", "special bytes at the start and end of a message arrive unchanged",
                position,
                subject, ends
            ),
            check("pairs", "adjacent special bytes arrive unchanged", position, subject, pairs),
            check(
                "random", "a message of random bytes\(left) arrives unchanged", position, subject,
                random),
        ] + echoes
    }

    private static func check(
        _ name: String, _ claim: String, _ position: TextPosition, _ subject: Subject,
        _ texts: @escaping @Sendable (TextPosition, inout CaseMaker) -> [[UInt8]]
    ) -> CatalogueEntry {
        .check(
            Check(CheckID(ruleID, name), claim, setting: position.setting, in: subject) { maker in
                guard let position = TextPosition(maker.subject) else { return [] }
                let all = texts(position, &maker)
                return stride(from: 0, to: all.count, by: textsPerCase).map { first in
                    let part = Array(all[first..<min(first + textsPerCase, all.count)])
                    let title = "messages \(first + 1) to \(first + part.count)"
                    var script = maker.talkingScript(title)
                    script.barrier("alice", role: .control)
                    let said = script.exchange(part)
                    return script.judgedByPeer(texts: said)
                }
            })
    }

    /// Returns messages that together contain every byte, each between two letters.
    private static func bytes(_ position: TextPosition, _ maker: inout CaseMaker) -> [[UInt8]] {
        let all = (UInt8.min...UInt8.max).filter(position.isPreserved)
        return stride(from: 0, to: all.count, by: bytesPerText).map { first in
            var text = maker.bytes()
            for byte in all[first..<min(first + bytesPerText, all.count)] {
                text += [byte, UInt8(ascii: "m")]
            }
            return text
        }
    }

    /// Returns messages with special bytes at the start, at the end, and at both ends.
    private static func ends(_ position: TextPosition, _ maker: inout CaseMaker) -> [[UInt8]] {
        position.special.filter(position.isPreserved).flatMap { byte in
            [
                [byte] + maker.bytes(), maker.bytes() + [byte],
                [byte, byte] + maker.bytes() + [byte],
            ]
        }
    }

    /// Returns messages with each pair of special bytes, and with each special byte next to the
    /// letters that occur in escapes.
    private static func pairs(_ position: TextPosition, _ maker: inout CaseMaker) -> [[UInt8]] {
        let special = position.special.filter(position.isPreserved)
        var letters = special
        if case .table(let table) = position.rule { letters += table.meaning.keys.sorted() }
        let pairs = special.flatMap { left in letters.map { [left, $0] } }
        return stride(from: 0, to: pairs.count, by: pairsPerText).map { first in
            var text = maker.bytes()
            for pair in pairs[first..<min(first + pairsPerText, pairs.count)] {
                text += pair + [UInt8(ascii: "m")]
            }
            return text
        }
    }

    private static func random(_ position: TextPosition, _ maker: inout CaseMaker) -> [[UInt8]] {
        let bytes = (UInt8.min...UInt8.max).filter(position.isPreserved)
        guard !bytes.isEmpty else { return [] }
        return (0..<randomTexts).map { _ in
            // The messages start and end with letters, because another check covers spaces at the
            // ends.
            maker.bytes()
                + (0..<randomBytes).map { _ in bytes[maker.number(below: bytes.count)] }
                + maker.bytes()
        }
    }
}
