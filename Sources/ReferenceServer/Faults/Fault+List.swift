extension Fault {
    /// A list with one line for each fault: its name, its effect, and the checks that detect it.
    package static var list: String {
        let width = allCases.map(\.rawValue.count).max() ?? 0
        return allCases.map { fault in
            let gap = String(repeating: " ", count: width + 2 - fault.rawValue.count)
            return
                "\(fault.rawValue)\(gap)\(fault.summary) (\(fault.checks.joined(separator: ", ")))\n"
        }.joined()
    }
}
