import ChatModel
import LineProtocol

/// The MONITOR command, and the notifications about monitored nicknames.
struct IRCMonitor {
    let replies: IRCReplies
    let names: NameRules
    private var table = MonitorTable()

    init(_ replies: IRCReplies, _ names: NameRules) {
        self.replies = replies
        self.names = names
    }

    mutating func forget(_ id: ClientID) { table.removeAll(for: id) }

    mutating func receive(_ line: RequestLine, _ id: ClientID, _ context: inout RequestContext) {
        let targets = line.list("targets").filter { !$0.isEmpty }
        switch line.text("action") ?? [] {
        case [0x2B]: watch(targets, id, &context)
        case [ASCII.minus]:
            for target in targets {
                if let key = names.key(target) { table.remove(key, for: id) }
            }
        case [0x43], [0x63]: table.removeAll(for: id)
        case [0x4C], [0x6C]:
            for targets in replies.lines(of: table.nicknames(for: id)) {
                replies.send("monitorListed", to: id, &context, ["targets": .list(targets)])
            }
            replies.send("endOfMonitorList", to: id, &context, text: "End of MONITOR list")
        case [0x53], [0x73]: showState(of: table.nicknames(for: id), id, &context)
        default: break
        }
    }

    private mutating func watch(
        _ targets: [[UInt8]], _ id: ClientID, _ context: inout RequestContext
    ) {
        var added: [[UInt8]] = []
        var rejected: [[UInt8]] = []
        for target in targets {
            let isNickname = !target.contains {
                $0 <= 0x20 || [0x21, 0x2A, 0x3F, 0x40].contains($0)
            }
            guard isNickname, let key = names.key(target) else { continue }
            if table.add(target, key, for: id) {
                added.append(target)
            } else {
                rejected.append(target)
            }
        }
        showState(of: added, id, &context)
        guard !rejected.isEmpty else { return }
        replies.send(
            "monitorListFull", to: id, &context,
            [
                "limit": .int(Int64(MonitorTable.targetsMax)),
                "targets": .list(rejected.map { .text($0) }),
            ], text: "Monitor list is full")
    }

    /// Reports which of the nicknames are in use and which are not.
    private func showState(
        of nicknames: [[UInt8]], _ id: ClientID, _ context: inout RequestContext
    ) {
        var online: [[UInt8]] = []
        var offline: [[UInt8]] = []
        for nickname in nicknames {
            if let holder = context.service.holder(of: nickname),
                let session = context.service.session(holder)
            {
                online.append(session.person.hostmask)
            } else {
                offline.append(nickname)
            }
        }
        for targets in replies.lines(of: online) {
            replies.send("monitorOnline", to: id, &context, ["targets": .list(targets)])
        }
        for targets in replies.lines(of: offline) {
            replies.send("monitorOffline", to: id, &context, ["targets": .list(targets)])
        }
    }

    func observe(_ note: ChatNote, _ context: inout RequestContext) {
        switch note {
        case .loggedIn(let id, _, let nickname, _):
            guard let session = context.service.session(id) else { return }
            report("monitorOnline", session.person.hostmask, nickname, &context)
        case .loggedOut(_, _, let nickname, _):
            if let key = names.key(nickname), !table.watchers(of: key).isEmpty,
                replies.faults.shouldInject(.silentDeparture)
            {
                return
            }
            report("monitorOffline", nickname, nickname, &context)
        case .refused, .leftWithoutLogin: break
        }
    }

    /// Notifies clients that monitor the user's old nickname that it is offline, and clients that
    /// monitor the new nickname that it is online.
    func reportRename(
        from old: [UInt8], _ id: ClientID, _ context: inout RequestContext
    ) {
        guard let session = context.service.session(id),
            names.key(old) != names.key(session.nickname.bytes)
        else { return }
        report("monitorOffline", old, old, &context)
        report("monitorOnline", session.person.hostmask, session.nickname.bytes, &context)
    }

    private func report(
        _ name: String, _ shown: [UInt8], _ nickname: [UInt8], _ context: inout RequestContext
    ) {
        guard let key = names.key(nickname) else { return }
        for watcher in table.watchers(of: key) {
            replies.send(name, to: watcher, &context, ["targets": .list([.text(shown)])])
        }
    }
}
