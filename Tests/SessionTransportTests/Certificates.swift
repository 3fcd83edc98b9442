import Foundation

/// Certificates made by `openssl` for one test: an authority, a server certificate that it signs, a
/// client certificate, and a self-signed one.
struct Certificates {
    let folder: String

    struct Failure: Error { var output: String }

    init() throws {
        folder = "/tmp/linejudge-certificates-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try makeAuthority("ca")
        try make("server", by: "ca", names: "DNS:chat.example,DNS:localhost,IP:127.0.0.1")
        try make("other", by: "ca", names: "DNS:other.example")
        try make("client", by: "ca", names: "DNS:client.example")
        try makeAuthority("self", names: "DNS:localhost,IP:127.0.0.1")
    }

    func remove() { try? FileManager.default.removeItem(atPath: folder) }

    func certificate(_ name: String) -> String { "\(folder)/\(name).pem" }

    func key(_ name: String) -> String { "\(folder)/\(name).key" }

    private func makeAuthority(_ name: String, names: String? = nil) throws {
        var arguments = [
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
            "-days", "2", "-subj", "/CN=\(name)", "-keyout", key(name), "-out", certificate(name),
        ]
        if let names { arguments += ["-addext", "subjectAltName=\(names)"] }
        try openssl(arguments)
    }

    private func make(_ name: String, by authority: String, names: String) throws {
        let request = "\(folder)/\(name).csr"
        try openssl([
            "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
            "-subj", "/CN=\(name)", "-keyout", key(name), "-out", request,
        ])
        let extensions = "\(folder)/\(name).ext"
        try Data("subjectAltName=\(names)\n".utf8).write(to: URL(fileURLWithPath: extensions))
        try openssl([
            "x509", "-req", "-in", request, "-CA", certificate(authority), "-CAkey",
            key(authority), "-CAcreateserial", "-days", "2", "-extfile", extensions, "-out",
            certificate(name),
        ])
    }

    private func openssl(_ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["openssl"] + arguments
        process.standardInput = FileHandle.nullDevice
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(output: String(decoding: output, as: UTF8.self))
        }
    }
}
