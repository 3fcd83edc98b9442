// Lower bound for the cost of a load test with short lines: a minimal server and generator on epoll, in one program.
//
//   LoadReference serve PORT             answers each line "PING x" with "PONG x" on one thread until killed
//   LoadReference load PORT N SECONDS    N connections with one pending request each; prints exchanges and CPU seconds
//
// The generator does the minimum that measuring requires: it reads the clock for each line sent and received, adds the
// difference to a histogram, and compares the number in the answer.

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

enum { readyMax = 512, readMax = 65536, lineMax = 64, connectionsMax = 20000 };

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static uint64_t nanoseconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static double processorSeconds(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
        + (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

static void allowFiles(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}

static struct sockaddr_in loopback(int port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

static void watch(int set, int socket, uint32_t tag) {
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = tag};
    if (epoll_ctl(set, EPOLL_CTL_ADD, socket, &event) != 0) fail("epoll_ctl");
}

// One end of a connection: a partial line, and the pending request.
struct end {
    int socket;
    uint32_t number;
    uint64_t sentAt;
    int partial;
    char line[lineMax];
};

static struct end *ends;

// MARK: Server

static void answer(struct end *end) {
    static char input[readMax + lineMax], output[readMax + lineMax];
    memcpy(input, end->line, (size_t)end->partial);
    ssize_t count = recv(end->socket, input + end->partial, readMax, 0);
    if (count <= 0) {
        if (count < 0 && errno == EAGAIN) return;
        close(end->socket);
        end->socket = -1;
        return;
    }
    size_t length = (size_t)end->partial + (size_t)count, from = 0, written = 0;
    for (char *feed; (feed = memchr(input + from, '\n', length - from)) != NULL;) {
        size_t line = (size_t)(feed - input) + 1 - from;
        memcpy(output + written, input + from, line);
        output[written + 1] = 'O';
        written += line;
        from += line;
    }
    end->partial = (int)(length - from) < lineMax ? (int)(length - from) : 0;
    memcpy(end->line, input + from, (size_t)end->partial);
    if (written > 0 && send(end->socket, output, written, MSG_NOSIGNAL) < 0 && errno != EAGAIN) {
        close(end->socket);
        end->socket = -1;
    }
}

static void serve(int port) {
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0), set = epoll_create1(0), one = 1;
    struct sockaddr_in address = loopback(port);
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0) fail("bind");
    if (listen(listener, 4096) != 0) fail("listen");
    watch(set, listener, UINT32_MAX);
    struct epoll_event ready[readyMax];
    for (;;) {
        int count = epoll_wait(set, ready, readyMax, -1);
        for (int place = 0; place < count; place++) {
            if (ready[place].data.u32 != UINT32_MAX) {
                struct end *end = &ends[ready[place].data.u32];
                if (end->socket >= 0) answer(end);
                continue;
            }
            for (int made; (made = accept4(listener, NULL, NULL, SOCK_NONBLOCK)) >= 0;) {
                if (made >= connectionsMax) {
                    close(made);
                    continue;
                }
                setsockopt(made, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
                ends[made].socket = made;
                ends[made].partial = 0;
                watch(set, made, (uint32_t)made);
            }
        }
    }
}

// MARK: Generator

// Between two and three significant digits: each power of two is divided into 1,024 buckets.
static uint64_t histogram[54 * 1024];

static void file(uint64_t value) {
    int shift = 63 - __builtin_clzll(value | 1023) - 9;
    histogram[(size_t)shift * 1024 + (size_t)(value >> shift)]++;
}

static void ask(struct end *end) {
    // snprintf would take 3 % of the time of an exchange.
    char line[16];
    size_t from = sizeof line - 1;
    uint32_t rest = ++end->number;
    line[from] = '\n';
    do line[--from] = (char)('0' + rest % 10);
    while ((rest /= 10) > 0);
    from -= 5;
    memcpy(line + from, "PING ", 5);
    ssize_t length = (ssize_t)(sizeof line - from);
    end->sentAt = nanoseconds();
    if (send(end->socket, line + from, (size_t)length, MSG_NOSIGNAL) != length) fail("send");
}

static bool isAnswer(const char *line, size_t length, uint32_t number) {
    if (length < 6 || memcmp(line, "PONG ", 5) != 0) return false;
    uint32_t found = 0;
    for (size_t place = 5; place < length; place++) found = found * 10 + (uint32_t)(line[place] - '0');
    return found == number;
}

static void load(int port, int count, double seconds) {
    int set = epoll_create1(0), one = 1;
    struct sockaddr_in address = loopback(port);
    for (int place = 0; place < count; place++) {
        int made = socket(AF_INET, SOCK_STREAM, 0);
        if (made < 0 || connect(made, (struct sockaddr *)&address, sizeof address) != 0) fail("connect");
        struct linger reset = {.l_onoff = 1, .l_linger = 0};
        setsockopt(made, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
        setsockopt(made, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        ends[place].socket = made;
        watch(set, made, (uint32_t)place);
    }
    static char input[readMax + lineMax];
    struct epoll_event ready[readyMax];
    double processor = processorSeconds();
    uint64_t exchanges = 0, wrong = 0, end = nanoseconds() + (uint64_t)(seconds * 1e9), now = 0;
    for (int place = 0; place < count; place++) ask(&ends[place]);
    while (now < end) {
        int many = epoll_wait(set, ready, readyMax, 10);
        now = nanoseconds();
        for (int place = 0; place < many; place++) {
            struct end *one = &ends[ready[place].data.u32];
            memcpy(input, one->line, (size_t)one->partial);
            ssize_t got = recv(one->socket, input + one->partial, readMax, 0);
            if (got <= 0) fail("recv");
            now = nanoseconds();
            size_t length = (size_t)one->partial + (size_t)got, from = 0;
            for (char *feed; (feed = memchr(input + from, '\n', length - from)) != NULL;) {
                size_t line = (size_t)(feed - input) - from;
                if (!isAnswer(input + from, line, one->number)) wrong++;
                file(now - one->sentAt);
                exchanges++;
                from += line + 1;
                ask(one);
            }
            one->partial = (int)(length - from) < lineMax ? (int)(length - from) : 0;
            memcpy(one->line, input + from, (size_t)one->partial);
        }
    }
    printf("%lu %.6f\n", (unsigned long)exchanges, processorSeconds() - processor);
    if (wrong > 0) {
        fprintf(stderr, "%lu wrong answers\n", (unsigned long)wrong);
        exit(1);
    }
}

int main(int count, char **arguments) {
    allowFiles();
    ends = calloc(connectionsMax, sizeof *ends);
    if (ends == NULL) fail("calloc");
    if (count == 3 && strcmp(arguments[1], "serve") == 0) {
        serve(atoi(arguments[2]));
    } else if (count == 5 && strcmp(arguments[1], "load") == 0) {
        int connections = atoi(arguments[3]);
        if (connections < 1 || connections > connectionsMax) return 2;
        load(atoi(arguments[2]), connections, atof(arguments[4]));
    } else {
        fprintf(stderr, "usage: LoadReference serve PORT | load PORT CONNECTIONS SECONDS\n");
        return 2;
    }
    return 0;
}
