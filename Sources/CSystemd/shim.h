// sd-bus, libsystemd's client of the session's and the system's bus.
#pragma once
#include <systemd/sd-bus.h>
