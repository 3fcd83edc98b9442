import RepositoryFiles
import Testing

/// A merge of two branches neither doubles an entry of `CHANGELOG.md` nor cuts one off.
@Suite struct ChangelogTests {
    /// The part of the page about one release.
    private struct Release {
        var name: String
        var headings: [String] = []
        /// The entries, each joined into one line.
        var entries: [String] = []
    }

    private static func releases(_ page: String) -> [Release] {
        var releases: [Release] = []
        var isInEntry = false
        for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("## ") {
                releases.append(Release(name: String(line.dropFirst(3))))
            } else if let last = releases.indices.last {
                if line.hasPrefix("#") {
                    releases[last].headings.append(String(line))
                } else if line.hasPrefix("- ") {
                    releases[last].entries.append(String(line.dropFirst(2)))
                } else if line.hasPrefix("  "), isInEntry, !releases[last].entries.isEmpty {
                    let entry = releases[last].entries.count - 1
                    releases[last].entries[entry] += " " + line.drop { $0 == " " }
                }
            }
            isInEntry = line.hasPrefix("- ") || (isInEntry && line.hasPrefix("  "))
        }
        return releases
    }

    /// The elements that occur more than once.
    private static func doubled(_ texts: [String]) -> [String] {
        Dictionary(grouping: texts) { $0 }.filter { $0.value.count > 1 }.keys.sorted()
    }

    @Test func eachHeadingAndEntryOfAReleaseOccursOnce() throws {
        let releases = Self.releases(try Repository.text("CHANGELOG.md"))
        #expect(releases.first?.name == "Unreleased")
        #expect(releases.reduce(0) { $0 + $1.entries.count } > 200)
        #expect(Self.doubled(releases.map(\.name)) == [])
        for release in releases {
            #expect(Self.doubled(release.headings) == [], "\(release.name)")
            #expect(Self.doubled(release.entries) == [], "\(release.name)")
        }
    }

    @Test func eachEntryIsASentence() throws {
        for release in Self.releases(try Repository.text("CHANGELOG.md")) {
            for entry in release.entries {
                #expect(entry.hasSuffix(".") || entry.hasSuffix(".)"), "\(entry)")
            }
        }
    }

    @Test func doubledHeadingsAndEntriesAreFound() throws {
        let page = """
            # Changelog
            ## Unreleased
            ### Added
            - `run` is
              fast.
            ### Added
            - `run` is fast.
            - `run` is slow.
            ## 1.0
            ### Added
            - `run` is fast.
            """
        let releases = Self.releases(page)
        #expect(releases.map(\.name) == ["Unreleased", "1.0"])
        #expect(Self.doubled(releases[0].headings) == ["### Added"])
        #expect(Self.doubled(releases[0].entries) == ["`run` is fast."])
        #expect(Self.doubled(releases[1].entries) == [])
    }
}
