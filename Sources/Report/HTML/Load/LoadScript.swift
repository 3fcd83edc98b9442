/// The script that makes the report on a load test interactive.
enum LoadScript {
    /// SHA-256 of the script, which allows browsers to run only this script.
    static let hash = "paLCrUbihr5OabX9UHAdRlGDymeGT97TYIExK69ClC0="

    static let text = String(decoding: PackageResources.load_js, as: UTF8.self)

    /// Returns the content security policy of the page. A live page can also receive updates and
    /// send commands.
    static func policy(isLive: Bool) -> String { policy(hash: hash, isLive: isLive) }

    /// Returns the content security policy of a page with the script that has this hash.
    static func policy(hash: String, isLive: Bool = false) -> String {
        "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-\(hash)'; "
            + "base-uri 'none'; "
            + (isLive ? "connect-src 'self'; form-action 'self'" : "form-action 'none'")
    }
}
