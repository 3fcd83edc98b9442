package import LineProtocol
import Logging

/// An adapter for livechat, a protocol for the operators of a live-support chat. Each request and
/// each notice is one line.
package final class LivechatAdapter: ProtocolAdapter {
    private var reader: RequestReader
    private let writer: NoticeWriter

    package init(_ dialect: Dialect, nicknameBytesMax: Int) throws(ServerError) {
        reader = try RequestReader(dialect, nicknameBytesMax: nicknameBytesMax)
        writer = try NoticeWriter(dialect)
    }

    package static func rules(_ dialect: Dialect) -> ChatRules { ChatRules(timing: dialect.timing) }

    package func greet(_ id: ClientID, _ context: inout RequestContext) {}

    package func receive(
        _ line: RequestLine, from id: ClientID, _ context: inout RequestContext
    ) {
        switch reader.read(line) {
        case .nothing: break
        case .end(let departure): context.end(id, departure)
        case .request(let request): context.ask(request, from: id)
        case .surplus(let request, let command, let extra):
            context.logger.warning(
                "ignored surplus arguments; logged once per command",
                metadata: ["command": "\(command)", "extra": "\(extra)"])
            context.ask(request, from: id)
        }
    }

    package func forget(_ id: ClientID) {}

    package func encode(
        _ notice: ChatNotice, to id: ClientID?, _ service: borrowing ChatService,
        _ line: inout [UInt8]
    ) throws(EncodingError) {
        try writer.append(notice, to: &line)
    }
}
