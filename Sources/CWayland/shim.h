// libwayland-client, and the protocol wlr-output-power-management-unstable-v1, which no package of Debian's has, in the
// form in which wayland-scanner writes it. No logic.
#pragma once
#include <wayland-client.h>

static const struct wl_interface qd_output_power_interface, qd_output_power_manager_interface;
static const struct wl_interface *const qd_get_output_power_types[] = {
    &qd_output_power_interface, &wl_output_interface,
};
static const struct wl_interface *const qd_no_types[] = { NULL };
#define QD_MESSAGE(name, signature, types) { name, signature, (const struct wl_interface **)types }
static const struct wl_message qd_output_power_manager_requests[] = {
    QD_MESSAGE("get_output_power", "no", qd_get_output_power_types), QD_MESSAGE("destroy", "", qd_no_types),
};
static const struct wl_message qd_output_power_requests[] = {
    QD_MESSAGE("set_mode", "u", qd_no_types), QD_MESSAGE("destroy", "", qd_no_types),
};
static const struct wl_message qd_output_power_events[] = {
    QD_MESSAGE("mode", "u", qd_no_types), QD_MESSAGE("failed", "", qd_no_types),
};
static const struct wl_interface qd_output_power_manager_interface = {
    "zwlr_output_power_manager_v1", 1, 2, qd_output_power_manager_requests, 0, NULL,
};
static const struct wl_interface qd_output_power_interface = {
    "zwlr_output_power_v1", 1, 2, qd_output_power_requests, 2, qd_output_power_events,
};

struct qd_output_power_listener {
    void (*mode)(void *data, struct wl_proxy *power, uint32_t mode);
    void (*failed)(void *data, struct wl_proxy *power);
};

static inline int qd_output_power_add_listener(
    struct wl_proxy *power, const struct qd_output_power_listener *listener, void *data) {
    return wl_proxy_add_listener(power, (void (**)(void))listener, data);
}

// Requests. The outputs and their manager are bound in their first version.
static inline struct wl_proxy *qd_bind_output(struct wl_registry *registry, uint32_t name) {
    return (struct wl_proxy *)wl_registry_bind(registry, name, &wl_output_interface, 1);
}
static inline struct wl_proxy *qd_bind_manager(struct wl_registry *registry, uint32_t name) {
    return (struct wl_proxy *)wl_registry_bind(registry, name, &qd_output_power_manager_interface, 1);
}
static inline struct wl_proxy *qd_get_output_power(struct wl_proxy *manager, struct wl_proxy *output) {
    return wl_proxy_marshal_flags(manager, 0, &qd_output_power_interface, 1, 0, NULL, output);
}
static inline void qd_set_mode(struct wl_proxy *power, uint32_t mode) {
    wl_proxy_marshal_flags(power, 0, NULL, 1, 0, mode);
}
