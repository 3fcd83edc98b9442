import LineProtocol

/// Colours of the decode log, and descriptions of its events.
struct LogStyle {
    let dim: StaticString
    let plain: StaticString
    let name: StaticString
    let command: StaticString
    let sent: StaticString
    let received: StaticString
    let warning: StaticString
    let wrong: StaticString

    init(isColoured: Bool) {
        dim = isColoured ? "\u{1B}[2m" : ""
        plain = isColoured ? "\u{1B}[0m" : ""
        name = isColoured ? "\u{1B}[1m" : ""
        command = isColoured ? "\u{1B}[1m" : ""
        sent = isColoured ? "\u{1B}[32m" : ""
        received = isColoured ? "\u{1B}[36m" : ""
        warning = isColoured ? "\u{1B}[33m" : ""
        wrong = isColoured ? "\u{1B}[31m" : ""
    }

    /// Returns the description of an event; nil if the event is not logged.
    static func words(
        _ note: ConversationNote, _ direction: Direction?
    ) -> (text: String, isTrouble: Bool)? {
        let side = direction == .fromServer ? "server" : "client"
        switch note {
        case .gap(let gap):
            let reason =
                switch gap.reason {
                case .lost: "not captured"
                case .cut: "truncated by the snap length"
                case .limit: "skipped: too much data was waiting after the gap"
                }
            return ("\(counted(gap.count)) from the \(side) \(reason)", true)
        case .conflict(let conflict):
            let which = conflict.prefersLastCopy ? "last" : "first"
            return (
                "\(counted(conflict.count)) from the \(side) retransmitted with different content; "
                    + "using the \(which) copy",
                true
            )
        case .halfClosed: return ("closed by the \(side)", false)
        case .encrypted: return ("encrypted (TLS) from here on; not decoded", true)
        case .decrypted: return ("encrypted (TLS) from here on; decrypted with the key log", false)
        case .undecrypted(let problem): return (words(problem, direction), true)
        case .compressed: return ("compressed (WebSocket) from here on; not decoded", true)
        case .outOfStep:
            return ("frame boundaries lost; the rest is not decoded", true)
        case .lineCut:
            return ("line above truncated: too much data in unfinished lines", true)
        case .handshake(let details): return (words(details), false)
        // The writer formats the address, because it may have to be anonymised.
        case .named, .proxied: return nil
        case .speaks(let dialect): return ("detected as \(dialect)", false)
        }
    }

    /// Returns the description of what cannot be decrypted, and why.
    private static func words(_ problem: TLSProblem, _ direction: Direction?) -> String {
        switch problem {
        case .noEarlySecret:
            return "early data from the client not decrypted: the key log has no secret for it"
        case .earlyDataRefused: return "the server did not accept the early data above"
        default: break
        }
        let side = direction.map { $0 == .fromServer ? "the server" : "the client" }
        return (side.map { "\($0)'s data" } ?? "data") + " not decrypted from here on: "
            + problem.reason
    }

    /// Returns the description of a TLS handshake.
    private static func words(_ details: TLSDetails) -> String {
        func shown(_ name: [UInt8]) -> String {
            var buffer = TextBuffer(capacity: 64)
            buffer.append(escaped: name.span, .log)
            return String(decoding: buffer.bytes, as: UTF8.self)
        }
        var parts: [String] = []
        let version = details.version ?? "(unanswered)"
        parts.append(version.hasPrefix("SSL") ? version : "TLS \(version)")
        if let name = details.serverName { parts.append("server name \(shown(name))") }
        let protocols = details.protocols.map(shown)
        if !protocols.isEmpty { parts.append("ALPN \(protocols.joined(separator: " "))") }
        let names = details.certificateNames.map(shown)
        if !names.isEmpty { parts.append("certificate for \(names.joined(separator: " "))") }
        return parts.joined(separator: ", ")
    }

    /// Returns the description of how a connection ended.
    ///
    /// - Parameter side: The side that reset the connection; nil if neither did.
    static func words(_ end: ConnectionEnd, _ side: Direction?) -> String {
        switch end {
        case .closed: "closed"
        case .reset: "reset by the \(side == .fromClient ? "client" : "server")"
        case .refused: "refused by the server"
        case .unanswered: "no answer"
        case .replaced: "replaced by a new connection with the same ports"
        case .captureEnd: "still open at the end of the capture"
        case .forgotten: "dropped: too many connections"
        }
    }

    private static func counted(_ count: Int) -> String {
        count == 1 ? "1 byte" : "\(count) bytes"
    }
}
