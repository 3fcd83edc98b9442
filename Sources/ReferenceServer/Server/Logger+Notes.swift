import Logging

extension Logger {
    /// Logs a service event. The content of messages is never logged.
    func log(_ note: ChatNote) {
        switch note {
        case .loggedIn(_, let identifier, let nickname, let isVisitor):
            info(
                "logged in",
                metadata: [
                    "identifier": "\(identifier)", "nickname": "\(display(nickname))",
                    "visitor": "\(isVisitor)",
                ])
        case .loggedOut(_, let identifier, let nickname, let departure):
            info(
                "logged out",
                metadata: [
                    "identifier": "\(identifier)", "nickname": "\(display(nickname))",
                    "reason": "\(departure.reason)",
                ])
        case .refused(let id, let command, let refusal):
            info(
                "refused",
                metadata: [
                    "connection": "\(id.slot)", "command": "\(display(command))",
                    "cause": "\(refusal.cause)", "reason": "\(refusal.reason)",
                ])
        case .leftWithoutLogin(let id, let departure):
            debug(
                "closed without a login",
                metadata: ["connection": "\(id.slot)", "reason": "\(departure.reason)"])
        }
    }

    private func display(_ command: RefusedCommand) -> String {
        switch command {
        case .verb(let verb): verb.rawValue
        case .wire(let bytes): display(bytes)
        case .connection: "connection"
        }
    }

    private func display(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
