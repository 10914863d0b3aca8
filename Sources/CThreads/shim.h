// prctl is variadic, and the C library's module leaves out malloc.h: Swift imports neither.
#pragma once
#include <malloc.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static inline void qd_name_thread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }
// On Linux both are of the calling thread alone. Where they are refused, nothing is lost.
static inline void qd_step_back(int niceness) {
    const int priority = 0;
    syscall(SYS_sched_setscheduler, 0, 3 /* SCHED_BATCH */, &priority);
    // The kernel answers 20 less the niceness.
    syscall(SYS_setpriority, 0 /* PRIO_PROCESS */, 0, 20 - (int)syscall(SYS_getpriority, 0, 0) + niceness);
}
static inline void qd_give_memory_back(void) { malloc_trim(0); }
static inline void qd_hold_memory_together(int arenas, int mapped_from) {
    mallopt(M_ARENA_MAX, arenas);
    mallopt(M_MMAP_THRESHOLD, mapped_from);
}
