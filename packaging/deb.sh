#!/bin/bash
# Makes a Debian package from an unpacked archive.
#
#   packaging/deb.sh FOLDER VERSION OUTPUT-FOLDER
set -euo pipefail
cd "$(dirname "$0")/.."
export LC_ALL=C

source=$1 version=$2 out=$3
architecture=$(dpkg --print-architecture)
maintainer='The Linejudge authors <linejudge@example.invalid>'
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root
doc=$root/usr/share/doc/linejudge
share=$root/usr/share

install -D -m 755 "$source/linejudge" "$root/usr/bin/linejudge"
install -d "$share/man/man1" "$share/linejudge" "$doc"
for page in "$source"/man/*.1; do
    gzip -n -9 <"$page" >"$share/man/man1/$(basename "$page").gz"
done
install -d "$share/bash-completion/completions"
sed '1{/^#!/d}' "$source/completions/linejudge.bash" \
    >"$share/bash-completion/completions/linejudge"
install -D -m 644 "$source/completions/_linejudge" "$share/zsh/vendor-completions/_linejudge"
install -D -m 644 "$source/completions/linejudge.fish" \
    "$share/fish/vendor_completions.d/linejudge.fish"
cp -R "$source/Scenarios" "$source/Examples" "$share/linejudge/"
cp -R "$source/docs" "$source/README.md" "$doc/"
gzip -n -9 <"$source/CHANGELOG.md" >"$doc/CHANGELOG.md.gz"
gzip -n -9 >"$doc/changelog.gz" <<END
linejudge ($version) unstable; urgency=medium

  * Release $version; the changes are in CHANGELOG.md.gz.

 -- $maintainer  $(date --utc --date="@$SOURCE_DATE_EPOCH" +'%a, %d %b %Y %T +0000')
END
cat packaging/copyright >"$doc/copyright"
gzip -n -9 <"$source/THIRD-PARTY-LICENCES" >"$doc/THIRD-PARTY-LICENCES.gz"

# The dependencies are computed from the symbols that the binary uses.
mkdir "$work/debian"
printf 'Source: linejudge\n\nPackage: linejudge\nArchitecture: any\n' >"$work/debian/control"
depends=$(cd "$work" && dpkg-shlibdeps -O -e"root/usr/bin/linejudge" 2>"$work/messages" |
    sed -n 's/^shlibs:Depends=//p')
[ -n "$depends" ] || { cat "$work/messages" >&2; exit 1; }

mkdir "$root/DEBIAN"
cat >"$root/DEBIAN/control" <<END
Package: linejudge
Version: $version
Architecture: $architecture
Maintainer: $maintainer
Installed-Size: $(du -sk --apparent-size "$root/usr" | cut -f 1)
Depends: $depends
Suggests: ca-certificates
Section: net
Priority: optional
Description: conformance and load testing for line-based chat servers
 Linejudge runs scenarios written in plain text against servers for IRC, NATS,
 MSNP, TeamSpeak ServerQuery or a protocol described in a few lines of YAML, and
 reports, line by line, what differs. It derives checks from the protocol, and
 simulates thousands of users.
END
(cd "$root" && find usr -type f -print0 | sort -z | xargs -0 md5sum) >"$root/DEBIAN/md5sums"
chmod -R u+rwX,go+rX,go-w "$root"
find "$root" -print0 | xargs -0 touch --no-dereference --date="@$SOURCE_DATE_EPOCH"
dpkg-deb --root-owner-group -Zxz --build "$root" \
    "$out/linejudge_${version}_$architecture.deb" >/dev/null
