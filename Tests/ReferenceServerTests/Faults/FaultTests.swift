import ReferenceServer
import Testing

@Suite(.timeLimit(.minutes(5))) struct FaultTests {
    private static let login = "S0001|a\n"
    private static let ircLogin = "NICK a\r\nUSER a 0 * :a\r\n"
    private static let modernLogin =
        "CAP REQ :message-tags labeled-response batch\r\nCAP END\r\n" + ircLogin
    private static let longLine =
        ircLogin + "PRIVMSG b :" + String(repeating: "x", count: 499)
        + "PRIVMSG b :evil\r\nPING t\r\n"

    static let cases: [FaultCase] = [
        FaultCase(.fewArgumentsClose, login + "S0004|0\nS0003|t\n"),
        FaultCase(
            .fewArgumentsLeave, ircLogin + "JOIN #r\r\nPART\r\nPRIVMSG #r :x\r\n", dialect: "irc"),
        FaultCase(.defaultsIgnored, login + "S0005|1\nS0004|0|1|hi\nS0009|1\n"),
        FaultCase(.extraArgumentsJoined, login + "S0007|b|x|y\n"),
        FaultCase(.extraArgumentsClose, login + "S0007|b|x|y\n"),
        FaultCase(.emptyArgumentsDropped, login + "S0005|1\nS0004||1|hi\n"),
        FaultCase(.emptyArgumentsDropped, ircLogin + "TOPIC #r :\r\n", dialect: "irc"),
        FaultCase(.emptyArgumentsClose, login + "S0004||1|hi\nS0003|t\n"),
        FaultCase(.emptyArgumentsClose, ircLogin + "AWAY :\r\nPING t\r\n", dialect: "irc"),
        FaultCase(.numbersWrap, login + "S0005|4294967297\n"),
        FaultCase(.badValuesClose, login + "S0005|abc\nS0003|t\n"),
        FaultCase(.escapeDecodedTwice, login + #"S0007|b|x\\ny"# + "\n"),
        FaultCase(.escapeEncodedTwice, login + #"S0007|b|x\|y"# + "\n"),
        FaultCase(.escapeLost, login + #"S0007|b|x\|y"# + "\n"),
        FaultCase(.answersUnescaped, login + #"S0003|x\|y"# + "\n"),
        FaultCase(.unknownEscapesClose, login + #"S0007|b|x\qy"# + "\n"),
        FaultCase(.crInjects, login + "S0007|b|x\rS0007|b|evil\n"),
        FaultCase(.forgedSource, login + "S0005|1\nS0004|2|1|x\n"),
        FaultCase(.forgedSource, ircLogin + ":c PRIVMSG b :x\r\n", dialect: "irc"),
        FaultCase(.loneLFIgnored, ircLogin + "PING x\nPING y\r\n", dialect: "irc"),
        FaultCase(.emptyLinesDeafen, login + "\nS0003|t\n"),
        FaultCase(.whitespaceLinesDeafen, login + " \t\nS0003|t\n"),
        FaultCase(.trailingSpacesLost, login + "S0007|b|x  \n"),
        FaultCase(.wedgeLongLine, longLine, dialect: "irc"),
        FaultCase(.tailRuns, longLine, dialect: "irc"),
        FaultCase(.partialLineRuns, login + "S0007|b|part"),
        FaultCase(.lostUnterminated, login + "S0007|b|whole\nS0007|b|par"),
        FaultCase(.nulTruncates, login + "S0007|b|x\0y\nS0003|t\n"),
        FaultCase(.nulDeafens, login + "S0007|b|x\0y\nS0003|t\n"),
        FaultCase(.badUTF8Replaced, bytes: (login + "S0007|b|x").bytes + [0xFF, 0x0A]),
        FaultCase(.controlsStripped, login + "S0007|b|x\u{1}y\n"),
        FaultCase(
            .wrongLengthsDeafen, "CONNECT {}\r\nPUB a 1\r\nxyz\r\nPING\r\n", dialect: "nats"),
        FaultCase(.wrongPongsClose, ircLogin + "PONG other\r\nPING t\r\n", dialect: "irc"),
        FaultCase(.wrongPongsAsked, ircLogin + "PONG other\r\nPING t\r\n", dialect: "irc"),
        FaultCase(.payloadOffByOne, login + "S0007|b|xyz\n"),
        FaultCase(.pipelineReversed, login + "S0003|t\nS0003|u\n"),
        FaultCase(.pipelinedLoginLost, login + "S0007|b|x\n"),
        FaultCase(.halfCloseUnanswered, login + "S0003|t\n"),
        FaultCase(.staleSessionAfterFin, login),
        FaultCase(.unknownCommandsClose, login + "S9999\nS0003|t\n"),
        FaultCase(.verbCaseIgnored, login + "s0003|t\n"),
        FaultCase(.verbCaseIgnored, ircLogin + "ping t\r\n", dialect: "irc"),
        FaultCase(.serverVerbsClose, login + "R0003|x\nS0003|t\n"),
        FaultCase(.earlyCommandsClose, "S0005|1\nS0003|t\n"),
        FaultCase(.earlyCommandsClose, "JOIN #r\r\n" + ircLogin, dialect: "irc"),
        FaultCase(.namesExact, "S0001|B\nS0003|t\n"),
        FaultCase(.namesExact, "NICK B\r\nUSER a 0 * :a\r\n", dialect: "irc"),
        FaultCase(.namesExact, ircLogin + "NICK B\r\n", dialect: "irc"),
        FaultCase(.longNameCut, "S0001|\(String(repeating: "x", count: 65))\n"),
        FaultCase(.badNameTaken, "S0001|x\u{1}\n"),
        FaultCase(.nameTakenTwice, "S0001|b\n"),
        FaultCase(.silentRename, ircLogin + "JOIN #r\r\nNICK aa\r\n", dialect: "irc"),
        FaultCase(.drop, login + "S0007|b|one\n"),
        FaultCase(.duplicate, login + "S0007|b|one\n"),
        FaultCase(.swap, login + "S0007|b|one\nS0007|b|two\n"),
        FaultCase(.leak, login + "S0007|b|one\n"),
        FaultCase(.mutate, login + "S0007|b|one\n"),
        FaultCase(.strayLine, login + "S0007|b|one\n"),
        FaultCase(.floodLoses, login + String(repeating: "S0003|t\n", count: 60)),
        FaultCase(.amplify, "S0005|1\n"),
        FaultCase(.unknownCapabilitiesAccepted, ircLogin + "CAP REQ :frob\r\n", dialect: "irc"),
        FaultCase(.negotiationNotAwaited, "CAP LS 302\r\n" + ircLogin, dialect: "irc"),
        FaultCase(
            .unrequestedNotifications, ircLogin + "JOIN #r\r\nAWAY :gone\r\n", dialect: "irc"),
        FaultCase(
            .capabilitiesKept,
            ircLogin + "CAP REQ :echo-message\r\nCAP REQ :-echo-message\r\nPRIVMSG b :x\r\n",
            dialect: "irc"),
        FaultCase(
            .capabilitiesImplied,
            ircLogin + "JOIN #s\r\nMODE #s +v a\r\nCAP REQ :userhost-in-names\r\nNAMES #s\r\n",
            dialect: "irc"),
        FaultCase(
            .capabilitiesExclusive,
            ircLogin + "JOIN #s\r\nMODE #s +v a\r\n"
                + "CAP REQ :multi-prefix userhost-in-names\r\nNAMES #s\r\n", dialect: "irc"),
        FaultCase(.batchesUnlabelled, modernLogin + "@label=x INFO\r\n", dialect: "irc"),
        FaultCase(.silentCommandsUnlabelled, modernLogin + "@label=x PONG y\r\n", dialect: "irc"),
        FaultCase(.closingLinesUnlabelled, modernLogin + "@label=x QUIT\r\n", dialect: "irc"),
        FaultCase(
            .authenticationUnlabelled, modernLogin + "@label=x AUTHENTICATE PLAIN\r\n",
            dialect: "irc"),
        FaultCase(.unfinishedBatches, modernLogin + "@label=x INFO\r\n", dialect: "irc"),
        FaultCase(.batchReferencesWrong, modernLogin + "@label=x INFO\r\n", dialect: "irc"),
        FaultCase(
            .unrequestedBatches,
            ircLogin + "CAP REQ :draft/chathistory\r\nJOIN #s\r\nPRIVMSG #s :x\r\n"
                + "CHATHISTORY LATEST #s * 1\r\n", dialect: "irc"),
        FaultCase(.unrequestedTags, ircLogin + "PRIVMSG b :x\r\n", dialect: "irc"),
        FaultCase(
            .tagEscapesLost, modernLogin + #"@+a=x\sy PRIVMSG a :x"# + "\r\n", dialect: "irc"),
        FaultCase(
            .longTagsAccepted,
            modernLogin + "@" + String(repeating: "x", count: 4_095) + " PING t\r\n", dialect: "irc"
        ),
        FaultCase(
            .duplicateTagsRelayed, modernLogin + "@+a=x;+a=y PRIVMSG a :x\r\n", dialect: "irc"),
        FaultCase(.serverTagsRelayed, modernLogin + "@a=x PRIVMSG a :x\r\n", dialect: "irc"),
        FaultCase(
            .modesWithoutEffect, ircLogin + "JOIN #s\r\nMODE #s +i\r\nMODE #s +i\r\n",
            dialect: "irc"),
        FaultCase(.membersSetModes, ircLogin + "JOIN #r\r\nMODE #r +i\r\n", dialect: "irc"),
        FaultCase(
            .ranksKept, ircLogin + "JOIN #s\r\nMODE #s -o a\r\nMODE #s +i\r\n", dialect: "irc"),
        FaultCase(
            .exceptionsIgnored,
            ircLogin + "JOIN #s\r\nMODE #s +be-o *!*@* a!*@* a\r\nPRIVMSG #s :x\r\n",
            dialect: "irc"),
    ]

    @Test(arguments: cases)
    func faultHappensOnlyWhenArmed(example: FaultCase) async throws {
        let off = try await example.outcome(armed: false)
        let again = try await example.outcome(armed: false)
        let on = try await example.outcome(armed: true)
        #expect(off == again)
        #expect(off.count == 0)
        #expect(on.count > 0)
        #expect(on.lines != off.lines)
    }

    @Test func eachFaultHasATest() {
        let elsewhere: Set<Fault> = [
            .lateExpiry, .silentExpiry, .keepaliveIgnored, .slowReaderBlocks, .slowWriterBlocks,
            .segmentEndsLine, .descriptorLeak, .pongsIgnored, .leaversHear,
            .argumentsRepeatedRaw, .foreignBytesHang, .longListsCut, .silentDeparture,
            .secretRoomsListed,
        ]
        let here = Set(Self.cases.map(\.fault))
        #expect(here.union(elsewhere) == Set(Fault.allCases))
        #expect(here.isDisjoint(with: elsewhere))
    }

    @Test(arguments: [
        ("batches-unended", Fault.unfinishedBatches),
        ("blank-lines-deafen", .whitespaceLinesDeafen), ("expiry-untold", .silentExpiry),
        ("ghost-after-fin-with-data", .staleSessionAfterFin),
        ("trailing-blanks-eaten", .trailingSpacesLost), ("silent-expiry", .silentExpiry),
    ])
    func earlierNamesOfFaultsAreAccepted(name: String, fault: Fault) {
        #expect(Fault(named: name) == fault)
    }

    @Test func eachRuleOfTheCatalogueHasAFault() {
        let rows = Set(
            Fault.allCases.flatMap(\.checks).map { $0.prefix { $0 != ":" } })
        for row in [
            "arity.few", "arity.default", "arity.extra", "arity.empty", "type", "esc.roundtrip",
            "esc.lenient", "esc.idempotent", "inj.sep", "inj.cr", "inj.source", "frame.seg",
            "frame.term", "frame.empty", "frame.ws", "frame.max", "frame.eof", "frame.nul",
            "frame.utf8", "frame.ctrl", "pay.len", "pipe.order", "pipe.preauth", "half.close",
            "cmd.unknown", "cmd.case", "cmd.direction", "phase", "id.case", "id.long", "id.chars",
            "id.race", "id.dup", "live.expiry", "live.keepalive", "live.pong", "slow.reader",
            "slow.writer",
            "msg.history", "reconn.mid", "flood", "leak.churn", "amp",
        ] {
            #expect(rows.contains(row[...]), "\(row)")
        }
    }
}

@Suite struct FaultInjectorTests {
    @Test func sameSeedInjectsFaultsAtTheSamePoints() {
        func injections(_ seed: UInt64) -> [Bool] {
            let faults = FaultInjector(rates: [.drop: 0.3], seed: seed)
            return (0..<100).map { _ in faults.shouldInject(.drop) }
        }
        #expect(injections(7) == injections(7))
        #expect(injections(7) != injections(8))
    }

    @Test func countsIncludeOnlyInjectedFaults() {
        let faults = FaultInjector(rates: [.drop: 0.5, .leak: 1, .swap: 0], seed: 3)
        let count = (0..<1_000).count { _ in faults.shouldInject(.drop) }
        #expect(faults.counts.map(\.fault) == [.drop, .leak])
        #expect(faults.counts.map(\.count) == [count, 0])
        #expect((400...600).contains(count))
    }

    @Test func unarmedFaultsNeverOccur() {
        let faults = FaultInjector(rates: [.drop: 1], seed: 3)
        #expect(!faults.shouldInject(.leak))
        #expect(!FaultInjector.none.shouldInject(.drop))
        #expect(!FaultInjector.none.isArmed)
    }
}
