import ChatModel
import LineProtocol

extension IRCAdapter {
    /// Maximum tokens per line. With the client name and the text added, a line has at most 15
    /// arguments.
    private static let tokensPerLine = 13

    /// Appends the lines that list the supported features.
    func appendFeatures(_ id: ClientID, _ service: borrowing ChatService, _ line: inout [UInt8]) {
        var rest = features(service.rules)[...]
        while !rest.isEmpty {
            append(
                "isupport", id, service,
                [
                    "tokens": .list(rest.prefix(Self.tokensPerLine).map { .text($0) }),
                    "text": .text("are supported by this server"),
                ], to: &line)
            rest = rest.dropFirst(Self.tokensPerLine)
        }
    }

    private func features(_ rules: ChatRules) -> [String] {
        let mapping = names.folding == .exact ? "ascii" : names.folding.rawValue
        let history = ["CHATHISTORY=\(Self.historyMessagesMax)", "MSGREFTYPES=msgid,timestamp"]
        return [
            "AWAYLEN=\(Self.reasonBytesMax)", "BOT=B", "CASEMAPPING=\(mapping)",
            "CHANLIMIT=#&:\(rules.chatsPerSessionMax)", "CHANMODES=beI,k,l,imnst",
            "CHANNELLEN=\(Self.channelBytesMax)", "CHANTYPES=#&", "EXCEPTS", "INVEX",
            "KICKLEN=\(Self.reasonBytesMax)",
            "MAXLIST=beI:\(rules.masksMax)", "MODES=4", "MONITOR=\(MonitorTable.targetsMax)",
            "NAMELEN=\(Self.realNameBytesMax)", "NETWORK=\(Self.networkName)",
            "NICKLEN=\(names.bytesMax)", "PREFIX=(ov)@+", "TOPICLEN=\(Self.reasonBytesMax)",
            "WHOX",
        ] + (offered.contains(.chathistory) ? history : [])
    }
}
