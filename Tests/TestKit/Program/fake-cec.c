// Preloaded: simulates the device /dev/cec0. The shared memory holds the number of messages, and then the length and
// the bytes of each.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/cec.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

static volatile uint8_t *memory;
static int fake = -1;
static int is_claimed;

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("QUADRILLE_FAKE_CEC");
    int (*real_open)(const char *, int, ...) = dlsym(RTLD_NEXT, "open");
    int file = path ? real_open(path, O_RDWR | O_CLOEXEC) : -1;
    if (file < 0) return;
    void *map = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (map != MAP_FAILED) memory = map;
    close(file);
}

int open(const char *path, int flags, ...) {
    va_list list;
    va_start(list, flags);
    int mode = va_arg(list, int);
    va_end(list);
    int (*real)(const char *, int, ...) = dlsym(RTLD_NEXT, "open");
    if (memory && strcmp(path, "/dev/cec0") == 0) return fake = real("/dev/null", O_RDWR | O_CLOEXEC);
    return real(path, flags, mode);
}

int ioctl(int file, unsigned long request, ...) {
    va_list list;
    va_start(list, request);
    void *argument = va_arg(list, void *);
    va_end(list);
    if (file < 0 || file != fake) {
        int (*real)(int, unsigned long, ...) = dlsym(RTLD_NEXT, "ioctl");
        return real(file, request, argument);
    }
    struct cec_log_addrs *addresses = argument;
    struct cec_msg *message = argument;
    switch (request) {
    case CEC_ADAP_G_LOG_ADDRS:
        memset(addresses, 0, sizeof *addresses);
        addresses->num_log_addrs = is_claimed;
        addresses->log_addr[0] = 4;
        return 0;
    case CEC_ADAP_S_LOG_ADDRS:
        is_claimed = 1;
        addresses->log_addr[0] = 4;
        return 0;
    case CEC_ADAP_G_PHYS_ADDR: *(uint16_t *)argument = 0x2100; return 0;
    case CEC_TRANSMIT: {
        volatile uint8_t *place = memory + 1 + 17 * memory[0];
        place[0] = message->len;
        for (uint32_t index = 0; index < message->len && index < 16; index++) place[1 + index] = message->msg[index];
        memory[0]++;
        message->tx_status = CEC_TX_STATUS_OK;
        return 0;
    }
    default: errno = ENOTTY; return -1;
    }
}
