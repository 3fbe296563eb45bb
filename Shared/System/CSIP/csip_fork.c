// A 2xx of another branch of a forked INVITE, whose first 2xx was taken: it is acknowledged each time, and ended with BYE.
//
// The stack does that by itself, but sends the BYE once and never again: lost, the far side talks to nobody for good. This
// definition takes the place of the library's; the BYE is an ordinary transaction.
#include "csip_internal.h"

#include <sofia-sip/nta_stateless.h>
#include <sofia-sip/sip_util.h>
#include <string.h>

// FNV-1a over both.
static uint64_t name_of(char const *call_id, char const *tag) {
    uint64_t hash = 14695981039346656037u;
    for (char const *c = call_id; *c; c++) hash = (hash ^ (unsigned char)*c) * 1099511628211u;
    for (char const *c = tag; *c; c++) hash = (hash ^ (unsigned char)*c) * 1099511628211u;
    return hash | 1;
}

// Whether the branch has had its BYE: its 2xx comes again until the ACK has reached it.
static int is_dismissed(csip_agent *agent, uint64_t name) {
    for (unsigned i = 0; i < CSIP_DISMISSED; i++)
        if (agent->dismissed[i] == name) return 1;
    agent->dismissed[agent->next_dismissed++ % CSIP_DISMISSED] = name;
    return 0;
}

static msg_t *request_in(nta_agent_t *nta, sip_t const *answer, sip_method_t method, char const *name, uint32_t sequence) {
    msg_t *msg = nta_msg_create(nta, 0);
    sip_t *sip = msg ? sip_object(msg) : NULL;
    if (!sip) return NULL;
    su_home_t *home = msg_home(msg);
    url_t const *target = answer->sip_contact ? answer->sip_contact->m_url : answer->sip_to->a_url;
    sip_route_t *route = sip_route_reverse(home, answer->sip_record_route);
    if (route && !url_has_param(route->r_url, "lr")) {
        // A strict router takes the place of the Request-URI (RFC 3261, section 12.2.1.1).
        sip_route_t *last = route, own[1];
        while (last->r_next) last = last->r_next;
        *sip_route_init(own)->r_url = *target;
        last->r_next = sip_route_dup(home, own);
        target = route->r_url;
        route = route->r_next;
    }
    sip_cseq_t *cseq = sip_cseq_create(home, sequence, method, name);
    sip_request_t *line = sip_request_create(home, method, name, (url_string_t const *)target, NULL);
    if (!cseq || !line ||
        sip_add_tl(
            msg, sip, SIPTAG_TO(answer->sip_to), SIPTAG_FROM(answer->sip_from), SIPTAG_CALL_ID(answer->sip_call_id),
            SIPTAG_MAX_FORWARDS_STR("70"), TAG_IF(route, SIPTAG_ROUTE(route)), TAG_END()) < 0 ||
        msg_header_insert(msg, (msg_pub_t *)sip, (msg_header_t *)cseq) < 0 ||
        msg_header_insert(msg, (msg_pub_t *)sip, (msg_header_t *)line) < 0) {
        msg_destroy(msg);
        return NULL;
    }
    return msg;
}

static int send_request(nta_agent_t *nta, msg_t *msg, char const *ack_branch) {
    nta_outgoing_t *sent =
        msg ? nta_outgoing_mcreate(
                  nta, NULL, NULL, NULL, msg, TAG_IF(ack_branch, NTATAG_ACK_BRANCH(ack_branch)),
                  TAG_IF(ack_branch, NTATAG_STATELESS(1)), TAG_END())
            : NULL;
    if (!sent) {
        if (msg) msg_destroy(msg);
        return -1;
    }
    csip_own_via(sent);
    // The stack repeats it until it is answered, or 64*T1 have passed.
    nta_outgoing_destroy(sent);
    return 0;
}

int nta_msg_ackbye(nta_agent_t *nta, msg_t *msg) {
    csip_agent *agent = csip_current;
    sip_t *sip = sip_object(msg);
    if (!agent || !sip || !sip->sip_via || !sip->sip_cseq || !sip->sip_to || !sip->sip_to->a_tag || !sip->sip_from ||
        !sip->sip_call_id)
        return -1;
    uint32_t sequence = sip->sip_cseq->cs_seq;
    if (send_request(nta, request_in(nta, sip, SIP_METHOD_ACK, sequence), sip->sip_via->v_branch) < 0) return -1;
    if (!is_dismissed(agent, name_of(sip->sip_call_id->i_id, sip->sip_to->a_tag)))
        send_request(nta, request_in(nta, sip, SIP_METHOD_BYE, sequence + 1), NULL);
    msg_destroy(msg);
    return 0;
}

int csip_ack(csip_agent *agent, const csip_request *request) {
    return send_request(agent->nta, csip_build(agent, request), request->branch);
}
