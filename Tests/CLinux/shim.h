// The C library's module leaves out what is GNU's in sched.h.
#pragma once
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

// The calling thread comes before all that share a core with it; 0: it may.
static inline int qd_come_first(void) {
    struct sched_param parameters = {.sched_priority = 1};
    return sched_setscheduler(0, SCHED_FIFO, &parameters);
}

// The calling thread runs on this core alone.
static inline void qd_stay_on(int core) {
    unsigned long cores[16] = {0};
    const int bits = 8 * sizeof cores[0];
    if (core < 0 || core >= 16 * bits) return;
    cores[core / bits] |= 1UL << core % bits;
    syscall(SYS_sched_setaffinity, 0, sizeof cores, cores);
}
