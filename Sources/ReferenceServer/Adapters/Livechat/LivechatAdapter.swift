package import LineProtocol
import Logging

/// The operator protocol of a live-support chat: each request and each notice of the service is one line.
package final class LivechatAdapter: ProtocolAdapter {
    private var reader: RequestReader
    private let writer: NoticeWriter

    package init(_ dialect: Dialect, nicknameBytesMax: Int) throws(ServerError) {
        reader = try RequestReader(dialect, nicknameBytesMax: nicknameBytesMax)
        writer = try NoticeWriter(dialect)
    }

    /// How the service behaves where this is spoken.
    package static func rules(_ dialect: Dialect) -> ChatRules { ChatRules(timing: dialect.timing) }

    package func greet(_ id: ConnectionID, _ context: inout RequestContext) {}

    package func hear(_ line: RequestLine, from id: ConnectionID, _ context: inout RequestContext) {
        switch reader.read(line) {
        case .nothing: break
        case .end(let departure): context.end(id, departure)
        case .request(let request): context.ask(request, from: id)
        case .surplus(let request, let command, let extra):
            context.logger.warning(
                "more arguments than the command has: ignored, and not told again",
                metadata: ["command": "\(command)", "extra": "\(extra)"])
            context.ask(request, from: id)
        }
    }

    package func forget(_ id: ConnectionID) {}

    package func say(
        _ notice: ChatNotice, to id: ConnectionID?, _ service: borrowing ChatService,
        _ line: inout [UInt8]
    ) throws(EncodingError) {
        try writer.append(notice, to: &line)
    }
}
