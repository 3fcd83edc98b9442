import DialectModel
import LineProtocol
import Results
import Scenario
import Session

/// A converter that turns fuzz inputs into cases.
struct FuzzCase {
    /// A message that is sent only if the server executes a command embedded in another line.
    static let canary = Array("smuggled".utf8)
    /// Handle of a client that is not involved but must still be served.
    private static let bystander = "dora"

    let grammar: FuzzGrammar

    /// Returns the case for an input, with new names.
    func made(_ input: FuzzInput, _ maker: inout CaseMaker) -> CheckCase {
        var script = CaseScript("mutated lines", grammar.subject)
        let people = ["alice", "bob"] + (grammar.subject.isolatesOperators ? [Self.bystander] : [])
        for handle in people { script.logIn(CaseActor(handle: handle, name: maker.word())) }
        script.enter(room: maker.room(), ["alice", "bob"])
        for handle in people { script.barrier(handle, role: .control) }
        let names = Names(
            alice: script.actor("alice").name, bob: script.actor("bob").name,
            room: script.room ?? FuzzInput.room)
        send(input, names, &script)
        if input.ending != .none {
            script.step(.question, input.ending == .abort ? .abort("alice") : .close("alice"))
        }
        if let texts = input.texts {
            for text in texts {
                script.note(said: text, by: "alice")
                script.hear(text, as: "bob")
            }
        }
        for handle in people.dropFirst() { script.barrier(handle) }
        if input.ending == .none { script.barrier("alice") } else { script.freed("alice") }
        if input.texts != nil { script.quiet(["bob"]) }
        let (room, grammar, sent) = (script.room, grammar, names.put(into: input.bytes))
        var testCase = script.made { evidence in
            let trial = FuzzTrial(input: input, sent: sent, room: room, grammar: grammar)
            return trial.judge(&evidence)
        }
        // The bytes have already been shrunk.
        testCase.keepsBytes = true
        return testCase
    }

    private func send(_ input: FuzzInput, _ names: Names, _ script: inout CaseScript) {
        // Split offsets refer to bytes with placeholders, which have the same length as the real
        // names.
        let pieces =
            input.pieces.count > 1 ? names.put(into: input) : [names.put(into: input.bytes)]
        if input.ending == .closeWithData { script.segmentation = .finWithData }
        if pieces.count == 1 {
            script.send(.stimulus, pieces[0], by: "alice")
        } else {
            script.send(.stimulus, pieces: pieces, by: "alice")
        }
    }

    /// The names that replace placeholders.
    private struct Names {
        var alice: String
        var bob: String
        var room: Int

        func put(into bytes: [UInt8]) -> [UInt8] {
            bytes.replacing(Array(FuzzInput.alice.utf8), with: Array(alice.utf8))
                .replacing(Array(FuzzInput.bob.utf8), with: Array(bob.utf8))
                .replacing(
                    Array(String(FuzzInput.room).utf8), with: Array(String(room).utf8))
        }

        func put(into input: FuzzInput) -> [[UInt8]] {
            let whole = put(into: input.bytes)
            guard whole.count == input.bytes.count else { return [whole] }
            var pieces: [[UInt8]] = []
            var start = 0
            for piece in input.pieces {
                pieces.append(Array(whole[start..<(start + piece.count)]))
                start += piece.count
            }
            return pieces
        }
    }
}

/// One fuzz trial, judged by the rules that hold for any input.
struct FuzzTrial {
    let input: FuzzInput
    let sent: [UInt8]
    let room: Int?
    let grammar: FuzzGrammar

    func judge(_ evidence: inout Evidence) -> Judgement {
        if let texts = input.texts {
            // The dialect guarantees the delivery of these messages. If none arrives because the
            // server closed the connection or does not answer, the finding reports that.
            return PeerBytes.judge(
                texts, by: "alice", recipient: "bob", room: room, in: &evidence)
        }
        if !isCanaryAllowed {
            let received = PeerBytes.received(by: "bob", from: "alice", room: room, in: &evidence)
                .texts
            if received.contains(FuzzCase.canary) {
                return .failed(
                    Finding(
                        "extra-command", expected: "a command inside a line is not executed",
                        got: "it was executed: bob received its message"))
            }
        }
        if let staleSession = StaleSession.judge(evidence) { return staleSession }
        guard case .failed(let finding) = evidence.scripted() else { return .passed }
        return judge(finding, evidence)
    }

    private func judge(_ finding: Finding, _ evidence: Evidence) -> Judgement {
        let step = evidence.decidingStep.map { evidence.testCase.steps[$0] }
        let isOwn = step?.handle == "alice"
        switch finding.kind {
        // The server may close the sender's connection, but other clients must not be affected.
        case "closed":
            return isOwn
                ? .passed
                : .failed(Finding("others-closed", expected: finding.expected, got: finding.got))
        case "wedged":
            if isOwn, grammar.mayHavePayload(sent) { return .passed }
            let kind = isOwn ? "wedged" : "others-wedged"
            return .failed(Finding(kind, expected: finding.expected, got: finding.got))
        case "desync":
            return grammar.mayHavePayload(sent) ? .passed : .failed(finding)
        default: return .passed
        }
    }

    /// True if the canary message may be delivered: the dialect does not specify what ends a line,
    /// or a line that contains the canary has an unknown command or a command that sends messages.
    private var isCanaryAllowed: Bool {
        var dialect = grammar.subject.dialect
        guard sent.firstRange(of: FuzzCase.canary) != nil, dialect.framing.unit == .line,
            !grammar.mayHavePayload(sent)
        else { return true }
        dialect.framing.fromClient.overflow = .open
        var framer = LineFramer(dialect, direction: .fromClient)
        let decoder = MessageDecoder(dialect)
        var message = Message()
        framer.append(sent.span)
        while let frame = framer.next() {
            let line = framer.buffer[frame.line]
            // Few dialects specify how a bare CR or LF is handled.
            if line.contains(ASCII.cr) || line.contains(ASCII.lf) { return true }
            guard Array(line).firstRange(of: FuzzCase.canary) != nil else { continue }
            decoder.decode(framer.buffer.span, frame, from: .fromClient, into: &message)
            guard let command = message.command,
                !talks(dialect.commands.signatures[command].name)
            else { return true }
        }
        return false
    }

    /// Returns whether a command sends messages. If so, the canary may be part of a message.
    private func talks(_ name: String) -> Bool {
        guard
            let signature = grammar.subject.dialect.commands.signatures.first(where: {
                $0.name == name
            })
        else { return true }
        return signature.arguments.contains { $0.name.contains("text") || $0.name.contains("msg") }
            || grammar.subject.bound.sends(signature, in: ["say", "relay"])
    }
}
