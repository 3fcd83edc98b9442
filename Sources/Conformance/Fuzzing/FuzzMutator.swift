import LineProtocol
import Scenario

/// A mutator for fuzz inputs that uses the dialect's grammar.
struct FuzzMutator {
    private let grammar: FuzzGrammar
    private var random: SeededRandom

    init(_ grammar: FuzzGrammar, seed: UInt64, trial: Int) {
        self.grammar = grammar
        random = SeededRandom(seed: seed, stream: UInt64(trial) &+ 1)
    }

    /// Returns a new trial: either valid messages that are split in unusual places, or a mutation
    /// of an input in the corpus.
    mutating func trial(_ corpus: [FuzzInput]) -> FuzzInput {
        if grammar.talks, chance(3) {
            if let input = texts() { return input }
        }
        var input = pick(corpus) ?? FuzzInput(lines: [grammar.terminator])
        input.texts = nil
        for _ in 0...number(4) { change(&input, corpus) }
        if chance(2) { cut(&input) }
        if chance(6), input.ending == .none {
            input.ending = pick([.close, .abort, .closeWithData]) ?? .none
            if chance(2), input.lines.last?.isEmpty == false {
                input.lines[input.lines.count - 1].removeLast()
            }
        }
        // Without a terminator, the line would absorb the probe.
        if input.ending == .none, let last = input.lines.last, !isEnded(last) {
            input.lines[input.lines.count - 1] += grammar.terminator
        }
        input.tidy()
        if input.ending == .none, let last = input.lines.last, !isEnded(last) {
            input.lines.append(grammar.terminator)
        }
        // The mutation may have removed all lines.
        if input.lines.isEmpty { input.lines = [grammar.terminator] }
        return input
    }

    private func isEnded(_ line: [UInt8]) -> Bool {
        line.count >= grammar.terminator.count
            && line.suffix(grammar.terminator.count) == grammar.terminator[...]
    }

    // MARK: Messages

    /// Returns messages that the dialect guarantees to deliver, split at random offsets; nil if
    /// there are none.
    private mutating func texts() -> FuzzInput? {
        guard let position = TextPosition(grammar.subject) else { return nil }
        let preserved =
            (UInt8(0x20)...0x7E).filter(position.isPreserved)
            + position.special.filter(position.isPreserved)
        guard !preserved.isEmpty else { return nil }
        var texts: [[UInt8]] = []
        var lines: [[UInt8]] = []
        for _ in 0...number(6) {
            // The text starts and ends with a letter, because another check covers other bytes at
            // the ends.
            var text = [UInt8(ascii: "a")]
            for _ in 0..<number(chance(4) ? 200 : 20) { text.append(pick(preserved) ?? 0x61) }
            text.append(UInt8(ascii: "z"))
            guard let line = FuzzGrammar.spoken(text, grammar.subject),
                line.count + 100 < grammar.lineBytesMax
            else { continue }
            texts.append(text)
            lines.append(line)
        }
        var input = FuzzInput(lines: lines)
        guard !lines.isEmpty else { return nil }
        if chance(3) { cut(&input) } else if chance(2) { cutEach(&input) }
        input.tidy()
        input.texts = texts
        return input.lines.count == lines.count ? input : nil
    }

    // MARK: Mutations

    private mutating func change(_ input: inout FuzzInput, _ corpus: [FuzzInput]) {
        guard let index = input.lines.indices.randomElement(using: &random) else {
            input.lines = (pick(corpus) ?? input).lines
            return
        }
        switch number(16) {
        case 0: input.lines.insert(input.lines[index], at: index)
        case 1: if input.lines.count > 1 { input.lines.remove(at: index) }
        case 2: input.lines.shuffle(using: &random)
        case 3, 4: input.lines.insert(contentsOf: (pick(corpus) ?? input).lines, at: index)
        case 5, 6, 7, 8: changeArgument(&input.lines[index])
        case 9: input.lines[index] = withCommandInside(input.lines[index])
        case 10: changeEnd(&input.lines[index])
        case 11: lengthen(&input.lines[index])
        default: changeByte(&input.lines[index])
        }
    }

    private mutating func changeArgument(_ line: inout [UInt8]) {
        let end = isEnded(line) ? grammar.terminator : []
        var fields = line.dropLast(end.count)
            .split(separator: grammar.separator, omittingEmptySubsequences: false).map(Array.init)
        let index = number(fields.count)
        switch number(6) {
        case 0: fields.remove(at: index)
        case 1: fields.insert(fields[index], at: index)
        case 2: fields.insert(pick(grammar.words) ?? [], at: index)
        case 3: fields.shuffle(using: &random)
        default: fields[index] = pick(grammar.words) ?? []
        }
        line = Array(fields.joined(separator: [grammar.separator])) + end
    }

    private mutating func changeByte(_ line: inout [UInt8]) {
        guard let index = line.indices.randomElement(using: &random) else { return }
        switch number(4) {
        case 0: line[index] ^= 1 << UInt8(number(8))
        case 1: line.remove(at: index)
        default: line.insert(pick(grammar.bytes) ?? 0, at: index)
        }
    }

    /// Replaces or doubles a line's terminator.
    private mutating func changeEnd(_ line: inout [UInt8]) {
        guard isEnded(line) else { return }
        line.removeLast(grammar.terminator.count)
        line += pick(grammar.accepted + [grammar.terminator + grammar.terminator]) ?? []
    }

    /// Lengthens a line to about the maximum length, or far beyond it.
    private mutating func lengthen(_ line: inout [UInt8]) {
        let end = isEnded(line) ? grammar.terminator : []
        let sizes = [
            grammar.lineBytesMax - 1, grammar.lineBytesMax, grammar.lineBytesMax + 1, 600, 5_000,
        ]
        let size = min((pick(sizes) ?? 600) + number(3), FuzzInput.bytesMax / 2)
        line =
            line.dropLast(end.count)
            + [UInt8](repeating: 0x78, count: max(0, size - line.count)) + end
    }

    /// Embeds a complete command after a byte that a server might treat as the end of the line. The
    /// server must not execute the command.
    private mutating func withCommandInside(_ line: [UInt8]) -> [UInt8] {
        guard let command = FuzzGrammar.spoken(FuzzCase.canary, grammar.subject) else {
            return line
        }
        let end = isEnded(line) ? grammar.terminator : []
        var changed = line.dropLast(end.count) + [pick(grammar.bytes) ?? 0]
        if chance(3) {
            let missing = grammar.lineBytesMax - changed.count - number(3)
            changed += [UInt8](repeating: 0x78, count: min(max(0, missing), FuzzInput.bytesMax / 2))
        }
        return changed + command
    }

    private mutating func cut(_ input: inout FuzzInput) {
        let count = input.bytes.count
        guard count > 1 else { return }
        for _ in 0...number(4) { input.cuts.append(1 + number(count - 1)) }
        input.cuts = Array(Set(input.cuts)).sorted()
    }

    /// Splits the input so that each of its first bytes is sent in a separate write.
    private mutating func cutEach(_ input: inout FuzzInput) {
        input.cuts = Array(1..<max(2, min(input.bytes.count, 24)))
    }

    // MARK: Random choices

    private mutating func number(_ bound: Int) -> Int { random.next(below: bound) }

    private mutating func chance(_ oneOf: Int) -> Bool { number(oneOf) == 0 }

    private mutating func pick<Element>(_ elements: [Element]) -> Element? {
        elements.isEmpty ? nil : elements[number(elements.count)]
    }
}
