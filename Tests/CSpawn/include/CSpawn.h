#ifndef CSPAWN_H
#define CSPAWN_H

#include <sys/types.h>

/// Starts a program in a process group of its own. It inherits three descriptors, as its standard
/// input, output and error, and no blocked signals. Returns its ID, or a negative error number.
///
/// - Parameter folder: The working directory; NULL for that of this process.
pid_t lj_spawn_test(
    const char *path, char *const *words, char *const *variables, const char *folder,
    const int descriptors[3]);

#endif
