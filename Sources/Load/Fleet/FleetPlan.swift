/// What kind of load it is.
package enum LoadModel: Sendable, Hashable {
    /// Arrivals come when they come, however long the server takes: so many a second.
    case open([RateStage], ArrivalSchedule.Pace)
    /// Each operator waits until its text has arrived, thinks, and says the next one.
    case closed(ThinkTime)

    /// The word for it.
    package var word: String {
        switch self {
        case .open: "open"
        case .closed: "closed"
        }
    }
}

/// What operators do, and how often in proportion.
package struct ActionMix: Sendable, Hashable {
    package private(set) var weights: [(action: LoadAction, weight: Double)]
    private let total: Double

    /// A mix; actions of no weight are left out.
    package init(_ weights: [(action: LoadAction, weight: Double)]) {
        self.weights = weights.filter { $0.weight > 0 }
        total = self.weights.reduce(0) { $0 + $1.weight }
    }

    /// The action that a number from 0 up to 1 stands for.
    func action(_ fraction: Double) -> LoadAction {
        var rest = fraction * total
        for (action, weight) in weights {
            rest -= weight
            if rest < 0 { return action }
        }
        return weights.last?.action ?? .probe
    }

    package static func == (left: ActionMix, right: ActionMix) -> Bool {
        left.weights.elementsEqual(right.weights, by: ==)
    }

    package func hash(into hasher: inout Hasher) {
        for (action, weight) in weights {
            hasher.combine(action)
            hasher.combine(weight)
        }
    }
}

/// Who is in which room. Rooms are as even as can be; their members have consecutive numbers.
package struct RoomLayout: Sendable, Hashable {
    /// The largest room: its ledger has 12 bytes for each pair of members.
    package static let roomSizeMax = 4096

    /// How many operators there are.
    package let operators: Int
    /// How many rooms.
    package let rooms: Int

    /// A layout in which rooms have about `size` members.
    package init(operators: Int, size: Int) {
        self.operators = operators
        rooms = max(1, operators / max(1, size))
    }

    /// The members of a room.
    package func members(_ room: Int) -> Range<Int> {
        start(room)..<start(room + 1)
    }

    /// The rooms of one worker of several.
    package func rooms(worker: Int, of workers: Int) -> Range<Int> {
        worker * rooms / workers..<(worker + 1) * rooms / workers
    }

    private func start(_ room: Int) -> Int { room * operators / rooms }
}

/// All that a fleet has to know.
package struct FleetPlan: Sendable {
    /// The most operators of one process.
    package static let operatorsMax = 1_000_000

    package var playbook: OperatorScript
    package var model: LoadModel
    package var mix: ActionMix
    /// Kinds of operators side by side; ``mix`` then has all that any of them does. Empty: all do the same.
    package var kinds: [OperatorKind] = [] {
        didSet { kindPattern = OperatorKind.pattern(kinds) }
    }
    private var kindPattern: [UInt8] = []
    /// Of the closed model, how long operators think up to which time of the measurement.
    package var thinks: [(end: Int64, think: ThinkTime)] = []
    package var layout: RoomLayout
    /// Scenarios that are played beside what the operators of the layout do.
    package var scripts: [ScenarioScript] = []
    /// Of all arrivals, the part that is not the scenarios'.
    package var coreShare = 1.0
    /// Where chance comes from.
    package var seed: UInt64
    /// Told apart from other runs by this.
    package var run: UInt32
    /// Arrivals are due together at multiples of this, in nanoseconds.
    package var quantum: Int64
    /// How long an operator may take to get to its room, in nanoseconds.
    package var setupTimeout: Int64
    /// Whether the server's lines are held against the dialect's command table.
    package var looksAtSchema = true

    /// A plan from its parts.
    package init(
        playbook: OperatorScript, model: LoadModel, mix: ActionMix, layout: RoomLayout,
        seed: UInt64 = 1, run: UInt32 = 1, quantum: Int64 = 1_000_000,
        setupTimeout: Int64 = 30_000_000_000
    ) {
        self.playbook = playbook
        self.model = model
        self.mix = mix
        self.layout = layout
        self.seed = seed
        self.run = run & UInt32(Base32.most(digits: 4))
        self.quantum = quantum
        self.setupTimeout = setupTimeout
    }

    /// How many operators take part, in rooms and in scenarios.
    package var operatorCount: Int {
        scripts.reduce(layout.operators) { $0 + $1.operators }
    }

    /// How many operators of a share take part, in rooms and in scenarios.
    package func operators(_ share: LoadShare) -> Int {
        scripts.reduce(layout.operators(share).count) { $0 + $1.groups(share) * $1.groupSize }
    }

    /// Of which kind an operator is; nil if there are no kinds.
    package func kind(of number: Int) -> OperatorKind? {
        kindPattern.isEmpty ? nil : kinds[Int(kindPattern[number % kindPattern.count])]
    }

    /// The number of an operator's kind; 0 if there are no kinds.
    package func kindNumber(of number: Int) -> Int {
        kindPattern.isEmpty ? 0 : Int(kindPattern[number % kindPattern.count])
    }

    /// The name of an operator: `lj`, the run, its number.
    package func name(_ number: Int) -> [UInt8] {
        var bytes = Array("lj0000000".utf8)
        write(name: number, to: &bytes, at: 0)
        return bytes
    }

    func write(name number: Int, to bytes: inout [UInt8], at place: Int) {
        var span = bytes.mutableSpan
        span[place] = UInt8(ascii: "l")
        span[place + 1] = UInt8(ascii: "j")
        Base32.write(UInt64(run & 0x7FFF), 3, to: &span, at: place + 2)
        Base32.write(UInt64(number), 4, to: &span, at: place + 5)
    }

    /// The number under which the server knows a room: eight digits.
    package func wireNumber(room: Int) -> Int { 10_000_000 + Int(run % 89) * 1_000_000 + room }
}
