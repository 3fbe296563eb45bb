// Server transactions.
#include "csip_internal.h"

#include <sofia-sip/msg.h>
#include <sofia-sip/sip_util.h>

int csip_received(csip_agent *agent, nta_leg_t *leg, nta_incoming_t *irq, sip_t const *sip) {
    su_home_t home[1] = {SU_HOME_INIT(home)};
    su_home_init(home);
    csip_message view;
    msg_t *msg = nta_incoming_getrequest(irq);
    csip_view(&view, home, msg, sip);
    agent->callbacks.request(agent->context, (csip_server *)irq, &view);
    if (msg) msg_destroy(msg);
    su_home_deinit(home);
    return 0;
}

// The stack calls this with the ACK or CANCEL, or with nothing when no ACK came in time.
static int acknowledged_or_cancelled(void *magic, nta_incoming_t *irq, sip_t const *sip) {
    csip_agent *agent = csip_current;
    uint64_t id = (uint64_t)(uintptr_t)magic;
    if (!sip) {
        agent->callbacks.transaction(agent->context, id, CSIP_TIMEOUT, NULL);
        return 0;
    }
    su_home_t home[1] = {SU_HOME_INIT(home)};
    su_home_init(home);
    csip_message view;
    csip_view(&view, home, NULL, sip);
    int cancels = sip->sip_request && sip->sip_request->rq_method == sip_method_cancel;
    agent->callbacks.transaction(agent->context, id, cancels ? CSIP_CANCEL : CSIP_ACK, &view);
    su_home_deinit(home);
    return 0;
}

void csip_server_bind(csip_server *server, uint64_t id) {
    nta_incoming_bind(incoming(server), acknowledged_or_cancelled, (void *)(uintptr_t)id);
}

void csip_server_set_tag(csip_server *server, const char *tag) { nta_incoming_tag(incoming(server), tag); }

csip_server *csip_server_restore(csip_agent *agent, const uint8_t *raw, size_t length) {
    tport_t *tport = tport_primaries(nta_agent_tports(agent->nta));
    while (tport && !tport_is_udp(tport)) tport = tport_next(tport);
    msg_t *msg = tport ? msg_make(sip_default_mclass(), 0, raw, (ssize_t)length) : NULL;
    sip_t *sip = msg ? sip_object(msg) : NULL;
    if (!sip || !sip->sip_request || sip->sip_request->rq_method != sip_method_invite || sip_sanity_check(sip) < 0 ||
        !sip->sip_via || nta_incoming_find(agent->nta, sip, sip->sip_via)) {
        if (msg) msg_destroy(msg);
        return NULL;
    }
    return (csip_server *)nta_incoming_create(agent->nta, NULL, msg, sip, NTATAG_TPORT(tport), TAG_END());
}

uint32_t csip_server_cseq(csip_server *server) { return nta_incoming_cseq(incoming(server)); }

// A final response to an INVITE that could not be sent leaves the transaction in a queue in which the stack does not expect
// an ACK: it aborts on one. Nothing on the wire matches the transaction any more once its Call-ID, which the transaction
// shares with the request, is another; the stack's timer frees it.
static void disown(nta_incoming_t *irq) {
    msg_t *msg = nta_incoming_getrequest(irq);
    sip_t *sip = msg ? sip_object(msg) : NULL;
    if (sip && sip->sip_call_id && sip->sip_call_id->i_id) *(char *)sip->sip_call_id->i_id = '\x01';
    if (msg) msg_destroy(msg);
}

int csip_server_respond(
    csip_agent *agent, csip_server *server, int status, const char *phrase, const char *contact, const char *headers,
    const char *content_type, const uint8_t *body, size_t body_length) {
    nta_incoming_t *irq = incoming(server);
    msg_t *msg = nta_incoming_create_response(irq, 0, NULL);
    if (!msg) return -1;
    su_home_t *home = msg_home(msg);
    // The message keeps the pointer: the phrase must live as long as it.
    const char *kept = phrase ? su_strdup(home, phrase) : sip_status_phrase(status);
    sip_payload_t *payload = body_length ? sip_payload_create(home, body, (isize_t)body_length) : NULL;
    int complete = nta_incoming_complete_response(
        irq, msg, status, kept ? kept : "Unknown", TAG_IF(contact, SIPTAG_CONTACT_STR(contact)),
        SIPTAG_SERVER_STR(agent->user_agent), TAG_IF(headers && *headers, SIPTAG_HEADER_STR(headers)),
        TAG_IF(payload && content_type, SIPTAG_CONTENT_TYPE_STR(content_type)), TAG_IF(payload, SIPTAG_PAYLOAD(payload)),
        TAG_END());
    if (complete < 0) {
        msg_destroy(msg);
        return -1;
    }
    nta_incoming_mreply(irq, msg);
    if (status < 200 || nta_incoming_status(irq) >= 200) return 0;
    disown(irq);
    return -1;
}

void csip_server_destroy(csip_server *server) { nta_incoming_destroy(incoming(server)); }

csip_flow *csip_server_flow(csip_agent *agent, csip_server *server) {
    tport_t *tport = nta_incoming_transport(agent->nta, incoming(server), NULL);
    if (tport && tport_is_secondary(tport)) return (csip_flow *)tport;
    if (tport) tport_unref(tport);
    return NULL;
}

void csip_flow_release(csip_flow *flow) { tport_unref(connection(flow)); }
