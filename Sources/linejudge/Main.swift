import Console
import Glibc
import Results

/// Runs the command line and exits; nothing else ends the process.
@main
enum Main {
    static func main() async {
        StandardDescriptors.hold()
        // A closed pipe becomes an error from write(2) instead of a signal.
        _ = signal(SIGPIPE, SIG_IGN)
        let environment = Environment.ofProcess
        let arguments = Array(CommandLine.arguments.dropFirst())
        let code = await Invocation(arguments: arguments, environment: environment).run()
        exit(code.rawValue)
    }
}
