/// Settings shared by all workers of a load test, such as the script, model, layout and seed.
package struct FleetPlan: Sendable {
    /// Maximum number of operators per process.
    package static let operatorsMax = 1_000_000

    package var operatorScript: OperatorScript
    package var model: LoadModel
    package var mix: ActionMix
    /// Kinds of operators, whose actions ``mix`` combines; empty if all operators are alike.
    package var kinds: [OperatorKind] = [] {
        didSet { kindPattern = KindPattern(kinds) }
    }
    private(set) var kindPattern = KindPattern([])
    /// Think times in the closed model. `end` is in nanoseconds from the start of the measurement
    /// period.
    package var thinks: [(end: Int64, think: ThinkTime)] = []
    package var layout: RoomLayout
    /// Scenarios that run in addition to the layout's operators.
    package var scripts: [ScenarioScript] = []
    /// Share of the arrivals not used by scenarios.
    package var poolShare = 1.0
    package var seed: UInt64
    /// Run number, which is part of operator names and messages.
    package var run: UInt32
    /// Batching interval of arrivals, in nanoseconds.
    package var batchInterval: Int64
    /// Time limit for an operator to reach its room, in nanoseconds.
    package var setupTimeout: Int64
    /// True to check server lines against the dialect's command table.
    package var looksAtSchema = true

    package init(
        operatorScript: OperatorScript, model: LoadModel, mix: ActionMix, layout: RoomLayout,
        seed: UInt64 = 1, run: UInt32 = 1, batchInterval: Int64 = 1_000_000,
        setupTimeout: Int64 = 30_000_000_000
    ) {
        self.operatorScript = operatorScript
        self.model = model
        self.mix = mix
        self.layout = layout
        self.seed = seed
        self.run = run & UInt32(Base32.most(digits: 4))
        self.batchInterval = batchInterval
        self.setupTimeout = setupTimeout
    }

    /// Returns the number of operators in a share of the load test, in rooms and in scenarios.
    package func operators(_ share: LoadShare) -> Int {
        scripts.reduce(layout.operators(share).count) { $0 + $1.groups(share) * $1.groupSize }
    }

    /// True if operators send messages to rooms, or to members of their room.
    var sendsToRooms: Bool {
        mix.weights.contains { $0.action == .say || $0.action == .relay }
    }

    /// Returns an operator's kind; nil if no kinds are defined.
    package func kind(of number: Int) -> OperatorKind? { kindPattern.kind(of: number) }

    /// Returns the index of an operator's kind; 0 if no kinds are defined.
    package func kindNumber(of number: Int) -> Int { kindPattern.index(of: number) }

    var names: RunNames { RunNames(run: run) }

    /// Returns an operator's name.
    package func name(_ number: Int) -> [UInt8] { names.name(number) }

    /// Returns a room's eight-digit number on the server.
    package func wireNumber(room: Int) -> Int { names.wireNumber(room: room) }
}
