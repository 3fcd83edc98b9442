/// The CI system that runs the program, as determined from environment variables.
package enum CISystem: Sendable, Hashable {
    /// GitHub Actions, or another runner that understands its workflow commands.
    case github(GitHubJob)
    /// Another CI system.
    case other

    /// Detects the system from `GITHUB_ACTIONS` and `CI`; nil if there is none.
    package init?(environment: [String: String]) {
        if environment["GITHUB_ACTIONS"] == "true" {
            self = .github(GitHubJob(environment: environment))
        } else if let value = environment["CI"]?.lowercased(), !["", "0", "false"].contains(value) {
            self = .other
        } else {
            return nil
        }
    }

    /// The job, if the system is GitHub Actions.
    package var githubJob: GitHubJob? {
        if case .github(let job) = self { job } else { nil }
    }
}

/// Files of a GitHub Actions job.
package struct GitHubJob: Sendable, Hashable {
    /// Path of the Markdown file to which steps add their summaries; nil if there is none.
    package var summaryPath: String?
    /// Path of the repository's folder; nil if it is unknown.
    package var workspace: String?

    package init(environment: [String: String]) {
        summaryPath = environment["GITHUB_STEP_SUMMARY"].flatMap { $0.isEmpty ? nil : $0 }
        workspace = environment["GITHUB_WORKSPACE"].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Returns the path of a step's folder relative to the repository, such as `server/tests/`. It
    /// is empty if the folder is the repository itself or is outside of it. Annotations name files
    /// relative to the repository.
    package func prefix(ofFolder folder: String) -> String {
        guard var root = workspace else { return "" }
        while root.hasSuffix("/"), root.count > 1 { root.removeLast() }
        guard folder.hasPrefix(root + "/") else { return "" }
        return folder.dropFirst(root.count + 1) + "/"
    }
}
