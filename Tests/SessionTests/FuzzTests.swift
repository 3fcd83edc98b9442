import DialectModel
import DialectFiles
import Diagnostics
import Foundation
import Results
import Scenario
import Session
import Testing
import RepositoryFiles

/// A session always reaches a verdict: runs the shipped scenarios against servers that send
/// arbitrary data with arbitrary timing. All choices derive from a seed.
struct FuzzTests {
    /// Shipped scenarios, sorted.
    static let scenarios: [String] = {
        let folder = Repository.root.appending(path: "Scenarios")
        let found = FileManager.default.enumerator(atPath: folder.path)?.allObjects ?? []
        return found.compactMap { $0 as? String }.filter { $0.hasSuffix(".chat") }.sorted()
    }()

    static func source(_ path: String) throws -> SourceText {
        let url = Repository.root.appending(path: "Scenarios").appending(path: path)
        return SourceText(path: path, bytes: Array(try Data(contentsOf: url)))
    }

    @Test func scenariosExist() {
        #expect(Self.scenarios.count > 40)
    }

    @Test(arguments: FuzzTests.scenarios)
    func sessionReachesAVerdictWithAnyServer(path: String) throws {
        let source = try Self.source(path)
        let file = try ScenarioParser.file(from: source)
        let found = try DialectLibrary.find(file.header.dialect?.text ?? "irc", beside: nil)
        let program = try ProgramCompiler.compile(
            file, with: BoundDialect.of(found), given: ["password"])
        for seed in 1...3 as ClosedRange<UInt64> {
            let segmentation: Segmentation = seed == 3 ? .random(seed: seed) : .whole
            var session = ScenarioSession(
                program, options: ExecutionOptions(segmentation: segmentation, seed: seed))
            var server = WildServer(seed: seed, scenario: source)
            let result = server.run(&session)
            #expect(result != nil, "\(path) has no verdict with seed \(seed)")
            if let diagnostic = result?.diagnostic {
                #expect(!DiagnosticRenderer().text([diagnostic]).isEmpty)
            }
            #expect(result?.outcome == .passed || result?.diagnostic != nil)
        }
    }

    @Test func mutatedScenariosCompileOrFail() throws {
        var random = FuzzRandom(seed: 11)
        var compiledCount = 0
        for path in Self.scenarios {
            let original = try Self.source(path).bytes
            let mutated = SourceText(path: path, bytes: random.mutated(original))
            guard let file = try? ScenarioParser.file(from: mutated),
                let found = try? DialectLibrary.find(
                    file.header.dialect?.text ?? "irc", beside: nil)
            else { continue }
            do {
                let program = try ProgramCompiler.compile(
                    file, with: BoundDialect.of(found))
                compiledCount += 1
                var session = ScenarioSession(program, options: ExecutionOptions())
                var server = WildServer(seed: 5, scenario: mutated)
                #expect(server.run(&session) != nil, "\(path)")
            } catch {
                #expect(!error.diagnostics.isEmpty)
            }
        }
        #expect(compiledCount > 0)
    }
}

/// A server that sends noise, parts of the scenario and echoes of its input, in arbitrary pieces.
private struct WildServer {
    /// Number of events after which only time advances.
    static let eventsMax = 120
    static let stepsMax = 20_000

    private var random: FuzzRandom
    private let lines: [[UInt8]]
    private var open: [ConnectionID] = []
    private var connecting: [ConnectionID] = []
    private var lastSent: [UInt8] = []

    init(seed: UInt64, scenario: SourceText) {
        random = FuzzRandom(seed: seed)
        // Include expected lines, so that not every scenario ends at its first step.
        lines = scenario.bytes.split(separator: 0x0A).map { line in
            let text = String(decoding: line, as: UTF8.self)
            guard let arrow = text.range(of: "<") else { return Array(text.utf8) }
            return Array(text[arrow.upperBound...].dropFirst(2).utf8)
        }
    }

    mutating func run(_ session: inout ScenarioSession) -> ScenarioOutcome? {
        var now: Int64 = 0
        session.start(at: now)
        for step in 0..<Self.stepsMax {
            while let action = session.nextAction() { note(action) }
            if let result = session.result { return result }
            guard let deadline = session.deadline else { return nil }
            if step < Self.eventsMax, random.below(8) > 0 {
                now = min(now + Int64(random.below(20_000_000)), max(now, deadline))
                act(on: &session, at: now)
            } else {
                // Advance the clock even if the session asks to be woken immediately.
                now = max(now + 10_000_000, deadline)
                session.handle(.wake, at: now)
            }
        }
        return nil
    }

    private mutating func note(_ action: SessionAction) {
        switch action {
        case .connect(let id): connecting.append(id)
        case .send(_, let bytes): lastSent = bytes
        case .close(let id), .abort(let id):
            // Events of a closed connection may still arrive.
            if random.below(2) == 0 { open.removeAll { $0 == id } }
        case .setReading, .hold, .release, .halfClose, .startTLS: break
        }
    }

    private mutating func act(on session: inout ScenarioSession, at now: Int64) {
        if let id = connecting.first {
            connecting.removeFirst()
            if random.below(12) == 0 {
                session.handle(.connectFailed(id, reason: "no"), at: now)
            } else {
                open.append(id)
                session.handle(.connected(id), at: now)
            }
            return
        }
        guard !open.isEmpty else { return }
        let id = open[random.below(open.count)]
        if random.below(40) == 0 {
            session.handle(.closed(id, random.below(2) == 0 ? .fin : .reset), at: now)
            return
        }
        var rest = speech()[...]
        while !rest.isEmpty {
            let piece = Array(rest.prefix(1 + random.below(rest.count)))
            session.receive(piece.span, id, at: now)
            rest = rest.dropFirst(piece.count)
        }
    }

    private mutating func speech() -> [UInt8] {
        let ends: [[UInt8]] = [[0x0D, 0x0A], [0x0A], [0x0A, 0x0D], [0x0D], [0], []]
        let end = ends[min(random.below(12), 5) % ends.count]
        switch random.below(5) {
        case 0: return (0..<random.below(60)).map { _ in UInt8(random.below(256)) } + end
        case 1: return random.mutated(lastSent)
        case 2: return lastSent
        case 3: return random.mutated(lines[random.below(lines.count)]) + [0x0D, 0x0A]
        default: return lines[random.below(lines.count)] + [0x0D, 0x0A]
        }
    }
}

/// Reproducible random choices.
struct FuzzRandom {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 }

    mutating func below(_ bound: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int((state >> 33) % UInt64(max(1, bound)))
    }

    /// Returns a copy with bytes changed, removed, inserted or repeated.
    mutating func mutated(_ bytes: [UInt8]) -> [UInt8] {
        let likely = Array("{}\"\\/()[]<>-~?!:|,. \t\n\r0s".utf8)
        var bytes = bytes
        for _ in 0...below(3) where !bytes.isEmpty {
            let index = below(bytes.count)
            switch below(5) {
            case 0: bytes.remove(at: index)
            case 1: bytes[index] = UInt8(below(256))
            case 2: bytes.insert(likely[below(likely.count)], at: index)
            case 3: bytes.insert(contentsOf: bytes[index...].prefix(below(40)), at: index)
            default: bytes[index] = likely[below(likely.count)]
            }
        }
        return bytes
    }
}
