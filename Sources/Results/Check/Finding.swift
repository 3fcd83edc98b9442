/// A problem found by a check, described for human readers.
package struct Finding: Sendable, Hashable, Codable {
    /// Stable keyword for the kind of problem, such as `closed`, `wedged`, `silent`, `lost` or
    /// `extra-command`.
    package var kind: String
    /// Description of the expected behaviour.
    package var expected: String
    /// Description of the observed behaviour.
    package var got: String

    package init(_ kind: String, expected: String, got: String) {
        self.kind = kind
        self.expected = expected
        self.got = got
    }

    private enum Key: String, CodingKey { case kind, expected, got }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        self.init(
            EarlierNames.findingKind(try container.decode(String.self, forKey: .kind)),
            expected: try container.decode(String.self, forKey: .expected),
            got: try container.decode(String.self, forKey: .got))
    }
}
