// sd-bus, libsystemd's client of the session's and the system's bus, and the messages to the service manager.
#pragma once
#include <systemd/sd-bus.h>
#include <systemd/sd-daemon.h>
