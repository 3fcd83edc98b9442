import DialectModel
import LineProtocol
import Scenario

/// The secrets that a scenario uses. Their values are masked in all output.
package struct ProgramSecrets: Sendable {
    /// The prefix of a name that refers to an environment variable.
    package static let environmentPrefix = "env."

    /// Variables declared in `secret` lines, and variables sent in secret arguments.
    package private(set) var variables: Set<String> = []
    /// Environment variables declared in `secret env.NAME` lines, and others used by the scenario
    /// whose names suggest a secret, such as `API_TOKEN`.
    package private(set) var environment: Set<String> = []
    /// Values of secret arguments and secret variables that are written in the scenario itself.
    package private(set) var literals: Set<[UInt8]> = []

    init(_ file: ScenarioFile, _ dialect: BoundDialect) {
        for name in file.header.secrets.map(\.text) {
            if name.hasPrefix(Self.environmentPrefix) {
                environment.insert(String(name.dropFirst(Self.environmentPrefix.count)))
            } else {
                variables.insert(name)
            }
        }
        variables.formUnion(dialect.secretVariables)
        // The login name is a variable of behaviours, not a value from outside.
        variables.subtract(["name", "self", "nonce"])
        let others = file.fragments.flatMap(\.steps) + file.included.flatMap(\.fragment.steps)
        (file.steps + others).walk { step in
            guard let message = step.message else { return }
            addEnvironment(message.placeholders)
            for piece in LineShape(message, dialect.dialect)?.secretPieces(dialect.dialect) ?? [] {
                add(piece)
            }
        }
        for setting in file.header.settings where variables.contains(setting.name.text) {
            if case .string(let template) = setting.value.kind { add(template) }
        }
    }

    private mutating func add(_ piece: LineShape.Piece) {
        switch piece {
        case .literal(let bytes): literals.insert(bytes)
        case .variable(let name): variables.insert(name)
        case .anything: break
        }
    }

    private mutating func add(_ template: Template) {
        for case .literal(let literal) in template.pieces { literals.insert(literal.bytes) }
    }

    private mutating func addEnvironment(_ placeholders: [Placeholder]) {
        for case .environment(let name) in placeholders.map(\.kind)
        where JSONSecrets.isSecret(Array(name.utf8)) {
            environment.insert(name)
        }
    }

    /// Returns the values of the secrets that come from outside the scenario.
    package func values(
        _ given: [String: [UInt8]], _ environment: [String: String]
    ) -> [[UInt8]] {
        variables.compactMap { given[$0] } + environmentValues(environment)
    }

    /// Returns the values of the secret environment variables.
    package func environmentValues(_ environment: [String: String]) -> [[UInt8]] {
        self.environment.compactMap { environment[$0].map { Array($0.utf8) } }
    }
}
