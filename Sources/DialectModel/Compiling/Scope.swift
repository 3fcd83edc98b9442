/// The variables visible in a part of a scenario, by name.
///
/// A name captures at its first occurrence in a pattern, in source order, and is compared after
/// that. Each use of a fragment has its own scope and captures separately; outside the fragment,
/// its captures are visible as `operator.name`.
package final class Scope {
    private var indices: [String: Int] = [:]
    private var hidden: Set<String> = []
    private var captured: Set<String> = []
    private let parent: Scope?
    private let table: VariableTable
    /// The operator that runs the fragment.
    package let operatorName: String?

    /// True if captures from other fragments run by the same operator are visible.
    private let sharesCaptures: Bool
    /// True for the scope of a standing rule, whose placeholders capture separately for each line.
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

    /// Returns the variable with this name, here or in an outer scope; nil if there is none.
    package func variable(_ name: String) -> Int? {
        if hidden.contains(name) { return nil }
        if let index = indices[name] { return index }
        // The captures of one behaviour are visible in the operator's other behaviours.
        if sharesCaptures, let operatorName,
            let index = root.indices["\(operatorName).\(name)"]
        {
            return index
        }
        if isRule, parent?.isCaptured(name) == true { return nil }
        return parent?.variable(name)
    }

    /// Defines a variable, which shadows outer variables with the same name.
    package func define(_ name: String) -> Int {
        let index = table.add(name)
        indices[name] = index
        hidden.remove(name)
        if let operatorName { root.indices["\(operatorName).\(name)"] = index }
        return index
    }

    /// Hides outer variables with this name.
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

    /// Names of all visible variables.
    package var names: [String] { indices.keys.sorted() + (parent?.names ?? []) }

    private var root: Scope { parent?.root ?? self }
}

/// All variables of a program, in the order in which they were defined.
package final class VariableTable {
    package private(set) var names: [String] = []

    package func add(_ name: String) -> Int {
        names.append(name)
        return names.count - 1
    }
}
