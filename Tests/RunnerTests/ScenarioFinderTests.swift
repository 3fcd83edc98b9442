import Diagnostics
import Foundation
import Testing

@testable import Runner

struct ScenarioFinderTests {
    static let tree = [
        "b.chat": "", "a.chat": "", "notes.txt": "", "irc/nick.chat": "", "irc/join.chat": "",
        "irc/deep/part.chat": "", ".hidden/x.chat": "", "empty/readme.md": "", "z:9.chat": "",
    ]

    private func find(_ words: String...) async throws -> [String] {
        try await withFolder(Self.tree) { folder in
            try ScenarioFinder.find(words.map { folder($0) }).map { found in
                let path = String(found.path.dropFirst(folder.path.count + 1))
                return path + (found.line.map { "@\($0)" } ?? "")
            }
        }
    }

    @Test func folderIsSearchedInOrder() async throws {
        let all = [
            "a.chat", "b.chat", "irc/deep/part.chat", "irc/join.chat", "irc/nick.chat", "z:9.chat",
        ]
        #expect(try await find(".").map { $0.replacing("./", with: "") } == all)
        #expect(try await find("irc/") == ["irc/deep/part.chat", "irc/join.chat", "irc/nick.chat"])
    }

    @Test func filesKeepTheOrderOfTheCommandLineWithoutDuplicates() async throws {
        #expect(try await find("b.chat", "a.chat", "b.chat:3") == ["b.chat@3", "a.chat"])
    }

    @Test func differentSpellingsOfAPathAreOneFile() async throws {
        #expect(
            try await find("a.chat", "./a.chat", "irc/../a.chat", "irc//../a.chat") == ["a.chat"])
        #expect(try await find("irc", "irc/./nick.chat").count == 3)
    }

    @Test func linkToAFileIsASeparateScenario() async throws {
        try await withFolder(["a.chat": ""]) { folder in
            try FileManager.default.createSymbolicLink(
                atPath: folder("b.chat"), withDestinationPath: "a.chat")
            #expect(try ScenarioFinder.find([folder.path]).count == 2)
        }
    }

    @Test func namedFilesNeedNoExtension() async throws {
        #expect(try await find("notes.txt") == ["notes.txt"])
    }

    @Test(arguments: [
        ("a.chat:17", "a.chat@17"), ("a.chat:17:4", "a.chat@17"), ("a.chat:17:", "a.chat@17"),
        ("z:9.chat", "z:9.chat"), ("z:9.chat:2", "z:9.chat@2"),
    ])
    func lineSelectsItsFile(word: String, expected: String) async throws {
        #expect(try await find(word) == [expected])
    }

    @Test func globsAreExpanded() async throws {
        #expect(try await find("irc/*.chat") == ["irc/join.chat", "irc/nick.chat"])
        #expect(try await find("**/p*t.chat") == ["irc/deep/part.chat"])
    }

    @Test func standardInputIsADash() throws {
        #expect(try ScenarioFinder.find(["-"]) == [FoundScenario(path: "-")])
    }

    @Test(arguments: [
        ("aa.chat", "no such file or folder", "did you mean"),
        ("a.chat:0", "no such file or folder", nil),
        ("empty", "contains no scenario", nil), ("x*.chat", "no scenario matches", nil),
    ])
    func missingFilesAreReported(word: String, message: String, help: String?) async throws {
        let error = await #expect(throws: NothingFound.self) { try await find(word) }
        let diagnostic = try #require(error?.diagnostic)
        #expect(diagnostic.message.contains(message))
        if let help { #expect(diagnostic.notes.contains { $0.text.contains(help) }) }
    }

    @Test func commonExtensionDoesNotAffectSuggestions() async throws {
        try await withFolder(["latin.chat": "", "dialects": ""]) { folder in
            for (word, help) in [("nothing.chat", nil), ("latni.chat", "latin.chat")] {
                let error = #expect(throws: NothingFound.self) {
                    try ScenarioFinder.find([folder(word)])
                }
                let text = error?.diagnostic.notes.first?.text
                #expect(text == help.map { "did you mean `\(folder($0))`?" })
            }
        }
    }

    @Test func linksToFoldersAreNotFollowed() async throws {
        try await withFolder(["a/x.chat": ""]) { folder in
            try FileManager.default.createSymbolicLink(
                atPath: folder("a/loop"), withDestinationPath: folder.path)
            #expect(try ScenarioFinder.find([folder.path]).map(\.path) == [folder("a/x.chat")])
        }
    }
}
