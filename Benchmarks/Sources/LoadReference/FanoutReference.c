// Reference for the cost of tracking deliveries in `linejudge load`, with the same server (RoomsReference) in the same run.
//
//   FanoutReference PORT CONNECTIONS ROOM-SIZE SECONDS RATE BATCH-INTERVAL-MS MODE
//
// MODE is the server's. In each mode but "same", lines start with a number of the server's.
// Lines are as long as those of the load test. Each contains its room, sender, number and scheduled send time. Each that
// arrives is classified as in order, late, duplicate or foreign, and timed from the scheduled and from the actual send.
// Prints the number of deliveries and the CPU seconds in user and system mode; exits with 1 on any violation.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { textBytes = 64, lineBytes = 4 + textBytes + 1, receivedMax = lineBytes + 20, readMax = 65536, readyMax = 1024, stepsMax = 34 * 1024, sentMax = 1 << 20 };

struct peer {
    int socket, room, place;
    size_t rest;
    uint32_t sent, *next;
    uint64_t *holes;
    char part[receivedMax];
};

static struct peer *peers;
static bool isMarked;
static int64_t begin, sentAt[sentMax];
static uint32_t responses[stepsMax], services[stepsMax], seconds[stepsMax];
static uint64_t inOrder, late, twice, foreign, missing, sentCount;

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

/// Three significant digits, as in HdrHistogram.
static int step(int64_t value) {
    uint64_t time = value < 0 ? 0 : (uint64_t)value;
    int bucket = 53 - __builtin_clzll(time | 2047);
    int place = (bucket << 10) + (int)(time >> bucket);
    return place < stepsMax ? place : stepsMax - 1;
}

static char *write_number(char *to, uint64_t value) {
    char digits[20];
    int count = 0;
    do digits[count++] = '0' + value % 10;
    while (value /= 10);
    while (count) *to++ = digits[--count];
    *to++ = ' ';
    return to;
}

static uint64_t read_number(const char **from) {
    uint64_t value = 0;
    while (**from >= '0') value = value * 10 + (uint64_t)(*(*from)++ - '0');
    (*from)++;
    return value;
}

static void say(struct peer *peer, int64_t intended) {
    char line[lineBytes];
    memset(line, '-', sizeof line);
    memcpy(line, "MSG ", 4);
    char *end = write_number(line + 4, (uint64_t)peer->room);
    end = write_number(end, (uint64_t)peer->place);
    end = write_number(end, peer->sent++);
    end = write_number(end, sentCount);
    write_number(end, (uint64_t)(intended - begin));
    line[lineBytes - 1] = '\n';
    sentAt[sentCount++ % sentMax] = now();
    if (send(peer->socket, line, sizeof line, MSG_NOSIGNAL) != sizeof line) fail("send");
}

static void take(struct peer *peer, const char *line, int64_t time) {
    const char *at = line + 4;
    if (isMarked) read_number(&at);
    uint64_t room = read_number(&at), sender = read_number(&at), sequence = read_number(&at);
    uint64_t number = read_number(&at);
    int64_t intended = begin + (int64_t)read_number(&at);
    if ((int)room != peer->room) {
        foreign++;
        return;
    }
    uint32_t next = peer->next[sender];
    if (sequence == next) {
        peer->next[sender]++;
        peer->holes[sender] <<= 1;
    } else if (sequence > next) {
        uint64_t gap = sequence - next;
        missing += gap;
        peer->holes[sender] = gap > 62 ? ~0ULL << 1 : peer->holes[sender] << (gap + 1) | ((1ULL << gap) - 1) << 1;
        peer->next[sender] = (uint32_t)sequence + 1;
    } else {
        uint64_t back = next - 1 - sequence;
        if (back > 63 || !(peer->holes[sender] >> back & 1)) {
            twice++;
            return;
        }
        peer->holes[sender] &= ~(1ULL << back);
        late++;
        missing--;
    }
    inOrder++;
    responses[step(time - intended)]++;
    seconds[step(time - intended)]++;
    services[step(time - sentAt[number % sentMax])]++;
}

static void receive(struct peer *peer) {
    static char buffer[readMax + receivedMax];
    memcpy(buffer, peer->part, peer->rest);
    ssize_t count = recv(peer->socket, buffer + peer->rest, readMax, 0);
    if (count <= 0) fail("recv");
    int64_t time = now();
    char *from = buffer, *end = buffer + peer->rest + count, *stop;
    while ((stop = memchr(from, '\n', (size_t)(end - from)))) {
        take(peer, from, time);
        from = stop + 1;
    }
    peer->rest = (size_t)(end - from);
    if (peer->rest >= receivedMax) exit(1);
    memcpy(peer->part, from, peer->rest);
}

static void enter(struct peer *peer, int number, int size, int port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int one = 1;
    struct linger reset = {1, 0};
    peer->room = number / size;
    peer->place = number % size;
    peer->next = calloc((size_t)size, sizeof *peer->next);
    peer->holes = calloc((size_t)size, sizeof *peer->holes);
    peer->socket = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(peer->socket, (void *)&address, sizeof address) != 0) fail("connect");
    setsockopt(peer->socket, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    setsockopt(peer->socket, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
    char line[32];
    int count = snprintf(line, sizeof line, "JOIN %d\n", peer->room);
    if (send(peer->socket, line, (size_t)count, MSG_NOSIGNAL) != count) fail("send");
    if (recv(peer->socket, line, sizeof line, 0) <= 0) fail("recv");
}

int main(int count, char **words) {
    if (count != 8) {
        fprintf(stderr, "usage: %s PORT CONNECTIONS ROOM-SIZE SECONDS RATE BATCH-INTERVAL-MS MODE\n", words[0]);
        return 64;
    }
    isMarked = strcmp(words[7], "same") != 0;
    int port = atoi(words[1]), connections = atoi(words[2]), size = atoi(words[3]);
    double rate = atof(words[5]);
    int64_t duration = (int64_t)(atof(words[4]) * 1e9), quantum = atoll(words[6]) * 1000000;
    struct rlimit files;
    getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
    peers = calloc((size_t)connections, sizeof *peers);
    int set = epoll_create1(0);
    for (int number = 0; number < connections; number++) {
        enter(&peers[number], number, size, port);
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = &peers[number]};
        epoll_ctl(set, EPOLL_CTL_ADD, peers[number].socket, &event);
    }
    struct rusage before, after;
    getrusage(RUSAGE_SELF, &before);
    begin = now();
    uint64_t measured = 0;
    bool isMeasured = true;
    int rooms = connections / size;
    for (int64_t time = begin;;) {
        int64_t due = begin + duration;
        while (time < begin + duration) {
            due = begin + (int64_t)((double)sentCount * 1e9 / rate) / quantum * quantum;
            if (due > time || due >= begin + duration) break;
            // One member of each room, then the next member of each.
            int number = (int)(sentCount % (uint64_t)connections);
            say(&peers[number % rooms * size + number / rooms], due);
            time = now();
        }
        if (time >= begin + duration && isMeasured) {
            isMeasured = false;
            measured = inOrder;
            getrusage(RUSAGE_SELF, &after);
        }
        struct epoll_event ready[readyMax];
        int64_t wait = isMeasured ? due - time : 500000000;
        struct timespec most = {wait > 0 ? wait / 1000000000 : 0, wait > 0 ? wait % 1000000000 : 0};
        int found = epoll_pwait2(set, ready, readyMax, &most, NULL);
        if (found == 0 && !isMeasured) break;
        for (int place = 0; place < found; place++) receive(ready[place].data.ptr);
        time = now();
    }
    double user = (double)(after.ru_utime.tv_sec - before.ru_utime.tv_sec)
        + (double)(after.ru_utime.tv_usec - before.ru_utime.tv_usec) / 1e6;
    double system = (double)(after.ru_stime.tv_sec - before.ru_stime.tv_sec)
        + (double)(after.ru_stime.tv_usec - before.ru_stime.tv_usec) / 1e6;
    printf("%lu %.6f %.6f\n", measured, user, system);
    uint64_t owed = sentCount * (uint64_t)(size - 1);
    return inOrder != owed || late || twice || foreign || missing;
}
