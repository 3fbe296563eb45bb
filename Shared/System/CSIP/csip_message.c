// Messages as text, for Swift.
#include "csip_internal.h"

#include <arpa/inet.h>
#include <string.h>
#include <strings.h>

static const char *text(su_home_t *home, void const *header) {
    return header ? sip_header_as_string(home, (sip_header_t const *)header) : NULL;
}

static const char *const *routes(su_home_t *home, sip_record_route_t const *route) {
    size_t count = 0;
    for (sip_record_route_t const *r = route; r; r = r->r_next) count++;
    const char **list = su_zalloc(home, (count + 1) * sizeof *list);
    if (!list) return NULL;
    size_t used = 0;
    for (; route && used < count; route = route->r_next) {
        const char *value = text(home, route);
        if (value) list[used++] = value;
    }
    return list;
}

static const char *const *unknown(su_home_t *home, sip_t const *sip, const char *name) {
    size_t count = 0;
    for (sip_unknown_t const *u = sip->sip_unknown; u; u = u->un_next) count++;
    const char **list = su_zalloc(home, (count + 1) * sizeof *list);
    if (!list) return NULL;
    size_t used = 0;
    for (sip_unknown_t const *u = sip->sip_unknown; u; u = u->un_next)
        if (u->un_name && u->un_value && strcasecmp(u->un_name, name) == 0) list[used++] = u->un_value;
    return list;
}

// Headers of one name, each as text.
static const char *const *all(su_home_t *home, msg_header_t const *first) {
    size_t count = 0;
    for (msg_header_t const *h = first; h; h = h->sh_next) count++;
    const char **list = su_zalloc(home, (count + 1) * sizeof *list);
    if (!list) return NULL;
    size_t used = 0;
    for (msg_header_t const *h = first; h && used < count; h = h->sh_next) {
        const char *value = text(home, h);
        if (value) list[used++] = value;
    }
    return list;
}

static void view_source(csip_message *view, su_home_t *home, msg_t *msg) {
    su_addrinfo_t const *info = msg_addrinfo(msg);
    su_sockaddr_t const *address = msg_addr(msg);
    view->is_udp = info && info->ai_socktype == SOCK_DGRAM;
    if (!address) return;
    char host[INET6_ADDRSTRLEN] = "";
    if (inet_ntop(address->su_family, SU_ADDR(address), host, sizeof host)) view->source_host = su_strdup(home, host);
    view->source_port = ntohs(address->su_port);
}

void csip_view(csip_message *view, su_home_t *home, msg_t *msg, sip_t const *sip) {
    memset(view, 0, sizeof *view);
    if (sip->sip_request) {
        view->method = sip->sip_request->rq_method_name;
        view->request_uri = url_as_string(home, sip->sip_request->rq_url);
    } else if (sip->sip_status) {
        view->status = sip->sip_status->st_status;
        view->method = sip->sip_cseq ? sip->sip_cseq->cs_method_name : NULL;
    }
    view->call_id = sip->sip_call_id ? sip->sip_call_id->i_id : NULL;
    view->from = text(home, sip->sip_from);
    view->from_tag = sip->sip_from ? sip->sip_from->a_tag : NULL;
    view->to = text(home, sip->sip_to);
    view->to_tag = sip->sip_to ? sip->sip_to->a_tag : NULL;
    view->contact = text(home, sip->sip_contact);
    view->branch = sip->sip_via ? sip->sip_via->v_branch : NULL;
    view->cseq = sip->sip_cseq ? sip->sip_cseq->cs_seq : 0;
    view->max_forwards = sip->sip_max_forwards ? (int64_t)sip->sip_max_forwards->mf_count : -1;
    view->privacy = text(home, sip->sip_privacy);
    view->reason = text(home, sip->sip_reason);
    view->content_type = sip->sip_content_type ? sip->sip_content_type->c_type : NULL;
    view->content_encoding = text(home, sip->sip_content_encoding);
    view->record_route = routes(home, sip->sip_record_route);
    view->require = sip->sip_require ? (const char *const *)sip->sip_require->k_items : NULL;
    view->session_expires = text(home, sip->sip_session_expires);
    view->min_se = text(home, sip->sip_min_se);
    view->retry_after = sip->sip_retry_after ? (int64_t)sip->sip_retry_after->af_delta : -1;
    view->supported = sip->sip_supported ? (const char *const *)sip->sip_supported->k_items : NULL;
    view->allow = sip->sip_allow ? (const char *const *)sip->sip_allow->k_items : NULL;
    if (sip->sip_status) {
        view->contacts = all(home, (msg_header_t const *)sip->sip_contact);
        view->www_authenticate = all(home, (msg_header_t const *)sip->sip_www_authenticate);
        view->proxy_authenticate = all(home, (msg_header_t const *)sip->sip_proxy_authenticate);
    }
    view->asserted_identity = unknown(home, sip, "P-Asserted-Identity");
    if (sip->sip_payload) {
        view->body = (const uint8_t *)sip->sip_payload->pl_data;
        view->body_length = sip->sip_payload->pl_len;
    }
    if (!msg) return;
    view_source(view, home, msg);
    if (sip->sip_request && sip->sip_request->rq_method == sip_method_invite) {
        size_t length = 0;
        view->raw = (const uint8_t *)msg_as_string(home, msg, NULL, 0, &length);
        view->raw_length = view->raw ? length : 0;
    }
}
