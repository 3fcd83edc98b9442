#define _GNU_SOURCE
#include "CEpoll.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

// The code after a fork calls only functions that are safe there: other threads may have held locks.

enum { LIFELINE = 3, REPORT = 4, STARTED = 5, SIGNALS = 6 };

/// What the supervisor reports when the program has started.
struct report {
    int error;
    pid_t program;
};

static void close_from(int first) {
#ifdef SYS_close_range
    if (!syscall(SYS_close_range, (unsigned)first, ~0u, 0u)) return;
#endif
    long limit = sysconf(_SC_OPEN_MAX);
    for (int file = first; file < (limit > 0 && limit < 65536 ? limit : 65536); file++) close(file);
}

/// Moves the files to the numbers 3, 4 and so on, and closes all others above them.
static int keep(int *files, int count) {
    for (int index = 0; index < count; index++) {
        files[index] = fcntl(files[index], F_DUPFD_CLOEXEC, STDERR_FILENO + 1 + count);
        if (files[index] < 0) return -1;
    }
    for (int index = 0; index < count; index++)
        if (dup3(files[index], STDERR_FILENO + 1 + index, O_CLOEXEC) < 0) return -1;
    close_from(STDERR_FILENO + 1 + count);
    return 0;
}

static void redirect(int input, int output) {
    dup2(input, STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
}

/// Becomes the program. If that fails, writes the error to `started`.
static _Noreturn void become(
    const char *path, char *const *words, char *const *variables, int output, int started, pid_t supervisor
) {
    sigset_t none;
    // The program ends if another process kills the supervisor.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != supervisor) _exit(127);
    redirect(STDIN_FILENO, output);
    if (!keep(&started, 1)) {
        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, NULL);
        execvpe(path, words, variables);
    }
    int error = errno;
    ssize_t written = write(STDERR_FILENO + 1, &error, sizeof error);
    _exit(written < 0 ? 126 : 127);
}

/// Kills the children of this process. Returns 0 if they cannot be found.
static int kill_children(void) {
    char text[4096];
    int file = open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    pid_t child = 0;
    ssize_t count;
    while ((count = read(file, text, sizeof text)) > 0) {
        for (ssize_t index = 0; index < count; index++) {
            if (text[index] >= '0' && text[index] <= '9') {
                child = child * 10 + (text[index] - '0');
            } else {
                if (child > 1) kill(child, SIGKILL);
                child = 0;
            }
        }
    }
    if (child > 1) kill(child, SIGKILL);
    close(file);
    return 1;
}

/// Ends like the program did.
static _Noreturn void end_like(int status) {
    if (WIFSIGNALED(status)) {
        int number = WTERMSIG(status);
        struct rlimit none = {0, 0};
        sigset_t set;
        setrlimit(RLIMIT_CORE, &none);
        signal(number, SIG_DFL);
        sigemptyset(&set);
        sigaddset(&set, number);
        kill(getpid(), number);
        sigprocmask(SIG_UNBLOCK, &set, NULL);
    }
    _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 127);
}

/// Waits for the end of the program or of the process that started it, and then ends all descendants. Those
/// whose parent has ended become children of this process.
static _Noreturn void watch(pid_t program) {
    int status = SIGKILL;
    int ended = 0;
    struct pollfd files[2] = {{.fd = LIFELINE, .events = POLLIN}, {.fd = SIGNALS, .events = POLLIN}};
    while (!ended) {
        struct signalfd_siginfo info;
        int found = 0;
        pid_t child;
        while ((child = waitpid(-1, &found, WNOHANG)) > 0)
            if (child == program) {
                status = found;
                ended = 1;
            }
        if (ended) break;
        if (poll(files, 2, -1) < 0 && errno != EINTR) break;
        if (files[1].revents && read(SIGNALS, &info, sizeof info) < 0) continue;
        if (files[0].revents) break;
    }
    for (;;) {
        int found = 0;
        if (!kill_children() && !ended) kill(program, SIGKILL);
        pid_t child = waitpid(-1, &found, 0);
        if (child == program) {
            status = found;
            ended = 1;
        }
        if (child < 0 && errno != EINTR) break;
    }
    end_like(status);
}

static _Noreturn void supervise(
    const char *path, char *const *words, char *const *variables, int output, int lifeline, int reporting
) {
    int started[2];
    sigset_t child_ended;
    struct report report = {0, 0};
    pid_t self = getpid();
    setsid();
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (nothing < 0 || pipe2(started, O_CLOEXEC)) _exit(71);
    dup2(nothing, STDIN_FILENO);
    report.program = fork();
    if (!report.program) become(path, words, variables, output, started[1], self);
    report.error = report.program < 0 ? errno : 0;
    redirect(nothing, nothing);
    sigemptyset(&child_ended);
    sigaddset(&child_ended, SIGCHLD);
    int files[] = {lifeline, reporting, started[0]};
    if (keep(files, 3) || signalfd(-1, &child_ended, SFD_CLOEXEC) != SIGNALS) _exit(71);
    // Nothing arrives if the program has been started.
    if (!report.error && read(STARTED, &report.error, sizeof report.error) != sizeof report.error)
        report.error = 0;
    if (write(REPORT, &report, sizeof report) != sizeof report || report.error) _exit(71);
    close(REPORT);
    close(STARTED);
    watch(report.program);
}

int lj_pipe(int *reading, int *writing) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC)) return -errno;
    *reading = ends[0];
    *writing = ends[1];
    return 0;
}

int lj_supervise(
    const char *path, char *const *words, char *const *variables, int output, int lifeline,
    struct lj_supervised *started
) {
    int reporting[2];
    struct report report = {0, 0};
    sigset_t all, before;
    ssize_t count;
    if (pipe2(reporting, O_CLOEXEC)) return -errno;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t supervisor = fork();
    int error = errno;
    if (!supervisor) supervise(path, words, variables, output, lifeline, reporting[1]);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    close(reporting[1]);
    do {
        count = supervisor < 0 ? 0 : read(reporting[0], &report, sizeof report);
    } while (count < 0 && errno == EINTR);
    if (supervisor >= 0) error = count < 0 ? errno : count == sizeof report ? report.error : EAGAIN;
    close(reporting[0]);
    if (supervisor < 0) return -error;
    if (error) {
        // If the report cannot be read, the program may have been started.
        if (count < 0) {
            kill(-supervisor, SIGKILL);
            kill(supervisor, SIGKILL);
        }
        waitpid(supervisor, NULL, 0);
        return -error;
    }
    started->supervisor = supervisor;
    started->program = report.program;
    return 0;
}
