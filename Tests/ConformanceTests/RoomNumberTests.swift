import DialectFiles
import Results
import Scenario
import Testing

@testable import Conformance

/// Cases that run at the same time do not meet in a room.
struct RoomNumberTests {
    /// The rooms that a check's cases enter.
    private func rooms(_ check: Check, _ subject: Subject, seed: UInt64) -> Set<Int64> {
        var rooms: Set<Int64> = []
        for step in check.cases(subject, seed: seed).flatMap(\.steps).flatMap(\.steps) {
            guard case .use(let use) = step.kind, use.name.text == "enter" else { continue }
            for argument in use.arguments where argument.name.text == "room" {
                if case .int(let room) = argument.value.kind { rooms.insert(room) }
            }
        }
        return rooms
    }

    @Test(arguments: ["irc", "jsonl", "livechat"])
    func noTwoChecksUseTheSameRoom(dialect: String) throws {
        let subject = try EvidenceTable.subject(dialect)
        for seed in UInt64(1)...20 {
            var checks: [Int64: CheckID] = [:]
            for check in Catalogue(subject).checks {
                for room in rooms(check, subject, seed: seed) {
                    let other = checks.updateValue(check.id, forKey: room)
                    #expect(other == nil, "\(room): \(check.id) and \(other?.description ?? "")")
                }
            }
            #expect(checks.count > 10)
        }
    }
}
