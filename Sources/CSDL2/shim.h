// Macros of SDL's headers that Swift does not import; no logic.
#pragma once
#include <SDL2/SDL.h>

static const int qd_WINDOWPOS_CENTERED = SDL_WINDOWPOS_CENTERED;
static inline int qd_WINDOWPOS_CENTERED_DISPLAY(int display) { return SDL_WINDOWPOS_CENTERED_DISPLAY(display); }
