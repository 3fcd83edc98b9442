#ifndef C_REFERENCE_H
#define C_REFERENCE_H

#include <stddef.h>
#include <stdint.h>

/// The most fields whose places are kept of one line.
#define C_REFERENCE_FIELDS_MAX 64

/// Where the parts of one line are.
typedef struct {
    uint32_t lower[C_REFERENCE_FIELDS_MAX];
    uint32_t upper[C_REFERENCE_FIELDS_MAX];
    uint32_t count;
} c_reference_line;

/// Finds the end of each line with memchr. Returns how many lines there are.
size_t c_reference_frame(const uint8_t *bytes, size_t count, c_reference_line *line);

/// Finds the end of each line with memchr, then each field's end with memchr; empty fields count.
size_t c_reference_split(
    const uint8_t *bytes, size_t count, uint8_t separator, c_reference_line *line);

/// The same for IRC: several blanks in a row are one, and a field that starts with a colon, unless it is
/// the first, takes the rest of the line.
size_t c_reference_split_irc(const uint8_t *bytes, size_t count, c_reference_line *line);

/// This thread's CPU time in nanoseconds.
uint64_t c_reference_cpu_nanoseconds(void);

#endif
