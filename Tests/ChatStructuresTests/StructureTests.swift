import ChatModel
import ChatStructures
import DialectFiles
import Foundation
import LineProtocol
import Testing

@Suite struct StructureTests {
    /// An add-on action, whose argument is XML in the dialect `livechat`.
    struct ActionDone: ChatCommand, Equatable {
        var conference: Int
        var sender: String
        var action: XMLArgument
    }

    struct Options: Codable, Equatable {
        var name: String
        var verbose: Bool?
    }

    struct Connect: ChatCommand, Equatable {
        @JSONArgument var options: Options?
        var at: Date
    }

    private func livechat() throws -> Dialect { try DialectLibrary.find("livechat").dialect }

    private func connecting() throws -> Dialect {
        var dialect = try livechat()
        dialect.commands = CommandTable([
            CommandSignature(
                name: "connect", wire: .exact([UInt8(ascii: "C")]), direction: .both,
                arguments: [
                    ArgumentSignature("options", .json),
                    ArgumentSignature("at", .time(.rfc3339)),
                ])
        ])
        return dialect
    }

    private func read<Command: ChatCommand>(
        _ type: Command.Type, _ line: String, _ dialect: Dialect
    ) throws -> Command? {
        var map = CommandMap<Command>(dialect, from: .fromServer)
        try map.on(type) { $0 }
        var reader = CommandReader(map)
        reader.append(Array((line + "\n").utf8))
        return try reader.next()
    }

    private func line(_ command: some ChatCommand, _ dialect: Dialect) throws -> String {
        let bytes = try CommandWriter(dialect, from: .fromServer).bytes(of: command)
        return String(decoding: bytes.dropLast(), as: UTF8.self)
    }

    @Test func anXMLArgumentIsReadByALibraryAndWrittenAgain() throws {
        let dialect = try livechat()
        let text = #"R0016|7|Joe|<act id="1"><say to="a&amp;b">one \| two</say><x/></act>"#
        let command = try read(ActionDone.self, text, dialect)
        #expect(command?.action.name == "act")
        #expect(command?.action["say"]?.text == "one | two")
        #expect(command?.action["say"]?.attributes["to"] == "a&b")
        #expect(try command.map { try line($0, dialect) } == text)
    }

    @Test func whatAnXMLTextHoldsSurvivesTheWayThereAndBack() throws {
        let dialect = try livechat()
        let element = XMLArgument(
            "a", ["k": "tab\tquote\"<&>\n"],
            [.text("line\r\nend ]]> é"), .element(XMLArgument("b"))])
        let command = ActionDone(conference: 1, sender: "J|oe", action: element)
        #expect(try read(ActionDone.self, try line(command, dialect), dialect) == command)
    }

    @Test(arguments: [
        ("<a><b></a>", "invalid XML"),
        ("<a/><b/>", "invalid XML"),
        ("a", "invalid XML"),
        ("<a/>more", "invalid XML"),
        ("<!DOCTYPE a [<!ENTITY x \"y\">]><a>&x;</a>", "a document type"),
        ("<a>&x;</a>", "invalid XML"),
        (
            String(repeating: "<a>", count: 65) + String(repeating: "</a>", count: 65),
            "deeper than 64"
        ),
        ("<a>" + String(repeating: "<b/>", count: 10_000) + "</a>", "more than 10000"),
    ])
    func badXMLIsReportedWithItsPosition(_ text: String, _ reason: String) throws {
        let error = #expect(throws: CommandError.self) {
            try read(ActionDone.self, "R0016|7|Joe|\(text)", try livechat())
        }
        #expect(error?.command == "actionDone")
        #expect(error?.position == 2)
        #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
    }

    @Test func missingStructuresAreNothing() throws {
        #expect(try read(ActionDone.self, "R0016|7|Joe", try livechat())?.action == .empty)
        let connect = try read(Connect.self, "C", try connecting())
        #expect(connect == Connect(options: nil, at: Date(timeIntervalSince1970: 0)))
    }

    @Test func aJSONArgumentIsReadByALibraryAndWrittenAgain() throws {
        let dialect = try connecting()
        let text = #"C|{"name":"a\|b/c","verbose":true}|2012-06-30T23:59:59.500Z"#
        let command = try read(Connect.self, text, dialect)
        #expect(command?.options == Options(name: "a|b/c", verbose: true))
        #expect(command?.at == Date(timeIntervalSince1970: 1_341_100_799.5))
        #expect(try command.map { try line($0, dialect) } == text)
    }

    @Test(arguments: [
        (#"{"name":7}"#, "invalid JSON: name is not a valid String"),
        (#"{}"#, #"invalid JSON: the value has no "name""#),
        (#"{"name":"#, "invalid JSON"),
    ])
    func badJSONIsReportedWithItsPosition(_ text: String, _ reason: String) throws {
        let error = #expect(throws: CommandError.self) {
            try read(Connect.self, "C|\(text)|2012-06-30T23:59:59Z", try connecting())
        }
        #expect(error?.argument == "options")
        #expect(error?.position == 0)
        #expect(error?.message.hasPrefix(reason) == true, "\(error?.message ?? "")")
    }
}
