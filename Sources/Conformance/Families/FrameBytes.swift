import LineProtocol
import Results
import Scenario

/// The `frame.nul` rule, in which a message contains a NUL byte.
enum FrameNUL: CheckFamily {
    static let ruleID = "frame.nul"

    static func entries(_ subject: Subject) -> [CatalogueEntry] {
        ByteTrials.entries(ruleID, "nul", "a NUL in a message", subject) { word in
            [word + [0] + word, [0] + word, word + [0], word + [0, 0] + word]
        }
    }
}

/// The `frame.utf8` rule, in which a message contains invalid UTF-8.
enum FrameUTF8: CheckFamily {
    static let ruleID = "frame.utf8"

    /// A lone continuation byte, overlong encodings, a truncated character, a surrogate, a code
    /// point above U+10FFFF, and bytes that never occur in UTF-8.
    private static let classes: [[UInt8]] = [
        [0x80], [0xC0, 0xAF], [0xE0, 0x80, 0xAF], [0xE2, 0x82], [0xED, 0xA0, 0x80],
        [0xF4, 0x90, 0x80, 0x80], [0xFE], [0xFF, 0xFF], [0xE9],
    ]

    static func entries(_ subject: Subject) -> [CatalogueEntry] {
        ByteTrials.entries(ruleID, "invalid-utf8", "invalid UTF-8 in a message", subject) { word in
            classes.map { word + $0 + word } + [word + [0xE2, 0x82]]
        }
    }
}

/// The `frame.ctrl` rule, in which a message contains control bytes or invisible characters.
enum FrameControl: CheckFamily {
    static let ruleID = "frame.ctrl"

    static func entries(_ subject: Subject) -> [CatalogueEntry] {
        guard let position = TextPosition(subject) else {
            return notApplicable(subject.noMessages)
        }
        let ends = subject.dialect.framing.fromClient.accepted.flatMap(\.bytes)
        let syntax = subject.dialect.syntax.fromClient
        let controls = (UInt8.min...UInt8.max).filter { byte in
            ASCII.isControl(byte) && byte != 0 && byte != ASCII.cr
                && (position.rule == nil
                    || !ends.contains(byte) && !syntax.separators.contains(byte)
                        && !position.isEscaped(byte))
        }
        let mark = Check(
            CheckID(ruleID, "mark"),
            "a byte order mark and an invisible character in a message arrive unchanged",
            setting: "arguments", in: subject
        ) { maker in
            let marks: [[UInt8]] = [[0xEF, 0xBB, 0xBF], [0xE2, 0x80, 0x8B], [0xC2, 0x85]]
            var script = maker.talkingScript("at the start and in the middle")
            script.barrier("alice", role: .control)
            let texts = marks.flatMap { [$0 + maker.bytes(), maker.bytes() + $0 + maker.bytes()] }
            let said = script.exchange(texts)
            return [script.judgedByPeer(texts: said)]
        }
        return ByteTrials.entries(ruleID, "control-bytes", "control bytes in a message", subject) {
            word in
            stride(from: 0, to: controls.count, by: 8).map { first in
                word
                    + controls[first..<min(first + 8, controls.count)].flatMap {
                        [$0, UInt8(ascii: "m")]
                    }
            }
        } + [.check(mark)]
    }
}
