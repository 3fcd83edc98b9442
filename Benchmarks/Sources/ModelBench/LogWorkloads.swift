import ChatModel
import Measuring

/// Number of messages.
let logMessages = 100_000

/// Numbers distributed over the whole range, the same in every run.
private func spread(_ number: Int) -> Int { number &* 7_919 % logMessages }

private func filledLog() -> MessageLog<ChatMessage> {
    var log = MessageLog<ChatMessage>(messagesMax: logMessages)
    for number in 0..<logMessages { log.insert(ChatMessage(number, at: Double(number))) }
    return log
}

private func filledDictionaries() -> SortedDictionaries {
    var log = SortedDictionaries(messagesMax: logMessages)
    for number in 0..<logMessages { log.insert(ChatMessage(number, at: Double(number)).dictionary) }
    return log
}

/// Creates the same workload for the log and for the array; each closure performs one operation for a number.
private func pair(
    _ name: String, array: @escaping (inout SortedDictionaries, _ number: Int) -> Void,
    log: @escaping (inout MessageLog<ChatMessage>, _ number: Int) -> Void
) -> [Workload] {
    var dictionaries = filledDictionaries()
    var messages = filledLog()
    var numbers = (array: logMessages, log: logMessages)
    return [
        Workload(name: "\(name): array", reference: "") { passes in
            for _ in 0..<passes {
                array(&dictionaries, numbers.array)
                numbers.array += 1
            }
            return passes
        },
        Workload(name: "\(name): log", reference: "\(name): array") { passes in
            for _ in 0..<passes {
                log(&messages, numbers.log)
                numbers.log += 1
            }
            return passes
        },
    ]
}

/// Keeps a result from being optimised away.
@inline(never) func use<Value>(_ value: Value) {}

private func insertions() -> [Workload] {
    func lateness(_ number: Int, _ seconds: Double) -> Double { Double(number) + 0.5 - seconds }
    return pair("insert in order") {
        $0.insert(ChatMessage($1, at: Double($1)).dictionary)
    } log: {
        $0.insert(ChatMessage($1, at: Double($1)))
    }
        + pair("insert 100 late") {
            $0.insert(ChatMessage($1, at: lateness($1, 100)).dictionary)
        } log: {
            $0.insert(ChatMessage($1, at: lateness($1, 100)))
        }
        + pair("insert anywhere") {
            $0.insert(ChatMessage($1, at: lateness($1, Double(spread($1)))).dictionary)
        } log: {
            $0.insert(ChatMessage($1, at: lateness($1, Double(spread($1)))))
        }
        + pair("insert a duplicate") {
            $0.insert(ChatMessage(spread($1), at: Double($1)).dictionary)
        } log: {
            $0.insert(ChatMessage(spread($1), at: Double($1)))
        }
}

private func reading() -> [Workload] {
    pair("find by id") {
        use($0.message(of: Int64(spread($1))))
    } log: {
        use($0[id: Int64(spread($1))])
    }
        + pair("find by index") {
            use($0.messages[spread($1)]["text"])
        } log: {
            use($0[spread($1)].text)
        }
        + pair("newest 100, newest first") { log, _ in
            var sum: Int64 = 0
            for message in log.messages.reversed().prefix(100) {
                sum &+= SortedDictionaries.time(message)
            }
            use(sum)
        } log: { log, _ in
            var sum: Int64 = 0
            for message in log.newestFirst.prefix(100) { sum &+= message.time }
            use(sum)
        }
        + pair("iterate over all") { log, _ in
            var sum: Int64 = 0
            for message in log.messages { sum &+= SortedDictionaries.time(message) }
            use(sum)
        } log: { log, _ in
            var sum: Int64 = 0
            for message in log.messages { sum &+= message.time }
            use(sum)
        }
        + pair("insert while a copy is read") { log, number in
            let copy = log.messages
            log.insert(ChatMessage(number, at: Double(number)).dictionary)
            use(copy.count)
        } log: { log, number in
            let copy = log.messages
            log.insert(ChatMessage(number, at: Double(number)))
            use(copy.count)
        }
}

/// The workloads for the log.
func logWorkloads() -> [Workload] { insertions() + reading() }
