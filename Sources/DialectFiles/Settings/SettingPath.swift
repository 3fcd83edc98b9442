/// The path of a setting: the keys that lead to it from the top of the file.
///
/// The text is built on demand, because thousands of settings are read but only a few appear in
/// messages.
package indirect enum SettingPath {
    case top
    case key(String, in: SettingPath)
    /// An element of a list, by index.
    case item(Int, of: SettingPath)

    /// The keys, joined by dots, and indices in brackets: `commands.join.arguments[1]`.
    package var text: String {
        switch self {
        case .top: ""
        case .key(let name, .top): name
        case .key(let name, let outer): "\(outer.text).\(name)"
        case .item(let index, let outer): "\(outer.text)[\(index)]"
        }
    }
}
