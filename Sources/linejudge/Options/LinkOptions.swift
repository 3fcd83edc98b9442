import ArgumentParser
import DialectFiles

/// The option for symbolic links to scenarios, dialects and the files they refer to.
struct LinkOptions: ParsableArguments {
    @Flag(help: "Follow links to scenarios and dialects outside the given folders.")
    var followLinks = false

    /// Applies the option to all files that the process reads afterwards.
    func apply() {
        if !followLinks { LinkPolicy.confine() }
    }
}
