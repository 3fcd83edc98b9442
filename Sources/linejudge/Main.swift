import Glibc
import Results
import Runner

/// Runs the command that was typed, and ends the process: nothing else does.
@main
enum Main {
    static func main() async {
        StandardDescriptors.hold()
        // A reader that goes away is told by write(2), not by a signal.
        _ = signal(SIGPIPE, SIG_IGN)
        let environment = Environment.ofProcess
        let arguments = Array(CommandLine.arguments.dropFirst())
        let code = await Invocation(arguments: arguments, environment: environment).run()
        exit(code.rawValue)
    }
}
