import Diagnostics

/// Stable diagnostic codes for dialect files.
extension DiagnosticCode {
    // The file.
    static let yaml: Self = "dialect.yaml"
    static let notUTF8: Self = "dialect.not-utf8"
    static let fileTooLarge: Self = "dialect.too-large"
    static let empty: Self = "dialect.empty"
    static let notFound: Self = "dialect.not-found"
    static let unreadable: Self = "dialect.unreadable"
    static let unknownProfile: Self = "dialect.unknown-profile"

    // Keys and values.
    static let unknownKey: Self = "dialect.unknown-key"
    static let duplicateKey: Self = "dialect.duplicate-key"
    static let missingKey: Self = "dialect.missing-key"
    static let wrongType: Self = "dialect.wrong-type"
    static let untypedWord: Self = "dialect.untyped-word"
    static let unknownWord: Self = "dialect.unknown-word"
    static let badName: Self = "dialect.bad-name"
    static let badNumber: Self = "dialect.bad-number"
    static let badByte: Self = "dialect.bad-byte"
    static let badTerminator: Self = "dialect.bad-terminator"
    static let badDuration: Self = "dialect.bad-duration"
    static let tooLong: Self = "dialect.too-long"
    static let tooMany: Self = "dialect.too-many"
    static let conflict: Self = "dialect.conflict"

    // Escaping.
    static let escapeNoSpelling: Self = "dialect.escape-no-spelling"
    static let escapeTwoLetters: Self = "dialect.escape-two-letters"
    static let escapeClash: Self = "dialect.escape-clash"

    // Commands.
    static let duplicateWire: Self = "dialect.duplicate-wire"
    static let badWire: Self = "dialect.bad-wire"
    static let badArgument: Self = "dialect.bad-argument"
    static let badType: Self = "dialect.bad-type"
    static let badDefault: Self = "dialect.bad-default"
    static let badPosition: Self = "dialect.bad-position"
    static let argumentOrder: Self = "dialect.argument-order"
    static let listSeparator: Self = "dialect.list-separator"
    static let payloadLength: Self = "dialect.payload-length"
    static let classVerb: Self = "dialect.class-verb"
    static let unknownCommand: Self = "dialect.unknown-command"

    // Behaviours, clauses, failures.
    static let behaviourForm: Self = "dialect.behaviour-form"
    static let behaviourParameters: Self = "dialect.behaviour-parameters"
    static let unknownOffer: Self = "dialect.unknown-offer"
    static let unknownClause: Self = "dialect.unknown-clause"
    static let unknownRule: Self = "dialect.unknown-rule"

    // Lint.
    static let noProbe: Self = "dialect.no-probe"
    static let noLogin: Self = "dialect.no-login"
    static let halfRelay: Self = "dialect.half-relay"
    static let unspellable: Self = "dialect.unspellable"
    static let unreachable: Self = "dialect.unreachable"
    static let openPolicy: Self = "dialect.open-policy"
    static let unusedClause: Self = "dialect.unused-clause"
    static let likeStandard: Self = "dialect.like-standard"
    static let lateKeepalive: Self = "dialect.late-keepalive"
    static let noKeepalive: Self = "dialect.no-keepalive"
    static let noCommands: Self = "dialect.no-commands"
}
