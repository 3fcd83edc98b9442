#ifndef LINEJUDGE_CEPOLL_H
#define LINEJUDGE_CEPOLL_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// What Glibc's Swift module lacks: epoll, precise waits, processes that inherit no files, supervised processes, and
// the kernel's list of sockets. Errors are returned as -errno.

/// A ready socket.
struct lj_ready {
    /// The tag with which the socket was added.
    uint32_t tag;
    /// A combination of the LJ_… bits.
    uint32_t events;
};

enum {
    LJ_READABLE = 1,
    LJ_WRITABLE = 2,
    /// The peer has closed, or the connection is broken.
    LJ_HANGUP = 4,
    /// The peer has sent urgent data. A read ends before it, even if more data follows.
    LJ_URGENT = 8,
};

/// The maximum number of sockets that one wait returns.
enum { LJ_READY_MAX = 512 };

/// Creates a set of sockets.
int lj_poll_create(void);

/// Adds a socket, which events then identify by `tag`. Each event is reported once: only a call of lj_poll_change
/// reports it again if the reason for it persists. Otherwise, the kernel would examine each socket twice.
int lj_poll_add(int set, int socket, uint32_t tag, uint32_t events);

/// Changes the events of a socket, and reports those whose reasons persist.
int lj_poll_change(int set, int socket, uint32_t tag, uint32_t events);

/// Waits until a socket is ready or the time is over; a negative time means no limit. `ready` has room for
/// LJ_READY_MAX entries. Returns the number of ready sockets.
int lj_poll_wait(int set, struct lj_ready *ready, int64_t nanoseconds);

/// Makes this thread's waits end on time instead of 50 microseconds late.
void lj_exact_waits(void);

/// The monotonic clock, in nanoseconds.
int64_t lj_now(void);

/// The CPU time of this thread, in nanoseconds.
int64_t lj_thread_cpu(void);

/// Creates a non-blocking TCP socket with TCP_NODELAY. With `resets`, closing it sends a reset, so that no port
/// stays in TIME_WAIT.
int lj_tcp_socket(int family, int resets);

/// Sends bytes without raising SIGPIPE. Returns the number sent, or -errno.
///
/// The C library's functions let other threads cancel the call, which takes as long as parsing a line.
ssize_t lj_send(int socket, const void *bytes, size_t count);

/// Receives bytes, without being cancellable either. Returns the number received, or -errno.
ssize_t lj_receive(int socket, void *bytes, size_t count);

/// The result of a connection attempt: 0, or -errno.
int lj_socket_error(int socket);

/// Makes closing the socket reset the connection.
void lj_reset_on_close(int socket);

/// Sums over TCP sockets.
struct lj_tcp_sum {
    uint64_t count;
    /// Bytes that the kernel has received but the program has not yet read.
    uint64_t unread;
    /// Bytes sent but not yet acknowledged by the peer.
    uint64_t unacknowledged;
};

/// One more than the highest TCP state.
enum { LJ_TCP_STATES = 13 };

/// Adds the TCP sockets with a local port to the sums of their states. `states` has LJ_TCP_STATES entries, numbered
/// like the kernel's states. Listening sockets are left out. Returns 0, or -errno: without NETLINK_SOCK_DIAG, the
/// kernel cannot be asked.
int lj_tcp_sockets(int local_port, struct lj_tcp_sum *states);

/// Starts a program whose standard input and output are `socket`. It inherits standard error, but no other file
/// and no blocked signal. `words` ends with a null pointer. Returns the process id, or -errno.
int lj_spawn(const char *path, char *const *words, int socket);

/// Creates a pipe that no program inherits. Returns 0, or -errno.
int lj_pipe(int *reading, int *writing);

/// A program and its supervisor.
struct lj_supervised {
    /// The parent of the program, and leader of its session and process group. It ends like the program did.
    int supervisor;
    int program;
};

/// Starts a program that writes to `output`, and a supervisor that ends the program and all its descendants,
/// even those in other sessions: when the program ends, and when the pipe of which `lifeline` is the reading end
/// is closed, also because this process has been killed. The program inherits no other files, and no blocked or
/// ignored signals. `words` and `variables` end with a null pointer. Returns 0, or -errno.
int lj_supervise(
    const char *path, char *const *words, char *const *variables, int output, int lifeline,
    struct lj_supervised *started);

#endif
