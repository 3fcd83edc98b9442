import Foundation

/// A Bash script that runs the shell blocks of a page in one scratch folder, exactly as printed.
///
/// A comment on the line before a block declares its setup, in items separated by `;`:
///
/// | item | meaning |
/// | --- | --- |
/// | `server DIALECT PORT OPTIONS` | `linejudge serve` runs on this port during the block |
/// | `start PORT COMMAND` | the command runs during the block and listens on this port |
/// | `background PORT` | the block is a server that keeps running during the following blocks |
/// | `after PORT` | the block runs when the background block with this port has exited |
/// | `stop` | stops the background blocks before the block runs |
/// | `exits STATUS or STATUS` | the permitted exit statuses, instead of 0 |
/// | `needs PROGRAM` | a program that `make setup` installs |
///
/// `<!-- not run: REASON -->` skips a block, `<!-- file: PATH -->` marks a file that the page
/// shows, and `<!-- prints -->` the output of the shell block before it.
struct PageScript {
    let page: MarkdownPage
    /// The indices of the shell blocks to run, in order.
    private(set) var shellBlocks: [Int] = []
    /// The permitted exit statuses of the blocks that do not run in the background.
    private(set) var statuses: [Int: [Int32]] = [:]
    private(set) var text = Self.prelude
    /// Unknown and misplaced directives.
    private(set) var errors: [String] = []

    init(_ page: MarkdownPage) {
        self.page = page
        for (index, block) in page.blocks.enumerated() where block.language == "sh" {
            if block.directive("not run")?.isEmpty == false { continue }
            add(block, index)
        }
        text += "stop_background\n"
        let following = page.lines.dropFirst() + [""]
        for (index, (line, next)) in zip(page.lines, following).enumerated()
        where line.hasPrefix("<!-- test:") && !next.hasPrefix("```") {
            errors.append("\(page.path):\(index + 1): this is not before a block")
        }
    }

    private mutating func add(_ block: FencedBlock, _ index: Int) {
        var before = ""
        var background: String?
        var permitted: [Int32] = [0]
        let items = block.directive("test")?.split(separator: ";") ?? []
        if let directive = block.directive, items.isEmpty {
            errors.append("\(page.path):\(block.line): unknown directive `\(directive)`")
        }
        for item in items {
            let words = item.split(separator: " ").map(String.init)
            let rest = words.dropFirst(2).joined(separator: " ")
            switch (words.first, words.count) {
            case ("server", 3...):
                let options = words.dropFirst(3).joined(separator: " ")
                before +=
                    "serve \(words[2]) linejudge serve --dialect \(words[1])"
                    + " --listen 127.0.0.1:\(words[2]) \(options)\n"
            case ("start", 3...): before += "serve \(words[1]) \(rest)\n"
            case ("background", 2): background = words[1]
            case ("after", 2): before += "wait_for_end \(words[1])\n"
            case ("stop", 1): before += "stop_background\n"
            case ("exits", 2...): permitted = words.compactMap { Int32($0) }
            case ("needs", 2): before += "need \(words[1])\n"
            default:
                errors.append("\(page.path):\(block.line): unknown directive `\(item)`")
            }
        }
        let body = "cat >block.\(index) <<'END OF BLOCK'\n\(block.text)END OF BLOCK\n"
        if let background {
            text += before + body + "background \(background) \(index)\n"
        } else {
            text += before + body + "block \(index)\n"
        }
        shellBlocks.append(index)
        statuses[index] = background == nil ? permitted : nil
    }

    /// Provides the repository's files, the executable under test as `linejudge` and, if the system
    /// permits it, a separate loopback interface, so that the printed ports are free.
    private static let prelude = """
        set -u
        export PATH="$PWD/bin:$PATH:/usr/sbin" HOME="$PWD" XDG_STATE_HOME="$PWD/state"
        servers=(); declare -A jobs=()
        fail() { echo "$*" >&2; exit 99; }
        need() { command -v "$1" >/dev/null || fail "no $1; run: make setup"; }
        listening() { grep -q "$(printf ':%04X 00000000:0000 0A' "$1")" /proc/net/tcp; }
        wait_for() {
            for _ in $(seq 300); do ! listening "$1" || return 0; sleep 0.05; done
            cat ./*.log >&2; fail "nothing listens on port $1"
        }
        serve() {
            local port=$1; shift
            "$@" >"server.$port.log" 2>&1 & servers+=($!); wait_for "$port"
        }
        block() {
            bash -e "block.$1" </dev/null >"output.$1" 2>&1; echo $? >"status.$1"
            [ ${#servers[@]} = 0 ] || { kill "${servers[@]}"; wait "${servers[@]}"; } 2>/dev/null
            servers=()
        }
        background() {
            setsid bash -e "block.$2" </dev/null >"output.$2" 2>&1 & jobs[$1]=$!; wait_for "$1"
        }
        wait_for_end() { wait "${jobs[$1]}"; unset "jobs[$1]"; }
        stop_background() {
            for job in "${jobs[@]}"; do
                kill -- "-$job"; wait "$job"
                # The server of a block may end after its shell.
                for _ in {1..200}; do kill -0 -- "-$job" || break; sleep 0.05; done
            done 2>/dev/null
            jobs=()
        }
        trap 'kill "${servers[@]}" 2>/dev/null; stop_background' EXIT

        """

    /// The command to run: the script in its own network namespace if permitted, otherwise one page at
    /// a time.
    static let launcher = """
        up='import fcntl, socket, struct
        fcntl.ioctl(socket.socket(), 0x8914, struct.pack("16sh14s", b"lo", 1, b""))'
        if unshare --net python3 -c "$up" 2>/dev/null; then
            exec unshare --net sh -c 'python3 -c "$1" && exec bash script' sh "$up"
        fi
        exec flock "${TMPDIR:-/tmp}/linejudge-pages" bash script
        """
}
