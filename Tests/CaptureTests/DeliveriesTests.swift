import DialectFiles
import DialectModel
import LineProtocol
import Testing

@testable import Capture

/// The account of each message: who sent it, who had to receive it, and who did.
@Suite struct DeliveriesTests {
    typealias Kind = DeliveryFinding.Kind

    @Test func eachMemberReceivesEachMessage() throws {
        var talk = Talk(["alice", "bob", "carol"])
        talk.say("alice", "hello")
        talk.deliver("hello", from: "alice", to: ["bob", "carol"])
        talk.say("bob", "hi")
        talk.deliver("hi", from: "bob", to: ["carol", "alice"])
        let found = try talk.account()
        #expect(found.counts.messages == 2 && found.counts.due == 4 && found.counts.received == 4)
        #expect(!found.counts.hasFindings && found.counts.unknown == 0)
        #expect(found.text.contains("#1 alice → #tea \"hello\"  reached 2 of 2 members\n"))
        #expect(found.text.hasSuffix("0 probes answered; no problems\n"), "\(found.text)")
    }

    /// An answered probe shows that the server has processed a message and sent nothing more.
    @Test func aMessageIsMissingOnceALaterProbeIsAnswered() throws {
        var talk = Talk(["alice", "bob", "carol"])
        talk.say("alice", "hello")
        talk.deliver("hello", from: "alice", to: ["carol"])
        #expect(try talk.account().counts[.missing] == 0)
        #expect(try talk.account().counts.unknown == 1)
        talk.probe("bob", "one")
        let found = try talk.account()
        #expect(found.counts[.missing] == 1 && found.counts.unknown == 0)
        #expect(found.text.contains("reached 1 of 2 members, not bob\n"), "\(found.text)")
    }

    @Test func aMessageIsMissingOnceALaterOneFromTheSameSenderArrives() throws {
        var talk = Talk(["alice", "bob"])
        talk.say("alice", "one")
        talk.say("alice", "two")
        talk.deliver("two", from: "alice", to: ["bob"])
        #expect(try talk.account().kinds == [.missing: 1])
        // It was only late.
        talk.deliver("one", from: "alice", to: ["bob"])
        #expect(try talk.account().kinds == [.outOfOrder: 1])
    }

    @Test func aMessageThatNoClientReceivesIsMissingOnceItsSenderIsAnswered() throws {
        var talk = Talk(["alice", "bob"])
        talk.say("alice", "hello")
        talk.probe("bob", "early")
        #expect(try talk.account().counts.unknown == 1)
        talk.probe("alice", "one")
        talk.probe("bob", "two")
        #expect(try talk.account().kinds == [.missing: 1])
    }

    @Test func aMessageIsMissingIfItsRecipientWaitsLongEnough() throws {
        var talk = Talk(["alice", "bob", "carol"])
        talk.say("alice", "hello")
        talk.deliver("hello", from: "alice", to: ["carol"])
        talk.wait(seconds: 4)
        talk.serve("bob", "NOTICE bob :still here")
        #expect(try talk.account().counts.unknown == 1)
        talk.wait(seconds: 2)
        talk.serve("bob", "NOTICE bob :still here")
        #expect(try talk.account().kinds == [.missing: 1])
    }

    @Test func repeatedDeliveriesAreDuplicates() throws {
        var talk = Talk(["alice", "bob"])
        talk.say("alice", "hello")
        talk.deliver("hello", from: "alice", to: ["bob", "bob"])
        let found = try talk.account()
        #expect(found.kinds == [.duplicate: 1])
        #expect(found.text.contains("    duplicate: #2 bob received it again (packet "))
        // The same text may be sent twice.
        talk.say("alice", "hello")
        talk.deliver("hello", from: "alice", to: ["bob"])
        #expect(try talk.account().kinds == [.duplicate: 1])
    }

    @Test func aChangedTextIsAltered() throws {
        var talk = Talk(["alice", "bob"])
        talk.say("alice", "first")
        talk.say("alice", "hello bob")
        talk.deliver("first", from: "alice", to: ["bob"])
        talk.deliver("hello bxb", from: "alice", to: ["bob"])
        let found = try talk.account()
        #expect(found.kinds == [.altered: 1])
        #expect(
            found.text.contains("    altered: #2 bob received \"hello bxb\" (packet "),
            "\(found.text)")
    }

    /// Only the order that one receiver sees, and another one contradicts, is a problem.
    @Test func differentOrdersAreFound() throws {
        var talk = Talk(["alice", "bob", "carol", "dave"])
        talk.say("alice", "one")
        talk.say("bob", "two")
        talk.deliver("one", from: "alice", to: ["carol", "bob"])
        talk.deliver("two", from: "bob", to: ["carol", "alice", "dave"])
        talk.deliver("one", from: "alice", to: ["dave"])
        let found = try talk.account()
        #expect(found.kinds == [.differentOrder: 1])
        #expect(found.text.contains("#4 dave received it after \"two\", others before"))
    }

    @Test func messagesForOthersAreLeaks() throws {
        var talk = Talk(["alice", "bob"])
        talk.join("dave", room: nil)
        talk.say("alice", "hello")
        talk.deliver("hello", from: "alice", to: ["bob", "dave"])
        talk.say("alice", "psst", to: "bob")
        talk.serve("bob", "PRIVMSG bob :psst", from: "alice")
        talk.serve("dave", "PRIVMSG bob :psst", from: "alice")
        #expect(try talk.account().kinds == [.leaked: 2])
    }

    @Test func messagesThatNoClientSentAreFound() throws {
        var talk = Talk(["alice", "bob"])
        talk.deliver("made up", from: "alice", to: ["bob"])
        // The capture does not show what others send.
        talk.deliver("hello", from: "eve", to: ["bob"])
        let found = try talk.account()
        #expect(found.kinds == [.unsent: 1] && found.counts.fromOutside == 1)
        #expect(
            found.text.contains("#2 bob ← unsent: \"made up\", which alice has not sent (packet "),
            "\(found.text)")
    }

    @Test func anotherSenderIsFound() throws {
        var talk = Talk(["alice", "bob", "carol"])
        talk.say("alice", "hello")
        talk.deliver("hello", from: "carol", to: ["bob"])
        let found = try talk.account()
        #expect(found.kinds == [.wrongSender: 1])
        #expect(found.text.contains("#2 bob received it as a message from carol"))
    }

    @Test func theSenderOfAnInventedMessageNeedNotHaveSentOneBefore() throws {
        var talk = Talk(["alice", "bob", "carol"])
        talk.deliver("made up", from: "carol", to: ["bob"])
        talk.say("alice", "hello")
        talk.deliver("hello", from: "carol", to: ["bob"])
        talk.deliver("hello", from: "alice", to: ["carol"])
        for name in ["alice", "bob", "carol"] {
            talk.probe(name, "last")
            talk.close(name)
        }
        let found = try talk.account()
        #expect(found.kinds == [.unsent: 1, .wrongSender: 1], "\(found.text)")
        #expect(found.counts.fromOutside == 0)
    }

    @Test func aSecondAnswerIsFoundIfNothingIsPending() throws {
        var talk = Talk(["alice"])
        talk.probe("alice", "one")
        talk.serve("alice", "PONG srv one")
        talk.serve("alice", "PONG srv other")
        talk.probe("alice", "two")
        let found = try talk.account()
        #expect(found.kinds == [.answeredTwice: 1], "\(found.text)")
        #expect(found.text.contains("another answer to the probe \"one\""), "\(found.text)")
    }

    @Test func requestsToEnterARoomAreGrantedOrRefused() throws {
        var talk = Talk(["alice"])
        // In another spelling, refused, in a room already, and for several rooms at once.
        talk.send("alice", "JOIN #Other")
        talk.serve("alice", "JOIN #other", from: "alice")
        talk.send("alice", "JOIN #closed")
        talk.serve("alice", "473 alice #closed :Cannot join channel (+i)")
        talk.send("alice", "JOIN #tea")
        talk.send("alice", "JOIN #one,#two")
        talk.probe("alice", "first")
        #expect(try talk.account().kinds == [:])
        talk.send("alice", "JOIN #silent")
        // The answer may follow after the end of the capture.
        #expect(try talk.account().kinds == [:])
        talk.probe("alice", "second")
        let found = try talk.account()
        #expect(found.kinds == [.notEntered: 1], "\(found.text)")
        #expect(
            found.text.contains("not-entered: no answer to the request to enter #silent (packet "),
            "\(found.text)")
        #expect(found.counts.entries == 2)
    }

    @Test func probesAreAnsweredExactlyOnce() throws {
        var talk = Talk(["alice", "bob"])
        talk.send("alice", "PING lost")
        talk.probe("alice", "one")
        talk.serve("alice", "PONG srv one")
        let found = try talk.account()
        #expect(found.kinds == [.unanswered: 1, .answeredTwice: 1])
        #expect(found.text.contains("unanswered: no answer to the probe \"lost\""))
        // The last probe may be answered after the end of the capture.
        talk.send("bob", "PING last")
        #expect(try talk.account().kinds == [.unanswered: 1, .answeredTwice: 1])
    }

    @Test func refusedMessagesHaveNoRecipients() throws {
        var talk = Talk(["alice", "bob"])
        talk.say("alice", "hello")
        talk.serve("alice", "404 alice #tea :Cannot send to channel")
        talk.probe("bob", "one")
        let found = try talk.account()
        #expect(found.counts.refused == 1 && !found.counts.hasFindings)
        #expect(found.text.contains("\"hello\"  refused by the server"))
    }

    @Test(arguments: ["PART", "KICK", "QUIT"])
    func thoseWhoLeaveAreNoLongerMembers(how: String) throws {
        var talk = Talk(["alice", "bob", "carol"])
        switch how {
        case "PART":
            talk.send("bob", "PART #tea")
            talk.serve("bob", "PART #tea", from: "bob")
        case "KICK": talk.serve("bob", "KICK #tea bob :out", from: "carol")
        default:
            talk.send("bob", "QUIT")
            talk.close("bob")
        }
        talk.say("alice", "hello")
        talk.deliver("hello", from: "alice", to: ["carol"])
        for name in how == "QUIT" ? ["alice", "carol"] : ["alice", "bob", "carol"] {
            talk.probe(name, "end")
        }
        let found = try talk.account()
        #expect(found.counts.due == 1 && found.counts.received == 1)
        #expect(!found.counts.hasFindings, "\(found.text)")
    }

    @Test func namesMayChange() throws {
        var talk = Talk(["alice", "bob"])
        talk.say("alice", "one")
        talk.send("alice", "NICK alina")
        talk.deliver("one", from: "alice", to: ["bob"])
        talk.serve("alice", "NICK alina", from: "alice")
        talk.serve("bob", "NICK alina", from: "alice")
        talk.say("alice", "two")
        talk.deliver("two", from: "alina", to: ["bob"])
        talk.say("bob", "psst", to: "alina")
        talk.serve("alice", "PRIVMSG alina :psst", from: "bob")
        let found = try talk.account()
        #expect(found.counts.received == 3 && !found.counts.hasFindings, "\(found.text)")
        #expect(found.text.contains("#1 alina → #tea \"two\"  reached 1 of 1 member"))
    }

    @Test func aMessageMayHaveSeveralTargets() throws {
        var talk = Talk(["alice", "bob", "carol"])
        talk.say("alice", "hello", to: "bob,carol")
        talk.serve("bob", "PRIVMSG bob :hello", from: "alice")
        talk.serve("carol", "PRIVMSG carol :hello", from: "alice")
        let found = try talk.account()
        #expect(found.counts.messages == 2 && found.counts.received == 2)
        #expect(!found.counts.hasFindings, "\(found.text)")
    }

    /// Servers accept other forms of names and rooms than those that they deliver.
    @Test(arguments: ["bob@host", "$*.example"])
    func targetsMayHaveOtherForms(target: String) throws {
        var talk = Talk(["alice", "bob"])
        talk.say("alice", "hello", to: target)
        talk.serve("bob", "PRIVMSG bob :hello", from: "alice")
        let found = try talk.account()
        #expect(found.counts.others == 1 && !found.counts.hasFindings, "\(found.text)")
    }

    @Test func aLineMayBeCutAtItsMaximumLength() throws {
        var talk = Talk(["alice", "bob"])
        let text = String(repeating: "long ", count: 99)
        talk.say("alice", text)
        let prefix = ":alice!a@h PRIVMSG #tea :"
        talk.deliver(
            String(text.prefix(510 - prefix.utf8.count)), from: "alice", to: ["bob"])
        let found = try talk.account()
        #expect(found.counts.cut == 1 && found.counts.received == 1)
        #expect(!found.counts.hasFindings, "\(found.text)")
    }

    // MARK: Incomplete captures

    @Test func aCaptureThatStartsLateShowsNoProblems() throws {
        var talk = Talk(["alice", "bob", "carol"])
        talk.say("alice", "before")
        talk.startLate()
        talk.deliver("before", from: "alice", to: ["bob", "carol"])
        // The first line of each stream may be incomplete.
        talk.send("alice", "MODE #tea")
        talk.say("alice", "hello")
        talk.deliver("hello", from: "alice", to: ["bob"])
        talk.probe("carol", "one")
        let found = try talk.account()
        #expect(!found.counts.hasFindings && found.counts.fromOutside == 0, "\(found.text)")
        #expect(found.text.contains("may be member"), "\(found.text)")
    }

    @Test(arguments: [true, false])
    func gapsMakeDeliveriesUnknown(isFromClient: Bool) throws {
        var talk = Talk(["alice", "bob", "carol"])
        if isFromClient {
            talk.send("alice", "PRIVMSG #tea :hello", isCaptured: false)
            talk.deliver("hello", from: "alice", to: ["bob", "carol"])
        } else {
            talk.say("alice", "hello")
            talk.deliver("hello", from: "alice", to: ["bob"], isCaptured: false)
            talk.deliver("hello", from: "alice", to: ["carol"])
        }
        for _ in 0..<3 {
            for name in ["alice", "bob", "carol"] { talk.probe(name, "later") }
            talk.wait(seconds: 1)
        }
        let found = try talk.account()
        #expect(!found.counts.hasFindings, "\(found.text)")
        #expect(found.counts.unknown == (isFromClient ? 0 : 1))
        #expect(found.counts.fromOutside == (isFromClient ? 2 : 0))
    }

    @Test func aResetMayDestroyDeliveries() throws {
        var talk = Talk(["alice", "bob", "carol"])
        talk.say("alice", "hello")
        talk.deliver("hello", from: "alice", to: ["carol"])
        talk.reset("bob")
        talk.probe("alice", "one")
        #expect(try talk.account().counts.unknown == 1)
        #expect(try !talk.account().counts.hasFindings)
    }

    // MARK: Limits and output

    @Test func olderMessagesAreDroppedAndCounted() throws {
        var talk = Talk(["alice", "bob"])
        talk.send(
            "alice",
            (0..<(DeliveryLedger.messagesMax + 1)).map { "PRIVMSG #tea :\($0)" }
                .joined(separator: "\r\n"))
        talk.probe("bob", "one")
        let found = try talk.account()
        #expect(found.counts.messages == DeliveryLedger.messagesMax + 1)
        #expect(found.counts.dropped == DeliveryLedger.messagesMax / 8)
        #expect(!found.counts.hasFindings)
    }

    @Test func secretsAndControlCharactersAreNotShown() throws {
        var talk = Talk(["alice", "bob"])
        talk.say("alice", "IDENTIFY hunter2", to: "NickServ")
        talk.say("alice", "\u{1B}[31mred\u{07}")
        let found = try talk.account()
        #expect(found.counts.messages == 1)
        #expect(!found.text.contains("hunter2") && !found.json.contains("hunter2"))
        #expect(!found.text.contains("\u{1B}") && !found.json.contains("\u{1B}"))
        #expect(found.text.contains("\"\\x1b[31mred\\x07\""), "\(found.text)")
    }

    @Test func jsonLinesContainTheSame() throws {
        var talk = Talk(["alice", "bob"])
        talk.say("alice", "hello")
        talk.deliver("hello", from: "alice", to: ["bob", "bob"])
        let lines = try talk.account().json.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(
            lines[0].contains(
                "\"members\":1,\"reached\":1,\"problems\":[{\"problem\":\"duplicate\""))
        #expect(lines[1].hasPrefix("{\"event\":\"summary\",\"messages\":1,"))
        #expect(lines[1].contains("\"duplicate\":1"))
    }

    @Test func otherDialectsWorkAsWell() throws {
        var (alice, bob) = (
            ScriptedConnection(client: "10.0.0.1:50001", server: "10.0.0.9:7070"),
            ScriptedConnection(client: "10.0.0.2:50002", server: "10.0.0.9:7070")
        )
        func both(_ edit: (inout ScriptedConnection, String) -> Void) {
            edit(&alice, "alice")
            bob.time = alice.time
            edit(&bob, "bob")
            alice.time = bob.time
        }
        both { connection, name in
            connection.open()
            connection.send(
                "{\"type\":\"login\",\"name\":\"\(name)\"}\n{\"type\":\"join\",\"room\":\"tea\"}\n")
            connection.send(
                "{\"type\":\"welcome\",\"name\":\"\(name)\"}\n{\"type\":\"joined\",\"room\":\"tea\"}\n",
                fromClient: false)
        }
        alice.send("{\"type\":\"say\",\"room\":\"tea\",\"text\":\"a \\u0022b\\u0022\"}\n")
        bob.time = alice.time
        bob.send(
            "{\"type\":\"message\",\"from\":\"alice\",\"text\":\"a \\\"b\\\"\",\"room\":\"tea\"}\n",
            fromClient: false)
        let found = try Account([alice, bob], "jsonl")
        #expect(found.counts.due == 1 && found.counts.received == 1, "\(found.text)")
        #expect(!found.counts.hasFindings)
    }
}
