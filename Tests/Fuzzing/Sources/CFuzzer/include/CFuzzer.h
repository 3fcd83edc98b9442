#pragma once
#include <stddef.h>
#include <stdint.h>

/// Runs libFuzzer with the given arguments and calls `callback` for each input.
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*callback)(const uint8_t *data, size_t size));
