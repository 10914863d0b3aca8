// The X server's protocol, by the library that FFmpeg's x11grab uses. Xlib's names are not imported; no logic.
#pragma once
#include <xcb/xcb.h>
