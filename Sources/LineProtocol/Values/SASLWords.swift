/// Words of SASL exchanges (RFC 4422) that are not secret.
enum SASLWords {
    /// `*` aborts an exchange, and `+` and `=` represent empty data.
    private static let symbols = ["*", "+", "="]

    /// The mechanisms in IANA's registry, without families such as `GS2-*`, and mechanisms that
    /// exist only in IRC.
    private static let mechanisms = [
        "ANONYMOUS", "CRAM-MD5", "DH-AES", "DH-BLOWFISH", "DIGEST-MD5", "EAP-AES128",
        "EAP-AES128-PLUS", "ECDH-X25519-CHALLENGE", "ECDSA-NIST256P-CHALLENGE", "EXTERNAL",
        "GSS-SPNEGO", "GSSAPI", "KERBEROS_V4", "KERBEROS_V5", "LOGIN", "NTLM", "OAUTH10A",
        "OAUTHBEARER", "OPENID20", "OTP", "PLAIN", "SAML20", "SCRAM-SHA-1", "SCRAM-SHA-1-PLUS",
        "SCRAM-SHA-256", "SCRAM-SHA-256-PLUS", "SCRAM-SHA-512", "SCRAM-SHA-512-PLUS", "SECURID",
        "SKEY", "SPNEGO", "SPNEGO-PLUS", "XOAUTH", "XOAUTH2",
    ]

    private static let all = Set((symbols + mechanisms).map { Array($0.utf8) })

    /// Returns true if the value is one of these words. Case is ignored, as it is by many servers.
    static func contains(_ value: [UInt8]) -> Bool { all.contains(value.map(ASCII.uppercased)) }
}
