/// Where a setting stands: its keys from the file's top.
///
/// Thousands of settings are read and hardly one is spoken of, so the text is made when it is wanted.
package indirect enum SettingPath {
    /// The whole file.
    case top
    /// The value of a key.
    case key(String, in: SettingPath)
    /// An entry of a list.
    case item(Int, of: SettingPath)

    /// The keys with dots between, places in brackets: `commands.join.arguments[1]`.
    package var text: String {
        switch self {
        case .top: ""
        case .key(let name, .top): name
        case .key(let name, let outer): "\(outer.text).\(name)"
        case .item(let place, let outer): "\(outer.text)[\(place)]"
        }
    }
}
