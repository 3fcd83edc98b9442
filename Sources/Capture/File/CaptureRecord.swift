/// A packet record from a capture file.
package struct CaptureRecord: Sendable, Equatable, BitwiseCopyable {
    /// The packet number, starting at 1.
    package var number: Int
    /// Time in nanoseconds since 1970-01-01T00:00:00Z, or ``timeUnknown`` if the record has no
    /// timestamp.
    package var time: Int64
    /// Offset of the captured bytes in the parser's window.
    package var start: Int
    /// Number of bytes captured.
    package var count: Int
    /// Number of bytes in the packet on the wire.
    package var originalCount: Int
    package var linkType: LinkType
    /// Index of the capture file, if several are read as one stream; otherwise 0.
    package var file: UInt16 = 0
    /// Number of the interface within the file, starting at 0. Numbers continue across the sections
    /// of a file, and a pcap file has one interface.
    package var interface: UInt32 = 0

    /// Range of possible packet times. The range includes all times that pcap can represent (up to
    /// 2106), and any two of its times can be added without overflow.
    package static let times: ClosedRange<Int64> = 0...(1 << 62 - 1)
    /// Time of packets without a timestamp (pcapng simple packet blocks).
    package static let timeUnknown = Int64.min
}

/// Link-layer header type, one of the LINKTYPE_ numbers assigned by the tcpdump group.
package struct LinkType: Sendable, Hashable, BitwiseCopyable {
    package var number: UInt16

    package init(_ number: UInt16) { self.number = number }

    /// BSD loopback, with the address family in host byte order.
    package static let null = LinkType(0)
    package static let ethernet = LinkType(1)
    /// PPP, with or without HDLC address and control bytes.
    package static let ppp = LinkType(9)
    /// PPP in HDLC-like framing.
    package static let pppHDLC = LinkType(50)
    /// PPP over Ethernet, starting with the PPPoE header.
    package static let pppEthernet = LinkType(51)
    /// IPv4 or IPv6, without a link header.
    package static let raw = LinkType(101)
    /// OpenBSD loopback, with the address family in network byte order.
    package static let loop = LinkType(108)
    /// The `any` device on Linux, version 1 (SLL).
    package static let linuxCooked = LinkType(113)
    /// IPv4, without a link header.
    package static let ipv4 = LinkType(228)
    /// IPv6, without a link header.
    package static let ipv6 = LinkType(229)
    /// The NFLOG target of Linux netfilter.
    package static let nflog = LinkType(239)
    /// The `any` device on Linux, version 2 (SLL2).
    package static let linuxCooked2 = LinkType(276)
}
