package import DialectFiles
package import Diagnostics
package import LineProtocol
import Synchronization

extension BoundDialect {
    /// A dialect with the file it was read from.
    package convenience init(_ file: DialectFile) {
        self.init(file.dialect, source: file.source, isBuiltIn: file.isBuiltIn)
    }

    /// A dialect that was made in memory: its errors have no place in a file.
    package convenience init(_ dialect: Dialect) {
        self.init(dialect, source: SourceText(path: dialect.name, text: ""))
    }

    /// Finds a dialect by its name or path; see ``DialectLibrary/find(_:beside:)``. Built-in dialects are
    /// parsed once.
    ///
    /// - Throws: what is wrong with the file or the scenario text in it.
    package static func find(
        _ name: String, beside folder: String? = nil
    ) throws(Diagnosed) -> BoundDialect {
        try of(try DialectLibrary.find(name, beside: folder)).checked()
    }

    /// The parsed form of a dialect; made once for each built-in one.
    package static func of(_ file: DialectFile) -> BoundDialect {
        guard file.isBuiltIn else { return BoundDialect(file) }
        let key = file.source.path + "+" + (file.dialect.profile ?? "")
        if let known = builtIns.withLock({ $0[key] }) { return known }
        let bound = BoundDialect(file)
        builtIns.withLock { $0[key] = bound }
        return bound
    }

    private static let builtIns = Mutex<[String: BoundDialect]>([:])
}
