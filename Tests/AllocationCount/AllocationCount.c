// Counts allocations by interposing glibc's allocator.
//
// All libraries of the process use the executable's definitions of malloc and related functions. These call
// glibc's internal names, which avoids dlsym, because dlsym itself allocates. Freeing is left to glibc.

#include "AllocationCount.h"
#include <stddef.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define OWN_ALLOCATOR 1
#endif
#endif

#if defined(__linux__) && !defined(OWN_ALLOCATOR)
#include <features.h>
#endif

#if defined(__GLIBC__) && !defined(OWN_ALLOCATOR)

#include <errno.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

// Thread-local, so that parallel tests do not count each other's allocations. This TLS model makes the access a
// plain load; the general one may allocate on first use.
static __thread long count __attribute__((tls_model("initial-exec")));

long allocation_count(void) { return count; }

void *malloc(size_t size) {
    count++;
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    count++;
    return __libc_calloc(number, size);
}

void *realloc(void *old, size_t size) {
    count++;
    return __libc_realloc(old, size);
}

void *memalign(size_t alignment, size_t size) {
    count++;
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    count++;
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
    if (alignment < sizeof(void *) || (alignment & (alignment - 1)) != 0) return EINVAL;
    count++;
    void *place = __libc_memalign(alignment, size);
    if (!place) return ENOMEM;
    *result = place;
    return 0;
}

#else

long allocation_count(void) { return -1; }

#endif
