/// The built-in dialects: the files in `Dialects/`.
enum BuiltInDialects {
    static let all: [(name: String, bytes: [UInt8])] = [
        ("irc", PackageResources.irc_yaml),
        ("jsonl", PackageResources.jsonl_yaml),
        ("livechat", PackageResources.livechat_yaml),
        ("msnp", PackageResources.msnp_yaml),
        ("nats", PackageResources.nats_yaml),
        ("plain", PackageResources.plain_yaml),
        ("teamspeak", PackageResources.teamspeak_yaml),
    ]
}
