/// A bug that the server can simulate. Every rule in the check catalogue detects at least one.
package enum Fault: String, Sendable, Hashable, CaseIterable {
    // Arguments
    case fewArgumentsClose = "few-arguments-close"
    case fewArgumentsLeave = "few-arguments-leave"
    case defaultsIgnored = "defaults-ignored"
    case extraArgumentsJoined = "extra-arguments-joined"
    case extraArgumentsClose = "extra-arguments-close"
    case emptyArgumentsDropped = "empty-arguments-dropped"
    case emptyArgumentsClose = "empty-arguments-close"
    case numbersWrap = "numbers-wrap"
    case badValuesClose = "bad-values-close"
    // Escaping and injection
    case escapeDecodedTwice = "escape-decoded-twice"
    case escapeEncodedTwice = "escape-encoded-twice"
    case escapeLost = "escape-lost"
    case answersUnescaped = "answers-unescaped"
    case argumentsRepeatedRaw = "arguments-repeated-raw"
    case unknownEscapesClose = "unknown-escapes-close"
    case crInjects = "cr-injects"
    case forgedSource = "forged-source"
    // Framing
    case segmentEndsLine = "segment-ends-line"
    case loneLFIgnored = "lone-lf-ignored"
    case emptyLinesDeafen = "empty-lines-deafen"
    case whitespaceLinesDeafen = "whitespace-lines-deafen"
    case trailingSpacesLost = "trailing-spaces-lost"
    case wedgeLongLine = "wedge-long-line"
    case tailRuns = "tail-runs"
    case partialLineRuns = "partial-line-runs"
    case lostUnterminated = "lost-unterminated"
    case nulTruncates = "nul-truncates"
    case nulDeafens = "nul-deafens"
    case badUTF8Replaced = "bad-utf8-replaced"
    case controlsStripped = "controls-stripped"
    case foreignBytesHang = "foreign-bytes-hang"
    case payloadOffByOne = "payload-off-by-one"
    case wrongLengthsDeafen = "wrong-lengths-deafen"
    // Order and closing
    case pipelineReversed = "pipeline-reversed"
    case pipelinedLoginLost = "pipelined-login-lost"
    case halfCloseUnanswered = "half-close-unanswered"
    case staleSessionAfterFin = "stale-session-after-fin"
    // Commands and phases
    case unknownCommandsClose = "unknown-commands-close"
    case verbCaseIgnored = "verb-case-ignored"
    case serverVerbsClose = "server-verbs-close"
    case earlyCommandsClose = "early-commands-close"
    // Capabilities, labels and tags
    case unknownCapabilitiesAccepted = "unknown-capabilities-accepted"
    case negotiationNotAwaited = "negotiation-not-awaited"
    case unrequestedNotifications = "unrequested-notifications"
    case capabilitiesKept = "capabilities-kept"
    case capabilitiesImplied = "capabilities-implied"
    case capabilitiesExclusive = "capabilities-exclusive"
    case batchesUnlabelled = "batches-unlabelled"
    case silentCommandsUnlabelled = "silent-commands-unlabelled"
    case closingLinesUnlabelled = "closing-lines-unlabelled"
    case authenticationUnlabelled = "authentication-unlabelled"
    case unfinishedBatches = "unfinished-batches"
    case batchReferencesWrong = "batch-references-wrong"
    case unrequestedBatches = "unrequested-batches"
    case unrequestedTags = "unrequested-tags"
    case tagEscapesLost = "tag-escapes-lost"
    case longTagsAccepted = "long-tags-accepted"
    case duplicateTagsRelayed = "duplicate-tags-relayed"
    case serverTagsRelayed = "server-tags-relayed"
    // Modes and monitoring
    case modesWithoutEffect = "modes-without-effect"
    case membersSetModes = "members-set-modes"
    case ranksKept = "ranks-kept"
    case exceptionsIgnored = "exceptions-ignored"
    case secretRoomsListed = "secret-rooms-listed"
    case silentDeparture = "silent-departure"
    // Names
    case namesExact = "names-exact"
    case longNameCut = "long-name-cut"
    case badNameTaken = "bad-name-taken"
    case nameTakenTwice = "name-taken-twice"
    case silentRename = "silent-rename"
    // Sessions
    case lateExpiry = "late-expiry"
    case silentExpiry = "silent-expiry"
    case keepaliveIgnored = "keepalive-ignored"
    case wrongPongsClose = "wrong-pongs-close"
    case wrongPongsAsked = "wrong-pongs-asked"
    case pongsIgnored = "pongs-ignored"
    case slowReaderBlocks = "slow-reader-blocks"
    case slowWriterBlocks = "slow-writer-blocks"
    // Delivery
    case drop, duplicate, swap, leak, mutate
    case leaversHear = "leavers-hear"
    case strayLine = "stray-line"
    case longListsCut = "long-lists-cut"
    case floodLoses = "flood-loses"
    case descriptorLeak = "descriptor-leak"
    case amplify

    /// Former names of faults, which are still accepted.
    private static let earlierNames: [String: Fault] = [
        "batches-unended": .unfinishedBatches,
        "blank-lines-deafen": .whitespaceLinesDeafen, "expiry-untold": .silentExpiry,
        "ghost-after-fin-with-data": .staleSessionAfterFin,
        "trailing-blanks-eaten": .trailingSpacesLost,
    ]

    /// Creates the fault with this current or former name; nil if there is none.
    package init?(named name: String) {
        guard let fault = Fault(rawValue: name) ?? Self.earlierNames[name] else { return nil }
        self = fault
    }

    var index: Int { Self.indices[self] ?? 0 }

    private static let indices: [Fault: Int] = Dictionary(
        uniqueKeysWithValues: zip(allCases, allCases.indices))
}

extension Fault {
    package var summary: String {
        switch self {
        case .fewArgumentsClose: "too few arguments silently close the connection"
        case .fewArgumentsLeave:
            "a client that sends too few arguments is silently removed from all rooms"
        case .defaultsIgnored: "an omitted argument is empty or 0 instead of its default"
        case .extraArgumentsJoined: "surplus arguments are joined to the last one"
        case .extraArgumentsClose: "surplus arguments silently close the connection"
        case .emptyArgumentsDropped: "an empty argument is dropped, which shifts the later ones"
        case .emptyArgumentsClose: "an empty argument silently closes the connection"
        case .numbersWrap: "a number wider than 32 bits wraps around when the server repeats it"
        case .badValuesClose: "a value of the wrong type silently closes the connection"
        case .escapeDecodedTwice: "escapes in a client's line are decoded twice"
        case .escapeEncodedTwice: "escapes in a relayed line are encoded twice"
        case .escapeLost: "a relayed line is sent unescaped"
        case .answersUnescaped: "an answer to a request is sent unescaped"
        case .argumentsRepeatedRaw:
            "a reply repeats an argument as is, even where the syntax does not allow it"
        case .unknownEscapesClose: "an unknown or incomplete escape closes the connection"
        case .crInjects: "text after a bare CR inside a line is executed as a command"
        case .forgedSource: "a source prefix forged by a client is shown to others"
        case .segmentEndsLine: "the end of a TCP segment ends the line"
        case .loneLFIgnored: "a line that ends with a bare LF is dropped"
        case .emptyLinesDeafen: "the server stops answering after an empty line"
        case .whitespaceLinesDeafen:
            "the server stops answering after a line that contains only spaces"
        case .trailingSpacesLost: "trailing spaces are dropped"
        case .wedgeLongLine: "the server stops answering after an overlong line"
        case .tailRuns: "text past the line limit is executed as a command"
        case .partialLineRuns: "an unfinished line at the end of the stream is executed"
        case .lostUnterminated: "complete lines are lost if the stream ends with an unfinished one"
        case .nulTruncates: "a line is truncated at its first NUL"
        case .nulDeafens: "the server stops answering after a NUL"
        case .badUTF8Replaced: "invalid UTF-8 is replaced with question marks"
        case .controlsStripped: "control bytes are removed from lines"
        case .foreignBytesHang:
            "after a connection that starts with a control byte, the server no longer answers any client"
        case .wrongLengthsDeafen: "the server stops answering after a payload of the wrong length"
        case .payloadOffByOne: "the last byte of a payload or message is lost"
        case .pipelineReversed: "two pipelined lines with the same command are swapped"
        case .pipelinedLoginLost: "lines pipelined after login are lost"
        case .halfCloseUnanswered: "no answers are sent after a half-close"
        case .staleSessionAfterFin: "a client that sends FIN right after a line stays logged in"
        case .unknownCommandsClose: "an unknown command silently closes the connection"
        case .verbCaseIgnored: "commands are matched with the wrong case sensitivity"
        case .serverVerbsClose: "a server command sent by a client closes the connection"
        case .earlyCommandsClose: "a command before login closes the connection"
        case .unknownCapabilitiesAccepted: "a request for an unknown capability is accepted"
        case .negotiationNotAwaited: "a login completes while capabilities are being negotiated"
        case .unrequestedNotifications:
            "a client receives notifications that it has not requested"
        case .capabilitiesKept: "a capability that a client turns off stays in effect"
        case .capabilitiesImplied:
            "lists show prefixes as for multi-prefix to clients with userhost-in-names"
        case .capabilitiesExclusive:
            "with userhost-in-names, multi-prefix has no effect"
        case .batchesUnlabelled:
            "a multi-line response to a labelled command has neither a label nor a batch"
        case .silentCommandsUnlabelled: "a labelled command without a response is not acknowledged"
        case .closingLinesUnlabelled:
            "the last line before the server closes the connection is not labelled"
        case .authenticationUnlabelled: "responses to labelled authentication have no label"
        case .unfinishedBatches: "a batch begins but does not end"
        case .batchReferencesWrong: "lines in a batch refer to a batch that does not exist"
        case .unrequestedBatches: "a client receives batches although it has not requested any"
        case .unrequestedTags: "a client receives tags although it has not requested any"
        case .tagEscapesLost: "escape characters are removed from relayed tag values"
        case .longTagsAccepted: "a line whose tags are too long is executed"
        case .duplicateTagsRelayed: "tags that occur twice in a line are relayed twice"
        case .serverTagsRelayed: "tags that only a server may set are relayed from clients"
        case .modesWithoutEffect: "room modes are announced but have no effect"
        case .membersSetModes: "every room member can set room modes"
        case .ranksKept: "the removal of a rank is announced but has no effect"
        case .exceptionsIgnored: "exceptions from bans and from invite-only rooms are ignored"
        case .secretRoomsListed: "secret rooms are listed for clients that are not in them"
        case .silentDeparture: "clients that monitor a user are not notified when the user leaves"
        case .namesExact: "names that differ only in case are treated as different"
        case .longNameCut: "an overlong name is silently truncated"
        case .badNameTaken: "a name with forbidden bytes is accepted"
        case .nameTakenTwice: "a name in use is given to a second client"
        case .silentRename: "other clients are not notified of a rename"
        case .lateExpiry: "a session without a ping expires far too late"
        case .silentExpiry: "an expired session is closed without a message"
        case .keepaliveIgnored: "a ping does not keep the session alive"
        case .wrongPongsClose: "a pong with the wrong token closes the connection"
        case .wrongPongsAsked:
            "a pong with the wrong token is answered with a ping, then the connection is silently closed"
        case .pongsIgnored: "a pong does not keep the session alive"
        case .slowReaderBlocks: "a client that does not read delays all others"
        case .slowWriterBlocks: "a client that has sent part of a line delays all others"
        case .drop: "a message is not delivered to one recipient"
        case .duplicate: "a message is delivered to one recipient twice"
        case .swap: "two messages to one recipient are swapped"
        case .leak: "a message is also delivered to a client that should not receive it"
        case .mutate: "one letter of a message changes on its way to one recipient"
        case .leaversHear: "a client that has left a room still receives its messages"
        case .strayLine: "a message is followed by a line that is not in the dialect"
        case .longListsCut: "a multi-line list ends after its first line"
        case .floodLoses: "some lines in a flood are lost"
        case .descriptorLeak: "the server never closes a connection that its client has closed"
        case .amplify: "an answer sent before login is repeated a hundred times"
        }
    }
}
