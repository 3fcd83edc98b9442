import Foundation
import Testing

/// The composite action of `action.yml`, run as a runner of GitHub Actions runs it: expressions are
/// replaced, and the script of each step runs in a shell with the documented variables and files.
struct CompositeAction {
    struct Step {
        var name: String
        var id: String?
        var condition: String?
        /// The script; nil for a step that uses another action.
        var script: String?
        var uses: String?
        var environment: [String: String]
        var parameters: [String: String]
    }

    /// Results of a run of the action.
    struct Outcome {
        /// The exit status of the step that failed; 0 if none did.
        var status: Int32 = 0
        var log = ""
        var outputs: [String: String] = [:]
        /// The parameters of each action that was used, by its name.
        var used: [String: [String: String]] = [:]
    }

    let defaults: [String: String]
    let outputs: [String: String]
    let steps: [Step]

    init() throws {
        let yaml = try Files.text(Files.root.appending(path: "action.yml"))
        let action = try #require(try YamlFile.load(yaml))
        let inputs = try #require(action["inputs"] as? [String: [String: Any]])
        defaults = inputs.mapValues { $0["default"].map { "\($0)" } ?? "" }
        let outputs = try #require(action["outputs"] as? [String: [String: Any]])
        self.outputs = outputs.compactMapValues { $0["value"] as? String }
        let runs = try #require(action["runs"] as? [String: Any])
        try #require(runs["using"] as? String == "composite")
        steps = try #require(runs["steps"] as? [[String: Any]]).map { step in
            func texts(_ key: String) -> [String: String] {
                (step[key] as? [String: Any] ?? [:]).mapValues { "\($0)" }
            }
            if step["run"] != nil { try #require(step["shell"] as? String == "bash") }
            return Step(
                name: step["name"] as? String ?? "", id: step["id"] as? String,
                condition: step["if"] as? String, script: step["run"] as? String,
                uses: step["uses"] as? String, environment: texts("env"),
                parameters: texts("with"))
        }
    }

    /// Runs all steps with these inputs in a workspace.
    func run(
        _ inputs: [String: String], in workspace: URL, serverURL: String = "https://github.invalid"
    ) async throws -> Outcome {
        try #require(Set(inputs.keys).isSubset(of: defaults.keys))
        var runner = ActionRunner(
            workspace: workspace, inputs: defaults.merging(inputs) { $1 }, serverURL: serverURL)
        for step in steps { try await runner.run(step) }
        runner.outcome.outputs = try outputs.mapValues(runner.replaced)
        return runner.outcome
    }
}

/// The state of a job between two steps.
private struct ActionRunner {
    let workspace: URL
    let inputs: [String: String]
    let serverURL: String
    var outcome = CompositeAction.Outcome()
    private var path = "/usr/bin:/bin"
    private var stepOutputs: [String: [String: String]] = [:]

    init(workspace: URL, inputs: [String: String], serverURL: String) {
        self.workspace = workspace
        self.inputs = inputs
        self.serverURL = serverURL
    }

    func replaced(_ text: String) throws -> String {
        try ActionExpression.replaced(in: text, value)
    }

    private func value(_ name: String) -> ActionExpression.Value? {
        switch name {
        case "always()": return .bool(true)
        case "github.action_path": return .text(Files.root.path)
        case "github.action_repository": return .text("")
        case "github.repository": return .text("owner/linejudge")
        case "github.server_url": return .text(serverURL)
        default: break
        }
        let words = name.split(separator: ".").map(String.init)
        if words.count == 2, words[0] == "inputs" { return inputs[words[1]].map { .text($0) } }
        if words.count == 4, words[0] == "steps", words[2] == "outputs" {
            return .text(stepOutputs[words[1]]?[words[3]] ?? "")
        }
        return nil
    }

    mutating func run(_ step: CompositeAction.Step) async throws {
        guard try isRun(step) else { return }
        if let uses = step.uses {
            outcome.used[uses] = try step.parameters.mapValues(replaced)
            return
        }
        let script = try #require(step.script)
        // Text of an input in a script could run commands; it belongs into the environment.
        try #require(!script.contains("${{"))
        try await Files.with([
            "script": script, "output": "", "path": "", "env": "", "summary": "", "temp/x": "",
        ]) { files in
            var environment = try step.environment.mapValues(replaced)
            for (name, file) in [
                "GITHUB_OUTPUT": "output", "GITHUB_PATH": "path", "GITHUB_ENV": "env",
                "GITHUB_STEP_SUMMARY": "summary",
            ] {
                environment[name] = files.appending(path: file).path
            }
            environment["GITHUB_ACTIONS"] = "true"
            environment["CI"] = "true"
            environment["GITHUB_WORKSPACE"] = workspace.path
            environment["RUNNER_TEMP"] = workspace.path
            environment["HOME"] = workspace.path
            environment["PATH"] = path
            var bash = Command(
                "--noprofile", "--norc", "-eo", "pipefail", files.appending(path: "script").path)
            bash.program = URL(filePath: "/bin/bash")
            let result = try await bash.within(workspace).with(environment: environment).run()
            outcome.log += result.output + result.errors
            if outcome.status == 0 { outcome.status = result.status }
            for line in try Files.text(files.appending(path: "path")).split(separator: "\n") {
                path = "\(line):\(path)"
            }
            guard let id = step.id else { return }
            for line in try Files.text(files.appending(path: "output")).split(separator: "\n") {
                let parts = line.split(separator: "=", maxSplits: 1).map(String.init)
                stepOutputs[id, default: [:]][parts[0]] = parts.count > 1 ? parts[1] : ""
            }
        }
    }

    /// Without `always()`, a step is skipped once another has failed.
    private func isRun(_ step: CompositeAction.Step) throws -> Bool {
        guard let condition = step.condition else { return outcome.status == 0 }
        guard condition.contains("always()") || outcome.status == 0 else { return false }
        let text = try replaced(condition)
        return condition.contains("${{") ? text != "false" && !text.isEmpty : text == "true"
    }
}
