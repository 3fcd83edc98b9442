import Diagnostics
import Foundation
import Testing

struct JSONStringTests {
    @Test func everyCharacterIsReadBackAsItWas() throws {
        let text = String(String.UnicodeScalarView((0...0x2FF).compactMap(Unicode.Scalar.init)))
        let all = text + "\u{2028}\u{2029}日本👍🏽"
        let found = jsonString(all)
        #expect(try JSONDecoder().decode(String.self, from: Data(found.utf8)) == all)
        for scalar in found.unicodeScalars {
            #expect(scalar.properties.generalCategory != .control)
        }
    }
}
