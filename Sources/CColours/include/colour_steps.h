// Steps of ColourTables for a row of pixels. Each loop does one thing, so that the compiler vectorizes those that only
// compute. They are in C because one program holds them twice, for processors with AVX2 and without it; Swift compiles
// for one instruction set. Both give the same results.
#pragma once
#include <stdbool.h>
#include <stdint.h>

// The last place in a table of signals. A table of lights has 65,536 places: the upper half of a float's bits.
enum { QD_LAST_SIGNAL = 4095 };

struct qd_matrix {
    float rows[9];
    float addends[3];
};

// Places in a table of signals.
struct qd_places {
    int32_t *red, *green, *blue;
    int width;
};

struct qd_lights {
    float *red, *green, *blue;
    int width;
};

struct qd_colour_steps {
    // Multiply three samples of each pixel by a matrix, and limit the sums to places. `has_one_luma`: every signal has
    // the same share of the first sample, red has nothing of the second one, and blue nothing of the third.
    void (*find_bytes)(
        const uint8_t *first, const uint8_t *second, const uint8_t *third, const struct qd_matrix *, bool has_one_luma,
        struct qd_places);
    void (*find_words)(
        const uint16_t *first, const uint16_t *second, const uint16_t *third, const struct qd_matrix *, bool has_one_luma,
        struct qd_places);
    void (*look)(const float *table, struct qd_places, struct qd_lights);
    void (*map)(const float *table, struct qd_lights);
    // Multiplies colours by a factor for their luminance.
    void (*apply)(const float *factors, const float *weights, struct qd_lights);
    // Returns true if any light is above 1, by more than rounding.
    bool (*multiply)(const struct qd_matrix *, struct qd_lights);
    // Dims colours that are brighter than the display in one of its primaries, so that their hue stays. A colour that
    // BT.709 can't show has a negative light, which counts as none.
    void (*fit)(struct qd_lights);
    // Writes BGRA.
    void (*encode)(const uint8_t *codes, struct qd_lights, uint32_t *target);
    // Writes luminance.
    void (*weigh)(const uint16_t *codes, const float *weights, struct qd_lights, uint16_t *target);
    // Halves two rows of words, each to the mean of four.
    void (*halve)(const uint16_t *above, const uint16_t *below, uint16_t *target, int width);
};

// Returns the steps for any processor.
const struct qd_colour_steps *qd_plain_colour_steps(void);
// Returns the fastest steps for this processor.
const struct qd_colour_steps *qd_colour_steps(void);
