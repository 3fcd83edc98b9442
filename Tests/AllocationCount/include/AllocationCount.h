#ifndef ALLOCATION_COUNT_H
#define ALLOCATION_COUNT_H

/// Number of allocations by this thread, or -1 if they cannot be counted (a C library other than glibc, or a
/// sanitizer with its own allocator).
long allocation_count(void);

#endif
