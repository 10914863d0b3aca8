// prctl is variadic, which Swift does not import.
#pragma once
#include <sys/prctl.h>

static inline void qd_name_thread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }
