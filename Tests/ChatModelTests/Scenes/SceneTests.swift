import ChatModel
import Testing

private let samples: [ContentType: MessageContent] = [
    .text: .text("Hello"), .image: .image([1, 2], mediaType: "image/png"),
    .voice: .voice([3], mediaType: "audio/ogg"), .hint: .hint("Joe is typing"),
]

@Suite struct SceneTests {
    @Test(arguments: Scene.all, ContentType.allCases)
    func everySceneAllowsAllTypesExceptTheBubble(
        _ scene: Scene, _ type: ContentType
    ) throws {
        let content = try #require(samples[type])
        #expect(content.type == type)
        guard scene == .bubble, type != .text else {
            #expect(throws: Never.self) { try scene.check(content) }
            return
        }
        let error = #expect(throws: SceneError.self) { try scene.check(content) }
        #expect(error?.code == .contentNotCarried)
        #expect(error?.scene == "bubble" && error?.type == type)
        #expect(error?.description == "bubble: \(type.rawValue) is not allowed; allowed: text")
    }

    @Test func theScenesArePrivateGroupTemporaryAndBubble() {
        #expect(Scene.all.map(\.name) == ["private", "group", "temporary", "bubble"])
    }

    @Test func aMessageMayBeAsLargeAsTheLimit() {
        let largest = MessageContent.text(String(repeating: "x", count: 256))
        #expect(throws: Never.self) { try Scene.bubble.check(largest) }
        let tooLarge = MessageContent.text(String(repeating: "x", count: 257))
        let error = #expect(throws: SceneError.self) { try Scene.bubble.check(tooLarge) }
        #expect(error?.code == .contentTooLarge)
        #expect(
            error?.description == "bubble: text of 257 bytes exceeds the limit of 256 bytes")
    }

    @Test func customScenesAreValues() {
        let silent = Scene("silent", allowedContent: [])
        let error = #expect(throws: SceneError.self) { try silent.check(.text("x")) }
        #expect(error?.description == "silent: text is not allowed; allowed: nothing")
    }
}
