import DialectModel
import LineProtocol
import Results
import Scenario
import Session

/// The `frame.foreign` rule, in which a client speaks a different protocol and keeps the connection
/// open.
enum FrameForeign: CheckFamily {
    static let ruleID = "frame.foreign"
    /// How long the connection stays open while no client sends anything, in nanoseconds.
    private static let idle: Int64 = 600_000_000
    /// Maximum CPU use of an idle server, as a fraction of one core. It is well below 1, because a
    /// spinning server may have to share its core.
    static let cpuShareMax = ServerState.idleShareMax

    static func entries(_ subject: Subject) -> [CatalogueEntry] {
        var check = Check(
            CheckID(ruleID),
            "a client that speaks another protocol neither keeps the server busy nor delays other clients",
            setting: "framing", in: subject, level: .robustness
        ) { maker in ForeignBytes.allCases.map { made($0, &maker) } }
        // CPU time can be attributed to this check only if no other check runs.
        check.isAlone = true
        return [.check(check)]
    }

    private static func made(_ foreign: ForeignBytes, _ maker: inout CaseMaker) -> CheckCase {
        let subject = maker.subject
        let talks = !subject.has("probe") && subject.talk != nil
        var script =
            talks ? maker.talkingScript(foreign.words) : maker.script(foreign.words)
        if !talks { script.barrier("alice", role: .control) }
        script.connect(CaseActor(handle: "visitor", name: maker.word()))
        script.send(.stimulus, pieces: [foreign.bytes(&maker)], by: "visitor")
        script.step(.question, .wait(idle))
        if talks {
            script.say(maker.word(), as: "alice", role: .question)
            script.hear(as: "bob")
        } else {
            script.barrier("alice")
        }
        // New clients must also be served.
        let carol = CaseActor(handle: "carol", name: maker.word())
        script.note(actor: carol)
        if let login = subject.bound["login"] {
            script.step(.question, login.use(by: carol))
        }
        return script.made { evidence in
            let judgement = evidence.scripted()
            if case .failed = judgement { return judgement }
            return evidence.server.flatMap(spinning).map { .failed($0) } ?? judgement
        }
    }

    /// Returns a finding if the server used the CPU while all clients were idle; nil if it did not,
    /// or if its process cannot be observed. A server that works hard for a moment, such as for a
    /// login, does not spin.
    static func spinning(_ server: ServerMeasure) -> Finding? {
        guard let share = server.cpuShare, share > cpuShareMax, server.isMostlyBusy else {
            return nil
        }
        return Finding(
            "spins", expected: "almost no CPU use while all clients are idle",
            got: "the server used \(Int(share * 100))% of a core")
    }
}

/// The bytes that clients of other protocols send first.
private enum ForeignBytes: CaseIterable {
    case tls, http, ssh, binary, endless

    private static let binaryCount = 1_000
    /// Number of bytes sent without a line ending: more than a server typically buffers for one
    /// line.
    private static let endlessCount = 4_000

    var words: String {
        switch self {
        case .tls: "the start of a TLS handshake"
        case .http: "an HTTP request"
        case .ssh: "an SSH banner"
        case .binary: "\(Self.binaryCount) random bytes, a tenth of them NULs"
        case .endless: "\(Self.endlessCount) bytes without a line ending"
        }
    }

    func bytes(_ maker: inout CaseMaker) -> [UInt8] {
        switch self {
        case .tls: Self.clientHello(&maker)
        case .http: Array("GET / HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\n\r\n".utf8)
        case .ssh: Array("SSH-2.0-OpenSSH_9.2p1 Debian-2\r\n".utf8)
        case .binary:
            Self.random(Self.binaryCount, &maker).enumerated().map { $0 % 10 == 0 ? 0 : $1 }
        case .endless: [UInt8](repeating: 0x78, count: Self.endlessCount)
        }
    }

    private static func random(_ count: Int, _ maker: inout CaseMaker) -> [UInt8] {
        (0..<count).map { _ in UInt8(maker.number(below: 256)) }
    }

    /// Returns a TLS 1.2 ClientHello (RFC 5246 §7.4.1.2) with two cipher suites and no extensions.
    private static func clientHello(_ maker: inout CaseMaker) -> [UInt8] {
        let body: [UInt8] =
            [0x03, 0x03] + random(32, &maker) + [0]
            + [0, 4, 0xC0, 0x2F, 0xC0, 0x30] + [1, 0]
        let handshake = [1, 0, 0, UInt8(body.count)] + body
        return [0x16, 0x03, 0x01, 0, UInt8(handshake.count)] + handshake
    }
}
