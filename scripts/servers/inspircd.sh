#!/bin/sh
# inspircd.sh PORT DIR [FILE]: runs InspIRCd in the foreground on 127.0.0.1:PORT, without throttling, with its files
# in DIR. It loads the IRCv3 modules and has the operator `oper` with the password `operpass`. The configuration in
# FILE is added; its <bind> elements take the place of the one for clients.
set -eu
[ $# -eq 2 ] || [ $# -eq 3 ] || { echo "usage: $0 PORT DIR [FILE]" >&2; exit 64; }
port=$1
more="<bind address=\"127.0.0.1\" port=\"$port\" type=\"clients\">"
if [ $# -eq 3 ]; then more="<include file=\"$(realpath "$3")\">"; fi
mkdir -p "$2"
dir=$(cd "$2" && pwd)
tools=$(cd "$(dirname "$0")/../.." && pwd)/.tools/inspircd
[ -e "$tools/.complete" ] || { echo "$0: InspIRCd is not in $tools; run scripts/setup.sh" >&2; exit 69; }

echo "Hello from InspIRCd" >"$dir/motd.txt"
cat >"$dir/inspircd.conf" <<END
<server name="irc2.example.test" description="InspIRCd for tests" network="TestNet" id="1TT">
<admin name="tests" nick="tests" email="nobody@example.test">
<path moduledir="$tools/usr/lib/inspircd/modules" configdir="$dir" datadir="$dir" logdir="$dir" runtimedir="$dir">
<pid file="$dir/inspircd.pid">
$more
<connect name="tests" allow="127.0.0.0/8" timeout="600" pingfreq="3600" localmax="1000000" globalmax="1000000" limit="1000000" maxchans="1000" maxconnwarn="no" threshold="1000000" commandrate="1000000000" fakelag="no" recvq="1M" softsendq="1M" hardsendq="16M" resolvehostnames="no" useident="no" usednsbl="no" useconnectban="no" useconnflood="no">
<performance netbuffersize="65534" somaxconn="4096" softlimit="1000000" clonesonconnect="no">
<cidr ipv4clone="32" ipv6clone="128">
<files motd="$dir/motd.txt">
<module name="ircv3">
<module name="ircv3_accounttag">
<module name="ircv3_batch">
<module name="ircv3_capnotify">
<module name="ircv3_chghost">
<module name="ircv3_ctctags">
<module name="ircv3_echomessage">
<module name="ircv3_invitenotify">
<module name="ircv3_labeledresponse">
<module name="ircv3_msgid">
<module name="ircv3_servertime">
<module name="cap">
<module name="spanningtree">
<module name="services_account">
<module name="monitor">
<module name="namesx">
<module name="uhnames">
<module name="setname">
<module name="botmode">
<module name="banexception">
<module name="inviteexception">
<module name="muteban">
<module name="noctcp">
<module name="chghost">
<class name="tests" commands="*" usermodes="*" chanmodes="*" privs="*">
<type name="tests" classes="tests">
<oper name="oper" password="operpass" host="*@*" type="tests">
<log method="file" type="* -USERINPUT -USEROUTPUT" level="default" target="$dir/inspircd.log">
END
# --runasroot is required for root and has no effect for other users.
exec "$tools/usr/sbin/inspircd" --config="$dir/inspircd.conf" --nofork --runasroot
