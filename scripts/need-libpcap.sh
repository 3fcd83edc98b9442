#!/bin/sh
# Says how to get libpcap's headers where a build with the trait Capture would not find them.
echo '#include <pcap.h>' | ${CC:-cc} -E - >/dev/null 2>&1 && exit 0
echo 'libpcap is missing, which the trait Capture needs: apt-get install libpcap-dev' >&2
exit 69
