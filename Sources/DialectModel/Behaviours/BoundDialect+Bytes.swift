import Diagnostics
import LineProtocol
package import Scenario

extension BoundDialect {
    /// Returns the bytes that steps send before they wait for the first time; nil if they send
    /// nothing or if the bytes depend on responses from the server.
    ///
    /// - Parameters:
    ///   - values: the variable values.
    ///   - name: the operator's login name.
    package func bytes(
        sending steps: [Step], _ values: [String: [UInt8]], name: [UInt8]
    ) -> [UInt8]? {
        var compiler = PatternCompiler(dialect)
        compiler.operators = [String(decoding: name, as: UTF8.self)]
        let scope = compiler.root.child()
        var known = ["name": name, "token": Array("token".utf8)]
        known.merge(values) { _, given in given }
        var variables: [Int: [UInt8]] = [:]
        for (variable, value) in known { variables[scope.define(variable)] = value }
        let context = CompileContext(source: source, scope: scope, itself: 0, isBehaviour: true)
        var templates: [MessageTemplate] = []
        let first = steps.prefix { $0.sent != nil || $0.isRule }
        for message in first.compactMap(\.sent) {
            guard let template = compiler.template(message, 0, context) else { return nil }
            templates.append(template)
        }
        if templates.isEmpty || compiler.diagnostics.hasErrors { return nil }
        return render(templates, variables, compiler.table.names, name)
    }

    private func render(
        _ templates: [MessageTemplate], _ values: [Int: [UInt8]], _ names: [String],
        _ name: [UInt8]
    ) -> [UInt8]? {
        var variables = Variables(count: names.count)
        for (variable, value) in values { variables[variable] = value }
        let renderer = MessageRenderer(
            dialect, variables: variables, names: names, bools: dialect.boolSpellings
        ) { _ in name }
        var bytes: [UInt8] = []
        for template in templates {
            guard let parts = try? renderer.render(template) else { return nil }
            for part in parts {
                switch part {
                case .line(let line, _), .whole(let line): bytes += line
                case .wait: break
                }
            }
        }
        return bytes
    }
}
