/* A minimal IRC server, as the reference for the CPU time per delivery of `linejudge serve`: one thread, epoll, and no
   limits except the sizes of its tables. It supports NICK, USER, JOIN, PRIVMSG to a room, PING and QUIT, and does not
   validate its input.

   fanout: prints "listening on PORT" and runs until it is killed. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

enum { clients_max = 65536, rooms_max = 4096, line_max = 512, name_max = 64, events_max = 256 };

struct client {
    char name[name_max], rest[line_max], *out;
    size_t rest_bytes, out_bytes, out_room;
    int is_marked, is_welcome, waits_for_room, room;
};

struct room {
    char name[name_max];
    int *members, count, capacity;
};

static struct client clients[clients_max];
static struct room rooms[rooms_max];
static int room_count, epoll, marked[clients_max], marked_count;

static void die(const char *what) {
    perror(what);
    exit(1);
}

static void *grown(void *memory, size_t bytes) {
    memory = realloc(memory, bytes);
    if (!memory) die("realloc");
    return memory;
}

/* Appends to the output, which is sent after all input has been processed. */
static void say(int file, const char *text, size_t bytes) {
    struct client *client = &clients[file];
    if (client->out_bytes + bytes > client->out_room) {
        client->out_room = (client->out_bytes + bytes) * 2;
        client->out = grown(client->out, client->out_room);
    }
    memcpy(client->out + client->out_bytes, text, bytes);
    client->out_bytes += bytes;
    if (!client->is_marked) {
        client->is_marked = 1;
        marked[marked_count++] = file;
    }
}

static void watch(int file, int operation, unsigned events) {
    struct epoll_event event = {.events = events, .data.fd = file};
    if (epoll_ctl(epoll, operation, file, &event)) die("epoll_ctl");
}

static void flush(int file) {
    struct client *client = &clients[file];
    if (client->waits_for_room || !client->out_bytes) return;
    ssize_t sent = send(file, client->out, client->out_bytes, MSG_NOSIGNAL);
    if (sent < 0 && errno != EAGAIN) sent = (ssize_t)client->out_bytes;
    if (sent < 0) sent = 0;
    client->out_bytes -= (size_t)sent;
    if (!client->out_bytes) return;
    memmove(client->out, client->out + sent, client->out_bytes);
    client->waits_for_room = 1;
    watch(file, EPOLL_CTL_MOD, EPOLLIN | EPOLLOUT);
}

static struct room *room_of(const char *name) {
    for (int i = 0; i < room_count; i++)
        if (!strcmp(rooms[i].name, name)) return &rooms[i];
    if (room_count == rooms_max) return NULL;
    snprintf(rooms[room_count].name, name_max, "%s", name);
    return &rooms[room_count++];
}

static void tell(const struct room *room, int except, const char *text, size_t bytes) {
    for (int i = 0; i < room->count; i++)
        if (room->members[i] != except) say(room->members[i], text, bytes);
}

static void leave(int file) {
    struct client *client = &clients[file];
    if (client->room < 0) return;
    struct room *room = &rooms[client->room];
    for (int i = 0; i < room->count; i++)
        if (room->members[i] == file) {
            room->members[i] = room->members[--room->count];
            break;
        }
    client->room = -1;
}

static void join(int file, const char *name) {
    struct room *room = room_of(name);
    if (!room || clients[file].room >= 0) return;
    if (room->count == room->capacity) {
        room->capacity = room->capacity * 2 + 16;
        room->members = grown(room->members, sizeof(int) * (size_t)room->capacity);
    }
    room->members[room->count++] = file;
    clients[file].room = (int)(room - rooms);
    char line[line_max];
    const char *own = clients[file].name;
    int bytes = snprintf(line, sizeof line, ":%s!u@127.0.0.1 JOIN %s\r\n", own, name);
    tell(room, -1, line, (size_t)bytes);
    for (int i = 0; i < room->count; i++) {
        const char *member = clients[room->members[i]].name;
        bytes = snprintf(line, sizeof line, ":s 353 %s = %s :%s\r\n", own, name, member);
        say(file, line, (size_t)bytes);
    }
    bytes = snprintf(line, sizeof line, ":s 366 %s %s :End\r\n", own, name);
    say(file, line, (size_t)bytes);
}

/* Executes a line, given without its terminator. */
static void hear(int file, char *line) {
    struct client *client = &clients[file];
    char answer[line_max * 2];
    if (!strncmp(line, "PRIVMSG ", 8)) {
        if (client->room < 0) return;
        int bytes = snprintf(answer, sizeof answer, ":%s!u@127.0.0.1 %s\r\n", client->name, line);
        tell(&rooms[client->room], file, answer, (size_t)bytes);
    } else if (!strncmp(line, "PING ", 5)) {
        int bytes = snprintf(answer, sizeof answer, ":s PONG s %s\r\n", line + 5);
        say(file, answer, (size_t)bytes);
    } else if (!strncmp(line, "NICK ", 5)) {
        snprintf(client->name, name_max, "%s", line + 5);
    } else if (!strncmp(line, "USER ", 5) && !client->is_welcome) {
        client->is_welcome = 1;
        int bytes = snprintf(
            answer, sizeof answer, ":s 001 %s :Welcome\r\n:s 376 %s :End of MOTD\r\n", client->name,
            client->name);
        say(file, answer, (size_t)bytes);
    } else if (!strncmp(line, "JOIN ", 5)) {
        join(file, line + 5);
    } else if (!strncmp(line, "QUIT", 4)) {
        say(file, "ERROR :bye\r\n", 12);
        flush(file);
        shutdown(file, SHUT_WR);
    }
}

static void forget(int file) {
    struct client *client = &clients[file];
    leave(file);
    for (int i = 0; client->is_marked && i < marked_count; i++)
        if (marked[i] == file) {
            marked[i] = marked[--marked_count];
            break;
        }
    free(client->out);
    close(file);
}

static void read_from(int file) {
    static char buffer[65536 + line_max + 1];
    struct client *client = &clients[file];
    memcpy(buffer, client->rest, client->rest_bytes);
    ssize_t count = read(file, buffer + client->rest_bytes, 65536);
    if (count < 0 && errno == EAGAIN) return;
    if (count <= 0) return forget(file);
    char *line = buffer, *end = buffer + client->rest_bytes + count, *stop;
    while ((stop = memchr(line, '\n', (size_t)(end - line)))) {
        *stop = 0;
        if (stop > line && stop[-1] == '\r') stop[-1] = 0;
        if (stop - line <= line_max) hear(file, line);
        line = stop + 1;
    }
    client->rest_bytes = end - line < line_max ? (size_t)(end - line) : 0;
    memcpy(client->rest, line, client->rest_bytes);
}

static void take_in(int listener) {
    int file, one = 1;
    while ((file = accept4(listener, NULL, NULL, SOCK_NONBLOCK)) >= 0) {
        if (file >= clients_max) die("too many clients");
        setsockopt(file, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        memset(&clients[file], 0, sizeof clients[file]);
        clients[file].room = -1;
        watch(file, EPOLL_CTL_ADD, EPOLLIN);
    }
}

static int listen_anywhere(void) {
    struct sockaddr_in place = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof place;
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    if (listener < 0 || bind(listener, (struct sockaddr *)&place, size) || listen(listener, 4096)
        || getsockname(listener, (struct sockaddr *)&place, &size))
        die("listen");
    printf("listening on %d\n", ntohs(place.sin_port));
    fflush(stdout);
    return listener;
}

int main(void) {
    struct rlimit files;
    getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
    epoll = epoll_create1(0);
    int listener = listen_anywhere();
    watch(listener, EPOLL_CTL_ADD, EPOLLIN);
    for (;;) {
        struct epoll_event events[events_max];
        int count = epoll_wait(epoll, events, events_max, -1);
        for (int i = 0; i < count; i++) {
            int file = events[i].data.fd;
            if (file == listener) {
                take_in(listener);
                continue;
            }
            if (events[i].events & EPOLLOUT) {
                clients[file].waits_for_room = 0;
                watch(file, EPOLL_CTL_MOD, EPOLLIN);
                flush(file);
            }
            if (events[i].events & ~(unsigned)EPOLLOUT) read_from(file);
        }
        for (int i = 0; i < marked_count; i++) {
            clients[marked[i]].is_marked = 0;
            flush(marked[i]);
        }
        marked_count = 0;
    }
}
