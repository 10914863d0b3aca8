// The C library's module leaves out what is GNU's in sched.h.
#pragma once
#include <sys/syscall.h>
#include <unistd.h>

// The calling thread runs on this core alone.
static inline void qd_stay_on(int core) {
    unsigned long cores[16] = {0};
    const int bits = 8 * sizeof cores[0];
    if (core < 0 || core >= 16 * bits) return;
    cores[core / bits] |= 1UL << core % bits;
    syscall(SYS_sched_setaffinity, 0, sizeof cores, cores);
}
