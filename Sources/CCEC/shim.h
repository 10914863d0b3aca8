// The kernel's HDMI-CEC devices: ioctl is variadic, and its numbers are macros that Swift does not import.
#pragma once
#include <linux/cec.h>
#include <stdint.h>
#include <sys/ioctl.h>

static inline int qd_cec_addresses(int file, struct cec_log_addrs *addresses) {
    return ioctl(file, CEC_ADAP_G_LOG_ADDRS, addresses);
}
static inline int qd_cec_claim(int file, struct cec_log_addrs *addresses) {
    return ioctl(file, CEC_ADAP_S_LOG_ADDRS, addresses);
}
static inline int qd_cec_place(int file, uint16_t *address) { return ioctl(file, CEC_ADAP_G_PHYS_ADDR, address); }
static inline int qd_cec_transmit(int file, struct cec_msg *message) { return ioctl(file, CEC_TRANSMIT, message); }
