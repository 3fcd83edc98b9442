package import LineProtocol

/// `needs KIND NAME`: something that the server must support for the scenario to apply.
package struct Need: Sendable, Equatable {
    /// One of the kinds in the dialect's `offers`, or `fixture`.
    package var kind: Name
    /// The name, as the server spells it.
    package var name: Name

    package init(kind: Name, name: Name) {
        self.kind = kind
        self.name = name
    }

    /// The kind for conditions that the user states, such as an account that exists.
    package static let fixture = "fixture"

    package var isFixture: Bool { kind.text == Self.fixture }

    /// What is needed, without its position.
    package var offered: OfferedName { OfferedName(kind: kind.text, name: name.text) }

    /// The variable that holds the value given by the server.
    package var variable: String { offered.variable }

    /// `cap batch`
    package var text: String { "\(kind.text) \(name.text)" }
}
