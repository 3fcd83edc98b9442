/// Options for decoding a capture.
package enum ConversationFormat: String, Sendable, CaseIterable {
    case log, json, scenario, latency

    /// Whether the format allows only one dialect.
    package var isOfOneDialect: Bool { self == .scenario || self == .latency }
}

/// Settings of decoding a capture.
package struct DecodeOptions: Sendable {
    package var format = ConversationFormat.log
    package var filters = CaptureFilters()
    package var reassembly = ReassemblyOptions()
    package var showsSecrets = false
    package var times = LogOptions.Times.clock
    package var isColoured = false
    /// Terminal width at which long lines are wrapped; nil disables wrapping.
    package var columns: Int?
    /// Whether to write statistics instead of lines.
    package var showsStatistics = false
    package var anonymises = false
    /// Whether the counts of replacements are left out.
    package var isQuiet = false
    /// Whether a file is read further as it grows.
    package var follows = false
    /// Whether lines are shown as they arrive.
    package var isLive = false

    package init() {}
}
