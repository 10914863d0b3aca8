// prctl is variadic, and the C library's module leaves out malloc.h: Swift imports neither.
#pragma once
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <malloc.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>

static inline void qd_name_thread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }
// On Linux both are of the calling thread alone. Where they are refused, nothing is lost.
static inline void qd_step_back(int niceness) {
    const struct sched_param parameters = { 0 };
    sched_setscheduler(0, 3 /* SCHED_BATCH */, &parameters);
    setpriority(PRIO_PROCESS, 0, getpriority(PRIO_PROCESS, 0) + niceness);
}
static inline void qd_hold_memory_together(int arenas, int mapped_from) {
    mallopt(M_ARENA_MAX, arenas);
    mallopt(M_MMAP_THRESHOLD, mapped_from);
}
