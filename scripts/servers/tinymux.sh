#!/bin/sh
# tinymux.sh PORT DIR: runs TinyMUX in the foreground on 127.0.0.1:PORT with an empty world: one room, Limbo, and the
# player Wizard with the password `potrzebie`. Players may create characters and send commands without limit, and
# several spaces in a row are kept. All files are written to DIR.
set -eu
[ $# -eq 2 ] || { echo "usage: $0 PORT DIR" >&2; exit 64; }
port=$1
mkdir -p "$2/data"
dir=$(cd "$2" && pwd)
tools=$(cd -P "$(dirname "$0")/../.." && pwd)/.tools/tinymux
[ -e "$tools/.complete" ] || { echo "$0: TinyMUX is not in $tools; run scripts/setup.sh" >&2; exit 69; }

# TinyMUX looks for its programs and files in its working directory.
ln -sfn "$tools/usr/lib/tinymux/game/bin" "$dir/bin"
for name in text alias.conf compat.conf; do
    ln -sfn "$tools/usr/share/tinymux/game/$name" "$dir/$name"
done
cat >"$dir/netmux.conf" <<END
ip_address 127.0.0.1
port $port
mud_name TestMUX
input_database data/netmux.db
output_database data/netmux.db.new
crash_database data/netmux.db.CRASH
game_dir_file data/netmux.dir
game_pag_file data/netmux.pag
mail_database data/mail.db
comsys_database data/comsys.db
raw_helpfile help text/help
include alias.conf
include compat.conf
hostnames no
space_compress no
command_quota_max 1000000
command_quota_increment 1000000
pcreate_per_hour 1000000
retry_limit 1000000
END
cd "$dir"
export LD_LIBRARY_PATH=bin
set -- bin/netmux -c netmux.conf -p netmux.pid -s -e -
# It needs no privileges.
if [ "$(id -u)" = 0 ]; then
    chown -R 65534:65534 "$dir"
    set -- setpriv --reuid=65534 --regid=65534 --clear-groups --pdeathsig=keep \
        --inh-caps=+dac_override --ambient-caps=+dac_override "$@"
fi
exec "$@"
