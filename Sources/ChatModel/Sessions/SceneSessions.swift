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

    /// Every running session, in the order in which they were opened.
    public var all: [SceneSession] {
        state.withLock { state in state.sessions.values.sorted { $0.id < $1.id } }
    }

    /// Opens a session; where a scene has one session for the same members, that one is found again.
    public func open(
        _ scene: Scene, members names: [String], now: Int64
    ) throws(SceneError) -> SceneSession {
        let members = try nicknames(names, scene)
        let meeting = Meeting(scene: scene.name, members: Set(members))
        let session = try state.withLock { state throws(SceneError) -> SceneSession in
            if scene.isOnePerMembers, let id = state.meetings[meeting],
                let session = state.sessions[id]
            {
                return session
            }
            guard state.sessions.count < sessionsMax else {
                throw SceneError(.tooManySessions, scene: scene.name) {
                    "\(sessionsMax) sessions are running already"
                }
            }
            return begin(scene, members, meeting, now, &state)
        }
        for member in members { try session.join(member) }
        return session
    }

    private func begin(
        _ scene: Scene, _ members: [Nickname], _ meeting: Meeting, _ now: Int64,
        _ state: inout State
    ) -> SceneSession {
        state.count += 1
        let session = SceneSession(
            id: state.count, scene, members, now: now, reportingTo: report
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
            do throws(NicknameError) {
                let nickname = try Nickname(name)
                if !members.contains(nickname) { members.append(nickname) }
            } catch {
                throw SceneError(.badMember, scene: scene.name) { error.description }
            }
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

extension SceneError {
    static func tooManyMembers(_ scene: Scene) -> SceneError {
        SceneError(.tooManyMembers, scene: scene.name) {
            "\(scene.membersMax) members at most"
        }
    }
}
