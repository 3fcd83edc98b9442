import Foundation
import LineProtocol
import NIOCore
import Session
import Testing

@testable import SessionTransport
import Transport

/// Sessions over WebSocket.
@Suite(.timeLimit(.minutes(5)))
struct WebSocketTests {
    private static func address(_ isStream: Bool = false) -> WebSocketAddress {
        var address = WebSocketAddress()
        if !isStream {
            address.clientLineEnds = [.crlf]
            address.serverLineEnds = [.crlf]
        }
        return address
    }

    private func endpoint(_ server: TestServer, path: String = "/") -> Endpoint {
        var endpoint = server.endpoint
        endpoint.webSocket = Self.address()
        endpoint.webSocket?.path = path
        return endpoint
    }

    @Test(arguments: [false, true])
    func linesGoThereAndBack(isStream: Bool) async throws {
        let webSocket = WebSocketServer(Self.address(isStream))
        try await TestServer.run(
            prepare: { try webSocket.prepare($0) }, react: SessionDriverTests.echo
        ) { server in
            var endpoint = server.endpoint
            endpoint.webSocket = Self.address(isStream)
            let (outcome, log) = await SessionDriver().run(at: endpoint) { event, script in
                if event == .connected {
                    script.send("PI")
                    script.send("NG 1\r\n")
                }
                if script.received == "PING 1\r\n" { script.isOver = true }
            }
            #expect(log.joined == [.started, .connected, .received("PING 1\r\n")])
            #expect(outcome.connectionsMade == 1)
            #expect(outcome.notes.isEmpty)
            #expect(await server.seen { $0 == .fin }.last == .fin)
        }
    }

    @Test func aGreetingSentAtOnceComesAfterConnected() async throws {
        let webSocket = WebSocketServer(Self.address())
        try await TestServer.run(
            prepare: { try webSocket.prepare($0) },
            react: { seen, channel in
                if seen == .accepted { channel.say("* hello\r\n") }
                if seen == .fin { channel.hangUp() }
            }
        ) { server in
            let (_, log) = await SessionDriver().run(at: endpoint(server)) { _, script in
                script.isOver = script.received.hasSuffix("\r\n")
            }
            #expect(log.joined == [.started, .connected, .received("* hello\r\n")])
        }
    }

    @Test func aServerAnswersRequestsFromBeforeTheCloseFrame() async throws {
        let webSocket = WebSocketServer(Self.address())
        try await TestServer.run(
            prepare: { try webSocket.prepare($0) },
            react: { seen, channel in
                if seen == .fin {
                    channel.say("bye\r\n")
                    channel.hangUp()
                }
            }
        ) { server in
            let (_, log) = await SessionDriver().run(at: endpoint(server)) { event, script in
                if event == .connected { script.act(.halfClose(.first)) }
                if event == .fin { script.isOver = true }
            }
            #expect(log.joined == [.started, .connected, .received("bye\r\n"), .fin])
        }
    }

    @Test func theReasonOfACloseIsReported() async throws {
        try await TestServer.run(
            react: { seen, channel in
                guard case .bytes(let text) = seen else { return }
                guard text.hasPrefix("GET ") else { return }
                // A handshake by hand, followed by a close frame with the code 1008.
                let key = text.split(separator: "\r\n").first {
                    $0.hasPrefix("Sec-WebSocket-Key: ")
                }
                let answer = try? Handshake.answer(toKey: key?.dropFirst(19) ?? "")
                channel.say(answer ?? "")
                channel.writeAndFlush(
                    ByteBuffer(bytes: [0x88, 6, 0x03, 0xF0] + Array("spam".utf8)), promise: nil)
            }
        ) { server in
            let (_, log) = await SessionDriver().run(at: endpoint(server)) { event, script in
                if event == .fin { script.isOver = true }
            }
            let reason = "the server closed the WebSocket with 1008: policy violation: spam"
            #expect(log.joined == [.started, .connected, .closing(reason), .fin])
        }
    }

    @Test(arguments: [
        ("* hello\r\n", "the server did not answer with HTTP, but with `* hello`"),
        (
            "HTTP/1.1 404 Not Found\r\n\r\n",
            "the server refused the WebSocket at /chat with HTTP status 404 Not Found"
        ),
        ("", "the server closed the connection during the WebSocket handshake"),
    ])
    func aServerWithoutWebSocketIsNotReached(answer: String, reason: String) async throws {
        try await TestServer.run { seen, channel in
            if case .bytes = seen {
                channel.say(answer)
                channel.hangUp()
            }
        } _: { server in
            let (outcome, log) = await SessionDriver().run(
                at: endpoint(server, path: "/chat")
            ) { event, script in
                if event != .started { script.isOver = true }
            }
            #expect(log.all.last?.failure == reason)
            #expect(outcome.connectCause == .webSocket)
            #expect(outcome.isUnreachable)
        }
    }

    @Test func aHandshakeHasATimeout() async throws {
        var limits = TransportLimits()
        limits.connectTimeout = 200_000_000
        try await TestServer.run(react: { _, _ in }) { server in
            let (outcome, _) = await SessionDriver(limits: limits).run(at: endpoint(server)) {
                event, script in
                if event != .started { script.isOver = true }
            }
            let location = server.endpoint.location
            #expect(
                outcome.connectFailure
                    == "\(location) did not finish the WebSocket handshake within 200 ms")
        }
    }
}

/// Answers to handshakes, computed apart from the code that is tested.
private enum Handshake {
    static func answer(toKey key: Substring) throws -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = [
            "-c",
            "printf %s \"$1\" | openssl dgst -sha1 -binary | base64", "sh",
            key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11",
        ]
        process.standardOutput = output
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        let accept = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .newlines)
        return "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Accept: \(accept)\r\n\r\n"
    }
}
