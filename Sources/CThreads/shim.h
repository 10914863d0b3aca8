// prctl is variadic, and the C library's module leaves out malloc.h: Swift imports neither.
#pragma once
#include <malloc.h>
#include <sys/prctl.h>

static inline void qd_name_thread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }
static inline void qd_limit_arenas(int most) { mallopt(M_ARENA_MAX, most); }
