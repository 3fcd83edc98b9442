#include "CDialects.h"

// Embedding is a C23 feature, which older modes of C allow with a warning.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char beanstalkd[] = {
#embed "../DialectFiles/Dialects/beanstalkd.yaml"
};
static const unsigned char irc[] = {
#embed "../DialectFiles/Dialects/irc.yaml"
};
static const unsigned char jsonl[] = {
#embed "../DialectFiles/Dialects/jsonl.yaml"
};
static const unsigned char livechat[] = {
#embed "../DialectFiles/Dialects/livechat.yaml"
};
static const unsigned char memcached[] = {
#embed "../DialectFiles/Dialects/memcached.yaml"
};
static const unsigned char msnp[] = {
#embed "../DialectFiles/Dialects/msnp.yaml"
};
static const unsigned char mud[] = {
#embed "../DialectFiles/Dialects/mud.yaml"
};
static const unsigned char nats[] = {
#embed "../DialectFiles/Dialects/nats.yaml"
};
static const unsigned char nntp[] = {
#embed "../DialectFiles/Dialects/nntp.yaml"
};
static const unsigned char plain[] = {
#embed "../DialectFiles/Dialects/plain.yaml"
};
static const unsigned char pop3[] = {
#embed "../DialectFiles/Dialects/pop3.yaml"
};
static const unsigned char redis[] = {
#embed "../DialectFiles/Dialects/redis.yaml"
};
static const unsigned char smtp[] = {
#embed "../DialectFiles/Dialects/smtp.yaml"
};
static const unsigned char stomp[] = {
#embed "../DialectFiles/Dialects/stomp.yaml"
};
static const unsigned char teamspeak[] = {
#embed "../DialectFiles/Dialects/teamspeak.yaml"
};

#define DIALECT(name) { #name, name, sizeof name }

static const struct lj_dialect dialects[] = {
    DIALECT(beanstalkd),
    DIALECT(irc),
    DIALECT(jsonl),
    DIALECT(livechat),
    DIALECT(memcached),
    DIALECT(msnp),
    DIALECT(mud),
    DIALECT(nats),
    DIALECT(nntp),
    DIALECT(plain),
    DIALECT(pop3),
    DIALECT(redis),
    DIALECT(smtp),
    DIALECT(stomp),
    DIALECT(teamspeak),
};

int lj_dialect_count(void) { return sizeof dialects / sizeof dialects[0]; }

struct lj_dialect lj_dialect(int index) { return dialects[index]; }
