import DialectModel
import LineProtocol
import Results
import Scenario
import Session

/// The `reply.long` rule: lists remain complete as they grow. The expected entries follow from the
/// actions of the clients in the case.
enum ReplyLong: CheckFamily {
    static let ruleID = "reply.long"

    static func entries(_ subject: Subject) -> [CatalogueEntry] {
        let lists = GrowingList.allCases.filter { list in
            subject.has("login") && list.behaviours.allSatisfy(subject.has)
        }
        guard !lists.isEmpty else {
            return notApplicable("the dialect has no behaviours that list members, rooms or bans")
        }
        return lists.map { list in
            .check(
                Check(
                    CheckID(ruleID, list.rawValue),
                    "\(list.words) is complete regardless of its length",
                    setting: "behaviours.\(list.rawValue)", in: subject, level: .robustness
                ) { maker in [made(list, &maker)] }.needing(list.behaviours, subject))
        }
    }

    private static func made(_ list: GrowingList, _ maker: inout CaseMaker) -> CheckCase {
        var script = CaseScript(list.words, maker.subject)
        let entries = list.grow(&script, &maker)
        let control = entries.prefix(GrowingList.controlCount)
        list.requireEach(of: entries, &script)
        return script.made { evidence in
            let requests = evidence.testCase.steps.indices.filter {
                evidence.testCase.steps[$0].isRequest(of: list)
            }
            guard requests.count == 2, evidence.result.outcome == .passed else {
                return evidence.scripted()
            }
            let few = ListedNames(evidence, step: requests[0])
            if !control.allSatisfy(few.contains) { return .observed("hides entries") }
            let many = ListedNames(evidence, step: requests[1])
            let missing = entries.filter { !many.contains($0) }
            guard let first = missing.first else {
                return Liveness.patient(evidence.scripted())
            }
            return .failed(
                Finding(
                    "lost", expected: "all \(entries.count) entries",
                    got: "\(missing.count) missing from \(many.lines.count) lines, such as "
                        + PeerBytes.shown([Array(first.utf8)])))
        }
    }
}

/// A list that grows through the actions of the clients in a case.
enum GrowingList: String, CaseIterable {
    case members
    case memberDetails = "member-details"
    case rooms
    case roomsOf = "rooms-of"
    case bans

    /// Number of entries in the list when it is first requested, as a control.
    static let controlCount = 2
    /// Minimum size of a name in a list, in bytes, including its separator.
    private static let entryBytes = 8
    private static let membersMax = 100
    private static let roomsCount = 40
    private static let bansCount = 40
    /// Number of rooms that each client enters. Most servers allow this many.
    private static let roomsEach = 10
    /// Length of the words in long room names. Ten of them do not fit in a 512-byte line.
    private static let longWordBytes = 43

    /// The behaviours that the list requires.
    var behaviours: [String] {
        switch self {
        case .members, .memberDetails, .rooms, .roomsOf: ["enter", rawValue]
        case .bans: ["enter", "ban", rawValue]
        }
    }

    var words: String {
        switch self {
        case .members: "the list of a room's members"
        case .memberDetails: "the detailed list of a room's members"
        case .rooms: "the list of all rooms"
        case .roomsOf: "the list of a user's rooms"
        case .bans: "the list of a room's bans"
        }
    }

    /// Adds steps that request the list, make it grow, and request it again. Returns the entries
    /// that the list must then contain.
    func grow(_ script: inout CaseScript, _ maker: inout CaseMaker) -> [String] {
        switch self {
        case .members, .memberDetails: growMembers(&script, &maker)
        case .rooms: growRooms(&script, &maker)
        case .roomsOf: growRoomsOf(&script, &maker)
        case .bans: growBans(&script, &maker)
        }
    }

    private func growMembers(_ script: inout CaseScript, _ maker: inout CaseMaker) -> [String] {
        let room = maker.room()
        script.enter(room: room, [])
        let limit = maker.subject.dialect.framing.fromServer.limits.lineBytesMax
        let count = min(limit / Self.entryBytes + 1, Self.membersMax)
        // If the server does not support the request, the other clients need not log in.
        let groups = [Self.controlCount, count - Self.controlCount]
        var handles: [String] = []
        for (count, role) in zip(groups, [CaseStep.Role.control, .stimulus]) {
            let group = script.logInTogether(count, &maker)
            for handle in group {
                script.step(.control, .use("enter", as: handle, [Argument("room", .int(room))]))
            }
            handles += group
            request(&script, room: room, role)
        }
        return handles.map { script.actor($0).name }
    }

    private func growRooms(_ script: inout CaseScript, _ maker: inout CaseMaker) -> [String] {
        let handles = script.logInTogether(
            (Self.roomsCount + Self.roomsEach - 1) / Self.roomsEach, &maker)
        let rooms = (0..<Self.roomsCount).map { _ in maker.room() }
        for (index, room) in rooms.enumerated() {
            if index == Self.controlCount { request(&script, room: 0, .control) }
            let handle = handles[index / Self.roomsEach]
            script.step(.control, .use("enter", as: handle, [Argument("room", .int(room))]))
        }
        request(&script, room: 0, .stimulus)
        return rooms.map { maker.subject.written(room: String($0)) }
    }

    private func growRoomsOf(_ script: inout CaseScript, _ maker: inout CaseMaker) -> [String] {
        script.logIn(CaseActor(handle: "alice", name: maker.word()))
        let rooms = (0..<Self.roomsEach).map { _ in
            maker.word().padding(with: "x", to: Self.longWordBytes)
        }
        for (index, room) in rooms.enumerated() {
            if index == Self.controlCount { request(&script, room: 0, .control) }
            script.step(.control, .use("enter", as: "alice", [Argument("room", .text(room))]))
        }
        request(&script, room: 0, .stimulus)
        return rooms.map { maker.subject.written(room: $0) }
    }

    private func growBans(_ script: inout CaseScript, _ maker: inout CaseMaker) -> [String] {
        let room = maker.room()
        script.enter(room: room, [])
        script.logIn(CaseActor(handle: "alice", name: maker.word()))
        script.step(.control, .use("enter", as: "alice", [Argument("room", .int(room))]))
        let names = (0..<Self.bansCount).map { _ in maker.word() }
        for (index, name) in names.enumerated() {
            if index == Self.controlCount { request(&script, room: room, .control) }
            let mask = Argument("mask", .text("\(name)!*@*"))
            script.step(
                .control, .use("ban", as: "alice", [Argument("room", .int(room)), mask]))
        }
        request(&script, room: room, .stimulus)
        return names
    }

    /// Adds the requirement, only to the scenario file, that the list contains each of these entries.
    /// An expectation matches a single line, so the file requests the list once for each entry.
    func requireEach(of entries: [String], _ script: inout CaseScript) {
        guard let asker = script.actors.first, let behaviour = script.subject.bound[rawValue]
        else { return }
        let sends = behaviour.steps.filter { $0.sent != nil }
        let parameters = ["room", "user"].filter { name in
            sends.contains { $0.uses(variable: name) }
        }
        let name = "request-\(rawValue)"
        script.fragments.append(Fragment(name, parameters, sends))
        let given = [("room", Value.int(script.room ?? 0)), ("user", .text(asker.name))]
            .filter { parameters.contains($0.0) }.map { Argument($0.0, $0.1) }
        let steps = entries.flatMap { entry -> [Step] in
            let word = ExpectedPattern.literal(Array(entry.utf8))
            let pattern = ExpectedPattern.matching("(.*[^0-9A-Za-z])?\(word)([^0-9A-Za-z].*)?")
            return pattern.map {
                [.use(name, as: asker.handle, given), .expect(asker.handle, .skip, $0)]
            } ?? []
        }
        script.require(steps, by: asker.handle)
    }

    /// Adds a step in which the first client requests the list.
    private func request(_ script: inout CaseScript, room: Int, _ role: CaseStep.Role) {
        guard let asker = script.actors.first else { return }
        let given = script.arguments(
            [("room", .int(room)), ("user", .text(asker.name))], of: rawValue)
        script.step(role, .use(rawValue, as: asker.handle, given))
    }
}

/// The lines of a list, as received by a client.
private struct ListedNames {
    let lines: [[UInt8]]

    /// Collects the lines that a step's client received during the step.
    init(_ evidence: Evidence, step: Int) {
        let handle = evidence.testCase.steps[step].handle
        lines = evidence.entries.filter {
            $0.step == step && $0.entry.kind == .received && $0.entry.operatorName == handle
        }.map(\.entry.bytes)
    }

    /// Returns whether any line contains the name, with no letter or digit next to it.
    func contains(_ name: String) -> Bool {
        let name = Array(name.utf8)
        return lines.contains { line in
            var start = line.startIndex
            while let range = line[start...].firstRange(of: name) {
                let isStart = range.lowerBound == 0 || !line[range.lowerBound - 1].isInName
                let isEnd = range.upperBound == line.count || !line[range.upperBound].isInName
                if isStart, isEnd { return true }
                start = range.lowerBound + 1
            }
            return false
        }
    }
}

extension CaseStep {
    fileprivate func isRequest(of list: GrowingList) -> Bool {
        uses(list.rawValue)
    }
}

extension Subject {
    /// Returns a room's name as written in the dialect's lines, such as `#room7`.
    fileprivate func written(room: String) -> String {
        RoomArgument.written(room, self).map { String(decoding: $0, as: UTF8.self) } ?? room
    }
}

extension UInt8 {
    /// True if the byte is a letter or digit.
    fileprivate var isInName: Bool {
        ASCII.isDigit(self) || ASCII.isLetter(self)
    }
}

extension String {
    fileprivate func padding(with letter: Character, to count: Int) -> String {
        self + String(repeating: letter, count: max(0, count - self.count))
    }
}
