// A minimal chat server for measuring the generator's cost of a fan-out: it needs little CPU time and delivers in as
// few writes as possible.
//
//   RoomsReference same|timed|numbered PORT
//
// "JOIN room" is answered with "JOINED room"; "MSG text" goes to all others of the sender's room:
//
//   same      as "MSG text"
//   timed     as "MSG TIME text", with the server's time in nanoseconds, the same for all recipients
//   numbered  as "MSG NUMBER text", with a number of the line that differs for each recipient
//
// Output is collected per connection and written after all available input has been read.

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

enum { peersMax = 20000, roomsMax = 4096, membersMax = 4096, nameMax = 16, lineMax = 512, readMax = 65536, readyMax = 512 };

struct peer {
    bool isOpen, isMarked, waits;
    int room, place;
    size_t restBytes, outBytes, outRoom;
    unsigned long delivered;
    char rest[lineMax], *out;
};

struct room {
    char name[nameMax + 1];
    int count, *members;
};

static struct peer peers[peersMax];
static struct room rooms[roomsMax];
static int roomCount, set, marked[peersMax], markedCount;
static enum { same, timed, numbered } mode;

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static void queue(int number, const char *bytes, size_t count) {
    struct peer *peer = &peers[number];
    if (peer->outBytes + count > peer->outRoom) {
        peer->outRoom = (peer->outBytes + count) * 2;
        peer->out = realloc(peer->out, peer->outRoom);
        if (!peer->out) fail("realloc");
    }
    memcpy(peer->out + peer->outBytes, bytes, count);
    peer->outBytes += count;
    if (!peer->isMarked) {
        peer->isMarked = true;
        marked[markedCount++] = number;
    }
}

static void watchFor(int number, int operation, bool writing) {
    struct epoll_event event = {.events = EPOLLIN | (writing ? EPOLLOUT : 0), .data.fd = number};
    if (epoll_ctl(set, operation, number, &event) != 0) fail("epoll_ctl");
}

static void flush(int number) {
    struct peer *peer = &peers[number];
    if (peer->outBytes == 0 || !peer->isOpen) return;
    ssize_t sent = send(number, peer->out, peer->outBytes, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0 && errno != EAGAIN) return;
    size_t taken = sent > 0 ? (size_t)sent : 0;
    memmove(peer->out, peer->out + taken, peer->outBytes - taken);
    peer->outBytes -= taken;
    if (peer->waits != (peer->outBytes > 0)) {
        peer->waits = peer->outBytes > 0;
        watchFor(number, EPOLL_CTL_MOD, peer->waits);
    }
}

static int roomNamed(const char *name, size_t count) {
    for (int place = 0; place < roomCount; place++)
        if (strlen(rooms[place].name) == count && memcmp(rooms[place].name, name, count) == 0) return place;
    if (roomCount == roomsMax || count > nameMax) return -1;
    struct room *room = &rooms[roomCount];
    memcpy(room->name, name, count);
    room->members = calloc(membersMax, sizeof *room->members);
    if (!room->members) fail("calloc");
    return roomCount++;
}

static void leave(int number) {
    struct peer *peer = &peers[number];
    if (peer->room < 0) return;
    struct room *room = &rooms[peer->room];
    int last = room->members[--room->count];
    room->members[peer->place] = last;
    peers[last].place = peer->place;
    peer->room = -1;
}

static void join(int number, const char *line, size_t count) {
    int place = roomNamed(line + 5, count - 6);
    if (place < 0 || rooms[place].count == membersMax) return;
    leave(number);
    struct room *room = &rooms[place];
    peers[number].room = place;
    peers[number].place = room->count;
    room->members[room->count++] = number;
    queue(number, "JOINED ", 7);
    queue(number, line + 5, count - 5);
}

// Writes a number and a space; returns their length.
static size_t write_number(char *to, unsigned long value) {
    char digits[20];
    size_t count = 0, length = 0;
    do digits[count++] = (char)('0' + value % 10);
    while (value /= 10);
    while (count) to[length++] = digits[--count];
    to[length++] = ' ';
    return length;
}

// A line with its terminator.
static void take(int number, const char *line, size_t count) {
    struct peer *peer = &peers[number];
    if (count > 6 && memcmp(line, "JOIN ", 5) == 0) {
        join(number, line, count);
    } else if (count > 5 && memcmp(line, "MSG ", 4) == 0 && peer->room >= 0) {
        struct room *room = &rooms[peer->room];
        char start[32] = "MSG ";
        size_t startBytes = 4;
        if (mode == timed) {
            struct timespec time;
            clock_gettime(CLOCK_REALTIME, &time);
            startBytes += write_number(start + 4, (unsigned long)time.tv_sec * 1000000000 + (unsigned long)time.tv_nsec);
        }
        for (int place = 0; place < room->count; place++) {
            int member = room->members[place];
            if (member == number) continue;
            if (mode == numbered) startBytes = 4 + write_number(start + 4, (unsigned long)member * 1000000 + peers[member].delivered++);
            queue(member, start, startBytes);
            queue(member, line + 4, count - 4);
        }
    }
}

static void end(int number) {
    leave(number);
    free(peers[number].out);
    bool isMarked = peers[number].isMarked;
    memset(&peers[number], 0, sizeof peers[number]);
    peers[number].isMarked = isMarked;
    close(number);
}

static void readFrom(int number) {
    static char bytes[lineMax + readMax];
    struct peer *peer = &peers[number];
    memcpy(bytes, peer->rest, peer->restBytes);
    ssize_t count = recv(number, bytes + peer->restBytes, readMax, MSG_DONTWAIT);
    if (count == 0 || (count < 0 && errno != EAGAIN)) {
        end(number);
        return;
    }
    if (count < 0) return;
    char *line = bytes, *limit = bytes + peer->restBytes + count, *stop;
    while ((stop = memchr(line, '\n', (size_t)(limit - line)))) {
        take(number, line, (size_t)(stop + 1 - line));
        line = stop + 1;
    }
    peer->restBytes = (size_t)(limit - line) < lineMax ? (size_t)(limit - line) : 0;
    memcpy(peer->rest, line, peer->restBytes);
}

static void acceptAll(int listener) {
    int number, one = 1;
    while ((number = accept4(listener, 0, 0, SOCK_NONBLOCK)) >= 0) {
        if (number >= peersMax) {
            close(number);
            continue;
        }
        setsockopt(number, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        peers[number].isOpen = true;
        peers[number].room = -1;
        watchFor(number, EPOLL_CTL_ADD, false);
    }
}

int main(int count, char **words) {
    const char *modes[] = {"same", "timed", "numbered"};
    int chosen = 0;
    while (count == 3 && chosen < 3 && strcmp(words[1], modes[chosen]) != 0) chosen++;
    if (count != 3 || chosen == 3) {
        fprintf(stderr, "usage: %s same|timed|numbered PORT\n", words[0]);
        return 64;
    }
    mode = chosen;
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0), one = 1;
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(words[2]))};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0 || listen(listener, 4096) != 0) fail("listen");
    set = epoll_create1(0);
    watchFor(listener, EPOLL_CTL_ADD, false);
    struct epoll_event ready[readyMax];
    for (;;) {
        int events = epoll_wait(set, ready, readyMax, -1);
        for (int place = 0; place < events; place++) {
            int number = ready[place].data.fd;
            if (number == listener) {
                acceptAll(listener);
                continue;
            }
            if (ready[place].events & EPOLLOUT) flush(number);
            if (ready[place].events & (EPOLLIN | EPOLLHUP | EPOLLERR)) readFrom(number);
        }
        for (int place = 0; place < markedCount; place++) {
            peers[marked[place]].isMarked = false;
            flush(marked[place]);
        }
        markedCount = 0;
    }
}
