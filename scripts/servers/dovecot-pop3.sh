#!/bin/sh
# dovecot-pop3.sh PORT DIR: runs Dovecot's POP3 server in the foreground on 127.0.0.1:PORT, with STLS and a
# self-signed certificate. Every user has the password `sesame` and a mailbox with two messages. All files are
# written to DIR.
set -eu
[ $# -eq 2 ] || { echo "usage: $0 PORT DIR" >&2; exit 64; }
PATH="$PATH:/usr/sbin"
command -v dovecot >/dev/null || { echo "$0: dovecot not found; run scripts/setup.sh" >&2; exit 69; }
port=$1
mkdir -p "$2/mail/new" "$2/mail/cur" "$2/mail/tmp" "$2/run" "$2/state"
dir=$(cd "$2" && pwd)
user=$(id -un)
group=$(id -gn)
# Dovecot reads mail only as an ordinary user.
if [ "$(id -u)" = 0 ]; then
    user=nobody
    group=nogroup
    chown -R "$user:$group" "$dir/mail"
    chmod a+x "$dir"
fi

for message in 1 2; do
    printf 'Subject: Tea %s\r\n\r\n.with milk\r\n' "$message" >"$dir/mail/cur/$message:2,S"
done
"$(dirname "$0")/certificate.sh" "$dir"
cat >"$dir/dovecot.conf" <<END
base_dir = $dir/run
state_dir = $dir/state
log_path = /dev/stderr
protocols = pop3
listen = 127.0.0.1
ssl = yes
ssl_cert = <$dir/cert.pem
ssl_key = <$dir/key.pem
disable_plaintext_auth = no
default_login_user = $user
default_internal_user = $user
default_internal_group = $group
mail_location = maildir:$dir/mail:INDEX=MEMORY
mail_uid = $user
mail_gid = $group
first_valid_uid = 1
auth_mechanisms = plain
passdb {
  driver = static
  args = password=sesame
}
userdb {
  driver = static
  args = uid=$user gid=$group home=$dir/mail
}
service pop3-login {
  chroot =
  inet_listener pop3 {
    port = $port
  }
  inet_listener pop3s {
    port = 0
  }
}
service anvil {
  chroot =
}
service stats {
  chroot =
}
END
exec dovecot -F -c "$dir/dovecot.conf"
