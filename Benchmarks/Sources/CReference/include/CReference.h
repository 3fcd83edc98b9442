#ifndef C_REFERENCE_H
#define C_REFERENCE_H

#include <stddef.h>
#include <stdint.h>

/// Maximum number of fields stored per line.
#define C_REFERENCE_FIELDS_MAX 64

/// Offsets of the fields of a line.
typedef struct {
    uint32_t lower[C_REFERENCE_FIELDS_MAX];
    uint32_t upper[C_REFERENCE_FIELDS_MAX];
    uint32_t count;
} c_reference_line;

/// Finds the end of each line with memchr and returns the number of lines.
size_t c_reference_frame(const uint8_t *bytes, size_t count, c_reference_line *line);

/// Finds the end of each line with memchr, then each field's end with memchr; empty fields count.
size_t c_reference_split(
    const uint8_t *bytes, size_t count, uint8_t separator, c_reference_line *line);

/// The same for IRC: runs of spaces count as one, and a field that starts with a colon, except the first, takes
/// the rest of the line.
size_t c_reference_split_irc(const uint8_t *bytes, size_t count, c_reference_line *line);

/// Finds the end of each line with memchr, then each token of a JSON object byte by byte, and stores
/// the keys and values of the object. Checks brackets and strings, but not the syntax of numbers.
size_t c_reference_split_json(const uint8_t *bytes, size_t count, c_reference_line *line);

/// This thread's CPU time in nanoseconds.
uint64_t c_reference_cpu_nanoseconds(void);

#endif
