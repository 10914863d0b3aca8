// Included once for each instruction set. STEP(name) is the name of a function of that set.

static inline int32_t STEP(place)(float signal) {
    signal = signal < 0 ? 0 : signal > QD_LAST_SIGNAL ? QD_LAST_SIGNAL : signal;
    // Adding 2 to the power of 23 leaves the rounded number in the lowest bits.
    return (int32_t)(qd_bits(signal + 8388608) & 0xFFFF);
}

#define QD_FIND(name, sample)                                                                                          \
    static void STEP(name)(                                                                                            \
        const sample *restrict first, const sample *restrict second, const sample *restrict third,                     \
        const struct qd_matrix *matrix, bool has_one_luma, struct qd_places to) {                                      \
        int32_t *restrict red = to.red, *restrict green = to.green, *restrict blue = to.blue;                          \
        const struct qd_matrix m = *matrix;                                                                            \
        if (has_one_luma) {                                                                                            \
            for (int x = 0; x < to.width; x++) {                                                                       \
                const float p = m.rows[0] * (int32_t)first[x], q = (int32_t)second[x], r = (int32_t)third[x];          \
                red[x] = STEP(place)(p + (m.rows[2] * r + m.addends[0]));                                              \
                green[x] = STEP(place)(p + (m.rows[4] * q + m.rows[5] * r + m.addends[1]));                            \
                blue[x] = STEP(place)(p + (m.rows[7] * q + m.addends[2]));                                             \
            }                                                                                                          \
        } else {                                                                                                       \
            for (int x = 0; x < to.width; x++) {                                                                       \
                const float p = (int32_t)first[x], q = (int32_t)second[x], r = (int32_t)third[x];                      \
                red[x] = STEP(place)(m.rows[0] * p + m.rows[1] * q + m.rows[2] * r + m.addends[0]);                    \
                green[x] = STEP(place)(m.rows[3] * p + m.rows[4] * q + m.rows[5] * r + m.addends[1]);                  \
                blue[x] = STEP(place)(m.rows[6] * p + m.rows[7] * q + m.rows[8] * r + m.addends[2]);                   \
            }                                                                                                          \
        }                                                                                                              \
    }
QD_FIND(find_bytes, uint8_t)
QD_FIND(find_words, uint16_t)
#undef QD_FIND

static inline void STEP(look_one)(const float *table, const int32_t *restrict places, float *restrict to, int width) {
    for (int x = 0; x < width; x++) to[x] = table[places[x]];
}

static void STEP(look)(const float *table, struct qd_places from, struct qd_lights to) {
    STEP(look_one)(table, from.red, to.red, to.width);
    STEP(look_one)(table, from.green, to.green, to.width);
    STEP(look_one)(table, from.blue, to.blue, to.width);
}

static inline void STEP(map_one)(const float *restrict table, float *restrict lights, int width) {
    for (int x = 0; x < width; x++) lights[x] = table[qd_place_of_light(lights[x])];
}

static void STEP(map)(const float *table, struct qd_lights lights) {
    STEP(map_one)(table, lights.red, lights.width);
    STEP(map_one)(table, lights.green, lights.width);
    STEP(map_one)(table, lights.blue, lights.width);
}

static void STEP(apply)(const float *factors, const float *weights, struct qd_lights lights) {
    float *restrict red = lights.red, *restrict green = lights.green, *restrict blue = lights.blue;
    const float a = weights[0], b = weights[1], c = weights[2];
    for (int x = 0; x < lights.width; x++) {
        const float factor = factors[qd_place_of_light(a * red[x] + b * green[x] + c * blue[x])];
        red[x] *= factor;
        green[x] *= factor;
        blue[x] *= factor;
    }
}

static bool STEP(multiply)(const struct qd_matrix *matrix, struct qd_lights lights) {
    float *restrict red = lights.red, *restrict green = lights.green, *restrict blue = lights.blue;
    const struct qd_matrix m = *matrix;
    // Bits of numbers above 0 compare like the numbers.
    int32_t most = 0;
    for (int x = 0; x < lights.width; x++) {
        const float p = red[x], q = green[x], r = blue[x];
        const float a = m.rows[0] * p + m.rows[1] * q + m.rows[2] * r;
        const float b = m.rows[3] * p + m.rows[4] * q + m.rows[5] * r;
        const float c = m.rows[6] * p + m.rows[7] * q + m.rows[8] * r;
        red[x] = a;
        green[x] = b;
        blue[x] = c;
        const int32_t i = (int32_t)qd_bits(a), j = (int32_t)qd_bits(b), k = (int32_t)qd_bits(c);
        const int32_t larger = i > j ? i : j, largest = larger > k ? larger : k;
        most = largest > most ? largest : most;
    }
    return most > (int32_t)qd_bits(1.001f);
}

static void STEP(fit)(struct qd_lights lights) {
    float *restrict red = lights.red, *restrict green = lights.green, *restrict blue = lights.blue;
    for (int x = 0; x < lights.width; x++) {
        const float larger = red[x] > green[x] ? red[x] : green[x], most = larger > blue[x] ? larger : blue[x];
        const float factor = most > 1 ? 1 / most : 1;
        red[x] *= factor;
        green[x] *= factor;
        blue[x] *= factor;
    }
}

static void STEP(encode)(const uint8_t *codes, struct qd_lights lights, uint32_t *restrict target) {
    const float *restrict red = lights.red, *restrict green = lights.green, *restrict blue = lights.blue;
    for (int x = 0; x < lights.width; x++) {
        const uint32_t r = codes[qd_place_of_light(red[x])], g = codes[qd_place_of_light(green[x])];
        target[x] = 0xFF000000 | r << 16 | g << 8 | codes[qd_place_of_light(blue[x])];
    }
}

static void STEP(weigh)(
    const uint16_t *codes, const float *weights, struct qd_lights lights, uint16_t *restrict target) {
    const float *restrict red = lights.red, *restrict green = lights.green, *restrict blue = lights.blue;
    const float a = weights[0], b = weights[1], c = weights[2];
    for (int x = 0; x < lights.width; x++)
        target[x] = codes[qd_place_of_light(a * red[x] + b * green[x] + c * blue[x])];
}

static void STEP(halve)(const uint16_t *above, const uint16_t *below, uint16_t *restrict target, int width) {
    for (int x = 0; x < width; x++) {
        const uint32_t sum = above[2 * x] + above[2 * x + 1] + below[2 * x] + below[2 * x + 1];
        target[x] = (uint16_t)((sum + 2) >> 2);
    }
}

static const struct qd_colour_steps STEP(steps) = {
    STEP(find_bytes), STEP(find_words), STEP(look), STEP(map), STEP(apply),
    STEP(multiply), STEP(fit), STEP(encode), STEP(weigh), STEP(halve),
};
