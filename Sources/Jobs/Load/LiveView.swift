import Diagnostics
import HTTPEndpoint
import Load
import Report
import Results
import Synchronization
import Transport

/// The browser page that shows a running load test (`--live`).
final class LiveView: Sendable {
    private struct State {
        var load: LiveLoad?
        var monitor: LoadMonitor?
        var page = LiveLoadPage()
        var content = ""
        var renderedAt: ContinuousClock.Instant?
    }

    /// Interval between updates. The page is rendered at most once per interval, regardless of the
    /// number of clients.
    private static let interval = Duration.seconds(1)
    /// Time allowed for clients to receive the final report.
    private static let endTime = Duration.milliseconds(500)

    private let state = Mutex(State())
    private let stream = EventStream()
    /// Query string with the required token; empty if none is required.
    private let query: String

    private init(query: String) { self.query = query }

    /// A live view with the server that serves its page.
    struct Served {
        var view: LiveView
        var server: HTTPServer
        var url: String
        /// True if other machines can reach the page.
        var isPublic: Bool

        /// Shows the final report, if there is one, to all clients and then stops the server.
        func end(_ results: LoadResults?) async {
            if let results, view.show(results) { try? await Task.sleep(for: LiveView.endTime) }
            await server.shutdown()
        }
    }

    /// Starts serving the page if an address is given; otherwise returns nil.
    static func serve(at address: ListenAddress?) async throws(CommandFailure) -> Served? {
        guard let address else { return nil }
        let isPublic = !LiveSite.isLoopback(address)
        let token = isPublic ? LiveSite.makeToken() : nil
        let view = LiveView(query: token.map { "?token=\($0)" } ?? "")
        let site = LiveSite(
            at: address, token: token, page: { view.page() }, events: view.stream,
            command: { view.carryOut($0) })
        do {
            let server = try await HTTPServer.start(at: address) { site.answer($0) }
            return Served(
                view: view, server: server, url: "http://\(server.address)/\(view.query)",
                isPublic: isPublic)
        } catch {
            throw CommandFailure(.unavailable, .badOption, error.message)
        }
    }

    /// Shows a load test until the task is cancelled.
    func follow(_ setup: LoadSetup, _ monitor: LoadMonitor) async {
        state.withLock { state in
            state = State()
            (state.load, state.monitor) = (LiveLoad(setup, monitor), monitor)
        }
        repeat {
            // Statistics are collected even without clients, so that the first client need not
            // wait.
            state.withLock { Self.takeSeconds(&$0) }
            if stream.hasClients { stream.send("page", content()) }
        } while (try? await Task.sleep(for: Self.interval)) != nil
    }

    /// Shows the final report. Returns true if any client sees it.
    private func show(_ results: LoadResults) -> Bool {
        guard stream.hasClients, let content = try? LiveLoadPage.main(results) else { return false }
        stream.finish("end", content)
        return true
    }

    /// Executes a command. Returns false if it is unknown.
    private func carryOut(_ command: String) -> Bool {
        guard let monitor = state.withLock(\.monitor) else { return false }
        switch command {
        case "pause": monitor.pause()
        case "resume": monitor.resume()
        case "faster": monitor.changeRate(by: LoadJob.rateStep)
        case "slower": monitor.changeRate(by: 1 / LoadJob.rateStep)
        case "stop": monitor.stopByUser()
        default: return false
        }
        return true
    }

    // MARK: Rendering

    private static func takeSeconds(_ state: inout State) {
        for (number, second) in state.load?.takeSeconds() ?? [] { state.page.add(number, second) }
    }

    /// Returns the changing part of the page.
    private func content() -> String {
        state.withLock { state in
            let now = ContinuousClock.now
            if let last = state.renderedAt, now - last < Self.interval / 2 { return state.content }
            Self.takeSeconds(&state)
            guard let load = state.load, let monitor = state.monitor else { return "" }
            state.renderedAt = now
            let content = try? state.page.main(
                load.results, monitor.snapshot, load.progress, query: query)
            state.content = content ?? ""
            return state.content
        }
    }

    private func page() -> String {
        let content = content()
        guard let load = state.withLock(\.load) else { return LiveLoadPage.waiting }
        return (try? LiveLoadPage.page(load.results, content: content)) ?? LiveLoadPage.waiting
    }
}
