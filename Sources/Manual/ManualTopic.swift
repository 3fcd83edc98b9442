/// A subject that the manuals of several commands share.
package struct ManualTopic {
    package let title: String
    /// The paragraph about the subject, as Markdown.
    package let text: String

    /// Output on CI systems, for commands with the `--no-ci` option.
    package static let continuousIntegration = ManualTopic(
        title: "Continuous integration",
        text: """
            With `GITHUB_ACTIONS=true`, each failure is also an annotation on its scenario line (an \
            unreachable server is a single error), the log is folded into groups, and a summary is \
            added to `$GITHUB_STEP_SUMMARY`. On other CI systems (`CI=true`), progress is printed as \
            plain lines, and colour is off unless `FORCE_COLOR` or `--color` turns it on. `--no-ci` \
            turns all of this off. In every case, server text cannot act as a workflow command: a \
            leading `::` is written `\\u003A:`, and `##[` is written `#\\u0023[`.
            """)
}
