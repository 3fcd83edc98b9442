#!/bin/sh
# inn.sh PORT DIR: runs INN's innd in the foreground on 127.0.0.1:PORT, with the newsgroups local.tea and
# local.empty, which everyone may read and post to, and with STARTTLS and a self-signed certificate. All files
# are written to DIR.
set -eu
[ $# -eq 2 ] || { echo "usage: $0 PORT DIR" >&2; exit 64; }
tools=$(cd -P "$(dirname "$0")/../.." && pwd)/.tools/inn2
[ -x "$tools/usr/lib/news/bin/innd" ] || { echo "$0: innd not found; run scripts/setup.sh" >&2; exit 69; }
port=$1
certificate=$(cd "$(dirname "$0")" && pwd)/certificate.sh
mkdir -p "$2"
dir=$(cd "$2" && pwd)
cd "$dir"
mkdir -p etc db log run tmp http filter archive articles incoming/tmp incoming/bad outgoing overview
export LD_LIBRARY_PATH="$tools/usr/lib/news:$tools/usr/lib/x86_64-linux-gnu"
export INNCONF="$dir/etc/inn.conf"
bin="$tools/usr/lib/news/bin"
user=$(id -un)
group=$(id -gn)
as_user=
# INN refuses to run as root.
if [ "$(id -u)" = 0 ]; then
    user=news
    group=news
    as_user='setpriv --reuid news --regid news --clear-groups'
fi

cat >etc/inn.conf <<END
domain: localdomain
fromhost: localhost.localdomain
pathhost: news.localdomain
organization: Tests
mta: "/bin/true %s"
mailcmd: /bin/true
ovmethod: tradindexed
hismethod: hisv6
runasuser: $user
runasgroup: $group
port: $port
bindaddress: 127.0.0.1
bindaddress6: "::1"
pathnews: $dir
pathbin: $bin
pathcontrol: $bin/control
pathfilter: $dir/filter
pathdb: $dir/db
pathetc: $dir/etc
pathrun: $dir/run
pathlog: $dir/log
pathhttp: $dir/http
pathtmp: $dir/tmp
pathspool: $dir
patharchive: $dir/archive
patharticles: $dir/articles
pathincoming: $dir/incoming
pathoutgoing: $dir/outgoing
pathoverview: $dir/overview
doinnwatch: false
nnrpdloadlimit: 0
backoffauth: false
pgpverify: false
tlscafile: $dir/etc/cert.pem
tlscertfile: $dir/etc/cert.pem
tlskeyfile: $dir/etc/key.pem
END
"$certificate" etc
cat >etc/storage.conf <<END
method tradspool {
    newsgroups: *
    class: 0
}
END
echo 'ME:*::' >etc/newsfeeds
cat >etc/readers.conf <<END
auth all {
    hosts: "127.0.0.0/8, ::1"
    default: anyone
}
access all {
    users: "anyone"
    newsgroups: "*"
    access: RPA
}
END
: >etc/incoming.conf
: >etc/expire.ctl
: >etc/control.ctl
: >etc/moderators
: >etc/localgroups
: >etc/distrib.pats
cat >db/active <<END
control 0000000000 0000000001 n
control.cancel 0000000000 0000000001 n
junk 0000000000 0000000001 n
local.empty 0000000000 0000000001 y
local.tea 0000000000 0000000001 y
END
printf 'local.empty\tNothing\nlocal.tea\tTea\n' >db/newsgroups
printf 'local.empty 1700000000 news\nlocal.tea 1700000000 news\n' >db/active.times
: >db/history
if [ -n "$as_user" ]; then
    chown -R "$user:$group" "$dir"
    chmod a+x "$dir"
fi
$as_user "$bin/makedbz" -i -o -f "$dir/db/history"
exec $as_user "$bin/innd" -d -f -P "$port"
