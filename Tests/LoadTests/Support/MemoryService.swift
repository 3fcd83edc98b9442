import DialectModel
import DialectFiles

@testable import Load

/// A livechat server in memory. It injects faults on demand and counts them.
struct MemoryService {
    /// The injected fault.
    enum Fault: String, CaseIterable {
        case drop, duplicate, swap, leak, corrupt, misattribute
    }

    var fault: Fault?
    /// Applied to every n-th delivery.
    var every = 1
    private(set) var injected: UInt64 = 0

    private var deliveries = 0
    private var names: [Int: String] = [:]
    private var rooms: [Int: Int] = [:]
    private var members: [Int: [Int]] = [:]
    private var held: [Int: (sender: String, line: String)] = [:]
    /// Lines to send, by recipient.
    private(set) var lines: [(to: Int, text: String)] = []

    init(fault: Fault? = nil, every: Int = 1) {
        self.fault = fault
        self.every = every
    }

    mutating func takeLines() -> [(to: Int, text: String)] {
        defer { lines = [] }
        return lines
    }

    /// A closed connection.
    mutating func leave(_ index: Int) {
        guard names.removeValue(forKey: index) != nil else { return }
        if let room = rooms.removeValue(forKey: index) {
            members[room]?.removeAll { $0 == index }
            held[index] = nil
        }
        lines.removeAll { $0.to == index }
    }

    mutating func receive(_ bytes: [UInt8], from index: Int) {
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            receive(line.split(separator: "|", omittingEmptySubsequences: false), index)
        }
    }

    private mutating func receive(_ fields: [Substring], _ index: Int) {
        switch fields[0] {
        case "S0001":
            names[index] = String(fields[1])
            say(index, "R0001|\(index)|\(fields[1])")
        case "S0003": say(index, "R0003|\(fields[1])")
        case "S0005":
            let room = Int(fields[1]) ?? 0
            rooms[index] = room
            members[room, default: []].append(index)
            for member in members[room] ?? [] {
                say(member, "R0005|\(room)|\(names[index] ?? "")")
            }
        case "S0004": talk(fields, index)
        case "S0007":
            let target = names.first { $0.value == fields[1] }?.key ?? -1
            deliver("R0007|1|\(fields[2])|\(names[index] ?? "")", index, to: target)
        case "S0002": say(index, "R0018|bye")
        default: break
        }
    }

    private mutating func talk(_ fields: [Substring], _ index: Int) {
        let room = rooms[index] ?? 0
        for member in members[room] ?? [] where member != index {
            deliver("R0004|1|\(fields[3])|\(names[index] ?? "")|\(room)|0", index, to: member)
        }
    }

    private mutating func deliver(_ line: String, _ sender: Int, to member: Int) {
        deliveries += 1
        let isFaulty = deliveries % every == 0
        switch fault {
        case .drop where isFaulty: injected += 1
        case .swap where isFaulty && held[member] == nil:
            injected += 1
            held[member] = (names[sender] ?? "", line)
        case .duplicate where isFaulty:
            injected += 1
            say(member, line)
            say(member, line)
        case .leak where isFaulty:
            say(member, line)
            guard let foreigner = foreigner(to: member) else { return }
            injected += 1
            say(foreigner, line)
        case .corrupt where isFaulty:
            injected += 1
            var fields = line.split(separator: "|", omittingEmptySubsequences: false)
            let text = fields[2]
            fields[2] = text.dropLast(8) + "x" + text.suffix(7)
            say(member, fields.joined(separator: "|"))
        case .misattribute where isFaulty:
            injected += 1
            let name = names[sender] ?? ""
            say(member, line.replacing(name, with: name.dropLast() + "v"))
        default: say(member, line)
        }
        // A delayed line follows the sender's next one.
        if let kept = held[member], kept.line != line, kept.sender == names[sender] {
            held[member] = nil
            say(member, kept.line)
        }
    }

    private func foreigner(to member: Int) -> Int? {
        let room = rooms[member]
        return rooms.keys.sorted().first { rooms[$0] != room }
    }

    private mutating func say(_ index: Int, _ line: String) {
        lines.append((index, line + "\n"))
    }
}

/// A fleet connected to a service without any latency.
struct MemoryLoad: ~Copyable {
    var pool: OperatorPool
    var service: MemoryService
    var now: Int64 = 1_000_000_000
    /// The number of bytes delivered at a time.
    var pieceBytes = Int.max

    init(_ pool: consuming OperatorPool, _ service: MemoryService = MemoryService()) {
        self.pool = pool
        self.service = service
    }

    /// Each operator enters its room.
    mutating func setUp() {
        for index in 0..<pool.count {
            pool.begin(index, at: now)
            exchange()
        }
    }

    /// Runs until the schedule has ended and nothing is in transit.
    mutating func run(_ phases: Phases) {
        pool.start(phases, share: .init())
        now = phases.start
        while now < phases.end {
            turn()
            if now % 50_000_000 == 0 {
                pool.wake(at: now)
                exchange()
            }
            now += 1_000_000
        }
        exchange()
    }

    mutating func turn() {
        while let due = pool.takeDue(at: now) {
            pool.perform(due, at: now)
            service.receive(pool.outgoing, from: due.index)
            exchange()
        }
    }

    /// Delivers everything in transit.
    mutating func exchange() {
        while true {
            let outputs = pool.outputs
            pool.outputs = []
            let lines = service.takeLines()
            if outputs.isEmpty, lines.isEmpty { return }
            for output in outputs {
                switch output {
                case .connect(let index): pool.connected(index, at: now)
                case .send(let index, let bytes): service.receive(bytes, from: index)
                case .close, .settle: break
                case .leave(let index, _), .reset(let index): service.leave(index)
                }
            }
            for (index, text) in lines { deliver(Array(text.utf8), index) }
        }
    }

    private mutating func deliver(_ bytes: [UInt8], _ index: Int) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = Array(rest.prefix(pieceBytes))
            rest = rest.dropFirst(piece.count)
            pool.receive(piece.span, index, at: now)
        }
    }
}

/// The script of a built-in dialect.
func operatorScript(_ dialect: String, textBytes: Int = 40) throws -> OperatorScript {
    let file = try DialectLibrary.find(dialect)
    return try OperatorScript(BoundDialect.of(file), textBytes: textBytes)
}

/// A plan for the livechat dialect.
func livechatPlan(
    _ action: LoadAction, operators: Int = 12, roomSize: Int = 4,
    model: LoadModel = .open([RateStage(duration: 2_000_000_000, rate: 500)], .constant)
) throws -> FleetPlan {
    FleetPlan(
        operatorScript: try operatorScript("livechat"), model: model, mix: ActionMix([(action, 1)]),
        layout: RoomLayout(operators: operators, size: roomSize), run: 77)
}

/// Two seconds, starting with the first.
let twoSeconds = Phases(
    start: 1_000_000_000, warmup: 0, measurement: 2_000_000_000, drain: 1_000_000_000)
