package import LineProtocol

/// `needs KIND NAME`: a feature that the server must support for the scenario to apply.
package struct Need: Sendable, Equatable {
    /// One of the kinds in the dialect's `offers`, or `fixture`.
    package var kind: Name
    /// The name of the feature, as the server writes it.
    package var name: Name

    package init(kind: Name, name: Name) {
        self.kind = kind
        self.name = name
    }

    /// The kind of needs that servers cannot report, such as an existing account. The user declares
    /// them as met.
    package static let fixture = "fixture"

    package var isFixture: Bool { kind.text == Self.fixture }

    /// The needed feature, without its position in the source.
    package var offered: OfferedName { OfferedName(kind: kind.text, name: name.text) }

    /// The variable that holds the value given by the server.
    package var variable: String { offered.variable }

    /// The need as written, without the keyword: `cap batch`.
    package var text: String { "\(kind.text) \(name.text)" }
}
