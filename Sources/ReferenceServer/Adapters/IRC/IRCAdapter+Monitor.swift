import ChatModel
import LineProtocol

extension IRCAdapter {
    func receiveMonitor(_ line: RequestLine, _ id: ClientID, _ context: inout RequestContext) {
        let targets = line.list("targets").filter { !$0.isEmpty }
        switch line.text("action") ?? [] {
        case [0x2B]: watch(targets, id, &context)
        case [ASCII.minus]:
            for target in targets {
                if let key = names.key(target) { monitors.remove(key, for: id) }
            }
        case [0x43], [0x63]: monitors.removeAll(for: id)
        case [0x4C], [0x6C]:
            for names in lines(of: monitors.nicknames(for: id)) {
                reply("monitorListed", id, &context, ["targets": .list(names)])
            }
            reply("endOfMonitorList", id, &context, ["text": .text("End of MONITOR list")])
        case [0x53], [0x73]: showState(of: monitors.nicknames(for: id), id, &context)
        default: break
        }
    }

    private func watch(
        _ targets: [[UInt8]], _ id: ClientID, _ context: inout RequestContext
    ) {
        var added: [[UInt8]] = []
        var rejected: [[UInt8]] = []
        for target in targets {
            let isNickname = !target.contains {
                $0 <= 0x20 || [0x21, 0x2A, 0x3F, 0x40].contains($0)
            }
            guard isNickname, let key = names.key(target) else { continue }
            if monitors.add(target, key, for: id) {
                added.append(target)
            } else {
                rejected.append(target)
            }
        }
        showState(of: added, id, &context)
        guard !rejected.isEmpty else { return }
        reply(
            "monitorListFull", id, &context,
            [
                "limit": .int(Int64(MonitorTable.targetsMax)),
                "targets": .list(rejected.map { .text($0) }),
                "text": .text("Monitor list is full"),
            ])
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
                online.append(source(session.person))
            } else {
                offline.append(nickname)
            }
        }
        for targets in lines(of: online) {
            reply("monitorOnline", id, &context, ["targets": .list(targets)])
        }
        for targets in lines(of: offline) {
            reply("monitorOffline", id, &context, ["targets": .list(targets)])
        }
    }

    package func observe(_ note: ChatNote, _ context: inout RequestContext) {
        switch note {
        case .loggedIn(let id, _, let nickname, _):
            guard let session = context.service.session(id) else { return }
            report("monitorOnline", source(session.person), nickname, &context)
        case .loggedOut(_, _, let nickname, _):
            if let key = names.key(nickname), !monitors.watchers(of: key).isEmpty,
                faults.shouldInject(.silentDeparture)
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
        report("monitorOnline", source(session.person), session.nickname.bytes, &context)
    }

    private func report(
        _ name: String, _ shown: [UInt8], _ nickname: [UInt8], _ context: inout RequestContext
    ) {
        guard let key = names.key(nickname) else { return }
        for watcher in monitors.watchers(of: key) {
            reply(name, watcher, &context, ["targets": .list([.text(shown)])])
        }
    }
}
