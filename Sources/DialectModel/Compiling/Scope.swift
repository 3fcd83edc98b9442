/// The variables visible in part of a scenario, by name.
///
/// In a pattern, the first occurrence of a name in source order captures a value; any occurrence
/// after that is compared with it. Each use of a fragment has its own scope and captures its own
/// values, which are visible outside the fragment as `operator.name`.
package final class Scope {
    private var indices: [String: Int] = [:]
    private var hidden: Set<String> = []
    private var captured: Set<String> = []
    private let parent: Scope?
    private let table: VariableTable
    /// The operator that runs the fragment; nil outside fragments.
    package let operatorName: String?

    /// True if values that the same operator captured in other fragments are visible.
    private let sharesCaptures: Bool
    /// True for the scope of a standing rule, whose placeholders capture new values for each line.
    private let isRule: Bool

    package init(
        _ table: VariableTable, parent: Scope? = nil, operatorName: String? = nil,
        sharesCaptures: Bool = false, isRule: Bool = false
    ) {
        self.sharesCaptures = sharesCaptures
        self.isRule = isRule
        self.table = table
        self.parent = parent
        self.operatorName = operatorName
    }

    /// Returns the variable with this name in this scope or in an outer one; nil if there is none.
    package func variable(_ name: String) -> Int? {
        if hidden.contains(name) { return nil }
        if let index = indices[name] { return index }
        // Values that an operator captures in one behaviour are visible in its other behaviours.
        if sharesCaptures, let operatorName,
            let index = root.indices["\(operatorName).\(name)"]
        {
            return index
        }
        if isRule, parent?.isCaptured(name) == true { return nil }
        return parent?.variable(name)
    }

    /// Defines a variable. It hides any outer variable with the same name.
    package func define(_ name: String) -> Int {
        let index = table.add(name)
        indices[name] = index
        hidden.remove(name)
        if let operatorName { root.indices["\(operatorName).\(name)"] = index }
        return index
    }

    /// Hides any outer variable with this name.
    package func hide(_ name: String) { hidden.insert(name) }

    package func child(
        operatorName: String? = nil, sharesCaptures: Bool = false, isRule: Bool = false
    ) -> Scope {
        Scope(
            table, parent: self, operatorName: operatorName, sharesCaptures: sharesCaptures,
            isRule: isRule)
    }

    /// Defines a variable that a pattern captures.
    package func capture(_ name: String) -> Int {
        captured.insert(name)
        return define(name)
    }

    private func isCaptured(_ name: String) -> Bool {
        indices[name] == nil ? parent?.isCaptured(name) == true : captured.contains(name)
    }

    /// The names of all visible variables.
    package var names: [String] { indices.keys.sorted() + (parent?.names ?? []) }

    private var root: Scope { parent?.root ?? self }
}

/// All variables of a program, in order of definition.
package final class VariableTable {
    package private(set) var names: [String] = []

    package func add(_ name: String) -> Int {
        names.append(name)
        return names.count - 1
    }
}
