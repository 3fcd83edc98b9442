import FoundationEssentials
import Glibc

/// A temporary folder (`{{dir}}`) for a server that Linejudge starts.
///
/// The folder is locked while Linejudge runs. The kernel removes the lock when the process ends,
/// even if it is killed, so an unlocked folder must be left over from an earlier run. Leftover
/// folders are removed before the first folder is created.
struct ServerFolder: ~Copyable {
    /// Template for the names of folders. Each `X` is replaced with a random character.
    private static let template = "linejudge-XXXXXX"
    /// Maximum number of leftover folders to remove at startup.
    private static let leftoversMax = 100

    /// The parent folder of all server folders.
    static let parent = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
    /// Removes leftover folders, once.
    private static let cleanUp: Void = removeLeftovers()

    let path: String
    /// Open descriptor of the folder, which holds the lock.
    private let lock: CInt

    /// Creates and locks a folder. Returns nil if this fails.
    init?() {
        Self.cleanUp
        let parent = Self.parent
        // A new folder has another name until it is locked, so that no other process removes it.
        var name = Array("\(parent)/.\(Self.template)".utf8CString)
        let made = unsafe name.withUnsafeMutableBufferPointer { buffer in
            unsafe buffer.baseAddress.flatMap { unsafe mkdtemp($0) }
                .map { unsafe String(cString: $0) }
        }
        guard let made else { return nil }
        let path = "\(parent)/\(made.dropFirst(parent.count + 2))"
        let lock = unsafe open(made, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard lock >= 0, flock(lock, LOCK_EX | LOCK_NB) == 0, unsafe rename(made, path) == 0 else {
            if lock >= 0 { close(lock) }
            unsafe rmdir(made)
            return nil
        }
        self.path = path
        self.lock = lock
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
        close(lock)
    }

    /// Removes unlocked folders that belong to this user.
    private static func removeLeftovers() {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
        for name in names.lazy.filter(isName).prefix(leftoversMax) {
            let path = "\(parent)/\(name)"
            // A link may lead to another user's folder.
            let descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            guard descriptor >= 0 else { continue }
            defer { close(descriptor) }
            var status = stat()
            guard unsafe fstat(descriptor, &status) == 0, status.st_uid == geteuid(),
                flock(descriptor, LOCK_EX | LOCK_NB) == 0
            else { continue }
            try? FileManager.default.removeItem(atPath: path)
        }
    }

    private static func isName(_ name: String) -> Bool {
        let fixed = template.prefix { $0 != "X" }
        return name.count == template.count && name.hasPrefix(fixed)
            && name.dropFirst(fixed.count).allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    }
}
