import ArgumentParser
import Capture
import Report

/// What of a capture is decoded, and how.
struct DecodingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "How its servers speak: NAME, FILE, or either with +PROFILE; NAME@PORT for the servers of one "
                + "port. Repeatable. By default what the traffic looks like.", valueName: "name"))
    var dialect: [DialectArgument] = []

    @Option(
        help: ArgumentHelp(
            "Only connections of this port. Repeatable.", valueName: "number"))
    var port: [UInt16] = []

    @Option(
        help: ArgumentHelp(
            "Which bytes count where some come twice and differ: first or last.", valueName: "which"
        ))
    var overlap = OverlapArgument.first

    @Option(
        help: ArgumentHelp(
            "Only packets that this filter lets through, in the language of tcpdump.",
            valueName: "filter"))
    var bpf: String?

    @Flag(help: "Go on as the file grows, until SIGINT.")
    var follow = false
}

/// Which part of a conversation is shown.
struct ConversationOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Only this command, by its name in the dialect, or, if it has none, by the word that lines begin "
                + "with. Repeatable.", valueName: "name"))
    var command: [String] = []

    @Option(
        name: .customLong("operator"),
        help: ArgumentHelp("Only the operator of this name. Repeatable.", valueName: "name"))
    var operatorName: [String] = []

    @Option(
        help: ArgumentHelp(
            "Only the connection of this number. Repeatable.", valueName: "number"))
    var connection: [Int] = []

    @Option(
        help: ArgumentHelp(
            "From then on: 2026-11-21T12:00:00Z, 12:00:00 of the first day (UTC), or +90s after the "
                + "first packet.", valueName: "time"))
    var from: CaptureTimeArgument?

    @Option(help: ArgumentHelp("Up to then.", valueName: "time"))
    var to: CaptureTimeArgument?
}

/// How a conversation is shown.
struct ConversationShowing: ParsableArguments {
    @Option(
        name: [.customLong("as"), .customLong("format")],
        help: ArgumentHelp(
            "What is made of it: log, json, scenario, or latency: how long answers took.",
            valueName: "format"))
    var format = ConversationFormat.log

    @Option(
        help: ArgumentHelp(
            "With --as latency, write a report: pretty, html, json, csv, hgrm or hlog; FILE - is "
                + "standard output. Repeatable.", valueName: "format=file"),
        transform: ReportArgument<LoadReportFormat>.init)
    var report: [ReportArgument<LoadReportFormat>] = []

    @Option(
        help: ArgumentHelp(
            "How the log shows times: clock (UTC), relative or full.", valueName: "form"))
    var time = TimesArgument.clock

    @Flag(help: "Figures instead of the conversation: lines by command, answer times.")
    var stats = false

    @Flag(help: "Show what the dialect declares secret.")
    var secrets = false

    @Flag(help: "Replace names, addresses and hosts by pseudonyms.")
    var anonymise = false

    @Flag(help: "Exit with 1 if a line breaks the dialect.")
    var strict = false

    @Flag(name: .shortAndLong, help: "No summary.")
    var quiet = false

    @OptionGroup var colours: ColourOptions
}

/// The form of a decoded conversation.
enum ConversationFormat: String, ExpressibleByArgument, CaseIterable {
    case log, json, scenario, latency
}

/// A dialect, perhaps of one port: `irc`, `irc+ngircd`, `irc@6667`.
struct DialectArgument: ExpressibleByArgument {
    let name: String
    /// Nil: all that no other dialect is given for.
    let port: UInt16?

    init?(argument: String) {
        let parts = argument.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count > 1, let last = parts.last, last.allSatisfy(\.isNumber) else {
            guard !argument.isEmpty else { return nil }
            (name, port) = (argument, nil)
            return
        }
        guard let number = UInt16(last), number > 0 else { return nil }
        name = parts.dropLast().joined(separator: "@")
        port = number
        if name.isEmpty { return nil }
    }
}

/// Against which server the scenario is played until it passes.
struct VerifyingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Play the scenario against this server until it passes: host:port, tls://host:port, "
                + "irc://host, unix:/path.", valueName: "url"))
    var server: String?

    @Flag(help: "Play it against the built-in server.")
    var verify = false

    @OptionGroup var trust: ServerTrustOptions

    /// Whether the scenario is played at all.
    var isWanted: Bool { verify || server != nil }
}

/// Which bytes count.
enum OverlapArgument: String, ExpressibleByArgument, CaseIterable {
    case first, last
}

/// `clock`, `relative`, `full`.
enum TimesArgument: String, ExpressibleByArgument, CaseIterable {
    case clock, relative, full

    var times: LogOptions.Times {
        switch self {
        case .clock: .clock
        case .relative: .relative
        case .full: .full
        }
    }
}

/// A moment of a capture.
struct CaptureTimeArgument: ExpressibleByArgument {
    let text: String
    let moment: CaptureTime

    init?(argument: String) {
        guard let moment = CaptureTime(argument) else { return nil }
        text = argument
        self.moment = moment
    }
}
