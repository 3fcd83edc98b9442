#ifndef LINEJUDGE_CEPOLL_H
#define LINEJUDGE_CEPOLL_H

#include <stdint.h>

// What Glibc's Swift module lacks: epoll, accurate waiting, programs that inherit no file. Errors are told as -errno.

/// A socket that has something to tell.
struct lj_ready {
    /// What the socket was added with.
    uint32_t tag;
    /// Of the LJ_… bits.
    uint32_t events;
};

enum {
    LJ_READABLE = 1,
    LJ_WRITABLE = 2,
    /// The peer has closed, or the connection is broken.
    LJ_HANGUP = 4,
};

/// The most sockets that one wait tells of.
enum { LJ_READY_MAX = 1024 };

/// A new set of sockets.
int lj_poll_create(void);

/// Adds a socket, which is then told of by `tag`.
int lj_poll_add(int set, int socket, uint32_t tag, uint32_t events);

/// Changes what is told of a socket.
int lj_poll_change(int set, int socket, uint32_t tag, uint32_t events);

/// Waits until something is ready or the time is over; a negative time is endless.
/// `ready` has room for LJ_READY_MAX. Answers how many there are.
int lj_poll_wait(int set, struct lj_ready *ready, int64_t nanoseconds);

/// Has this thread's waits end when they should, instead of 50 microseconds later.
void lj_exact_waits(void);

/// The clock that never goes back, in nanoseconds.
int64_t lj_now(void);

/// The processor time that this thread has used, in nanoseconds.
int64_t lj_thread_cpu(void);

/// A new non-blocking TCP socket without delays. With `resets`, closing it is a reset, so that no port stays
/// taken.
int lj_tcp_socket(int family, int resets);

/// Whether a connection that was begun stands: 0, or -errno.
int lj_socket_error(int socket);

/// Has closing the socket reset the connection.
void lj_reset_on_close(int socket);

/// Starts a program whose standard input and output are `socket`, and which inherits nothing else but standard
/// error: no other file, no blocked signal. `words` ends with a null. Answers its number, or -errno.
int lj_spawn(const char *path, char *const *words, int socket);

#endif
