#define _GNU_SOURCE
#include "CReference.h"
#include <string.h>
#include <time.h>

static inline void add(c_reference_line *line, size_t lower, size_t upper) {
    if (line->count == C_REFERENCE_FIELDS_MAX) return;
    line->lower[line->count] = (uint32_t)lower;
    line->upper[line->count] = (uint32_t)upper;
    line->count++;
}

// Keeps the compiler from removing unused results.
static inline void keep(const c_reference_line *line) { __asm__ volatile("" : : "r"(line) : "memory"); }

size_t c_reference_frame(const uint8_t *bytes, size_t count, c_reference_line *line) {
    size_t lines = 0, lower = 0;
    const uint8_t *end;
    while ((end = memchr(bytes + lower, '\n', count - lower))) {
        size_t upper = (size_t)(end - bytes);
        line->count = 0;
        add(line, lower, upper);
        keep(line);
        lines++;
        lower = upper + 1;
    }
    return lines;
}

size_t c_reference_split(
    const uint8_t *bytes, size_t count, uint8_t separator, c_reference_line *line) {
    size_t lines = 0, lower = 0;
    const uint8_t *end;
    while ((end = memchr(bytes + lower, '\n', count - lower))) {
        size_t upper = (size_t)(end - bytes);
        const uint8_t *found;
        line->count = 0;
        while ((found = memchr(bytes + lower, separator, upper - lower))) {
            size_t place = (size_t)(found - bytes);
            add(line, lower, place);
            lower = place + 1;
        }
        add(line, lower, upper);
        keep(line);
        lines++;
        lower = upper + 1;
    }
    return lines;
}

size_t c_reference_split_irc(const uint8_t *bytes, size_t count, c_reference_line *line) {
    size_t lines = 0, lower = 0;
    const uint8_t *end;
    while ((end = memchr(bytes + lower, '\n', count - lower))) {
        size_t next = (size_t)(end - bytes) + 1;
        size_t upper = next - 1;
        if (upper > lower && bytes[upper - 1] == '\r') upper--;
        line->count = 0;
        while (lower < upper) {
            if (bytes[lower] == ' ') {
                lower++;
                continue;
            }
            if (bytes[lower] == ':' && line->count > 0) {
                add(line, lower + 1, upper);
                break;
            }
            const uint8_t *found = memchr(bytes + lower, ' ', upper - lower);
            size_t place = found ? (size_t)(found - bytes) : upper;
            add(line, lower, place);
            lower = place + 1;
        }
        keep(line);
        lines++;
        lower = next;
    }
    return lines;
}

size_t c_reference_split_json(const uint8_t *bytes, size_t count, c_reference_line *line) {
    size_t lines = 0, lower = 0;
    const uint8_t *end;
    while ((end = memchr(bytes + lower, '\n', count - lower))) {
        size_t upper = (size_t)(end - bytes);
        int depth = 0;
        line->count = 0;
        for (size_t at = lower; at < upper; at++) {
            size_t start = at;
            switch (bytes[at]) {
                case '{': case '[':
                    if (++depth > 1 && depth == 2) add(line, at, at);
                    break;
                case '}': case ']':
                    if (--depth == 1) line->upper[line->count - 1] = (uint32_t)at + 1;
                    break;
                case '"':
                    for (at++; at < upper && bytes[at] != '"'; at++) {
                        if (bytes[at] == '\\') at++;
                    }
                    if (depth == 1) add(line, start + 1, at);
                    break;
                case ' ': case '\t': case '\r': case ':': case ',':
                    break;
                default:
                    while (at + 1 < upper && !strchr(" \t\r,:]}", bytes[at + 1])) at++;
                    if (depth == 1) add(line, start, at + 1);
            }
        }
        keep(line);
        lines++;
        lower = upper + 1;
    }
    return lines;
}

uint64_t c_reference_cpu_nanoseconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}
