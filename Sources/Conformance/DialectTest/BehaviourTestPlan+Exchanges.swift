import DialectModel
import LineProtocol
import Scenario

/// Tests with several operators, and tests of all other behaviours.
extension BehaviourTestPlan {
    private static let setsModePrefix = "sets-mode-"

    // MARK: Messages

    mutating func addPairs() {
        if has("say", "heard") {
            add("say", "heard") { Self.exchange("say", "heard", inRoom: true, &$0) }
        }
        if has("relay", "arrival") {
            add("relay", "arrival") { Self.exchange("relay", "arrival", inRoom: false, &$0) }
        }
        if has("say-tagged", "heard-tagged") {
            add("say-tagged", "heard-tagged") { script in
                script.logIn("alice", "bob")
                if script.has("accept-tags") {
                    for handle in ["alice", "bob"] { script.use("accept-tags", as: handle) }
                }
                script.enter("alice", "bob")
                script.use("say-tagged", as: "alice")
                script.use("heard-tagged", as: "bob")
            }
        }
        if has("monitor", "monitor-online", "monitor-offline", "monitor-off") {
            add("monitor", "monitor-online", "monitor-offline", "monitor-off") { script in
                script.logIn("alice")
                script.use("monitor", as: "alice")
                script.logIn("bob")
                script.use("monitor-online", as: "alice")
                script.step(.close("bob"))
                script.use("monitor-offline", as: "alice")
                script.use("monitor-off", as: "alice")
            }
        }
    }

    /// Adds steps in which alice sends messages to bob. The second one contains a space, where a
    /// wrong field separator would cut it off.
    private static func exchange(
        _ sends: String, _ hears: String, inRoom: Bool, _ script: inout BehaviourScript
    ) {
        script.logIn("alice", "bob")
        if inRoom { script.enter("alice", "bob") }
        let words = "two words \(script.word)"
        let texts = [script.word] + (script.canSend(words, with: sends) ? [words] : [])
        for text in texts {
            script.use(sends, as: "alice", ["text": text])
            script.use(hears, as: "bob", ["text": text])
        }
    }

    // MARK: Features and modes

    /// Adds tests of the features that the behaviours `causes-…` and `shows-…` describe.
    mutating func addFeatures() {
        guard has("negotiate") else { return }
        let prefixes = OptionalLines.prefixes
        for shows in names(from: prefixes.shows) {
            let feature = String(shows.dropFirst(prefixes.shows.count))
            let pair =
                [prefixes.prepares + feature, prefixes.causes + feature]
                .filter { bound[$0] != nil } + [shows]
            let hasGuest = pair.contains { bound[$0]?.takes("guest") == true }
            add(titled: pair.joined(separator: ", ")) { script in
                script.logIn("alice", "bob")
                if hasGuest { script.logIn("erin") }
                script.enter("alice", "bob")
                script.use("negotiate", as: "bob", ["features": feature])
                for behaviour in pair {
                    script.use(behaviour, as: behaviour == shows ? "bob" : "alice")
                }
            }
            cover(pair + ["negotiate"])
        }
    }

    /// Adds tests of the modes that behaviours such as `sets-mode-…` describe.
    mutating func addModes() {
        for sets in names(from: Self.setsModePrefix) {
            let mode = String(sets.dropFirst(Self.setsModePrefix.count))
            let (clears, prepares) = ("clears-mode-\(mode)", "prepares-mode-\(mode)")
            let isGranted = bound["grants-mode-\(mode)"] != nil
            let whileSet = (isGranted ? "grants-mode-" : "forbids-mode-") + mode
            let whileCleared = (isGranted ? "denies-mode-" : "permits-mode-") + mode
            guard has(clears, whileSet, whileCleared) else { continue }
            add(titled: "mode \(mode)") { script in
                // Carol is only a member, so she may not set the mode.
                script.logIn("alice", "carol", "bob")
                script.enter("alice", "carol")
                func change(_ behaviour: String) {
                    script.use(behaviour, as: "alice")
                    script.step(.sync("alice"))
                }
                if script.has(prepares) { change(prepares) }
                if !isGranted { change(clears) }
                script.use(whileCleared, as: "bob")
                change(sets)
                script.use(whileSet, as: "bob")
                change(clears)
                script.use(whileCleared, as: "bob")
                guard script.has("needs-operator", "enter") else { return }
                script.use(sets, as: "carol")
                script.use("needs-operator", as: "carol")
            }
            cover([sets, clears, prepares, whileSet, whileCleared, "needs-operator"])
        }
    }

    // MARK: Other behaviours

    /// Adds tests of all behaviours that have none yet, in the order of the dialect file.
    mutating func addOthers() {
        if has("negotiation", "negotiation-end") {
            add("negotiation", "negotiation-end") { script in
                script.step(.connect("alice"))
                script.use("negotiation", as: "alice")
                script.use("negotiation-end", as: "alice")
                script.logIn("alice")
            }
        }
        let ends: Set = ["logout"]
        let rest = bound.dialect.behaviours.values
            .filter { !covered.contains($0.name) && !ends.contains($0.name) }
            .sorted { ($0.line, $0.name) < ($1.line, $1.name) }
        for behaviour in rest { addOther(behaviour.name) }
    }

    private mutating func addOther(_ name: String) {
        guard let behaviour = bound[name] else { return }
        if behaviour.sends.isEmpty, !behaviour.steps.contains(where: \.isBlock) {
            return addUntested(name, "only waits for lines, and no other behaviour triggers them")
        }
        if behaviour.steps.contains(where: { $0.kind == .startTLS }) {
            return addUntested(name, "starts TLS, which not every server supports")
        }
        let hasPeer = ["to", "user"].contains(where: behaviour.takes)
        add(name) { script in
            script.logIn("alice")
            if hasPeer { script.logIn("bob") }
            if behaviour.takes("guest") { script.logIn("erin") }
            if behaviour.takes("room"), name != "leave" {
                script.enter("alice")
                if hasPeer { script.enter("bob") }
            }
            let unknown = "linejudge.test/unknown"
            script.use(
                name, as: "alice", name == "negotiate-refused" ? ["features": unknown] : [:])
        }
    }

    /// Returns the names of the behaviours that start with a prefix, sorted.
    private func names(from prefix: String) -> [String] {
        bound.dialect.behaviours.keys.filter { $0.hasPrefix(prefix) }.sorted()
    }
}

extension Step {
    /// True for a block or a step that runs another behaviour.
    fileprivate var isBlock: Bool {
        switch kind {
        case .use, .anyOrder, .oneOf, .repeated, .eventually, .outcome: true
        default: false
        }
    }
}
