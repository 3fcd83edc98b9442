/* Preloaded library that makes one call of a C library function fail.
 *
 * FAIL_CALL   FUNCTION:NUMBER:ERRNO, such as `write:3:28`; NUMBER counts the calls of the function from 1
 * FAIL_FILE   counts and fails only calls on files of this kind, such as `pipe:` (see /proc/self/fd)
 * FAIL_COUNT  file to which the number of calls of each function is written at the end
 *
 * Calls on file descriptors 0 to 2 are neither counted nor made to fail, so that messages arrive. Child processes are
 * not affected.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#define FUNCTIONS(X) \
    X(read) X(write) X(pread) X(pwrite) X(readv) X(writev) X(send) X(recv) X(sendmsg) X(recvmsg) X(sendto) X(recvfrom) \
    X(socket) X(connect) X(bind) X(listen) X(accept4) X(setsockopt) X(getsockopt) X(getsockname) X(shutdown) \
    X(open) X(openat) X(fsync) X(ftruncate) X(rename) X(unlink) X(mkdir) X(rmdir) X(pipe2) X(fcntl) \
    X(epoll_wait)

#define NAME(f) f##_index,
enum { FUNCTIONS(NAME) function_count };
#define WORD(f) #f,
static const char *const names[] = {FUNCTIONS(WORD)};

static atomic_long counts[function_count];
static int failing = -1, failing_errno;
static long failing_number;
static const char *count_path, *failing_kind;

__attribute__((constructor)) static void begin(void) {
    const char *call = getenv("FAIL_CALL");
    char name[32];
    if (call && sscanf(call, "%31[^:]:%ld:%d", name, &failing_number, &failing_errno) == 3)
        for (int index = 0; index < function_count; index++)
            if (!strcmp(name, names[index])) failing = index;
    count_path = getenv("FAIL_COUNT");
    if (count_path) count_path = strdup(count_path);
    failing_kind = getenv("FAIL_FILE");
    if (failing_kind) failing_kind = strdup(failing_kind);
    // Processes that the program starts inherit only the other libraries, such as a sanitizer's.
    const char *preloaded = getenv("LD_PRELOAD");
    const char *others = preloaded ? strchr(preloaded, ':') : NULL;
    if (others)
        setenv("LD_PRELOAD", strdup(others + 1), 1);
    else
        unsetenv("LD_PRELOAD");
    unsetenv("FAIL_CALL");
    unsetenv("FAIL_FILE");
    unsetenv("FAIL_COUNT");
}

__attribute__((destructor)) static void end(void) {
    FILE *file = count_path ? fopen(count_path, "w") : NULL;
    if (!file) return;
    for (int index = 0; index < function_count; index++) fprintf(file, "%s %ld\n", names[index], counts[index]);
    fclose(file);
}

static int is_kind(int file, const char *kind) {
    char path[32], target[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    ssize_t length = readlink(path, target, sizeof target - 1);
    if (length < 0) return 0;
    target[length] = 0;
    return !strncmp(target, kind, strlen(kind));
}

static int fails(int index) {
    if (atomic_fetch_add(&counts[index], 1) + 1 != failing_number || index != failing) return 0;
    errno = failing_errno;
    return 1;
}

static int fails_on(int file, int index) {
    return file > 2 && (!failing_kind || is_kind(file, failing_kind)) && fails(index);
}

#define REAL(f) \
    static __typeof__(&f) real; \
    if (!real) real = (__typeof__(&f))dlsym(RTLD_NEXT, #f)
#define ON_FILE(type, f, parameters, ...) \
    type f parameters { \
        REAL(f); \
        if (fails_on(file, f##_index)) return -1; \
        return real(__VA_ARGS__); \
    }
#define ANYWHERE(type, f, parameters, ...) \
    type f parameters { \
        REAL(f); \
        if (fails(f##_index)) return -1; \
        return real(__VA_ARGS__); \
    }

/* SwiftNIO and libdispatch wake threads through counters (eventfd, timerfd), and crash or hang if that fails. */
static int is_counter(int file, size_t count) {
    return count == 8 && (is_kind(file, "anon_inode:[eventfd]") || is_kind(file, "anon_inode:[timerfd]"));
}

ssize_t read(int file, void *bytes, size_t count) {
    REAL(read);
    return !is_counter(file, count) && fails_on(file, read_index) ? -1 : real(file, bytes, count);
}

ssize_t write(int file, const void *bytes, size_t count) {
    REAL(write);
    return !is_counter(file, count) && fails_on(file, write_index) ? -1 : real(file, bytes, count);
}

ON_FILE(ssize_t, pread, (int file, void *bytes, size_t count, off_t offset), file, bytes, count, offset)
ON_FILE(ssize_t, pwrite, (int file, const void *bytes, size_t count, off_t offset), file, bytes, count, offset)
ON_FILE(ssize_t, readv, (int file, const struct iovec *parts, int count), file, parts, count)
ON_FILE(ssize_t, writev, (int file, const struct iovec *parts, int count), file, parts, count)
ON_FILE(ssize_t, send, (int file, const void *bytes, size_t count, int flags), file, bytes, count, flags)
ON_FILE(ssize_t, recv, (int file, void *bytes, size_t count, int flags), file, bytes, count, flags)
ON_FILE(ssize_t, sendmsg, (int file, const struct msghdr *message, int flags), file, message, flags)
ON_FILE(ssize_t, recvmsg, (int file, struct msghdr *message, int flags), file, message, flags)
ON_FILE(ssize_t, sendto,
        (int file, const void *bytes, size_t count, int flags, const struct sockaddr *address, socklen_t length),
        file, bytes, count, flags, address, length)
ON_FILE(ssize_t, recvfrom,
        (int file, void *bytes, size_t count, int flags, struct sockaddr *address, socklen_t *length),
        file, bytes, count, flags, address, length)
ANYWHERE(int, socket, (int domain, int type, int protocol), domain, type, protocol)
ON_FILE(int, connect, (int file, const struct sockaddr *address, socklen_t length), file, address, length)
ON_FILE(int, bind, (int file, const struct sockaddr *address, socklen_t length), file, address, length)
ON_FILE(int, listen, (int file, int backlog), file, backlog)
ON_FILE(int, accept4, (int file, struct sockaddr *address, socklen_t *length, int flags), file, address, length, flags)
ON_FILE(int, setsockopt, (int file, int level, int name, const void *value, socklen_t length),
        file, level, name, value, length)
ON_FILE(int, getsockopt, (int file, int level, int name, void *value, socklen_t *length),
        file, level, name, value, length)
ON_FILE(int, getsockname, (int file, struct sockaddr *address, socklen_t *length), file, address, length)
ON_FILE(int, shutdown, (int file, int how), file, how)
ON_FILE(int, fsync, (int file), file)
ON_FILE(int, ftruncate, (int file, off_t length), file, length)
ANYWHERE(int, rename, (const char *from, const char *to), from, to)
ANYWHERE(int, unlink, (const char *path), path)
ANYWHERE(int, mkdir, (const char *path, mode_t mode), path, mode)
ANYWHERE(int, rmdir, (const char *path), path)
ANYWHERE(int, pipe2, (int files[2], int flags), files, flags)
ON_FILE(int, epoll_wait, (int file, struct epoll_event *events, int most, int timeout), file, events, most, timeout)

/* Functions with a variable number of arguments. */
int open(const char *path, int flags, ...) {
    REAL(open);
    va_list list;
    va_start(list, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0;
    va_end(list);
    /* libdispatch reads /proc in this way, and ends the process if it cannot. */
    return !(flags & O_NONBLOCK) && fails(open_index) ? -1 : real(path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...) {
    REAL(openat);
    va_list list;
    va_start(list, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0;
    va_end(list);
    return fails(openat_index) ? -1 : real(folder, path, flags, mode);
}

/* `load` sends and receives in this way. */
long syscall(long number, ...) {
    REAL(syscall);
    long values[6];
    va_list list;
    va_start(list, number);
    for (int index = 0; index < 6; index++) values[index] = va_arg(list, long);
    va_end(list);
    if (number == SYS_sendto && fails_on(values[0], send_index)) return -1;
    if (number == SYS_recvfrom && fails_on(values[0], recv_index)) return -1;
    return real(number, values[0], values[1], values[2], values[3], values[4], values[5]);
}

int fcntl(int file, int command, ...) {
    REAL(fcntl);
    va_list list;
    va_start(list, command);
    long value = va_arg(list, long);
    va_end(list);
    return fails_on(file, fcntl_index) ? -1 : real(file, command, value);
}
