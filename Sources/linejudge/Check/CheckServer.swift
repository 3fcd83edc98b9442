import Diagnostics
import LineProtocol
import Runner
import Transport

/// A server to check.
struct CheckServer {
    /// Name in the matrix.
    var name: String
    /// nil for the built-in server, or one that is started.
    var endpoint: Endpoint?
    var command: ServerCommand?
    var security: (any ConnectionSecurity)?
    var software: Software?

    /// The options of `run` that name the server, which listens at `endpoint`.
    func replay(_ endpoint: Endpoint) -> String {
        if let command { return "--exec '\(command.text)'" }
        return self.endpoint == nil ? "" : "--server \(endpoint)"
    }

    /// `ngircd 26.1`
    var softwareText: String? {
        software.map { software in
            software.version.map { "\(software.name) \($0)" } ?? software.name
        }
    }
}

extension CheckServer {
    /// The servers that the options name, in order.
    ///
    /// - Parameter port: the dialect's default port.
    static func all(_ target: CheckTargetOptions, port: Int?) throws(Diagnosed) -> [CheckServer] {
        var servers: [CheckServer] = []
        if target.isOneStarted {
            let endpoint = try target.server.first.map { text throws(Diagnosed) in
                try Endpoint(parsing: text)
            }
            servers = [try server(endpoint, target.exec[0], target, port)]
        } else {
            for text in target.server {
                servers.append(try server(try Endpoint(parsing: text), nil, target, port))
            }
            for text in target.exec { servers.append(try server(nil, text, target, port)) }
        }
        if servers.isEmpty { servers = [try server(nil, nil, target, port)] }
        for index in servers.indices where index < target.software.count {
            servers[index].software = try Software(parsing: target.software[index])
        }
        let names = ServerNames.distinct(
            servers.enumerated().map { index, server in
                index < target.name.count
                    ? target.name[index] : server.softwareText ?? server.name
            })
        for (index, name) in names.enumerated() { servers[index].name = name }
        return servers
    }

    private static func server(
        _ given: Endpoint?, _ exec: String?, _ target: CheckTargetOptions, _ port: Int?
    ) throws(Diagnosed) -> CheckServer {
        let endpoint = given?.withDefaultPort(port)
        // Of several servers, some may not use TLS.
        let isAsked = target.count == 1 || given?.isSecure == true
        let command = exec.map { ServerCommand($0, endpoint: given) }
        try command?.check()
        return CheckServer(
            name: exec.map(programName) ?? endpoint?.location ?? "built-in", endpoint: endpoint,
            command: command,
            security: isAsked ? try target.trust.security(for: given) : nil)
    }

    /// The name of the program in a command, without folder and `.sh`.
    private static func programName(_ command: String) -> String {
        let program = command.split(separator: " ").first.map(String.init) ?? command
        let file = program.split(separator: "/").last.map(String.init) ?? program
        return file.hasSuffix(".sh") ? String(file.dropLast(3)) : file
    }
}
