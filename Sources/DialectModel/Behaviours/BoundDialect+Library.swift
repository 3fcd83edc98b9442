package import DialectFiles
package import Diagnostics
package import LineProtocol
import Synchronization

extension BoundDialect {
    /// Binds a dialect that was read from a file.
    package convenience init(_ file: DialectFile) {
        self.init(file.dialect, source: file.source, isBuiltIn: file.isBuiltIn)
    }

    /// Binds a dialect created in memory. Its diagnostics have no file positions.
    package convenience init(_ dialect: Dialect) {
        self.init(dialect, source: SourceText(path: dialect.name, text: ""))
    }

    /// Finds a dialect by name or path; see ``DialectLibrary/find(_:beside:)``. Each built-in
    /// dialect is parsed only once.
    ///
    /// - Throws: the errors in the file or in its scenario text.
    package static func find(
        _ name: String, beside folder: String? = nil
    ) throws(Diagnosed) -> BoundDialect {
        try of(try DialectLibrary.find(name, beside: folder)).checked()
    }

    /// Returns the bound form of a dialect, cached for built-in dialects.
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
