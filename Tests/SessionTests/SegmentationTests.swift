import Results
import Session
import Testing

/// Returns the writes of a scenario.
private func writes(_ text: String, _ segmentation: Segmentation) throws -> [String] {
    var options = ExecutionOptions()
    options.segmentation = segmentation
    var session = ScenarioSession(try compiled(text), options: options)
    var network = SimulatedNetwork(ToyIRCServer())
    let result = network.run(&session)
    #expect(result?.outcome == .passed, "\(failure(result))")
    return network.actions.compactMap { action in
        switch action {
        case .send(_, let bytes): String(decoding: bytes, as: UTF8.self)
        case .hold: "hold"
        case .release: "release"
        case .halfClose: "half-close"
        default: nil
        }
    }
}

private let twoLines = "operators a\na -> FOO\na -> BÄR\na <- 421 {{...}}\na half-close\n"

@Test func eachLineIsSentInItsOwnWrite() throws {
    #expect(try writes(twoLines, .whole) == ["FOO\r\n", "BÄR\r\n", "half-close"])
}

@Test func byteSegmentationSendsSingleBytes() throws {
    let sent = try writes("operators a\na -> FOO\na <- 421 {{...}}\n", .byte)
    #expect(sent == ["F", "O", "O", "\r", "\n"])
}

@Test func coalescedLinesAreSentBeforeTheNextExpectation() throws {
    #expect(try writes(twoLines, .coalesce) == ["FOO\r\nBÄR\r\n", "half-close"])
}

@Test func midTerminatorSplitsTheTerminator() throws {
    let sent = try writes("operators a\na -> FOO\na <- 421 {{...}}\n", .midTerminator)
    #expect(sent == ["FOO\r", "\n"])
}

@Test func lastLineIsSentWithTheFIN() throws {
    let text = "operators a\na -> FOO\na half-close\n"
    #expect(try writes(text, .finWithData) == ["hold", "FOO\r\n", "half-close", "release"])
}

@Test func randomSegmentsAreReproducibleAndComplete() throws {
    let text = "operators a\na -> PRIVMSG somebody :a longer line than the others\na <? 401\n"
    let sent = try writes(text, .random(seed: 3))
    #expect(sent.count > 3)
    #expect(sent.joined().hasPrefix("PRIVMSG somebody :a longer line than the others\r\n"))
    #expect(try writes(text, .random(seed: 3)) == sent)
}
