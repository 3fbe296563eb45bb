// The last look before something leaves. The stack sends from within its timers and parsers, where nobody can ask first; so
// on an agent's thread the C library's calls pass through here. Whoever may not send any more (a process that stood still
// while another took over its address) sends nothing at all: a datagram is dropped as if it were lost on its way, a connection
// looks busy.
//
// The definitions take the place of the C library's in the whole program; on threads without an agent they do as those do.
#define _GNU_SOURCE
#include "csip_internal.h"

#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

// The thread's own pipes are no business of the gate.
static int is_internet(int descriptor) {
    int domain = 0;
    socklen_t length = sizeof domain;
    return getsockopt(descriptor, SOL_SOCKET, SO_DOMAIN, &domain, &length) == 0 && domain == AF_INET;
}

static int is_shut(int descriptor) {
    csip_agent *agent = csip_current;
    return agent && agent->callbacks.may_send && !agent->callbacks.may_send(agent->context) && is_internet(descriptor);
}

// What has come stays where it is. The loop asks again and again meanwhile, hence the pause.
static int is_deaf(int descriptor) {
    csip_agent *agent = csip_current;
    if (!agent || !agent->callbacks.may_receive || agent->callbacks.may_receive(agent->context)) return 0;
    if (!is_internet(descriptor)) return 0;
    poll(NULL, 0, 1);
    errno = EAGAIN;
    return 1;
}

static int is_datagram(int descriptor) {
    int type = 0;
    socklen_t length = sizeof type;
    return getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &length) == 0 && type == SOCK_DGRAM;
}

static ssize_t withheld(int descriptor, size_t length) {
    if (is_datagram(descriptor)) return (ssize_t)length;
    errno = EAGAIN;
    return -1;
}

ssize_t sendmsg(int descriptor, const struct msghdr *message, int flags) {
    if (is_shut(descriptor)) {
        size_t length = 0;
        for (size_t i = 0; i < message->msg_iovlen; i++) length += message->msg_iov[i].iov_len;
        return withheld(descriptor, length);
    }
    return syscall(SYS_sendmsg, descriptor, message, flags);
}

ssize_t sendto(
    int descriptor, const void *bytes, size_t length, int flags, const struct sockaddr *address, socklen_t address_length) {
    if (is_shut(descriptor)) return withheld(descriptor, length);
    return syscall(SYS_sendto, descriptor, bytes, length, flags, address, address_length);
}

ssize_t send(int descriptor, const void *bytes, size_t length, int flags) {
    return sendto(descriptor, bytes, length, flags, NULL, 0);
}

// The stack answers STUN on a SIP socket, and writes to the standard error output whom; and it hands SigComp to a library that
// is not there. Neither is served here: such a datagram is spoilt, and counts as one that cannot be read.
static void spoil_what_is_no_sip(int descriptor, uint8_t *bytes) {
    if ((bytes[0] <= 1 || bytes[0] >= 0xf8) && is_internet(descriptor) && is_datagram(descriptor)) bytes[0] = '?';
}

ssize_t recvmsg(int descriptor, struct msghdr *message, int flags) {
    if (is_deaf(descriptor)) return -1;
    ssize_t count = syscall(SYS_recvmsg, descriptor, message, flags);
    if (count > 0 && csip_current && message->msg_iovlen > 0 && message->msg_iov[0].iov_len > 0)
        spoil_what_is_no_sip(descriptor, message->msg_iov[0].iov_base);
    return count;
}

ssize_t recvfrom(
    int descriptor, void *bytes, size_t length, int flags, struct sockaddr *address, socklen_t *address_length) {
    if (is_deaf(descriptor)) return -1;
    return syscall(SYS_recvfrom, descriptor, bytes, length, flags, address, address_length);
}

ssize_t recv(int descriptor, void *bytes, size_t length, int flags) {
    return recvfrom(descriptor, bytes, length, flags, NULL, NULL);
}

int bind(int descriptor, const struct sockaddr *address, socklen_t length) {
    csip_agent *agent = csip_current;
    if (agent && agent->options.takes_over && is_datagram(descriptor)) {
        // Of several sockets on one address, Linux gives what comes to the one that was bound last.
        int on = 1;
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    }
    return (int)syscall(SYS_bind, descriptor, address, length);
}
