#ifndef LINEJUDGE_CDIALECTS_H
#define LINEJUDGE_CDIALECTS_H

#include <stddef.h>

// The files of the built-in dialects. As byte arrays in Swift, they would take a minute to compile.

/// The file of a built-in dialect.
struct lj_dialect {
    /// The dialect's name, ending in a zero byte.
    const char *_Nonnull name;
    const unsigned char *_Nonnull bytes;
    size_t count;
};

/// Returns the number of built-in dialects.
int lj_dialect_count(void);

/// Returns the built-in dialect at `index`, which must be less than the count. Dialects are sorted by
/// name.
struct lj_dialect lj_dialect(int index);

#endif
