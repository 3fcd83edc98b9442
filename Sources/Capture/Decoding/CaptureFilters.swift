/// Requested filters for packets, connections and lines.
package struct CaptureFilters: Sendable {
    /// A time, with the text that the user typed.
    package struct Moment: Sendable {
        package var text: String
        package var time: CaptureTime

        package init(text: String, time: CaptureTime) {
            self.text = text
            self.time = time
        }
    }

    package var commands: [String] = []
    package var operators: [String] = []
    package var connections: [Int] = []
    package var from: Moment?
    package var to: Moment?
    /// Ports of the servers to decode.
    package var ports: [UInt16] = []
    /// Packet filter in tcpdump's language.
    package var packets: String?

    package init() {}

    /// The criteria for the lines to show.
    var selection: ConversationSelection {
        var selection = ConversationSelection()
        selection.commands = Set(commands)
        selection.operators = Set(operators.map { Array($0.utf8) })
        selection.connections = Set(connections)
        selection.from = from?.time
        selection.to = to?.time
        return selection
    }
}
