#include "colour_steps.h"
#include <string.h>

// A product and a sum are rounded each, so that all processors give the same results.
#pragma STDC FP_CONTRACT OFF

static inline uint32_t qd_bits(float number) {
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

static inline uint32_t qd_place_of_light(float light) { return qd_bits(light) >> 16; }

#define STEP(name) plain_##name
#include "steps.h"
#undef STEP

const struct qd_colour_steps *qd_plain_colour_steps(void) { return &plain_steps; }

#ifdef __x86_64__

#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#define STEP(name) avx2_##name
#include "steps.h"
#undef STEP
#pragma clang attribute pop

const struct qd_colour_steps *qd_colour_steps(void) {
    return __builtin_cpu_supports("avx2") ? &avx2_steps : &plain_steps;
}

#else

const struct qd_colour_steps *qd_colour_steps(void) { return &plain_steps; }

#endif
