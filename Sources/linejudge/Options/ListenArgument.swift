import ArgumentParser
import Transport

/// An address to listen on: `host:port`, `[::1]:port`, `:port` or `unix:path`.
struct ListenArgument {
    let address: ListenAddress

    init(_ argument: String) throws {
        do {
            address = try ListenAddress(parsing: argument)
        } catch {
            throw ValidationError(error.message)
        }
    }
}
