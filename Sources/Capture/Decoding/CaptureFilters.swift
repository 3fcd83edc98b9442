/// Filters for packets, connections and lines, as requested on the command line.
package struct CaptureFilters: Sendable {
    /// Start or end of the time range, along with the text that the user typed.
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
    /// Server ports to decode.
    package var ports: [UInt16] = []
    /// Packet filter in tcpdump syntax; nil to accept all packets.
    package var packets: String?

    package init() {}

    /// The part of the conversation to show.
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
