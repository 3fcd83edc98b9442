// libpcap, for the trait Capture.
#if __has_include(<pcap/pcap.h>)
#include <pcap/pcap.h>
#else
#error "the trait Capture needs libpcap: apt-get install libpcap-dev, or build without --traits Capture"
#endif
