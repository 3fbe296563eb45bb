// Client transactions.
#include "csip_internal.h"

#include <sofia-sip/su_md5.h>
#include <stdlib.h>
#include <string.h>

extern tag_typedef_t ntatag_delay_sending;
#define NTATAG_DELAY_SENDING(x) ntatag_delay_sending, tag_bool_v((x))

static int answered(struct csip_sent *sent, nta_outgoing_t *orq, sip_t const *sip) {
    csip_agent *agent = sent->agent;
    int status = nta_outgoing_status(orq);
    if (!sip || nta_sip_is_internal(sip)) {
        agent->callbacks.response(agent->context, sent->id, sip && sip->sip_status ? sip->sip_status->st_status : status, NULL);
        return 0;
    }
    su_home_t home[1] = {SU_HOME_INIT(home)};
    su_home_init(home);
    csip_message view;
    csip_view(&view, home, NULL, sip);
    agent->callbacks.response(agent->context, sent->id, view.status, &view);
    su_home_deinit(home);
    return 0;
}

msg_t *csip_build(csip_agent *agent, const csip_request *request) {
    msg_t *msg = nta_msg_create(agent->nta, 0);
    if (!msg) return NULL;
    sip_t *sip = sip_object(msg);
    su_home_t *home = msg_home(msg);
    const char *name = su_strdup(home, request->method);
    sip_method_t method = sip_method_code(name);
    const char *uri = su_strdup(home, request->request_uri);
    sip_request_t *line = sip_request_create(home, method, name, URL_STRING_MAKE(uri), NULL);
    sip_cseq_t *cseq = sip_cseq_create(home, request->cseq, method, name);
    sip_payload_t *payload =
        request->body_length ? sip_payload_create(home, request->body, (isize_t)request->body_length) : NULL;
    int failed = !line || !cseq || sip_header_insert(msg, sip, (sip_header_t *)line) < 0 ||
        sip_header_insert(msg, sip, (sip_header_t *)cseq) < 0 ||
        sip_add_tl(
            msg, sip, SIPTAG_FROM_STR(request->from), SIPTAG_TO_STR(request->to), SIPTAG_CALL_ID_STR(request->call_id),
            TAG_IF(request->contact, SIPTAG_CONTACT_STR(request->contact)),
            SIPTAG_USER_AGENT_STR(agent->user_agent),
            TAG_IF(request->headers && *request->headers, SIPTAG_HEADER_STR(request->headers)),
            TAG_IF(payload && request->content_type, SIPTAG_CONTENT_TYPE_STR(request->content_type)),
            TAG_IF(payload, SIPTAG_PAYLOAD(payload)), TAG_END()) < 0;
    if (!failed && !sip->sip_max_forwards) failed = sip_add_tl(msg, sip, SIPTAG_MAX_FORWARDS_STR("70"), TAG_END()) < 0;
    for (const char *const *route = request->routes; !failed && route && *route; route++)
        failed = sip_add_tl(msg, sip, SIPTAG_ROUTE_STR(*route), TAG_END()) < 0;
    if (failed || !sip->sip_from || !sip->sip_to || !sip->sip_call_id) {
        msg_destroy(msg);
        return NULL;
    }
    return msg;
}

static void copy(su_home_t *home, char const **text) {
    char const *own = *text ? su_strdup(home, *text) : NULL;
    if (own) *text = own;
}

void csip_own_via(nta_outgoing_t *request) {
    msg_t *msg = nta_outgoing_getrequest(request);
    sip_t *sip = msg ? sip_object(msg) : NULL;
    if (sip && sip->sip_via) {
        copy(msg_home(msg), &sip->sip_via->v_protocol);
        copy(msg_home(msg), &sip->sip_via->v_host);
        copy(msg_home(msg), &sip->sip_via->v_port);
    }
    if (msg) msg_destroy(msg);
}

// A closed connection is no way any more; the target's address is.
static tport_t *open_connection(csip_flow *flow) {
    tport_t *tport = connection(flow);
    return tport && !tport_is_closed(tport) && !tport_is_shutdown(tport) ? tport : NULL;
}

csip_client *csip_client_send(csip_agent *agent, uint64_t id, const csip_request *request, csip_flow *flow) {
    msg_t *msg = csip_build(agent, request);
    if (!msg) return NULL;
    struct csip_sent *sent = calloc(1, sizeof *sent);
    if (!sent) abort();
    *sent = (struct csip_sent){.agent = agent, .id = id};
    tport_t *tport = open_connection(flow);
    sent->transaction = nta_outgoing_mcreate(
        agent->nta, answered, sent, NULL, msg, TAG_IF(tport, NTATAG_TPORT(tport)),
        TAG_IF(request->branch, NTATAG_BRANCH_KEY(request->branch)), TAG_END());
    if (sent->transaction) {
        csip_own_via(sent->transaction);
        return (csip_client *)sent;
    }
    msg_destroy(msg);
    free(sent);
    return NULL;
}

// A transaction whose sending is put off for good: it takes answers, and its ACK and CANCEL carry the branch.
csip_client *csip_client_restore(csip_agent *agent, uint64_t id, const csip_request *invite) {
    msg_t *msg = invite->branch ? csip_build(agent, invite) : NULL;
    if (!msg) return NULL;
    struct csip_sent *sent = calloc(1, sizeof *sent);
    if (!sent) abort();
    *sent = (struct csip_sent){.agent = agent, .id = id};
    sent->transaction = nta_outgoing_mcreate(
        agent->nta, answered, sent, NULL, msg, NTATAG_BRANCH_KEY(invite->branch), NTATAG_DELAY_SENDING(1), TAG_END());
    if (sent->transaction) {
        csip_own_via(sent->transaction);
        return (csip_client *)sent;
    }
    msg_destroy(msg);
    free(sent);
    return NULL;
}

int csip_client_cancel(csip_client *invite, const char *headers, int is_restored) {
    struct csip_sent *sent = (struct csip_sent *)invite;
    nta_outgoing_t *cancel = nta_outgoing_tcancel(
        sent->transaction, NULL, NULL, NTATAG_CANCEL_2543(is_restored),
        TAG_IF(headers && *headers, SIPTAG_HEADER_STR(headers)), TAG_END());
    return cancel ? 0 : -1;
}

csip_flow *csip_client_flow(csip_client *client) {
    struct csip_sent *sent = (struct csip_sent *)client;
    // Counted.
    tport_t *tport = nta_outgoing_transport(sent->transaction);
    if (tport && tport_is_secondary(tport)) return (csip_flow *)tport;
    if (tport) tport_unref(tport);
    return NULL;
}

// The callback of the default transaction: every response that no other takes.
int csip_unclaimed(struct csip_sent *sent, nta_outgoing_t *orq, sip_t const *sip) {
    csip_agent *agent = csip_current;
    if (!sip || !sip->sip_status || !sip->sip_cseq || sip->sip_cseq->cs_method != sip_method_invite) return 0;
    su_home_t home[1] = {SU_HOME_INIT(home)};
    su_home_init(home);
    csip_message view;
    csip_view(&view, home, NULL, sip);
    agent->callbacks.unclaimed(agent->context, &view);
    su_home_deinit(home);
    return 0;
}

void csip_md5(const uint8_t *bytes, size_t length, char digest[33]) {
    su_md5_t md5[1];
    su_md5_init(md5);
    su_md5_update(md5, bytes, (usize_t)length);
    su_md5_hexdigest(md5, digest);
    su_md5_deinit(md5);
}

int csip_client_ack(csip_agent *agent, csip_client *invite, const csip_request *request, csip_flow *flow) {
    struct csip_sent *sent = (struct csip_sent *)invite;
    msg_t *msg = csip_build(agent, request);
    if (!msg) return -1;
    tport_t *tport = open_connection(flow);
    nta_outgoing_t *ack = nta_outgoing_mcreate(
        agent->nta, NULL, NULL, NULL, msg, NTATAG_ACK_BRANCH(nta_outgoing_branch(sent->transaction)),
        TAG_IF(tport, NTATAG_TPORT(tport)), TAG_END());
    if (!ack) {
        msg_destroy(msg);
        return -1;
    }
    csip_own_via(ack);
    // The stack keeps it for the retransmissions of the 2xx.
    nta_outgoing_destroy(ack);
    return 0;
}

void csip_client_destroy(csip_client *client) {
    struct csip_sent *sent = (struct csip_sent *)client;
    nta_outgoing_destroy(sent->transaction);
    free(sent);
}
