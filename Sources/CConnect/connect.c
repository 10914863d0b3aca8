#define _GNU_SOURCE
#include "connect.h"
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>

typedef int (*connect_function)(int, const struct sockaddr *, socklen_t);

static _Atomic(qd_address_rule) address_rule;
static _Atomic(connect_function) next_connect;

void qd_set_address_rule(qd_address_rule rule) { atomic_store(&address_rule, rule); }

// Hands on to the next definition: a preloaded library's, or the C library's.
int connect(int socket, const struct sockaddr *address, socklen_t length) {
    qd_address_rule rule = atomic_load(&address_rule);
    if (rule && address && !rule(address, length)) {
        errno = EACCES;
        return -1;
    }
    connect_function next = atomic_load(&next_connect);
    if (!next) atomic_store(&next_connect, next = (connect_function)dlsym(RTLD_NEXT, "connect"));
    if (!next) {
        errno = ENOSYS;
        return -1;
    }
    return next(socket, address, length);
}
