import LineProtocol
import Results
import Scenario

/// The `frame.seg` rule: a line may be split between writes at any byte.
enum FrameSegments: CheckFamily {
    static let ruleID = "frame.seg"
    /// Maximum length of a line that is sent byte by byte.
    private static let piecesMax = 120

    static func entries(_ subject: Subject) -> [CatalogueEntry] {
        guard subject.talk?.isOneLine == true || subject.has("probe") else {
            return notApplicable("no behaviour in the dialect has an outcome to compare")
        }
        let check = Check(
            CheckID(ruleID), "a line may be split at any byte", setting: "framing",
            in: subject, level: .robustness
        ) { maker in
            guard maker.subject.talk?.isOneLine == true else { return probes(&maker) }
            return Cut.allCases.compactMap { text($0, &maker) } + [together(&maker)]
        }
        return [check, FramePayload.check(subject)].compactMap { $0.map { .check($0) } }
    }

    /// A position where the line is split.
    private enum Cut: CaseIterable {
        case everywhere, random, terminator, letter, escape

        var title: String {
            switch self {
            case .everywhere: "byte by byte"
            case .random: "cut at random"
            case .terminator: "cut inside the terminator"
            case .letter: "cut inside a multi-byte character"
            case .escape: "cut inside an escape"
            }
        }

        /// Returns a message whose line can be split at this position.
        func text(_ word: String, _ subject: Subject) -> String {
            switch self {
            case .letter: "h\u{E9}l\(word)"
            case .escape: "a\(String(decoding: [subject.escapeByte ?? 0x2E], as: UTF8.self))\(word)"
            default: "in pieces \(word)"
            }
        }

        /// Returns the offsets where the line is split.
        func offsets(_ wire: WireLine, _ maker: inout CaseMaker) -> [Int] {
            let bytes = wire.bytes
            switch self {
            case .everywhere:
                return bytes.count > piecesMax ? [] : Array(1..<bytes.count)
            case .random:
                return (1..<bytes.count).filter { _ in maker.number(below: 5) == 0 }
            case .terminator: return wire.terminator.count > 1 ? [wire.line.count + 1] : []
            case .letter: return bytes.indices.filter { bytes[$0] & 0xC0 == 0x80 }
            case .escape:
                guard let escape = maker.subject.escapeByte,
                    let offset = bytes.firstIndex(of: escape)
                else { return [] }
                return [offset + 1]
            }
        }
    }

    private static func text(_ cut: Cut, _ maker: inout CaseMaker) -> CheckCase? {
        var script = maker.talkingScript(cut.title)
        script.barrier("alice", role: .control)
        let text = cut.text(maker.word(), maker.subject)
        guard let wire = script.wire(text, by: "alice") else { return nil }
        let offsets = cut.offsets(wire, &maker)
        if offsets.isEmpty { return nil }
        script.speak(text, by: "alice") { pieces($0.bytes, offsets) }
        script.hear(as: "bob")
        script.barrier("alice")
        script.quiet(["bob"])
        return script.judgedByPeer()
    }

    /// Creates a case that sends one and a half lines in one write, and the remaining half in the
    /// next.
    private static func together(_ maker: inout CaseMaker) -> CheckCase {
        var script = maker.talkingScript("one and a half lines in one write")
        script.barrier("alice", role: .control)
        let texts = ["first\(maker.word())", "second\(maker.word())"]
        let first = script.wire(texts[0], by: "alice")?.bytes ?? []
        script.speak(texts[1], by: "alice") { second in
            let half = second.bytes.count / 2
            return [first + second.bytes[..<half], Array(second.bytes[half...])]
        }
        // Another check covers the order.
        script.hear(Array(texts[0].utf8), as: "bob", onlyWhenWritten: true)
        script.hear(as: "bob")
        script.barrier("alice")
        script.quiet(["bob"])
        return script.judgedByPeer(texts: texts.map { Array($0.utf8) })
    }

    /// Creates cases that split the line of a probe, for dialects that cannot send messages.
    private static func probes(_ maker: inout CaseMaker) -> [CheckCase] {
        guard let probe = WireLine.probe(maker.subject) else { return [] }
        return [Cut.everywhere, .terminator].compactMap { cut in
            let offsets = cut.offsets(probe, &maker)
            if offsets.isEmpty { return nil }
            var script = maker.script(cut.title)
            script.barrier("alice", role: .control)
            script.differentialPair(
                [probe.bytes], pieces(probe.bytes, offsets), by: "alice")
            script.barrier("alice")
            return script.made()
        }
    }

    private static func pieces(_ bytes: [UInt8], _ offsets: [Int]) -> [[UInt8]] {
        zip([0] + offsets, offsets + [bytes.count]).map { Array(bytes[$0..<$1]) }
    }
}

extension Subject {
    /// The escape byte of messages; nil if there is none.
    var escapeByte: UInt8? { dialect.argumentRule(.fromClient).marker }
}
