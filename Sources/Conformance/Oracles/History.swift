import Results
import Session

/// History check: compares the messages sent in two rooms with the messages that each member
/// received.
struct History: Sendable {
    var room: Int?
    var speakers: [String]
    var otherRoom: Int?
    var outsiders: [String] = []
    /// The messages sent in the room under test, by sender and in order.
    var said: [String: [[UInt8]]] = [:]
    /// The messages sent in the other room.
    var there: [[UInt8]] = []
    /// The phase of each message. The members of the room change between phases. Messages without
    /// an entry belong to phase 0.
    var moments: [[UInt8]: Int] = [:]
    /// The phases during which each member was present. Members without an entry were always
    /// present.
    var stays: [String: Range<Int>] = [:]
    /// Messages whose sender was disconnected immediately afterwards. Each is delivered once or not
    /// at all.
    var indefinite: Set<[UInt8]> = []
    /// Outsiders that shrinking has removed.
    private var gone: Set<String> = []

    init(room: Int?, speakers: [String]) {
        self.room = room
        self.speakers = speakers
    }

    /// Returns the history without clients and messages that shrinking has removed.
    private func reduced(to testCase: CheckCase) -> History {
        var history = self
        let present = Set(testCase.actors.map(\.handle))
        history.speakers.removeAll { !present.contains($0) }
        history.said = said.filter { present.contains($0.key) }.mapValues(testCase.expected)
        // The remaining members receive nothing from clients that were removed.
        let speaks = outsiders.first.map(present.contains) ?? false
        history.there = speaks ? testCase.expected(there) : []
        history.gone = Set(outsiders).subtracting(present)
        return history
    }

    func judge(_ evidence: inout Evidence) -> Judgement {
        reduced(to: evidence.testCase).judgeAll(&evidence)
    }

    private func judgeAll(_ evidence: inout Evidence) -> Judgement {
        var orders: [(hearer: String, texts: [[UInt8]])] = []
        for hearer in speakers + outsiders where !gone.contains(hearer) {
            let heard = heard(by: hearer, &evidence)
            if let finding = finding(hearer, heard, evidence) { return .failed(finding) }
            orders.append((hearer, heard.map(\.text)))
        }
        guard let finding = disorder(orders) else { return evidence.scripted() }
        return .failed(finding)
    }

    private typealias Heard = (text: [UInt8], speaker: String, room: Int?)

    /// Returns all messages that a client received, from any sender and in any room.
    private func heard(by hearer: String, _ evidence: inout Evidence) -> [Heard] {
        var result: [Heard] = []
        for (entry, _) in evidence.entries
        where entry.operatorName == hearer && entry.kind == .received && entry.role == .plain {
            for speaker in speakers + outsiders {
                let room = evidence.text(entry, from: speaker, room: self.room).map {
                    ($0, self.room)
                }
                let other = evidence.text(entry, from: speaker, room: otherRoom)
                    .map { ($0, otherRoom) }
                guard let found = room ?? other else { continue }
                result.append((found.0, speaker, found.1))
                break
            }
        }
        return result
    }

    private func finding(
        _ hearer: String, _ heard: [Heard], _ evidence: Evidence
    ) -> Finding? {
        let isInside = speakers.contains(hearer)
        let known = Set(said.values.joined()).union(there)
        var counts: [[UInt8]: Int] = [:]
        for (text, _, _) in heard {
            counts[text, default: 0] += 1
            if !known.contains(text) {
                return Finding(
                    "phantom", expected: "\(hearer) receives only what was sent",
                    got: "received \(PeerBytes.shown([text])), which was never sent")
            }
            if there.contains(text) == isInside, !outsiders.isEmpty {
                return Finding(
                    "leaked", expected: "\(hearer) receives nothing from another room",
                    got: "received \(PeerBytes.shown([text]))")
            }
            if let stay = stays[hearer], moments[text] ?? 0 >= stay.upperBound {
                return Finding(
                    "leaked",
                    expected: "\(hearer) receives nothing from a room after leaving it",
                    got: "received \(PeerBytes.shown([text]))")
            }
            if counts[text] ?? 0 > 1 {
                return Finding(
                    "duplicated", expected: "\(hearer) receives each message once",
                    got: "received \(PeerBytes.shown([text])) twice")
            }
        }
        let due: [(String, [[UInt8]])] =
            isInside
            ? speakers.filter { $0 != hearer }.map { ($0, said[$0] ?? []) }
            : hearer == outsiders.first ? [] : [(outsiders.first ?? "", there)]
        for (speaker, texts) in due {
            let got = heard.filter { texts.contains($0.text) }.map(\.text)
            let lost = texts.first { isDue($0, to: hearer) && !got.contains($0) }
            // Servers may replay history to new members, but must keep the order.
            if lost == nil, got == texts.filter(got.contains) { continue }
            let count = texts.count { isDue($0, to: hearer) }
            return Finding(
                lost == nil ? "reordered" : "lost",
                expected: "\(hearer) receives all \(count) messages from \(speaker) in order",
                got: lost.map { "\(PeerBytes.shown([$0])) never arrived" }
                    ?? "received \(PeerBytes.shown(got))")
        }
        return nil
    }

    /// Returns whether the client must receive the message: the client was certainly present, and
    /// the message was certainly sent.
    private func isDue(_ text: [UInt8], to hearer: String) -> Bool {
        guard !indefinite.contains(text) else { return false }
        return stays[hearer].map { $0.contains(moments[text] ?? 0) } ?? true
    }

    /// Returns a finding if any two clients received the same messages in different orders; nil
    /// otherwise.
    private func disorder(_ orders: [(hearer: String, texts: [[UInt8]])]) -> Finding? {
        for (leftIndex, left) in orders.enumerated() {
            for right in orders[(leftIndex + 1)...] {
                let common = Set(left.texts).intersection(right.texts)
                let one = left.texts.filter(common.contains)
                let other = right.texts.filter(common.contains)
                guard let index = zip(one, other).enumerated().first(where: { $1.0 != $1.1 })
                else { continue }
                return Finding(
                    "order",
                    expected:
                        "\(left.hearer) and \(right.hearer) receive messages in the same order",
                    got:
                        "\(left.hearer) received \(PeerBytes.shown([index.element.0])) where "
                        + "\(right.hearer) received \(PeerBytes.shown([index.element.1]))")
            }
        }
        return nil
    }
}
