// Makes Swift's Mutex known to ThreadSanitizer, which otherwise reports races between correctly
// locked accesses: threads that wait for a mutex synchronise in the standard library, which is not
// instrumented. Loaded with LD_PRELOAD.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *

// Undefined in programs without ThreadSanitizer, such as the compiler.
void __tsan_acquire(void *address) __attribute__((weak));
void __tsan_release(void *address) __attribute__((weak));

static void *original(const char *name) {
    void *found = dlsym(RTLD_NEXT, name);
    if (!found) abort();
    return found;
}

SWIFT void lockSlow(uint32_t thread, SELF mutex) asm(LOCK);
SWIFT void lockSlow(uint32_t thread, SELF mutex) {
    static SWIFT void (*next)(uint32_t, SELF);
    if (!next) next = (SWIFT void (*)(uint32_t, SELF))original(LOCK);
    next(thread, mutex);
    if (__tsan_acquire) __tsan_acquire(mutex);
}

SWIFT void unlockSlow(SELF mutex) asm(UNLOCK);
SWIFT void unlockSlow(SELF mutex) {
    static SWIFT void (*next)(SELF);
    if (!next) next = (SWIFT void (*)(SELF))original(UNLOCK);
    if (__tsan_release) __tsan_release(mutex);
    next(mutex);
}
