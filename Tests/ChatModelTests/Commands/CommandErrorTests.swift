import ChatModel
import Testing

@Suite struct CommandErrorTests {
    @Test func anErrorNamesTheCommandTheArgumentAndItsPosition() {
        let error = CommandError(
            .valueMismatch, command: "didReceive", argument: "sender", position: 2,
            message: "expected an int, got \"Joe\"")
        #expect(
            error.description == "didReceive, argument 3 (sender): expected an int, got \"Joe\"")
        #expect(error.position == 2)
    }

    @Test func anErrorOfTheWholeCommandNamesNoArgument() {
        let error = CommandError(
            .unknownCommand, command: "dance", message: "the dialect has no such command")
        #expect(error.description == "dance: the dialect has no such command")
    }

    @Test func anErrorOfAFrameConsistsOfItsMessage() {
        let error = CommandError(.badFrame, command: "", message: "the line is 1 byte too long")
        #expect(error.description == "the line is 1 byte too long")
    }
}
