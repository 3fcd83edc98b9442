import DialectModel
import LineProtocol
import Results
import Session

/// A trial as a case: what everybody does, and how it is judged.
struct FuzzCase {
    /// A text that only a command inside of another line says.
    static let canary = Array("canary77".utf8)
    /// Who has nothing to do with it, and has to be served all the same.
    private static let bystander = "dora"

    let grammar: FuzzGrammar

    /// The case of an input, with names of its own.
    func made(_ input: FuzzInput, _ maker: inout CaseMaker) -> CheckCase {
        var script = CaseScript("lines made by mutation", grammar.subject)
        let people = ["alice", "bob"] + (grammar.subject.isolatesOperators ? [Self.bystander] : [])
        for handle in people { script.logIn(Actor(handle: handle, name: maker.word())) }
        script.enter(room: maker.room(), ["alice", "bob"])
        for handle in people { script.barrier(handle, role: .control) }
        let names = Names(
            alice: script.actor("alice").name, bob: script.actor("bob").name,
            room: script.room ?? FuzzInput.room)
        send(input, names, &script)
        if input.ending != .none {
            let end = input.ending == .abort ? "abort" : "close"
            script.step(.question, "alice \(end)", by: "alice")
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
        var play = script.made { evidence in
            let trial = FuzzTrial(input: input, sent: sent, room: room, grammar: grammar)
            return trial.judge(&evidence)
        }
        // They have been made fewer before.
        play.keepsBytes = true
        return play
    }

    private func send(_ input: FuzzInput, _ names: Names, _ script: inout CaseScript) {
        // Writes are cut in the stand-ins' bytes, which are as many.
        let pieces =
            input.pieces.count > 1 ? names.put(into: input) : [names.put(into: input.bytes)]
        if input.ending == .closeWithData { script.segmentation = .finWithData }
        if pieces.count == 1 {
            script.send(.stimulus, pieces[0], by: "alice")
        } else {
            script.send(.stimulus, pieces: pieces, by: "alice")
        }
    }

    /// What stand-ins stand for.
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

/// What came of a trial, judged by what must hold whatever is sent.
struct FuzzTrial {
    let input: FuzzInput
    let sent: [UInt8]
    let room: Int?
    let grammar: FuzzGrammar

    func judge(_ evidence: inout Evidence) -> Judgement {
        if let texts = input.texts {
            // The dialect promises these; a server that closes or is busy says why.
            return PeerBytes.judge(
                texts, by: "alice", hearer: "bob", room: room, in: &evidence)
        }
        if !isCanaryAllowed {
            let heard = PeerBytes.heard(by: "bob", from: "alice", room: room, in: &evidence).texts
            if heard.contains(FuzzCase.canary) {
                return .failed(
                    Finding(
                        "extra-command", expected: "a command inside of a line does not run",
                        got: "it ran: bob heard its text"))
            }
        }
        if let staleSession = StaleSession.judge(evidence) { return staleSession }
        guard case .failed(let finding) = evidence.scripted() else { return .passed }
        return judge(finding, evidence)
    }

    private func judge(_ finding: Finding, _ evidence: Evidence) -> Judgement {
        let step = evidence.decidingStep.map { evidence.play.steps[$0] }
        let isOwn = step?.handle == "alice"
        switch finding.kind {
        // Whatever ends the one who sent it is its own affair; what befalls others is not.
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

    /// Whether the canary may be heard: where it does not stand in a line of another known command, as the dialect
    /// divides lines, or where the dialect does not say what divides them.
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
            // What a bare CR or LF is to a server, few dialects say.
            if line.contains(ASCII.cr) || line.contains(ASCII.lf) { return true }
            guard Array(line).firstRange(of: FuzzCase.canary) != nil else { continue }
            decoder.decode(framer.buffer.span, frame, from: .fromClient, into: &message)
            guard let command = message.command,
                !talks(dialect.commands.signatures[command].name)
            else { return true }
        }
        return false
    }

    /// Whether a command says texts, so that the canary can rightly be a part of one.
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
