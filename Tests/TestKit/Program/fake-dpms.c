// Preloaded: simulates an X server that switches screens. The shared memory holds the number of calls, and then each
// call: 1 for enable, 2 for disable, 16 plus the level for a switch.
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static volatile uint8_t *memory;
static uint16_t level;
static unsigned char is_enabled = 1;

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("QUADRILLE_FAKE_DPMS");
    int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    if (file < 0) return;
    void *map = mmap(0, 256, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (map != MAP_FAILED) memory = map;
    close(file);
}

static void note(uint8_t what) {
    if (memory && memory[0] < 255) memory[1 + memory[0]++] = what;
}

int DPMSQueryExtension(void *display, int *event, int *error) { return 1; }
int DPMSCapable(void *display) { return 1; }
int DPMSEnable(void *display) { is_enabled = 1; note(1); return 1; }
int DPMSDisable(void *display) { is_enabled = 0; note(2); return 1; }

int DPMSForceLevel(void *display, uint16_t wanted) {
    // Like the server, ignores the call while DPMS is disabled.
    if (!is_enabled) return 0;
    level = wanted;
    note(16 + wanted);
    return 1;
}

int DPMSInfo(void *display, uint16_t *now, unsigned char *enabled) {
    *now = level;
    *enabled = is_enabled;
    return 1;
}
