#ifndef LINEJUDGE_CPREFETCH_H
#define LINEJUDGE_CPREFETCH_H

/// Starts to load the cache line that contains `address`, without waiting for it. Any address is allowed.
static inline __attribute__((always_inline)) void lj_prefetch(const void *address) { __builtin_prefetch(address); }

#endif
