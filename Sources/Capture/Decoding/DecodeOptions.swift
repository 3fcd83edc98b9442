/// Output formats for decoded conversations.
package enum ConversationFormat: String, Sendable, CaseIterable {
    case log, json, lines, ladder, connections, scenario, latency, deliveries
    case deliveriesJSON = "deliveries-json"

    /// True if output in this format can contain only one dialect.
    package var isOfOneDialect: Bool {
        self == .scenario || self == .latency || isOfDeliveries
    }

    /// True if the output accounts for messages, for which all lines are needed.
    package var isOfDeliveries: Bool { self == .deliveries || self == .deliveriesJSON }
}

/// Settings for decoding a capture.
package struct DecodeOptions: Sendable {
    package var format = ConversationFormat.log
    package var filters = CaptureFilters()
    package var reassembly = ReassemblyOptions()
    package var showsSecrets = false
    package var times = LogOptions.Times.clock
    package var isColoured = false
    /// Terminal width for wrapping long lines; nil to disable wrapping.
    package var columns: Int?
    /// True to write statistics instead of lines.
    package var showsStatistics = false
    package var anonymises = false
    /// True to collect the lines for a comparison instead of writing them. The format must be
    /// ``scenario``.
    package var isForComparison = false
    /// True to judge the traffic instead of writing it. The format must be ``deliveries``.
    package var judges = false
    /// True to suppress notes, such as the summary of replaced values.
    package var isQuiet = false
    /// True to continue reading a file as it grows.
    package var follows = false
    /// True to show lines as they arrive.
    package var isLive = false
    /// Names of the capture files by index, to show along with packet numbers; empty if only one
    /// file was given.
    package var files: [String] = []
    /// File for the packets of the selected connections; nil to write no slice.
    package var slice: SliceTarget?

    package init() {}
}
