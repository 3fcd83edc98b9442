import Synchronization

/// Creates, finds and ends the sessions that are running.
public final class SceneSessions: Sendable {
    /// Who meets in which scene, whatever the order and the case of their names.
    private struct Meeting: Hashable {
        var scene: String
        var members: Set<Nickname>
    }

    private struct State {
        var sessions: [Int: SceneSession] = [:]
        var meetings: [Meeting: Int] = [:]
        var meetingOfSession: [Int: Meeting] = [:]
        /// The last number that was given.
        var count = 0
    }

    /// How many sessions may run where nothing else is said.
    public static let sessionsMaxByDefault = 16_384

    /// How many sessions may run at once.
    public let sessionsMax: Int
    /// What the sessions use, and what outlives them.
    public let services: DataServices
    private let report: @Sendable (MulticastReport) -> Void
    private let state = Mutex(State())

    /// No sessions yet.
    ///
    /// - Parameters:
    ///   - services: what sessions subscribe to.
    ///   - sessionsMax: how many may run at once.
    ///   - report: hears of listeners that are too slow.
    public init(
        services: DataServices, sessionsMax: Int = sessionsMaxByDefault,
        reportingTo report: @escaping @Sendable (MulticastReport) -> Void
    ) {
        self.services = services
        self.sessionsMax = sessionsMax
        self.report = report
    }

    /// How many are running.
    public var count: Int { state.withLock { $0.sessions.count } }

    /// Every running session, by rising number.
    public var all: [SceneSession] {
        state.withLock { state in state.sessions.values.sorted { $0.id < $1.id } }
    }

    /// Opens a session; where a scene has one session for the same members, that one is found again.
    ///
    /// - Parameters:
    ///   - id: the session's number, where somebody else gives it, such as a server: a session of that
    ///     number is found again. Without it, it is the next that is free.
    ///   - now: the time in nanoseconds.
    public func open(
        _ scene: Scene, id: Int? = nil, members names: [String], now: Int64
    ) throws(SceneError) -> SceneSession {
        let members = try nicknames(names, scene)
        let meeting = Meeting(scene: scene.name, members: Set(members))
        let session = try state.withLock { state throws(SceneError) -> SceneSession in
            if let id, let session = state.sessions[id] { return session }
            if id == nil, scene.isOnePerMembers, let id = state.meetings[meeting],
                let session = state.sessions[id]
            {
                return session
            }
            guard state.sessions.count < sessionsMax else {
                throw SceneError(.tooManySessions, scene: scene.name) {
                    "\(sessionsMax) sessions are running already"
                }
            }
            return begin(scene, id, members, meeting, now, &state)
        }
        for member in members { try session.join(member) }
        return session
    }

    private func begin(
        _ scene: Scene, _ id: Int?, _ members: [Nickname], _ meeting: Meeting, _ now: Int64,
        _ state: inout State
    ) -> SceneSession {
        if id == nil {
            repeat { state.count += 1 } while state.sessions[state.count] != nil
        }
        let session = SceneSession(
            id: id ?? state.count, scene, members, now: now, reportingTo: report
        ) { [weak self] ended in
            self?.forget(ended)
        }
        state.sessions[session.id] = session
        if scene.isOnePerMembers {
            state.meetings[meeting] = session.id
            state.meetingOfSession[session.id] = meeting
        }
        return session
    }

    private func nicknames(_ names: [String], _ scene: Scene) throws(SceneError) -> [Nickname] {
        var members: [Nickname] = []
        for name in names {
            let nickname = try Nickname(name, in: scene)
            if !members.contains(nickname) { members.append(nickname) }
        }
        guard members.count <= scene.membersMax else { throw .tooManyMembers(scene) }
        return members
    }

    /// The running session of that id.
    public subscript(id: Int) -> SceneSession? { state.withLock { $0.sessions[id] } }

    /// The running sessions of a scene in which somebody is.
    public func sessions(of member: Nickname, in scene: Scene? = nil) -> [SceneSession] {
        all.filter { (scene == nil || $0.scene == scene) && $0.members.contains(member) }
    }

    /// Takes out what is shown no longer, and ends sessions that were quiet for too long.
    public func expire(now: Int64) {
        for session in all { session.expire(now: now) }
    }

    /// Ends every session. Data services stay.
    public func endAll() {
        for session in all { session.end() }
    }

    private func forget(_ session: SceneSession) {
        state.withLock { state in
            state.sessions[session.id] = nil
            guard let meeting = state.meetingOfSession.removeValue(forKey: session.id) else {
                return
            }
            state.meetings[meeting] = nil
        }
    }
}

extension Nickname {
    /// The nickname of a member.
    init(_ name: String, in scene: Scene) throws(SceneError) {
        do throws(NicknameError) {
            try self.init(name)
        } catch {
            throw SceneError(.badMember, scene: scene.name) { error.description }
        }
    }
}

extension SceneError {
    static func tooManyMembers(_ scene: Scene) -> SceneError {
        SceneError(.tooManyMembers, scene: scene.name) {
            "\(scene.membersMax) members at most"
        }
    }
}
