package import Diagnostics

/// Copies of a dialect's files that can be stored together in one folder.
package enum DialectCopies {
    /// Returns a copy of the dialect's file, followed by copies of the files that it is based on.
    /// Where necessary, `based-on` is changed so that it refers to the copy.
    package static func of(_ source: SourceText) -> [(name: String, bytes: [UInt8])] {
        var copies: [(name: String, bytes: [UInt8])] = []
        var name = lastComponent(of: source.path)
        var rest = source.files[...]
        while let file = rest.popFirst() {
            guard let base = rest.first, let reference = BaseDialect.reference(in: file) else {
                copies.append((name, file.bytes))
                break
            }
            let baseName = unique(lastComponent(of: base.path), copies.map(\.name) + [name])
            copies.append((name, bytes(of: file, baseName, at: reference)))
            name = baseName
        }
        return copies
    }

    private static func lastComponent(of path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? path
    }

    /// Returns the name, with a number before its extension if it is taken.
    private static func unique(_ name: String, _ taken: [String]) -> String {
        let end = name.lastIndex(of: ".") ?? name.endIndex
        var (candidate, number) = (name, 1)
        while taken.contains(candidate) {
            number += 1
            candidate = "\(name[..<end])-\(number)\(name[end...])"
        }
        return candidate
    }

    /// Returns the bytes of the file, with `based-on` changed to `name`.
    private static func bytes(of file: SourceText, _ name: String, at reference: YamlValue)
        -> [UInt8]
    {
        // The range of a text block covers only its first character, so a path in a text block is
        // left unchanged.
        guard case .scalar(let path, let style) = reference.kind, path != name, style != .block
        else { return file.bytes }
        let (start, end) = (reference.range.start, reference.range.end)
        return file.bytes[..<start] + Array(YamlText.scalar(name).utf8) + file.bytes[end...]
    }
}
