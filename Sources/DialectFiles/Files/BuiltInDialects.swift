/// The built-in dialects: the files in `Dialects/`.
enum BuiltInDialects {
    static let all: [(name: String, bytes: [UInt8])] = [
        ("beanstalkd", PackageResources.beanstalkd_yaml),
        ("irc", PackageResources.irc_yaml),
        ("jsonl", PackageResources.jsonl_yaml),
        ("livechat", PackageResources.livechat_yaml),
        ("memcached", PackageResources.memcached_yaml),
        ("msnp", PackageResources.msnp_yaml),
        ("mud", PackageResources.mud_yaml),
        ("nats", PackageResources.nats_yaml),
        ("nntp", PackageResources.nntp_yaml),
        ("plain", PackageResources.plain_yaml),
        ("pop3", PackageResources.pop3_yaml),
        ("redis", PackageResources.redis_yaml),
        ("smtp", PackageResources.smtp_yaml),
        ("stomp", PackageResources.stomp_yaml),
        ("teamspeak", PackageResources.teamspeak_yaml),
    ]
}
