import Foundation

/// Creates a self-signed certificate for localhost and its key in a temporary folder.
func withCertificate(
    _ body: (_ certificate: String, _ key: String) async throws -> Void
) async throws {
    let folder = "/tmp/linejudge-client-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
        "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
        "-nodes", "-days", "2", "-subj", "/CN=chat", "-keyout", "\(folder)/key", "-out",
        "\(folder)/pem", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
    ]
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    try await body("\(folder)/pem", "\(folder)/key")
}
