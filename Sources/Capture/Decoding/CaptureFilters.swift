/// Filters of packets, connections and lines, as asked for.
package struct CaptureFilters: Sendable {
    /// A time with the text that the user wrote.
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
    /// Ports of servers.
    package var ports: [UInt16] = []
    /// Filter in tcpdump's language.
    package var packets: String?

    package init() {}

    /// The lines to show.
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
