package import DialectModel
import Diagnostics
package import LineProtocol
import Results
import Scenario
package import Session
package import SessionTransport

/// The result of comparing a server's features with the needs of a scenario or check.
package enum ServerNeeds: Sendable {
    /// The server supports everything. Contains the values that the server reported, by variable
    /// name.
    case met([String: [UInt8]])
    /// The scenario or check does not apply, for this reason.
    case unmet(String)
    case undecided(String)
}

/// A surveyor that queries servers for the features that they support. It remembers the answers, so
/// that each query is sent only once.
package struct ServerSurveyor: Sendable {
    /// Runs a program against the server.
    package typealias Run = @Sendable (Program, ExecutionOptions) async -> SessionOutcome

    private let options: ExecutionOptions
    private let surveys = ServerSurveys()

    /// Creates a surveyor that runs surveys with these options.
    package init(_ options: ExecutionOptions) { self.options = options }

    /// Returns whether a server supports everything in `needs`.
    ///
    /// - Parameter server: String that identifies the server. Servers with the same string share
    ///   their answers.
    package func needs(
        _ needs: [OfferedName], of dialect: BoundDialect, by server: String,
        _ run: @escaping Run
    ) async -> ServerNeeds {
        var values: [String: [UInt8]] = [:]
        for need in needs {
            guard let offer = dialect.dialect.offers[need.kind] else { continue }
            let text = escapedForDisplay("\(need.kind) \(need.name)")
            switch await survey(offer, need, dialect, server, run) {
            case .offers(let offers):
                guard let value = offers.value(of: need, offer) else {
                    return .unmet("needs \(text), which the server does not offer")
                }
                values[need.variable] = value
            // The scenario or check will itself report that the server is unreachable.
            case .unreachable: return .met(values)
            case .failed(let reason):
                return .undecided("needs \(text), but the server could not be queried: \(reason)")
            }
        }
        return .met(values)
    }

    private func survey(
        _ offer: Offer, _ need: OfferedName, _ dialect: BoundDialect, _ server: String,
        _ run: @escaping Run
    ) async -> ServerSurvey {
        let key = "\(dialect.dialect.name) \(dialect.dialect.profile ?? "") \(server)"
        switch offer {
        case .listed, .letters:
            return await surveys.survey(key) { await listing($0, dialect, run) }
        case .unlessRefused(let refusal, _):
            return await surveys.survey("\(key) \(need.kind) \(need.name)") {
                await trial($0, of: need, refusal, dialect, run)
            }
        }
    }

    /// Runs the dialect's `survey` behaviour, and returns the features that the server lists.
    private func listing(
        _ number: Int, _ dialect: BoundDialect, _ run: Run
    ) async -> ServerSurvey {
        let steps = [Self.use("survey")]
        return await surveying(number, steps, dialect, run) { lines, _ in
            dialect.dialect.offers.compactMapValues { offer in
                guard case .listed(let command, let argument) = offer else { return nil }
                return lines.names(in: argument, of: command)
            }
        }
    }

    /// Sends a single command to determine whether the server refuses it.
    private func trial(
        _ number: Int, of need: OfferedName, _ refusal: String,
        _ dialect: BoundDialect, _ run: Run
    ) async -> ServerSurvey {
        let steps = [
            Self.use("login"), .send(Self.handle, .line(Array(need.name.utf8))),
            .sync(Self.handle),
        ]
        return await surveying(number, steps, dialect, run) { lines, hasPassed in
            // A server may leave out an argument of the refusal, so the name may be in another one.
            if lines.values(in: refusal).contains(Array(need.name.utf8)) { return [:] }
            return hasPassed ? [need.kind: [need.name: []]] : nil
        }
    }

    /// Handle of the client that runs surveys.
    private static let handle = "surveyor"
    /// Name of the variable that holds the client's login name.
    private static let nickVariable = "nick"

    private static func use(_ behaviour: String) -> Step {
        .use(behaviour, as: handle, [Argument("name", .variable(nickVariable))])
    }

    /// Runs the steps of a survey.
    ///
    /// - Parameter offers: Function that returns the features revealed by the received lines; nil
    ///   if the survey failed. Its second argument is true if the steps passed.
    private func surveying(
        _ number: Int, _ steps: [Step], _ dialect: BoundDialect, _ run: Run,
        _ offers: (ReceivedArguments, Bool) -> [String: [String: [UInt8]]]?
    ) async -> ServerSurvey {
        let scenario = GeneratedScenario([GeneratedScenario.Section(steps)])
        let program: Program
        do throws(Diagnosed) {
            program = try ProgramCompiler.compile(
                scenario.printed(path: "survey"), with: dialect,
                given: Set(options.variables.keys).union([Self.nickVariable]))
        } catch {
            return .failed(error.diagnostics.first?.message ?? "")
        }
        var random = SeededRandom(seed: options.seed, part: "survey \(number)")
        // Some servers refuse user names with two groups of digits inside.
        let nick = "sv" + String(random.next() % 1_000_000)
        var options = options
        options.variables[Self.nickVariable] = Array(nick.utf8)
        options.seed = random.next()
        let outcome = await run(program, options)
        if outcome.isUnreachable { return .unreachable }
        let hasPassed = outcome.result.outcome == .passed
        let lines = ReceivedArguments(outcome.result.transcript, dialect.dialect)
        guard let found = offers(lines, hasPassed), hasPassed || found.isEmpty else {
            return .failed(outcome.result.diagnostic?.message ?? "the server did not answer")
        }
        return .offers(ServerOffers(values: found))
    }
}
