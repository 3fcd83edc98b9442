#include "CBoringSSL.h"
