// The stack resolves a Via's `maddr` with getaddrinfo on its own thread: one request that names a slow DNS zone would hold up
// every call. Requests to host names do not come here (the stack has an asynchronous resolver for them), so that addresses
// are all that has to be understood. This definition takes the place of the library's.
#define _GNU_SOURCE
#include "csip_internal.h"

#include <netdb.h>
#include <sofia-sip/su_addrinfo.h>
#include <string.h>

int su_getaddrinfo(char const *node, char const *service, su_addrinfo_t const *hints, su_addrinfo_t **result) {
    struct addrinfo numeric;
    memset(&numeric, 0, sizeof numeric);
    if (hints) {
        numeric.ai_flags = hints->ai_flags;
        numeric.ai_family = hints->ai_family;
        numeric.ai_socktype = hints->ai_socktype;
        numeric.ai_protocol = hints->ai_protocol;
    }
    numeric.ai_flags |= AI_NUMERICHOST | AI_NUMERICSERV;
    int failed = getaddrinfo(node, service && *service ? service : "0", &numeric, result);
    if (failed) return failed;
    for (struct addrinfo *found = *result; found; found = found->ai_next)
        if (!found->ai_protocol) found->ai_protocol = found->ai_socktype == SOCK_STREAM ? IPPROTO_TCP : IPPROTO_UDP;
    return 0;
}
