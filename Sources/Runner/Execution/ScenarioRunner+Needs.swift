import DialectModel
import Diagnostics
import LineProtocol
import Results
package import Scenario
import Session
import SessionTransport
package import Transport

/// `needs` lines: whether the server supports what a scenario is about.
extension ScenarioRunner {
    package enum Needs {
        /// Everything is supported; the variables with the server's values.
        case met([String: [UInt8]])
        /// The scenario does not apply, for this reason.
        case unmet(Need, String)
        case undecided(Need, String)
    }

    /// Returns whether the server supports what the scenario needs.
    package func needs(of scenario: LoadedScenario, at endpoint: Endpoint) async -> Needs {
        var values: [String: [UInt8]] = [:]
        for need in scenario.file?.header.needs ?? [] {
            if need.isFixture {
                guard options.fixtures.contains(need.name.text) else {
                    return .unmet(
                        need,
                        "needs \(need.text); pass --fixture \(need.name.text) if the server has it")
                }
                values[need.variable] = []
                continue
            }
            guard let dialect = scenario.boundDialect,
                let offer = dialect.dialect.offers[need.kind.text]
            else { continue }
            switch await survey(offer, need, dialect, scenario, endpoint) {
            case .offers(let offers):
                guard let value = offers.value(of: need, offer) else {
                    return .unmet(
                        need,
                        "needs \(escapedForDisplay(need.text)), which the server does not offer")
                }
                values[need.variable] = value
            // The scenario reports this itself.
            case .unreachable: return .met(values)
            case .failed(let reason):
                return .undecided(
                    need,
                    "needs \(escapedForDisplay(need.text)), but the survey failed: \(reason)")
            }
        }
        return .met(values)
    }

    private func survey(
        _ offer: Offer, _ need: Need, _ dialect: BoundDialect, _ scenario: LoadedScenario,
        _ endpoint: Endpoint
    ) async -> ServerSurvey {
        let server =
            options.endpoint?.description ?? (try? scenario.command(options))??.text
            ?? endpoint.description
        let key = "\(dialect.dialect.name) \(dialect.dialect.profile ?? "") \(server)"
        switch offer {
        case .listed, .letters:
            return await surveys.survey(key) { await listing($0, dialect, at: endpoint) }
        case .unlessRefused(let refusal, let argument):
            return await surveys.survey("\(key) \(need.text)") {
                await trial($0, of: need, refusal, argument, dialect, at: endpoint)
            }
        }
    }

    /// Runs the dialect's `survey`.
    private func listing(
        _ number: Int, _ dialect: BoundDialect, at endpoint: Endpoint
    ) async -> ServerSurvey {
        let steps = "use survey as surveyor (name: {{nick}})"
        return await surveying(number, steps, dialect, endpoint) { lines, _ in
            dialect.dialect.offers.compactMapValues { offer in
                guard case .listed(let command, let argument) = offer else { return nil }
                return lines.names(in: argument, of: command)
            }
        }
    }

    /// Sends a command by itself, to see whether the server refuses it.
    private func trial(
        _ number: Int, of need: Need, _ refusal: String, _ argument: String,
        _ dialect: BoundDialect, at endpoint: Endpoint
    ) async -> ServerSurvey {
        let command = ScenarioSpelling.string(Array(need.name.text.utf8))
        let steps = """
            use login as surveyor (name: {{nick}})
            surveyor -> {{\(command)}}
            sync surveyor
            """
        return await surveying(number, steps, dialect, endpoint) { lines, hasPassed in
            let refused = lines.values(of: argument, in: refusal)
            if refused.contains(Array(need.name.text.utf8)) { return [:] }
            return hasPassed ? [need.kind.text: [need.name.text: []]] : nil
        }
    }

    /// Runs the steps of a survey.
    ///
    /// - Parameter offers: returns what the received lines show, given whether the steps passed; nil if
    ///   they do not show it.
    private func surveying(
        _ number: Int, _ steps: String, _ dialect: BoundDialect, _ endpoint: Endpoint,
        _ offers: (ReceivedArguments, Bool) -> [String: [String: [UInt8]]]?
    ) async -> ServerSurvey {
        let text = "dialect \(dialect.dialect.name)\n\(steps)\n"
        let variables = options.variables.values
        let program: Program
        do throws(Diagnosed) {
            program = try ProgramCompiler.compile(
                ScenarioParser.file(from: SourceText(path: "survey", text: text)), with: dialect,
                given: Set(variables.keys).union(["nick"]))
        } catch {
            return .failed(error.diagnostics.first?.message ?? "")
        }
        var random = SeededRandom(seed: options.seed, part: "survey \(number)")
        let nick = "sv" + String(random.next() % 60_466_176, radix: 36)
        let outcome = await executor.run(
            program,
            options: ExecutionOptions(
                variables: variables.merging(["nick": Array(nick.utf8)]) { $1 },
                secrets: options.variables.secrets, environment: options.environment,
                seed: random.next(), stepTimeout: options.stepTimeout,
                fileTimeout: options.fileTimeout), at: endpoint)
        if outcome.isUnreachable { return .unreachable }
        let hasPassed = outcome.result.outcome == .passed
        let lines = ReceivedArguments(outcome.result.transcript, dialect.dialect)
        guard let found = offers(lines, hasPassed), hasPassed || found.isEmpty else {
            return .failed(outcome.result.diagnostic?.message ?? "it was not answered")
        }
        return .offers(ServerOffers(values: found))
    }
}
