import Diagnostics
import Scenario
import Testing

struct SoftwareRuleTests {
    private func rule(_ text: String) throws -> SoftwareRule {
        let line = "known failure on \(text) \"why\"\nalice -> x\n"
        return try #require(ScenarioParser.file(from: source(line)).header.knownFailures.first)
    }

    @Test(arguments: [
        ("ngircd", "26.1", true), ("ngircd", nil, true), ("ngircd <26", "25.9", true),
        ("ngircd <26", "26", false), ("ngircd <26", "26.0", false), ("ngircd <=26.1", "26.1", true),
        ("ngircd <=26.1", "26.1.1", false), ("ngircd >3", "3.0.1", true), ("ngircd >3", "3", false),
        ("ngircd >=3", "3.0", true), ("ngircd =8.2.43", "8.2.43", true),
        ("ngircd =8.2.43", "8.2.43.0", true), ("ngircd <10", "9", true), ("ngircd <26", nil, false),
        ("NGIRCD", "26", true), ("inspircd", "26", false),
    ])
    func ruleAppliesToItsVersions(_ text: String, _ version: String?, _ applies: Bool) throws {
        #expect(try rule(text).applies(to: "ngircd", version: version) == applies)
    }

    @Test func aRuleHasADate() throws {
        let until = try #require(try rule("ngircd until 2026-01-31").until)
        #expect("\(until)" == "2026-01-31")
    }
}
