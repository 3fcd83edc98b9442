#!/bin/sh
# twisted.sh PORT DIR: runs the IRC server of Twisted from PyPI in the foreground on 127.0.0.1:PORT. It requires
# a password, and accepts any.
set -eu
[ $# -eq 2 ] || { echo "usage: $0 PORT DIR" >&2; exit 64; }
port=$1
mkdir -p "$2"
python=$(cd "$(dirname "$0")/../.." && pwd)/.tools/python/bin
[ -e "$python/twistd" ] || { echo "$0: no Twisted in $python; run scripts/setup.sh" >&2; exit 69; }

exec "$python/python" - "$port" <<'END'
import sys
from twisted.cred import checkers, credentials, portal
from twisted.internet import reactor
from twisted.words import service
from zope.interface import implementer


@implementer(checkers.ICredentialsChecker)
class AnyPassword:
    credentialInterfaces = (credentials.IUsernamePassword,)

    def requestAvatarId(self, credentials):
        return credentials.username


realm = service.InMemoryWordsRealm("irc6.example.test")
realm.createGroupOnRequest = realm.createUserOnRequest = True
logins = portal.Portal(realm, [AnyPassword()])
reactor.listenTCP(int(sys.argv[1]), service.IRCFactory(realm, logins), interface="127.0.0.1", backlog=1024)
reactor.run()
END
