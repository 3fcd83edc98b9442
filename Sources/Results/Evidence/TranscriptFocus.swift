/// The part of a transcript that shows why a scenario did not pass.
package struct TranscriptFocus: Sendable, Hashable, Codable {
    /// Index of the deciding entry; nil if the scenario ended because nothing arrived.
    package var entry: Int?
    /// The operators whose connections are involved; empty if all of them are.
    package var operators: [String]

    package init(entry: Int?, operators: [String]) {
        self.entry = entry
        self.operators = operators
    }
}
