// Preloaded: starts at most QUADRILLE_THREADS threads, as if the user had reached the limit.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int started;
int pthread_create(pthread_t *t, const pthread_attr_t *a, void *(*f)(void *), void *x) {
    static int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    if (!real) real = dlsym(RTLD_NEXT, "pthread_create");
    const char *most = getenv("QUADRILLE_THREADS");
    if (most && atomic_fetch_add(&started, 1) >= atoi(most)) return EAGAIN;
    return real(t, a, f, x);
}
