#define _GNU_SOURCE
#include "CEpoll.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <unistd.h>

extern char **environ;

static int close_others(posix_spawn_file_actions_t *actions) {
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 34)
    return posix_spawn_file_actions_addclosefrom_np(actions, STDERR_FILENO + 1);
#else
    DIR *folder = opendir("/proc/self/fd");
    struct dirent *entry;
    int error = 0;
    if (!folder) return 0;
    while (!error && (entry = readdir(folder))) {
        int file = atoi(entry->d_name);
        if (file > STDERR_FILENO && file != dirfd(folder))
            error = posix_spawn_file_actions_addclose(actions, file);
    }
    closedir(folder);
    return error;
#endif
}

static int inherit(posix_spawn_file_actions_t *actions, int socket) {
    int error = posix_spawn_file_actions_adddup2(actions, socket, STDIN_FILENO);
    if (!error) error = posix_spawn_file_actions_adddup2(actions, socket, STDOUT_FILENO);
    return error ? error : close_others(actions);
}

int lj_spawn(const char *path, char *const *words, int socket) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none;
    pid_t child = 0;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    int error = inherit(&actions, socket);
    if (!error) error = posix_spawn(&child, path, &actions, &attributes, words, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error ? -error : child;
}
