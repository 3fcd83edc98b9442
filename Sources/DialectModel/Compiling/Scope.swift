/// The variables that a piece of a scenario knows, by name.
///
/// A name in a pattern captures where it is met first in the order of the text, and is compared after
/// that. A fragment has a scope of its own, so that using it twice captures twice; what it captures for an
/// operator can be read outside as `operator.name`.
package final class Scope {
    private var places: [String: Int] = [:]
    private var hidden: Set<String> = []
    private var captured: Set<String> = []
    private let parent: Scope?
    private let table: VariableTable
    /// The operator that a fragment is played for.
    package let operatorName: String?

    /// Whether what other pieces captured for the operator is known here.
    private let sharesCaptures: Bool
    /// Whether this is the scope of a standing rule, whose placeholders capture anew.
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

    /// The variable of this name, here or outside.
    package func variable(_ name: String) -> Int? {
        if hidden.contains(name) { return nil }
        if let place = places[name] { return place }
        // What one behaviour captured for an operator serves the operator's other behaviours.
        if sharesCaptures, let operatorName,
            let place = root.places["\(operatorName).\(name)"]
        {
            return place
        }
        if isRule, parent?.isCaptured(name) == true { return nil }
        return parent?.variable(name)
    }

    /// A new variable of this name, which hides one outside.
    package func define(_ name: String) -> Int {
        let place = table.add(name)
        places[name] = place
        hidden.remove(name)
        if let operatorName { root.places["\(operatorName).\(name)"] = place }
        return place
    }

    /// Makes as if there were no variable of this name.
    package func hide(_ name: String) { hidden.insert(name) }

    package func child(
        operatorName: String? = nil, sharesCaptures: Bool = false, isRule: Bool = false
    ) -> Scope {
        Scope(
            table, parent: self, operatorName: operatorName, sharesCaptures: sharesCaptures,
            isRule: isRule)
    }

    /// A new variable that a pattern fills.
    package func capture(_ name: String) -> Int {
        captured.insert(name)
        return define(name)
    }

    private func isCaptured(_ name: String) -> Bool {
        places[name] == nil ? parent?.isCaptured(name) == true : captured.contains(name)
    }

    /// Every name that is known here.
    package var names: [String] { places.keys.sorted() + (parent?.names ?? []) }

    private var root: Scope { parent?.root ?? self }
}

/// Every variable of a program, in the order in which they came up.
package final class VariableTable {
    package private(set) var names: [String] = []

    package func add(_ name: String) -> Int {
        names.append(name)
        return names.count - 1
    }
}
