import DialectModel
import LineProtocol
import Results
import Scenario
import Session

/// The `tag.…` rules, about tags that clients attach to messages.
enum TagRules: CheckFamily {
    static let ruleID = "tag"

    static func entries(_ subject: Subject) -> [CatalogueEntry] {
        let behaviours = ["accept-tags", "say-tagged", "heard-tagged"]
        guard behaviours.allSatisfy(subject.has), subject.talk?.isRoom == true,
            let wire = TaggedLine("word", "value", script: CaseScript("", subject))
        else { return notApplicable("messages have no tags") }
        var checks = [
            values(subject), duplicate(subject), limit(subject), unrequested(subject),
        ].compactMap(\.self)
        if wire.serverKey != nil { checks.append(server(subject)) }
        return checks.map { .check($0.needing(["accept-tags"], subject)) }
    }

    /// Returns a script with alice and bob in a room, where both accept tags and a tagged control
    /// message has arrived.
    private static func script(_ title: String, _ maker: inout CaseMaker) -> CaseScript {
        var script = maker.script(title, ["alice", "bob"])
        script.enter(room: maker.room(), ["alice", "bob"])
        for handle in ["alice", "bob"] {
            script.step(.setup, .use("accept-tags", as: handle))
        }
        script.step(.setup, .sync())
        let text = maker.word()
        let value = Array("plain".utf8)
        script.step(.control, script.tagged("say-tagged", text, value, as: "alice"))
        script.step(.control, script.tagged("heard-tagged", text, value, as: "bob"))
        script.barrier("alice", role: .control)
        return script
    }

    // MARK: tag.value

    /// Text that must stay unchanged in a tag's value, in addition to the bytes that need escaping.
    private static let plainValues = ["a:b=c,d+e", "Gr\u{FC}\u{DF}e"]

    private static func values(_ subject: Subject) -> Check {
        Check(
            CheckID("tag.value"), "relayed tag values arrive unchanged",
            setting: "behaviours.heard-tagged", in: subject
        ) { maker in
            var script = script("values with special bytes", &maker)
            let special = maker.subject.dialect.escaping.fromClient.tagValue.specialBytes
            let values =
                plainValues.map { Array($0.utf8) }
                + special.map { Array("a".utf8) + [$0] + Array("b".utf8) }
                + (special.isEmpty ? [] : [special + special])
            for value in values {
                let text = maker.word()
                script.step(
                    .stimulus, script.tagged("say-tagged", text, value, as: "alice"))
                script.step(
                    .question, script.tagged("heard-tagged", text, value, as: "bob"))
            }
            script.barrier("alice")
            return [script.made { Liveness.patient($0.scripted()) }]
        }
    }

    // MARK: tag.duplicate

    private static func duplicate(_ subject: Subject) -> Check {
        Check(
            CheckID("tag.duplicate"), "a tag that a client sends twice is relayed at most once",
            setting: "fields.tags", in: subject
        ) { maker in
            var script = script("the same tag twice", &maker)
            let text = maker.word()
            guard let line = TaggedLine(text, "first", script: script) else { return [] }
            let key = line.key
            let again = ExpectedPattern.literal(key)
            script.send(.stimulus, line.repeating("second"), by: "alice")
            script.relayed(text, forbidden: "\(again)[^ ]*[^ ]\(again)[^ ]*")
            return [
                script.made { evidence in
                    judge(&evidence, text) { tags in
                        tags.values(of: key).count > 1
                            ? Finding(
                                "duplicated", expected: "the tag at most once",
                                got: "the tag twice") : nil
                    }
                }
            ]
        }
    }

    // MARK: tag.server

    private static func server(_ subject: Subject) -> Check {
        Check(
            CheckID("tag.server"), "tags that only a server may set are not relayed from clients",
            setting: "behaviours.say-tagged", in: subject
        ) { maker in
            var script = script("a tag without the client-tag prefix", &maker)
            let text = maker.word()
            guard let line = TaggedLine(text, "forged", script: script), let key = line.serverKey
            else { return [] }
            script.send(.stimulus, line.unprefixed, by: "alice")
            script.relayed(text, forbidden: "\(ExpectedPattern.literal(key))=forged")
            return [
                script.made { evidence in
                    judge(&evidence, text) { tags in
                        tags.values(of: key).isEmpty
                            ? nil
                            : Finding(
                                "forged", expected: "the message without the tag",
                                got: "the tag as the client sent it")
                    }
                }
            ]
        }
    }

    /// Judges the tags of the message that bob receives.
    private static func judge(
        _ evidence: inout Evidence, _ text: String, _ flaw: (LineTags) -> Finding?
    ) -> Judgement {
        let text = Array(text.utf8)
        for (entry, step) in evidence.entries
        where step >= evidence.stimuli.first ?? 0 && entry.kind == .received
            && entry.operatorName == "bob" && entry.bytes.firstRange(of: text) != nil
        {
            guard var finding = flaw(LineTags(entry.bytes, evidence.subject.dialect)) else {
                continue
            }
            finding.got += ": \(PeerBytes.shown([entry.bytes]))"
            return .failed(finding)
        }
        return Liveness.patient(evidence.scripted())
    }

    // MARK: tag.limit

    private static func limit(_ subject: Subject) -> Check? {
        let limit = subject.dialect.framing.fromClient.limits.tagBytesMax
        guard limit > 0 else { return nil }
        return Check(
            CheckID("tag.limit"),
            "\(limit) bytes of tags are relayed, and one byte more is refused",
            setting: "framing.limits.tags", in: subject
        ) { maker in [fitting(limit, &maker), tooLong(limit + 1, &maker)].compactMap(\.self) }
    }

    private static func fitting(_ size: Int, _ maker: inout CaseMaker) -> CheckCase? {
        var script = script("\(size) bytes of tags", &maker)
        let text = maker.word()
        guard let value = TaggedLine.value(size, text, script) else { return nil }
        script.step(.stimulus, script.tagged("say-tagged", text, value, as: "alice"))
        script.step(.question, script.tagged("heard-tagged", text, value, as: "bob"))
        script.barrier("alice")
        return script.made { Liveness.patient($0.scripted()) }
    }

    private static func tooLong(_ size: Int, _ maker: inout CaseMaker) -> CheckCase? {
        var script = script("\(size) bytes of tags", &maker)
        let text = maker.word()
        guard let value = TaggedLine.value(size, text, script),
            let line = TaggedLine(text, value, script: script)
        else { return nil }
        script.send(
            .stimulus, line.bytes, by: "alice",
            requires: Reaction.refusal.expected(by: "alice", in: script))
        script.step(.question, .sync("alice"))
        script.barrier("alice")
        script.note(said: Array(text.utf8), by: "alice")
        script.unheard(text, by: "alice", as: "bob")
        let room = script.room
        return script.made { evidence in
            let received = PeerBytes.received(by: "bob", from: "alice", room: room, in: &evidence)
            if received.texts.contains(Array(text.utf8)) {
                return .failed(
                    Finding("relayed", expected: "a refusal", got: "bob receives the message"))
            }
            return Reaction.refusal.judge(&evidence)
        }
    }

    // MARK: tag.unrequested

    private static func unrequested(_ subject: Subject) -> Check? {
        Check(
            CheckID("tag.unrequested"), "a client that has not requested tags receives none",
            setting: "behaviours.accept-tags", in: subject
        ) { maker in
            let subject = maker.subject
            var script = maker.script("tagged messages to a client without tags", ["alice", "bob"])
            script.enter(room: maker.room(), ["alice", "bob"])
            script.step(.setup, .use("accept-tags", as: "alice"))
            // The dialect's login may have turned features on.
            if subject.has("negotiate-off"), subject.negotiatesInLogin {
                for lines in OptionalLines.all(subject) {
                    script.step(.setup, lines.turnedOff(by: "bob"))
                }
            }
            script.barrier("bob", role: .control)
            let text = maker.word()
            script.step(
                .stimulus, script.tagged("say-tagged", text, Array("a".utf8), as: "alice"))
            if subject.has("leave") {
                let room = Argument("room", .int(script.room ?? 0))
                script.step(.question, .use("leave", as: "alice", [room]))
            }
            let marker = subject.dialect.syntax.fromServer.tags.map {
                ExpectedPattern.literal([$0.marker])
            }
            if let tagged = ExpectedPattern.matching("\(marker ?? "").*") {
                script.require([.expect("bob", .never, tagged)], by: "bob")
            }
            script.step(.question, .sync())
            return [script.made { judgeUntagged(&$0) }]
        }
    }

    private static func judgeUntagged(_ evidence: inout Evidence) -> Judgement {
        let dialect = evidence.subject.dialect
        let tagged = evidence.entries.first { entry, step in
            step >= evidence.stimuli.first ?? 0 && entry.kind == .received
                && entry.operatorName == "bob" && !LineTags(entry.bytes, dialect).isEmpty
        }
        guard let tagged else { return Liveness.patient(evidence.scripted()) }
        return .failed(
            Finding(
                "tagged", expected: "lines without tags",
                got: PeerBytes.shown([tagged.entry.bytes])))
    }
}
