import Synchronization

/// A registry that creates, finds and ends sessions. All methods may be called from any thread.
public final class SceneSessions: Sendable {
    /// A scene and a set of members. The order of the members does not matter, and equivalent names
    /// count as one member.
    private struct MemberKey: Hashable {
        var scene: String
        var members: Set<Nickname>
    }

    private struct State {
        var sessions: [Int: SceneSession] = [:]
        var sessionByMembers: [MemberKey: Int] = [:]
        var memberKeyOfSession: [Int: MemberKey] = [:]
        /// The last id assigned.
        var count = 0
    }

    /// Default maximum number of simultaneous sessions.
    public static let sessionsMaxByDefault = 16_384

    /// Maximum number of simultaneous sessions.
    public let sessionsMax: Int
    /// The services that sessions use and that outlive them.
    public let services: DataServices
    private let report: @Sendable (MulticastReport) -> Void
    private let state = Mutex(State())

    /// Creates an empty registry.
    ///
    /// - Parameters:
    ///   - services: the services that sessions subscribe to.
    ///   - sessionsMax: maximum number of simultaneous sessions.
    ///   - report: called when a listener is too slow; it may be called on any thread.
    public init(
        services: DataServices, sessionsMax: Int = sessionsMaxByDefault,
        reportingTo report: @escaping @Sendable (MulticastReport) -> Void
    ) {
        self.services = services
        self.sessionsMax = sessionsMax
        self.report = report
    }

    /// Number of running sessions.
    public var count: Int { state.withLock { $0.sessions.count } }

    /// The running sessions, sorted by id.
    public var all: [SceneSession] {
        state.withLock { state in state.sessions.values.sorted { $0.id < $1.id } }
    }

    /// Opens a session, or returns the existing one if the scene allows only one session per set of
    /// members.
    ///
    /// - Parameters:
    ///   - scene: the type of conversation.
    ///   - id: the session's id if it is assigned elsewhere, for example by a server; if a session
    ///     already has this id, that session is returned. If nil, the next free id is assigned.
    ///   - names: the members' nicknames.
    ///   - now: the time in nanoseconds.
    /// - Throws: ``SceneError`` if a name is not valid, or a member or session limit has been
    ///   reached.
    public func open(
        _ scene: Scene, id: Int? = nil, members names: [String], now: Int64
    ) throws(SceneError) -> SceneSession {
        let members = try nicknames(names, scene)
        let memberKey = MemberKey(scene: scene.name, members: Set(members))
        let session = try state.withLock { state throws(SceneError) -> SceneSession in
            if let id, let session = state.sessions[id] { return session }
            if id == nil, scene.isOnePerMembers, let id = state.sessionByMembers[memberKey],
                let session = state.sessions[id]
            {
                return session
            }
            guard state.sessions.count < sessionsMax else {
                throw SceneError(.tooManySessions, scene: scene.name) {
                    "the limit of \(sessionsMax) sessions has been reached"
                }
            }
            return begin(scene, id, members, memberKey, now, &state)
        }
        for member in members { try session.join(member) }
        return session
    }

    private func begin(
        _ scene: Scene, _ id: Int?, _ members: [Nickname], _ memberKey: MemberKey, _ now: Int64,
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
            state.sessionByMembers[memberKey] = session.id
            state.memberKeyOfSession[session.id] = memberKey
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

    /// The running session with this id; nil if there is none.
    public subscript(id: Int) -> SceneSession? { state.withLock { $0.sessions[id] } }

    /// Returns the running sessions of `member`, limited to `scene` unless it is nil.
    public func sessions(of member: Nickname, in scene: Scene? = nil) -> [SceneSession] {
        all.filter { (scene == nil || $0.scene == scene) && $0.members.contains(member) }
    }

    /// Removes expired messages, and ends sessions that have been idle for too long.
    public func expire(now: Int64) {
        for session in all { session.expire(now: now) }
    }

    /// Ends all sessions. Data services are unaffected.
    public func endAll() {
        for session in all { session.end() }
    }

    private func forget(_ session: SceneSession) {
        state.withLock { state in
            state.sessions[session.id] = nil
            guard let memberKey = state.memberKeyOfSession.removeValue(forKey: session.id) else {
                return
            }
            state.sessionByMembers[memberKey] = nil
        }
    }
}

extension Nickname {
    /// Creates a member's nickname. If the name is invalid, the error includes the scene.
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
            "a session can have at most \(scene.membersMax) members"
        }
    }
}
