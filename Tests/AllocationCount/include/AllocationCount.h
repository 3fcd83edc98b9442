#ifndef ALLOCATION_COUNT_H
#define ALLOCATION_COUNT_H

/// How often this thread has asked the allocator for memory, or -1 where that cannot be counted
/// (another C library than glibc, or a sanitizer that has an allocator of its own).
long allocation_count(void);

#endif
