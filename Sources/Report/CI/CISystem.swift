/// The CI system that Linejudge runs in, detected from environment variables.
package enum CISystem: Sendable, Hashable {
    /// GitHub Actions, or another runner that supports its workflow commands.
    case github(GitHubJob)
    /// Another CI system.
    case other

    /// Detects the system from `GITHUB_ACTIONS` and `CI`; nil if neither is set.
    package init?(environment: [String: String]) {
        if environment["GITHUB_ACTIONS"] == "true" {
            self = .github(GitHubJob(environment: environment))
        } else if let value = environment["CI"]?.lowercased(), !["", "0", "false"].contains(value) {
            self = .other
        } else {
            return nil
        }
    }

    /// The GitHub Actions job; nil in any other system.
    package var githubJob: GitHubJob? {
        if case .github(let job) = self { job } else { nil }
    }
}

/// Paths that a GitHub Actions job provides.
package struct GitHubJob: Sendable, Hashable {
    /// Path of the Markdown file for step summaries; nil if there is none.
    package var summaryPath: String?
    /// Path of the repository; nil if unknown.
    package var workspace: String?

    package init(environment: [String: String]) {
        summaryPath = environment["GITHUB_STEP_SUMMARY"].flatMap { $0.isEmpty ? nil : $0 }
        workspace = environment["GITHUB_WORKSPACE"].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Returns a converter for the paths in a step's annotations.
    ///
    /// - Parameters:
    ///   - folder: Absolute path of the step's working directory.
    ///   - real: Returns a path without symbolic links; nil if there is no such folder.
    package func paths(
        in folder: String, resolvedBy real: (String) -> String? = { _ in nil }
    ) -> RepositoryPathConverter {
        let root = workspace ?? folder
        return RepositoryPathConverter(
            roots: [root] + [real(root)].compactMap(\.self), folder: folder)
    }
}
