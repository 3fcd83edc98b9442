/// What a capture file says of one packet.
package struct CaptureRecord: Sendable, Equatable, BitwiseCopyable {
    /// The number of the packet, from 1.
    package var number: Int
    /// Nanoseconds since 1970-01-01T00:00:00Z; ``timeUnknown`` where the file has none.
    package var time: Int64
    /// Where the captured bytes start in what the parser was given.
    package var start: Int
    /// How many bytes were captured.
    package var count: Int
    /// How many bytes the packet had.
    package var originalCount: Int
    /// What the bytes start with.
    package var linkType: LinkType

    /// The time of a packet that has none (pcapng's simple packets).
    package static let timeUnknown = Int64.min
}

/// What a packet starts with (the tcpdump group's LINKTYPE_ numbers).
package struct LinkType: Sendable, Hashable, BitwiseCopyable {
    /// The number.
    package var number: UInt16

    /// A link type by its number.
    package init(_ number: UInt16) { self.number = number }

    /// BSD loopback, the family in the order of the machine that captured.
    package static let null = LinkType(0)
    /// Ethernet.
    package static let ethernet = LinkType(1)
    /// PPP, with or without HDLC's address and control.
    package static let ppp = LinkType(9)
    /// PPP in HDLC-like framing.
    package static let pppHDLC = LinkType(50)
    /// PPP over Ethernet: from the PPPoE header on.
    package static let pppEthernet = LinkType(51)
    /// IPv4 or IPv6 without anything before.
    package static let raw = LinkType(101)
    /// OpenBSD loopback, the family in the order of the network.
    package static let loop = LinkType(108)
    /// Linux's `any` device.
    package static let linuxCooked = LinkType(113)
    /// IPv4 without anything before.
    package static let ipv4 = LinkType(228)
    /// IPv6 without anything before.
    package static let ipv6 = LinkType(229)
    /// Linux's `any` device, version 2.
    package static let linuxCooked2 = LinkType(276)
}
