/// The path of a setting: its keys from the top of the file.
///
/// Thousands of settings are read, but few appear in messages, so the text is built on demand.
package indirect enum SettingPath {
    case top
    case key(String, in: SettingPath)
    /// An entry in a list, by index.
    case item(Int, of: SettingPath)

    /// The keys joined by dots, with indices in brackets: `commands.join.arguments[1]`.
    package var text: String {
        switch self {
        case .top: ""
        case .key(let name, .top): name
        case .key(let name, let outer): "\(outer.text).\(name)"
        case .item(let index, let outer): "\(outer.text)[\(index)]"
        }
    }
}
