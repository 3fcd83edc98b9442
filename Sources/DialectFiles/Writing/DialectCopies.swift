package import Diagnostics

/// Copies of a dialect's files that can be stored together in one folder.
package struct DialectCopies {
    private var copies: [(name: String, bytes: [UInt8])] = []
    private var rest: ArraySlice<SourceText>

    /// Returns a copy of the dialect's file, followed by copies of the files that it includes and
    /// is based on. Where necessary, `include` and `based-on` are changed so that they refer to the
    /// copies.
    package static func of(_ source: SourceText) -> [(name: String, bytes: [UInt8])] {
        var copies = DialectCopies(rest: source.files[...])
        _ = copies.addNext()
        return copies.copies
    }

    private init(rest: ArraySlice<SourceText>) { self.rest = rest }

    /// Adds the next file and the files that it refers to, which follow it in the same order.
    /// Returns the name of the copy; nil if there are no more files.
    private mutating func addNext() -> String? {
        guard let file = rest.popFirst() else { return nil }
        let name = unique(lastComponent(of: file.path))
        let index = copies.count
        copies.append((name, file.bytes))
        let root = (try? YamlReader.read(file)) ?? nil
        let references =
            root.map { DialectInclusion.references(in: $0) + [BaseDialect.reference(in: $0)] } ?? []
        var changes: [(reference: YamlValue, name: String)] = []
        for case .some(let reference) in references {
            if let name = addNext() { changes.append((reference, name)) }
        }
        // Replace from the end, so that the positions of earlier references stay valid.
        for (reference, name) in changes.sorted(by: {
            $0.reference.range.start > $1.reference.range.start
        }) {
            Self.replace(reference, with: name, in: &copies[index].bytes)
        }
        return name
    }

    /// Returns the name, with a number before its extension if it is taken.
    private func unique(_ name: String) -> String {
        let end = name.lastIndex(of: ".") ?? name.endIndex
        var (candidate, number) = (name, 1)
        while copies.contains(where: { $0.name == candidate }) {
            number += 1
            candidate = "\(name[..<end])-\(number)\(name[end...])"
        }
        return candidate
    }

    /// Replaces the path in a file.
    private static func replace(
        _ reference: YamlValue, with name: String, in bytes: inout [UInt8]
    ) {
        // The range of a text block covers only its first character, so a path in a text block is
        // left unchanged.
        guard case .scalar(let path, let style) = reference.kind, path != name, style != .block
        else { return }
        let (start, end) = (reference.range.start, reference.range.end)
        bytes.replaceSubrange(start..<end, with: YamlText.scalar(name).utf8)
    }
}
