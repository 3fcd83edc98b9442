#!/bin/sh
# Fails with installation advice if the libpcap headers, which the trait Capture needs, are missing.
echo '#include <pcap.h>' | ${CC:-cc} -E - >/dev/null 2>&1 && exit 0
echo 'The trait Capture needs libpcap: apt-get install libpcap-dev' >&2
exit 69
