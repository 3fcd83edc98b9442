/// What is wrong, in words for a person.
package struct Finding: Sendable, Hashable, Codable {
    /// A stable word for the kind of it: `closed`, `wedged`, `silent`, `lost`, `extra-command`.
    package var kind: String
    /// What was expected.
    package var expected: String
    /// What came instead.
    package var got: String

    /// A finding.
    package init(_ kind: String, expected: String, got: String) {
        self.kind = kind
        self.expected = expected
        self.got = got
    }
}
