extension Escaping {
    /// Returns the rule for arguments in ordinary fields, which are values where all fields are pairs
    /// of key and value.
    package func argumentRule(in syntax: FieldSyntax) -> EscapeRule {
        syntax.keyValue == nil ? field : value
    }

    /// Returns the rule for the value of this field.
    package func rule(for field: Field, in syntax: FieldSyntax) -> EscapeRule {
        switch field.form {
        case .trailing: trailing
        case .keyValue: value
        case .quoted: .quotes
        case .jsonString: .json
        case .jsonValue, .verbatim: .none(forbidden: [])
        case .plain, .option: argumentRule(in: syntax)
        }
    }
}

extension Dialect {
    /// Returns the rule for arguments in ordinary fields of one direction.
    package func argumentRule(_ direction: Direction) -> EscapeRule {
        escaping[direction].argumentRule(in: syntax[direction])
    }
}
