// Swift does not import these: prctl is variadic, and the C library's module omits malloc.h and sched.h's GNU part.
#pragma once
#include <malloc.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static const int qd_SCHED_BATCH = 3;

static inline void qd_name_thread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }
// Raises the niceness of the calling thread only. A refusal is harmless. The system call returns 20 minus the niceness.
static inline void qd_step_back(int niceness) {
    syscall(SYS_setpriority, 0 /* PRIO_PROCESS */, 0, 20 - (int)syscall(SYS_getpriority, 0, 0) + niceness);
}
static inline void qd_give_memory_back(void) { malloc_trim(0); }
static inline void qd_hold_memory_together(int arenas, int mapped_from) {
    mallopt(M_ARENA_MAX, arenas);
    mallopt(M_MMAP_THRESHOLD, mapped_from);
}
