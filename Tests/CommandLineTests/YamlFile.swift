import Diagnostics
import DialectFiles

/// Files of other programs, read as plain values.
enum YamlFile {
    /// Reads a text whose top level is a map.
    static func load(_ text: String) throws -> [String: Any]? {
        let source = SourceText(path: "file.yml", bytes: Array(text.utf8))
        return try YamlReader.read(source, as: .plan).map(plain) as? [String: Any]
    }

    private static func plain(_ value: YamlValue) -> Any {
        switch value.kind {
        case .scalar(let text, .plain):
            if let number = Int(text) { return number }
            if let flag = Bool(text) { return flag }
            return text
        case .scalar(let text, _): return text
        case .list(let values): return values.map(plain)
        case .map(let entries):
            return Dictionary(
                entries.map { entry in ("\(plain(entry.key))", plain(entry.value)) },
                uniquingKeysWith: { first, _ in first })
        }
    }
}
