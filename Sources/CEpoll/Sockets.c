#define _GNU_SOURCE
#include "CEpoll.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

enum { TCP_LISTEN_STATE = 10 };

/// Adds the sockets in a part of the kernel's answer. Returns 1 if it is the last part, 0 if more follow, or -errno.
static int add(const char *part, size_t count, struct lj_tcp_sum *states) {
    const struct nlmsghdr *header = (const struct nlmsghdr *)part;
    // NLMSG_OK compares the length as an int.
    for (int left = (int)count; NLMSG_OK(header, left); header = NLMSG_NEXT(header, left)) {
        if (header->nlmsg_type == NLMSG_DONE) return 1;
        if (header->nlmsg_type == NLMSG_ERROR) {
            const struct nlmsgerr *error = NLMSG_DATA(header);
            return header->nlmsg_len >= NLMSG_LENGTH(sizeof *error) && error->error ? error->error : -EPROTO;
        }
        if (header->nlmsg_type != SOCK_DIAG_BY_FAMILY || header->nlmsg_len < NLMSG_LENGTH(sizeof(struct inet_diag_msg)))
            continue;
        const struct inet_diag_msg *socket = NLMSG_DATA(header);
        if (socket->idiag_state >= LJ_TCP_STATES) continue;
        states[socket->idiag_state].count++;
        states[socket->idiag_state].unread += socket->idiag_rqueue;
        states[socket->idiag_state].unacknowledged += socket->idiag_wqueue;
    }
    return 0;
}

static int add_family(int file, int family, int local_port, struct lj_tcp_sum *states) {
    struct {
        struct nlmsghdr header;
        struct inet_diag_req_v2 request;
    } message = {
        .header =
            {.nlmsg_len = sizeof message,
             .nlmsg_type = SOCK_DIAG_BY_FAMILY,
             .nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP},
        .request =
            {.sdiag_family = (unsigned char)family,
             .sdiag_protocol = IPPROTO_TCP,
             .idiag_states = ~(1u << TCP_LISTEN_STATE),
             .id = {.idiag_sport = htons((uint16_t)local_port)}},
    };
    _Alignas(struct nlmsghdr) char part[32 << 10];
    struct sockaddr_nl kernel = {.nl_family = AF_NETLINK};
    if (sendto(file, &message, sizeof message, 0, (struct sockaddr *)&kernel, sizeof kernel) < 0) return -errno;
    for (;;) {
        ssize_t count = recv(file, part, sizeof part, 0);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return count ? -errno : -EPROTO;
        int result = add(part, (size_t)count, states);
        if (result) return result < 0 ? result : 0;
    }
}

int lj_tcp_sockets(int local_port, struct lj_tcp_sum *states) {
    int file = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
    if (file < 0) return -errno;
    int result = add_family(file, AF_INET, local_port, states);
    if (!result) result = add_family(file, AF_INET6, local_port, states);
    close(file);
    return result;
}
