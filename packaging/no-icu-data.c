// An ICU data package without entries, linked instead of the one in Swift's libraries, which is 31 MB.
// Linejudge neither formats nor sorts by locale; it links ICU because its YAML and HTML libraries import
// Foundation. ICU reports what is missing from its data as an error (U_MISSING_RESOURCE_ERROR).
//
// The format is that of ucmndata.h in ICU: a data header of type CmnD, then a table of contents.
#include <stdint.h>

#ifndef ICU_DATA
#error "define ICU_DATA as the symbol of ICU's data, such as icudt76_dat"
#endif

__attribute__((aligned(16))) const struct {
    uint16_t header_size;
    uint8_t magic1, magic2;
    struct {
        uint16_t size, reserved;
        uint8_t is_big_endian, charset_family, char_size, reserved_byte;
        uint8_t format[4], format_version[4], data_version[4];
    } info;
    uint8_t padding[8];
    uint32_t entry_count;
} ICU_DATA = {
    .header_size = 32,
    .magic1 = 0xda,
    .magic2 = 0x27,
    .info = {.size = 20, .char_size = 2, .format = "CmnD", .format_version = {1}},
};
