// The C library's `connect`, asked about each address before it is connected to. Swift can't define a symbol that
// libraries see.
#pragma once
#include <stdbool.h>
#include <sys/socket.h>

// Called on the thread that connects; to be set before anybody is to be held to it.
typedef bool (*qd_address_rule)(const struct sockaddr *address, socklen_t length);
void qd_set_address_rule(qd_address_rule rule);
