// Preloaded: sets a variable before the program begins, which moves the environment away from the arguments.
#include <stdlib.h>

__attribute__((constructor)) static void begin(void) { setenv("QUADRILLE_SET_EARLY", "1", 1); }
