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
        var orders: [(recipient: String, texts: [[UInt8]])] = []
        for recipient in speakers + outsiders where !gone.contains(recipient) {
            let received = received(by: recipient, &evidence)
            if let finding = finding(recipient, received, evidence) { return .failed(finding) }
            orders.append((recipient, received.map(\.text)))
        }
        guard let finding = disorder(orders) else { return evidence.scripted() }
        return .failed(finding)
    }

    private typealias Received = (text: [UInt8], speaker: String, room: Int?)

    /// Returns all messages that a client received, from any sender and in any room.
    private func received(by recipient: String, _ evidence: inout Evidence) -> [Received] {
        var result: [Received] = []
        for (entry, _) in evidence.entries
        where entry.operatorName == recipient && entry.kind == .received && entry.role == .plain {
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
        _ recipient: String, _ received: [Received], _ evidence: Evidence
    ) -> Finding? {
        let isInside = speakers.contains(recipient)
        let known = Set(said.values.joined()).union(there)
        var counts: [[UInt8]: Int] = [:]
        for (text, _, _) in received {
            counts[text, default: 0] += 1
            if !known.contains(text) {
                return Finding(
                    "phantom", expected: "\(recipient) receives only what was sent",
                    got: "received \(PeerBytes.shown([text])), which was never sent")
            }
            if there.contains(text) == isInside, !outsiders.isEmpty {
                return Finding(
                    "leaked", expected: "\(recipient) receives nothing from another room",
                    got: "received \(PeerBytes.shown([text]))")
            }
            if let stay = stays[recipient], moments[text] ?? 0 >= stay.upperBound {
                return Finding(
                    "leaked",
                    expected: "\(recipient) receives nothing from a room after leaving it",
                    got: "received \(PeerBytes.shown([text]))")
            }
            if counts[text] ?? 0 > 1 {
                return Finding(
                    "duplicated", expected: "\(recipient) receives each message once",
                    got: "received \(PeerBytes.shown([text])) twice")
            }
        }
        let due: [(String, [[UInt8]])] =
            isInside
            ? speakers.filter { $0 != recipient }.map { ($0, said[$0] ?? []) }
            : recipient == outsiders.first ? [] : [(outsiders.first ?? "", there)]
        for (speaker, texts) in due {
            let got = received.filter { texts.contains($0.text) }.map(\.text)
            let lost = texts.first { isDue($0, to: recipient) && !got.contains($0) }
            // Servers may replay history to new members, but must keep the order.
            if lost == nil, got == texts.filter(got.contains) { continue }
            let count = texts.count { isDue($0, to: recipient) }
            return Finding(
                lost == nil ? "reordered" : "lost",
                expected: "\(recipient) receives all \(count) messages from \(speaker) in order",
                got: lost.map { "\(PeerBytes.shown([$0])) never arrived" }
                    ?? "received \(PeerBytes.shown(got))")
        }
        return nil
    }

    /// Returns whether the client must receive the message: the client was certainly present, and
    /// the message was certainly sent.
    private func isDue(_ text: [UInt8], to recipient: String) -> Bool {
        guard !indefinite.contains(text) else { return false }
        return stays[recipient].map { $0.contains(moments[text] ?? 0) } ?? true
    }

    /// Returns a finding if any two clients received the same messages in different orders; nil
    /// otherwise.
    private func disorder(_ orders: [(recipient: String, texts: [[UInt8]])]) -> Finding? {
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
                        "\(left.recipient) and \(right.recipient) receive messages in the same order",
                    got:
                        "\(left.recipient) received \(PeerBytes.shown([index.element.0])) where "
                        + "\(right.recipient) received \(PeerBytes.shown([index.element.1]))")
            }
        }
        return nil
    }
}
