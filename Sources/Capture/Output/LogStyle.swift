import LineProtocol

/// The colours and words of a log.
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

    /// What is said of an event; nil: nothing.
    static func words(
        _ note: ConversationNote, _ direction: Direction?
    ) -> (text: String, isTrouble: Bool)? {
        let side = direction == .fromServer ? "server" : "client"
        switch note {
        case .gap(let gap):
            let reason =
                switch gap.reason {
                case .lost: "not captured"
                case .cut: "cut off by the snap length"
                case .limit: "given up, because too much waits behind them"
                }
            return ("\(counted(gap.count)) of the \(side) \(reason)", true)
        case .conflict(let conflict):
            let which = conflict.lastCounts ? "last" : "first"
            return (
                "\(counted(conflict.count)) of the \(side) came again and differ; the \(which) count",
                true
            )
        case .halfClosed: return ("the \(side) ends its side", false)
        case .encrypted: return ("encrypted (TLS) from here on: not decoded", true)
        case .outOfStep:
            return ("where the next frame begins cannot be told: not decoded any further", true)
        case .lineCut: return ("unfinished lines take too much room: the line above was cut", true)
        case .named: return nil
        case .speaks(let dialect): return ("taken for \(dialect)", false)
        }
    }

    static func words(_ end: ConnectionEnd) -> String {
        switch end {
        case .closed: "closed"
        case .reset: "reset"
        case .replaced: "over: its ports are used again"
        case .captureEnd: "still open where the capture ends"
        case .forgotten: "no longer followed: too many connections"
        }
    }

    private static func counted(_ count: Int) -> String {
        count == 1 ? "1 byte" : "\(count) bytes"
    }
}
