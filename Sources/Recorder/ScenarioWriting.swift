import Console
import Diagnostics
package import DialectFiles
import DialectModel
import LineProtocol
package import Results
import Runner
import Scenario
import Session
import SessionTransport
package import Transcript
import Transport

/// A writer of scenarios for the `record` and `decode` commands. It turns a conversation into a
/// scenario and, if there is a server, runs the scenario and changes it until it passes.
package struct ScenarioWriting {
    /// Options for the scenario to write.
    package struct Options: Sendable {
        /// Output file; `-` for standard output.
        package var output = "-"
        package var title: String?
        package var keepsPauses = false
        /// Values of secrets, by variable name.
        package var secrets: [String: [UInt8]] = [:]

        package init() {}
    }

    /// Name of the command, for messages.
    private let command: String
    private let dialect: DialectFile
    private let options: Options
    /// Server to run the scenario against; nil to write the scenario without running it.
    private let target: ReplayTarget?
    /// True to look for values that vary within the conversation and replace them with
    /// placeholders, if the scenario is not run.
    private let comparesOccurrences: Bool

    package init(
        command: String, dialect: DialectFile, options: Options, target: ReplayTarget?,
        comparesOccurrences: Bool = false
    ) {
        self.command = command
        self.dialect = dialect
        self.options = options
        self.target = target
        self.comparesOccurrences = comparesOccurrences
        Redaction.hide(options.secrets.values)
    }

    /// Creates the output file's folder if necessary, and checks that the file can be written.
    /// Called before the recording starts.
    package static func check(_ options: Options) throws(CommandFailure) {
        guard options.output != "-" else { return }
        try OutputFile(path: options.output).prepare(as: "scenario")
    }

    /// Turns a conversation into a scenario, and writes the scenario to the output file.
    ///
    /// - Parameters:
    ///   - start: Start time in seconds since 1970; nil if unknown.
    ///   - nothing: Failure to report if nothing was recorded.
    package func write(
        _ conversation: Conversation, startedAt start: Int64?,
        nothing: @autoclosure () -> CommandFailure
    ) async throws {
        let declared = DialectSecrets(BoundDialect.of(dialect)).find(
            in: conversation, besides: options.secrets)
        var found = declared
        var secrets = options.secrets.merging(found) { given, _ in given }
        // The names of encoded forms derive from the given secrets, if possible.
        for known in [options.secrets, declared] {
            found.merge(EncodedSecrets.find(in: conversation, of: known, besides: secrets)) {
                $1
            }
            secrets.merge(found) { given, _ in given }
        }
        var draftOptions = ScenarioDraft.Options()
        draftOptions.title = options.title ?? "A recorded conversation"
        draftOptions.dialect = dialectReference
        draftOptions.keepsPauses = options.keepsPauses
        draftOptions.secrets = secrets
        draftOptions.startedAt = start
        draftOptions.dropsUnsolicited = target == nil
        draftOptions.comparesOccurrences = target == nil && comparesOccurrences
        let draft = try ScenarioDraft(
            conversation, dialect: BoundDialect.of(dialect),
            options: draftOptions)
        guard !draft.isEmpty else { throw nothing() }
        if conversation.isTruncated {
            say(
                "\(command): the conversation was truncated to \(Conversation.eventsMax) events "
                    + "or \(Conversation.bytesMax >> 20) MiB")
        }
        if let target {
            try await runAndWrite(conversation, draftOptions, at: target, found)
        } else {
            let text = draft.text()
            try checkSize(of: text)
            try check(text, secrets)
            try write(text)
            showVariables(of: found, in: text)
        }
    }

    /// How the scenario refers to the dialect: by name if it is built in, otherwise by the path of
    /// its file from the scenario's folder.
    private var dialectReference: String {
        let name = dialect.dialect.name
        let profile = dialect.dialect.profile.map { "+\($0)" } ?? ""
        if dialect.isBuiltIn { return name + profile }
        let path =
            options.output == "-"
            ? dialect.source.path
            : RelativePath.path(
                of: dialect.source.path, from: LinkPolicy.folder(of: options.output))
        // A path with white space cannot be written in a scenario.
        let isWord = path.utf8.allSatisfy { $0 > 0x20 && $0 != UInt8(ascii: "#") }
        return (isWord ? path : name) + profile
    }

    private func runAndWrite(
        _ conversation: Conversation, _ draft: ScenarioDraft.Options, at target: ReplayTarget,
        _ found: [String: [UInt8]]
    ) async throws {
        let execution = ExecutionOptions(
            variables: draft.secrets, secrets: Set(draft.secrets.keys),
            environment: Environment.ofProcess)
        let learning = ReplayLearning(
            SessionDriver(security: target.security), at: target.endpoint,
            dialect: BoundDialect.of(dialect), execution: execution)
        let outcome = try await learning.learn(conversation, options: draft)
        try checkSize(of: outcome.text)
        try write(outcome.text)
        guard let failure = outcome.failure else {
            say("the scenario passes against \(target.endpoint.location)")
            return showVariables(of: found, in: outcome.text)
        }
        say("\(command): the scenario does not pass:")
        throw CommandFailure(.failed, Diagnosed(failure))
    }

    /// Throws if the scenario could not run, for example because a line exceeds a limit of the
    /// scenario language.
    private func check(_ text: String, _ secrets: [String: [UInt8]]) throws(CommandFailure) {
        do throws(Diagnosed) {
            let file = try ScenarioParser.file(
                from: SourceText(path: options.output, text: text))
            _ = try ProgramCompiler.compile(
                file, with: BoundDialect.of(dialect),
                given: Set(secrets.keys))
        } catch {
            say("\(command): the scenario was not written, because it could not run:")
            throw CommandFailure(.failed, error)
        }
    }

    /// Prints the variables of secrets found in the conversation, as far as the scenario uses them.
    private func showVariables(of secrets: [String: [UInt8]], in text: String) {
        let names = secrets.keys.filter { text.contains("{{\($0)}}") }.sorted()
            .map { "\(RunVariables.secretPrefix)\($0)" }
        guard !names.isEmpty else { return }
        say(
            "secrets are not stored in the scenario; to run it, set "
                + "\(names.joined(separator: ", "))"
        )
    }

    private func checkSize(of text: String) throws(CommandFailure) {
        let limit = ScenarioLimits.fileBytesMax
        guard text.utf8.count <= limit else {
            throw CommandFailure(
                .failed, "scenario.too-large",
                "the scenario is too large: \(text.utf8.count >> 10) KiB; the limit is "
                    + "\(limit >> 10) KiB",
                help: command.hasSuffix("decode")
                    ? "choose part of the capture with --connection, --from or --to"
                    : "record fewer connections")
        }
    }

    private func write(_ text: String) throws(CommandFailure) {
        guard options.output != "-" else { return Output.standard.write(text) }
        try TextFiles.write(text, to: options.output)
        say("wrote \(options.output)")
    }

    private func say(_ text: String) { Output.error.write(text + "\n") }
}
