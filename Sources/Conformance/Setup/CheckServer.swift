package import Diagnostics
import LineProtocol
import Results
package import Runner
package import Transport
package import TransportTLS

/// Options that specify which servers to check.
package struct CheckTargets: Sendable {
    package var servers: [String] = []
    /// Commands that start servers.
    package var commands: [String] = []
    /// Names for the matrix, one per server; empty to use the defaults.
    package var names: [String] = []
    /// Names and versions of the server software, one per server; empty if not given.
    package var software: [String] = []
    /// Maximum time for a server to start listening, in nanoseconds; nil for the default.
    package var startTimeout: Int64?
    package var trust = ServerTrust()

    package init() {}

    /// Number of servers. An address given along with a single command is the listening address of
    /// the started server.
    package var count: Int { isOneStarted ? 1 : max(servers.count + commands.count, 1) }

    /// True if the only server is started by a command. A given address is then the address of that
    /// server.
    package var isOneStarted: Bool { commands.count == 1 && servers.count <= 1 }
}

/// Name, address and start command of one of the servers to check.
package struct CheckServer: Sendable {
    /// Name of the server in the matrix.
    package var name: String
    /// Address of the server; nil for the reference server, or for a server that has not been
    /// started.
    package var endpoint: Endpoint?
    package var command: ServerCommand?
    package var security: (any ConnectionSecurity)?
    package var software: Software?

    /// Returns the options of `run` that specify this server, which listens at `endpoint`.
    package func replay(_ endpoint: Endpoint) -> String {
        if let command { return "--exec '\(command.text)'" }
        return self.endpoint == nil ? "" : "--server \(endpoint)"
    }

    /// Name and version of the server software, such as `ngircd 26.1`; nil if not given.
    package var softwareText: String? {
        software.map { software in
            software.version.map { "\(software.name) \($0)" } ?? software.name
        }
    }
}

extension CheckServer {
    /// Returns the servers that the options specify, in order.
    ///
    /// - Parameter port: The dialect's default port.
    package static func all(_ target: CheckTargets, port: Int?) throws(Diagnosed) -> [CheckServer] {
        var servers: [CheckServer] = []
        if target.isOneStarted {
            let endpoint = try target.servers.first.map { text throws(Diagnosed) in
                try Endpoint(parsing: text)
            }
            servers = [try server(endpoint, target.commands[0], target, port)]
        } else {
            for text in target.servers {
                servers.append(try server(try Endpoint(parsing: text), nil, target, port))
            }
            for text in target.commands { servers.append(try server(nil, text, target, port)) }
        }
        if servers.isEmpty { servers = [try server(nil, nil, target, port)] }
        for index in servers.indices where index < target.software.count {
            servers[index].software = try Software(parsing: target.software[index])
        }
        let names = ServerNames.distinct(
            servers.enumerated().map { index, server in
                index < target.names.count
                    ? target.names[index] : server.softwareText ?? server.name
            })
        for (index, name) in names.enumerated() { servers[index].name = name }
        return servers
    }

    private static func server(
        _ given: Endpoint?, _ exec: String?, _ target: CheckTargets, _ port: Int?
    ) throws(Diagnosed) -> CheckServer {
        let endpoint = given?.withDefaultPort(port)
        // If there are several servers, some of them may not use TLS.
        let appliesTrust = target.count == 1 || given?.isSecure == true
        let command = exec.map {
            ServerCommand($0, endpoint: given, startTimeout: target.startTimeout)
        }
        try command?.check()
        return CheckServer(
            name: exec.map(programName) ?? endpoint?.location ?? "built-in", endpoint: endpoint,
            command: command,
            security: appliesTrust ? try target.trust.security(for: given) : nil)
    }

    /// Returns the name of the program in a command, without its folder and without `.sh`.
    private static func programName(_ command: String) -> String {
        let program = command.split(separator: " ").first.map(String.init) ?? command
        let file = program.split(separator: "/").last.map(String.init) ?? program
        return file.hasSuffix(".sh") ? String(file.dropLast(3)) : file
    }
}
