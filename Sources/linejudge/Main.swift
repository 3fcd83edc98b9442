import Console
import Glibc
import Results

/// The entry point, which runs the command line and exits. The process exits nowhere else.
@main
enum Main {
    static func main() async {
        StandardDescriptors.hold()
        // Make writes to a closed pipe return an error instead of raising a signal.
        _ = signal(SIGPIPE, SIG_IGN)
        let environment = Environment.ofProcess
        let arguments = Array(CommandLine.arguments.dropFirst())
        let code = await Invocation(arguments: arguments, environment: environment).run()
        exit(code.rawValue)
    }
}
