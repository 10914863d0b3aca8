// Xlib with its DPMS extension, and for the tests' camera its shared-memory extension. Parts of its headers that Swift
// does not import; no logic.
#pragma once
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <X11/extensions/XShm.h>
#include <X11/extensions/dpms.h>
#include <sys/ipc.h>
#include <sys/shm.h>

static const unsigned long qd_AllPlanes = ~0UL;
