import DialectModel
import Diagnostics
import DialectFiles
import LineProtocol
import Recorder
import Results
import Runner
import Scenario
import Session
import Transcript
import SessionTransport
import Transport

/// Writer of scenarios for `record` and `decode`: turns a conversation into a scenario and, if there is a
/// server, runs and adapts it until it passes.
struct ScenarioWriting {
    /// The command, for messages.
    let command: String
    let dialect: DialectFile
    let options: ScenarioWritingOptions
    /// Server to run the scenario against; nil to write it without running.
    let target: ReplayTarget?
    /// Whether values that vary within the conversation become placeholders if the scenario is not run.
    var comparesOccurrences = false

    /// Checks that the file can be written, before the recording begins.
    static func check(_ options: ScenarioWritingOptions) throws(CommandFailure) {
        guard options.output != "-" else { return }
        do {
            try OutputFile(path: options.output).check()
        } catch {
            throw CommandFailure(
                .software, .cannotWrite,
                "cannot write `\(escapedForDisplay(options.output))`: \(error)",
                help: "give -o a path in an existing folder")
        }
    }

    /// Writes the scenario of a conversation.
    ///
    /// - Parameters:
    ///   - start: start time in seconds since 1970, if known.
    ///   - nothing: the failure if the conversation is empty.
    func write(
        _ conversation: Conversation, startedAt start: Int64?,
        nothing: @autoclosure () -> CommandFailure
    ) async throws {
        let found = DialectSecrets(BoundDialect.of(dialect)).find(
            in: conversation, besides: options.secretValues)
        let secrets = options.secretValues.merging(found) { given, _ in given }
        var draftOptions = ScenarioDraft.Options()
        draftOptions.title = options.title ?? "A recorded conversation"
        draftOptions.keepsPauses = options.keepPauses
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
                "\(command): the conversation is truncated to \(Conversation.eventsMax) events "
                    + "or \(Conversation.bytesMax >> 20) MiB")
        }
        if let target {
            try await runAndWrite(conversation, draftOptions, at: target)
        } else {
            let text = draft.text()
            try write(text)
            try check(text, secrets)
        }
        showVariables(of: found)
    }

    private func runAndWrite(
        _ conversation: Conversation, _ draft: ScenarioDraft.Options, at target: ReplayTarget
    ) async throws {
        let execution = ExecutionOptions(
            variables: draft.secrets, secrets: Set(draft.secrets.keys),
            environment: Environment.ofProcess)
        let learning = ReplayLearning(
            SessionDriver(security: target.security), at: target.endpoint,
            dialect: BoundDialect.of(dialect), play: execution)
        let outcome = try await learning.learn(conversation, options: draft)
        try write(outcome.text)
        guard let failure = outcome.failure else {
            return say("the scenario passes against \(target.endpoint.location)")
        }
        say("\(command): the scenario does not pass:")
        throw CommandFailure(.failed, Diagnosed(failure))
    }

    /// Reports what prevents the scenario from running, such as its size.
    private func check(_ text: String, _ secrets: [String: [UInt8]]) throws(CommandFailure) {
        do throws(Diagnosed) {
            let file = try ScenarioParser.file(
                from: SourceText(path: options.output, text: text))
            _ = try ProgramCompiler.compile(
                file, with: BoundDialect.of(dialect),
                given: Set(secrets.keys))
        } catch {
            say("\(command): the scenario cannot run as written:")
            throw CommandFailure(.failed, error)
        }
    }

    private func showVariables(of secrets: [String: [UInt8]]) {
        guard !secrets.isEmpty else { return }
        let names = secrets.keys.sorted().map { "\(RunVariables.secretPrefix)\($0)" }
        say("secrets are left out; to run the scenario, set \(names.joined(separator: ", "))")
    }

    private func write(_ text: String) throws(CommandFailure) {
        guard options.output != "-" else { return Output.standard.write(text) }
        try TextFiles.write(text, to: options.output)
        say("wrote \(options.output)")
    }

    private func say(_ text: String) { Output.error.write(text + "\n") }
}

/// The server that a recorded scenario runs against.
struct ReplayTarget {
    let endpoint: Endpoint
    let security: (any ConnectionSecurity)?

    /// The server, with the dialect's default port if it names none.
    init(
        _ server: Endpoint, _ dialect: Dialect, _ trust: ServerTrustOptions
    ) throws(Diagnosed) {
        endpoint = server.withDefaultPort(dialect.port)
        guard endpoint.isComplete else {
            throw Diagnosed(
                Diagnostic(
                    .error, .badOption,
                    "--server needs a port, since the dialect has no default port"
                ).help(
                    "write --server HOST:PORT"))
        }
        security = try trust.security(for: endpoint)
    }

    init(_ endpoint: Endpoint, _ security: (any ConnectionSecurity)?) {
        self.endpoint = endpoint
        self.security = security
    }
}
