import Foundation
import Testing

/// The folders of ChatModel from the lowest up: what one declares, none below it may name.
private let floors = ["Multicast", "MessageLog", "Scenes", "Sessions", "Models"]

@Suite struct FloorTests {
    private func words(of folder: String) throws -> (declared: Set<String>, named: Set<String>) {
        var declared: Set<String> = []
        var named: Set<String> = []
        for line in try lines(of: folder) where !line.drop(while: { $0 == " " }).hasPrefix("//") {
            let words = line.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init)
            named.formUnion(words)
            // What is declared inside of another type is that type's own affair.
            if line.hasPrefix(" ") { continue }
            for (keyword, name) in zip(words, words.dropFirst())
            where ["struct", "class", "enum", "actor", "protocol"].contains(keyword) {
                declared.insert(name)
            }
        }
        return (declared, named)
    }

    private func lines(of folder: String) throws -> [Substring] {
        let sources = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Sources/ChatModel")
        let files = try FileManager.default.contentsOfDirectory(
            at: sources.appending(path: folder), includingPropertiesForKeys: nil)
        return try files.flatMap { file in
            try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        }
    }

    @Test func layersDependDownwardOnly() throws {
        let all = try floors.map(words)
        for lower in floors.indices {
            for upper in floors.indices where upper > lower {
                let risen = all[upper].declared.intersection(all[lower].named)
                #expect(risen.isEmpty, "\(floors[lower]) names what \(floors[upper]) declares")
            }
        }
        #expect(all.dropLast().allSatisfy { !$0.declared.isEmpty })
    }
}
