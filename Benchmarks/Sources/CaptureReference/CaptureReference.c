// Reference for `linejudge decode`: reads a capture, reassembles the TCP streams and prints their lines with time,
// addresses, direction and escaped control bytes. It supports only Ethernet and IPv4, decodes no messages, and does
// not report missing data.
//
//     CaptureReference generate FILE MEGABYTES [CONNECTIONS]    writes a chat of CONNECTIONS (64) connections
//     CaptureReference unique FILE MEGABYTES [CONNECTIONS]      the same, but no two lines are equal
//     CaptureReference print FILE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CONNECTIONS_USUAL = 64, CONNECTIONS_MAX = 24000, MEMBERS = 8, SLOTS = 65536, LINE_MAX = 65536, OUT = 1 << 18 };

static void be16(uint8_t *p, unsigned v) { p[0] = v >> 8; p[1] = v; }
static void be32(uint8_t *p, uint32_t v) { be16(p, v >> 16); be16(p + 2, v); }
static unsigned get16(const uint8_t *p) { return p[0] << 8 | p[1]; }
static uint32_t get32(const uint8_t *p) { return (uint32_t)get16(p) << 16 | get16(p + 2); }

// --- generate

static uint64_t random_state = 88172645463325252ull;
static uint32_t next_random(uint32_t below) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (random_state >> 11) % below;
}

struct peer { uint32_t seq[2]; };

static void packet(FILE *f, uint64_t *time, struct peer *peers, int c, int server, unsigned flags,
                   const char *data, unsigned count) {
    uint8_t b[16 + 54 + 4096];
    uint8_t *e = b + 16, *ip = e + 14, *tcp = ip + 20;
    *time += 1 + next_random(40);
    uint32_t head[4] = { 1700000000u + *time / 1000000, *time % 1000000, 54 + count, 54 + count };
    memcpy(b, head, 16);
    memset(e, 2, 12); be16(e + 12, 0x0800);
    memset(ip, 0, 40);
    ip[0] = 0x45; be16(ip + 2, 40 + count); ip[8] = 64; ip[9] = 6;
    be32(ip + (server ? 16 : 12), 0x0A000000 + c + 2); be32(ip + (server ? 12 : 16), 0x0A000001);
    be16(tcp + (server ? 2 : 0), 40000 + c); be16(tcp + (server ? 0 : 2), 6667);
    be32(tcp + 4, peers[c].seq[server]); be32(tcp + 8, flags & 16 ? peers[c].seq[!server] : 0);
    tcp[12] = 0x50; tcp[13] = flags; be16(tcp + 14, 65535);
    memcpy(tcp + 20, data, count);
    peers[c].seq[server] += count + (flags & 3 ? 1 : 0);
    fwrite(b, 1, 16 + 54 + count, f);
}

static const char *words[] = { "the", "server", "answered", "hello", "what", "time", "is", "it", "now",
    "nobody", "knows", "ok", "see", "you", "later", "perhaps", "tomorrow", "at", "noon", "thanks" };

// True if each text gets a number, so that no two lines are equal.
static int is_unique;
static unsigned long texts;

static unsigned text(char *to) {
    unsigned n = is_unique ? sprintf(to, "%lu ", texts++) : 0, count = 3 + next_random(14);
    while (count--) n += sprintf(to + n, "%s%s", words[next_random(20)], count ? " " : "");
    return n;
}

static int generate(const char *path, long megabytes, int connections) {
    FILE *f = fopen(path, "wb");
    if (!f) { perror(path); return 1; }
    setvbuf(f, NULL, _IOFBF, 1 << 20);
    uint32_t head[6] = { 0xA1B2C3D4, 4 << 16 | 2, 0, 0, 262144, 1 };
    fwrite(head, 1, 24, f);
    static struct peer peers[CONNECTIONS_MAX];
    int rooms = connections / MEMBERS;
    uint64_t time = 0;
    char data[4096], words_text[512];
    for (int c = 0; c < connections; c++) {
        peers[c].seq[0] = next_random(1u << 31); peers[c].seq[1] = next_random(1u << 31);
        packet(f, &time, peers, c, 0, 2, "", 0);
        packet(f, &time, peers, c, 1, 18, "", 0);
        packet(f, &time, peers, c, 0, 16, "", 0);
        unsigned n = sprintf(data, "NICK user%d\r\nUSER user%d 0 * :User %d\r\n", c, c, c);
        packet(f, &time, peers, c, 0, 24, data, n);
        n = sprintf(data, ":irc.example 001 user%d :Welcome\r\n", c);
        packet(f, &time, peers, c, 1, 24, data, n);
    }
    while (ftell(f) < megabytes * 1000000) {
        int from = next_random(connections);
        text(words_text);
        unsigned n = sprintf(data, "PRIVMSG #room%d :%s\r\n", from % rooms, words_text);
        packet(f, &time, peers, from, 0, 24, data, n);
        // Deliver it to the room; sometimes several lines share a segment.
        for (int c = from % rooms; c < connections; c += rooms) {
            if (c == from) continue;
            if (is_unique) text(words_text);
            n = sprintf(data, ":user%d!user%d@10.0.0.%d PRIVMSG #room%d :%s\r\n", from, from, from,
                        from % rooms, words_text);
            unsigned more = next_random(8) ? 0 : next_random(12);
            while (more--) {
                text(words_text);
                n += sprintf(data + n, ":user%d!user%d@10.0.0.%d PRIVMSG #room%d :%s\r\n", from, from,
                             from, from % rooms, words_text);
            }
            packet(f, &time, peers, c, 1, 24, data, n);
            if (!next_random(2)) packet(f, &time, peers, c, 0, 16, "", 0);
        }
    }
    return fclose(f) == 0 ? 0 : 1;
}

// --- print

// Segments that arrived early.
struct piece { struct piece *after; uint32_t seq; unsigned count; char data[]; };
struct flow { uint64_t addresses; uint32_t ports, next; short known, server; unsigned held; char *line; struct piece *parked; };
static struct flow flows[SLOTS];
static char out[OUT + 4 * LINE_MAX + 256];
static unsigned out_count;

static void flush_out(void) {
    for (unsigned at = 0; at < out_count;) {
        ssize_t n = write(1, out + at, out_count - at);
        if (n <= 0) exit(1);
        at += n;
    }
    out_count = 0;
}

static void print_line(uint32_t s, uint32_t us, const struct flow *f, const char *line, unsigned count) {
    char *p = out + out_count, digits[64];
    int n = sprintf(digits, "%02u:%02u:%02u.%06u %08x:%u > %08x:%u %c ", s / 3600 % 24, s / 60 % 60, s % 60, us,
                    (unsigned)(f->addresses >> 32), f->ports >> 16, (unsigned)f->addresses,
                    f->ports & 65535, f->server ? '<' : '>');
    memcpy(p, digits, n);
    p += n;
    for (unsigned i = 0; i < count; i++) {
        unsigned char c = line[i];
        if (c >= 32 && c != 127) {
            *p++ = c;
        } else {
            *p++ = '\\'; *p++ = 'x'; *p++ = "0123456789abcdef"[c >> 4]; *p++ = "0123456789abcdef"[c & 15];
        }
    }
    *p++ = '\n';
    out_count = p - out;
    if (out_count > OUT) flush_out();
}

static void take(struct flow *f, uint32_t s, uint32_t us, const char *data, unsigned count) {
    while (count) {
        const char *end = memchr(data, '\n', count);
        unsigned part = end ? end - data : count;
        if (!end || f->held) {
            if (!f->line) f->line = malloc(LINE_MAX);
            unsigned room = LINE_MAX - f->held, n = part < room ? part : room;
            memcpy(f->line + f->held, data, n);
            f->held += n;
        }
        if (!end) return;
        const char *line = f->held ? f->line : data;
        unsigned length = f->held ? f->held : part;
        if (length && line[length - 1] == '\r') length--;
        print_line(s, us, f, line, length);
        f->held = 0;
        data += part + 1;
        count -= part + 1;
    }
}

static void park(struct flow *f, uint32_t seq, const char *data, unsigned count) {
    struct piece **at = &f->parked;
    while (*at && (int32_t)((*at)->seq - seq) < 0) at = &(*at)->after;
    struct piece *new = malloc(sizeof *new + count);
    new->after = *at; new->seq = seq; new->count = count;
    memcpy(new->data, data, count);
    *at = new;
}

// Processes a segment: in-order data at once, early data when its turn comes, and only the new part of duplicates.
static void take_segment(struct flow *f, uint32_t s, uint32_t us, uint32_t seq, const char *data, unsigned count) {
    int32_t early = seq - f->next;
    if (early > 0) { park(f, seq, data, count); return; }
    if (-early >= (int32_t)count) return;
    f->next = seq + count;
    take(f, s, us, data - early, count + early);
    while (f->parked && (int32_t)(f->parked->seq - f->next) <= 0) {
        struct piece *p = f->parked;
        f->parked = p->after;
        take_segment(f, s, us, p->seq, p->data, p->count);
        free(p);
    }
}

static int print(const char *path) {
    int fd = open(path, O_RDONLY);
    struct stat st;
    if (fd < 0 || fstat(fd, &st)) { perror(path); return 1; }
    const uint8_t *b = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0), *end = b + st.st_size;
    for (b += 24; b + 16 <= end;) {
        uint32_t head[4];
        memcpy(head, b, 16);
        const uint8_t *e = b + 16;
        b = e + head[2];
        if (b > end || head[2] < 54 || get16(e + 12) != 0x0800 || e[23] != 6) continue;
        const uint8_t *ip = e + 14, *tcp = ip + (ip[0] & 15) * 4;
        unsigned total = get16(ip + 2), header = (tcp - ip) + (tcp[12] >> 4) * 4;
        if (total < header || ip + total > b) continue;
        uint64_t addresses = (uint64_t)get32(ip + 12) << 32 | get32(ip + 16);
        uint32_t ports = get32(tcp), seq = get32(tcp + 4);
        unsigned slot = (addresses * 0x9E3779B97F4A7C15ull ^ ports * 2654435761u) >> 17 & (SLOTS - 1);
        while (flows[slot].known && (flows[slot].addresses != addresses || flows[slot].ports != ports))
            slot = (slot + 1) & (SLOTS - 1);
        struct flow *f = &flows[slot];
        if (!f->known || tcp[13] & 2) {
            f->known = 1; f->addresses = addresses; f->ports = ports;
            f->next = seq + (tcp[13] & 2 ? 1 : 0);
            f->server = tcp[13] & 2 ? (tcp[13] & 16) != 0 : ports >> 16 < (ports & 65535);
            if (tcp[13] & 2) continue;
        }
        unsigned count = total - header;
        if (count) take_segment(f, head[0], head[1], seq, (const char *)ip + header, count);
    }
    flush_out();
    return 0;
}

int main(int argc, char **argv) {
    int connections = argc == 5 ? atoi(argv[4]) : CONNECTIONS_USUAL;
    is_unique = argc > 1 && !strcmp(argv[1], "unique");
    if ((argc == 4 || argc == 5) && (is_unique || !strcmp(argv[1], "generate")) && connections >= MEMBERS &&
        connections <= CONNECTIONS_MAX)
        return generate(argv[2], atol(argv[3]), connections);
    if (argc == 3 && !strcmp(argv[1], "print")) return print(argv[2]);
    fprintf(stderr, "usage: %s generate|unique FILE MEGABYTES [CONNECTIONS] | print FILE\n", argv[0]);
    return 64;
}
