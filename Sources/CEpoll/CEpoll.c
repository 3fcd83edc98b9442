#define _GNU_SOURCE
#include "CEpoll.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static uint32_t to_epoll(uint32_t events) {
    uint32_t result = EPOLLRDHUP | EPOLLPRI | EPOLLET;
    if (events & LJ_READABLE) result |= EPOLLIN;
    if (events & LJ_WRITABLE) result |= EPOLLOUT;
    return result;
}

static uint32_t from_epoll(uint32_t events) {
    uint32_t result = 0;
    if (events & EPOLLIN) result |= LJ_READABLE;
    if (events & EPOLLOUT) result |= LJ_WRITABLE;
    if (events & (EPOLLHUP | EPOLLERR | EPOLLRDHUP)) result |= LJ_HANGUP;
    if (events & EPOLLPRI) result |= LJ_URGENT;
    return result;
}

static int control(int set, int operation, int socket, uint32_t tag, uint32_t events) {
    struct epoll_event event = {.events = to_epoll(events), .data = {.u32 = tag}};
    return epoll_ctl(set, operation, socket, &event) == 0 ? 0 : -errno;
}

int lj_poll_create(void) {
    int set = epoll_create1(EPOLL_CLOEXEC);
    return set >= 0 ? set : -errno;
}

int lj_poll_add(int set, int socket, uint32_t tag, uint32_t events) {
    return control(set, EPOLL_CTL_ADD, socket, tag, events);
}

int lj_poll_change(int set, int socket, uint32_t tag, uint32_t events) {
    return control(set, EPOLL_CTL_MOD, socket, tag, events);
}

int lj_poll_wait(int set, struct lj_ready *ready, int64_t nanoseconds) {
    struct epoll_event events[LJ_READY_MAX];
    struct timespec time = {nanoseconds / 1000000000, nanoseconds % 1000000000};
    int count = epoll_pwait2(set, events, LJ_READY_MAX, nanoseconds < 0 ? 0 : &time, 0);
    if (count < 0 && errno == ENOSYS) {
        // A kernel before 5.11 counts in milliseconds.
        int64_t rounded = (nanoseconds + 999999) / 1000000;
        count = epoll_wait(set, events, LJ_READY_MAX, nanoseconds < 0 ? -1 : (int)rounded);
    }
    if (count < 0) return errno == EINTR ? 0 : -errno;
    for (int place = 0; place < count; place++) {
        ready[place].tag = events[place].data.u32;
        ready[place].events = from_epoll(events[place].events);
    }
    return count;
}

void lj_exact_waits(void) { prctl(PR_SET_TIMERSLACK, 1000); }

static int64_t read_clock(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

int64_t lj_now(void) { return read_clock(CLOCK_MONOTONIC); }

int64_t lj_thread_cpu(void) { return read_clock(CLOCK_THREAD_CPUTIME_ID); }

int lj_tcp_socket(int family, int resets) {
    int made = socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (made < 0) return -errno;
    int one = 1;
    if (family != AF_UNIX) setsockopt(made, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    if (resets) lj_reset_on_close(made);
    return made;
}

ssize_t lj_send(int socket, const void *bytes, size_t count) {
    ssize_t sent = syscall(SYS_sendto, socket, bytes, count, MSG_NOSIGNAL, NULL, 0);
    return sent >= 0 ? sent : -errno;
}

ssize_t lj_receive(int socket, void *bytes, size_t count) {
    ssize_t received = syscall(SYS_recvfrom, socket, bytes, count, 0, NULL, NULL);
    return received >= 0 ? received : -errno;
}

int lj_socket_error(int socket) {
    int error = 0;
    socklen_t size = sizeof error;
    if (getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &size) != 0) return -errno;
    return -error;
}

void lj_reset_on_close(int socket) {
    struct linger linger = {.l_onoff = 1, .l_linger = 0};
    setsockopt(socket, SOL_SOCKET, SO_LINGER, &linger, sizeof linger);
}
