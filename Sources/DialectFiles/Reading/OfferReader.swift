import Diagnostics
import LineProtocol

/// Reader for a dialect's `offers:` section.
struct OfferReader {
    static let offersMax = 32
    static let nameBytesMax = 128
    /// The kind reserved for needs that the user, rather than the server, declares as met.
    static let reserved = "fixture"

    let commands: CommandTable
    let behaviours: [String: Behaviour]
    let problems: Problems

    func offers(_ setting: Setting?) -> [String: Offer] {
        guard let section = setting?.openSection() else { return [:] }
        guard section.settings.count <= Self.offersMax else {
            problems.error(
                .tooMany, "too many kinds of offer (maximum \(Self.offersMax))", at: section.range)
            return [:]
        }
        var result: [String: Offer] = [:]
        for setting in section.settings {
            guard isIdentifier(setting.name) else {
                problems.error(
                    .badName, "`\(shortened(setting.name))` is not a valid kind of offer",
                    at: setting.key, help: "choose a name such as `cap`")
                continue
            }
            guard setting.name != Self.reserved else {
                problems.error(
                    .unknownOffer, "the `\(Self.reserved)` kind is reserved for --fixture",
                    at: setting.key, help: "choose another name")
                continue
            }
            result[setting.name] = offer(setting)
        }
        for setting in section.settings {
            if let offer = result[setting.name] { check(offer, setting, result) }
        }
        return result
    }

    private func offer(_ setting: Setting) -> Offer? {
        typealias Keys = OfferKeys
        guard let section = setting.section(Keys.allNames) else { return nil }
        let kinds = [Keys.command.key, Keys.refusal.key, Keys.letters].map(\.name)
        let present = section.present(kinds)
        guard present.count == 1, let kind = present.first else {
            problems.error(
                .conflict, "`\(section.path)` needs one of `command`, `refusal` and `letters-of`",
                at: section.range,
                help: "for example: `cap: {command: capability, argument: capabilities}`")
            return nil
        }
        switch kind {
        case Keys.command.key.name:
            return pair(setting.section(Keys.listed), Keys.command, Keys.names).map {
                .listed(command: $0, argument: $1)
            }
        case Keys.refusal.key.name:
            return pair(setting.section(Keys.unlessRefused), Keys.refusal, Keys.refused).map {
                .unlessRefused(refusal: $0, argument: $1)
            }
        default:
            let names = setting.section(Keys.inLetters)?[Keys.letters]?.list(max: Self.offersMax)
            return names.map { .letters(of: $0.compactMap { listedName($0, setting) }) }
        }
    }

    /// Reads the names of a server command and one of its arguments. Reports an error and returns
    /// nil if either does not exist.
    private func pair(
        _ section: Section?, _ commandKey: ValueKey<String?>, _ argumentKey: ValueKey<String?>
    ) -> (command: String, argument: String)? {
        guard let section, let command = section.required(commandKey),
            let argument = section.required(argumentKey), let setting = section[commandKey],
            let argumentSetting = section[argumentKey]
        else { return nil }
        guard let index = commands.command(named: command, .fromServer) else {
            let names = commands.signatures.filter { $0.direction.allows(.fromServer) }.map(\.name)
            problems.error(
                .unknownOffer, "no server command `\(command)`",
                at: setting.value.range,
                help: didYouMean(command, among: names).map { "did you mean `\($0)`?" })
            return nil
        }
        let arguments = commands.signatures[index].arguments.map(\.name)
        guard arguments.contains(argument) else {
            problems.error(
                .unknownOffer, "`\(command)` has no argument `\(argument)`",
                at: argumentSetting.value.range,
                help: arguments.isEmpty
                    ? "it has none" : "its arguments: \(listed(arguments, "and"))")
            return nil
        }
        return (command, argument)
    }

    private func listedName(_ value: Setting, _ setting: Setting) -> OfferedName? {
        guard let text = value.text(bytesMax: Self.nameBytesMax) else { return nil }
        if let name = OfferedName(text) { return name }
        reportUnlisted(text, setting)
        return nil
    }

    private func reportUnlisted(_ name: String, _ setting: Setting) {
        problems.error(
            .unknownOffer, "`\(shortened(name))` is not a listed name", at: setting.value.range,
            help: "write KIND.NAME with a kind that has a `command`, such as `isupport.CHANMODES`")
    }

    /// Checks that the behaviours and listed names that an offer depends on exist.
    private func check(_ offer: Offer, _ setting: Setting, _ offers: [String: Offer]) {
        switch offer {
        case .listed where behaviours["survey"] == nil:
            problems.error(
                .unknownOffer, "`\(setting.path)` needs the `survey` behaviour", at: setting.key,
                help: "write `survey: |` under `behaviours:`, with the steps that ask the server "
                    + "what it supports")
        case .letters(let names):
            for name in names {
                guard case .listed? = offers[name.kind] else {
                    return reportUnlisted(name.description, setting)
                }
            }
        case .unlessRefused where behaviours["login"] == nil || behaviours["probe"] == nil:
            problems.error(
                .unknownOffer, "`\(setting.path)` needs the `login` and `probe` behaviours",
                at: setting.key,
                help: "define both under `behaviours:`; commands are tried after login")
        case .listed, .unlessRefused: break
        }
    }
}
