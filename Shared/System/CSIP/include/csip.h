// A SIP user agent on sofia-sip's NTA layer, without its macros, magics and tag lists.
//
// One agent has one thread. Everything below but csip_start, csip_wake and csip_stop is called on that thread only, from
// within the callbacks. Strings handed to callbacks live until the callback returns.
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef struct csip_agent csip_agent;
// A server transaction: destroyed by its owner with csip_server_destroy.
typedef struct csip_server csip_server;
// A client transaction: destroyed by its owner with csip_client_destroy.
typedef struct csip_client csip_client;
// A connection that a request came in on, counted: released by its owner with csip_flow_release.
typedef struct csip_flow csip_flow;

// A request or response, its headers as text (RFC 3261 names); NULL and 0 where there is none.
typedef struct {
    int status;  // 0: a request
    const char *method;
    const char *request_uri;
    const char *call_id;
    const char *from;
    const char *from_tag;
    const char *to;
    const char *to_tag;
    const char *contact;  // the first one
    const char *branch;   // of the first Via
    uint32_t cseq;
    int64_t max_forwards;  // -1: no such header
    const char *privacy;
    const char *reason;
    const char *content_type;  // media type without parameters
    const char *content_encoding;
    const char *session_expires;
    const char *min_se;
    int64_t retry_after;  // seconds; -1: no such header
    // Each list ends with NULL.
    const char *const *record_route;
    const char *const *require;
    const char *const *supported;
    const char *const *allow;
    const char *const *asserted_identity;
    const char *const *contacts;  // responses only
    const char *const *www_authenticate;
    const char *const *proxy_authenticate;
    const uint8_t *body;
    size_t body_length;
    const uint8_t *raw;  // requests only
    size_t raw_length;
    int is_udp;
    const char *source_host;
    uint16_t source_port;
} csip_message;

enum csip_transaction_event { CSIP_ACK, CSIP_CANCEL, CSIP_TIMEOUT };

// What the agent tells its owner, on its thread.
typedef struct {
    // A new request. The owner answers it now or later and destroys it in the end; for an ACK without a transaction
    // `server` has only to be destroyed.
    void (*request)(void *context, csip_server *server, const csip_message *message);
    // ACK or CANCEL for the server transaction bound to `id`; on CSIP_TIMEOUT (no ACK in 64*T1) `message` is NULL.
    // The owner answers a cancelled transaction with 487; the CANCEL has its 200.
    void (*transaction)(void *context, uint64_t id, enum csip_transaction_event event, const csip_message *message);
    // A response for the client transaction `id`; `message` is NULL when `status` was made up by the stack.
    void (*response)(void *context, uint64_t id, int status, const csip_message *message);
    // A response to an INVITE that matches no client transaction. Others of that kind are dropped.
    void (*unclaimed)(void *context, const csip_message *message);
    // csip_wake was called, or a second has passed.
    void (*wake)(void *context);
    // Whether anything may be sent now; asked before each datagram and each write to a connection. NULL: always.
    int (*may_send)(void *context);
    // Whether what has come may be read now; asked before each read. NULL: always.
    int (*may_receive)(void *context);
} csip_callbacks;

typedef struct {
    const char *host;
    uint16_t port;  // 0: any
    const char *user_agent;
    uint32_t t1, t2, t4;  // milliseconds
    // The address may still be held by a process that has no right to it any more: what comes over UDP comes here, and TCP
    // follows once it is free.
    int takes_over;
} csip_options;

typedef struct {
    size_t server_transactions, client_transactions;
    uint64_t bad_messages, bad_requests, received_messages, sent_messages, retransmitted_requests, retransmitted_responses;
} csip_counts;

// Binds UDP and TCP and starts the thread. NULL on failure: `*error` is an errno value and `*failed_transport` 0 for none, 1
// for UDP, 2 for TCP.
csip_agent *csip_start(
    const csip_options *options, const csip_callbacks *callbacks, void *context, int *error, int *failed_transport);
// The agent whose thread this is; NULL on any other thread.
csip_agent *csip_of_thread(void);
uint16_t csip_port(const csip_agent *agent);
// From any thread, before csip_stop: the wake callback is called soon on the agent's thread.
int csip_wake(csip_agent *agent);
// From any other thread, once: the thread ends, sockets close, the agent is gone. `last` runs on the agent's thread before
// that and releases what the owner still holds.
void csip_stop(csip_agent *agent, void (*last)(void *context));

// Names a server transaction for the transaction callback.
void csip_server_bind(csip_server *server, uint64_t id);
void csip_server_set_tag(csip_server *server, const char *tag);
// The transaction of an INVITE that another process received, from its stored bytes; NULL when they are no INVITE
// or the transaction exists.
csip_server *csip_server_restore(csip_agent *agent, const uint8_t *raw, size_t length);
uint32_t csip_server_cseq(csip_server *server);
// Answers; a NULL phrase is RFC 3261's. `headers` holds more header lines, separated by CRLF. Returns 0, or -1 when the
// response could not be sent.
int csip_server_respond(
    csip_agent *agent, csip_server *server, int status, const char *phrase, const char *contact, const char *headers,
    const char *content_type, const uint8_t *body, size_t body_length);
// Without a final answer before it, the stack answers 500.
void csip_server_destroy(csip_server *server);
// The connection that the request came in on; NULL over UDP.
csip_flow *csip_server_flow(csip_agent *agent, csip_server *server);
void csip_flow_release(csip_flow *flow);

typedef struct {
    const char *method, *request_uri, *from, *to, *call_id, *contact;
    uint32_t cseq;
    const char *const *routes;  // ends with NULL
    const char *headers;
    const char *content_type;
    const uint8_t *body;
    size_t body_length;
    const char *branch;  // NULL: the stack makes one
} csip_request;

// Sends a request, over `flow` while that is open. NULL when it cannot be built or its target is no SIP URI.
csip_client *csip_client_send(csip_agent *agent, uint64_t id, const csip_request *request, csip_flow *flow);
// Sends the ACK for a 2xx to `invite` (RFC 3261 section 13.2.2.4); later 2xx of it are answered by the stack. 0 or -1.
int csip_client_ack(csip_agent *agent, csip_client *invite, const csip_request *request, csip_flow *flow);

// ACK for a 2xx of an INVITE that this process has no transaction of; `branch` is that of the 2xx's Via.
int csip_ack(csip_agent *agent, const csip_request *request);
// The transaction of an INVITE that another process sent, from what it said: its answers come as if it had been sent here.
csip_client *csip_client_restore(csip_agent *agent, uint64_t id, const csip_request *invite);
// Sends CANCEL; once a provisional response came (RFC 3261 section 9.1), or for a restored transaction at once, which is
// answered 487 by the stack then. `headers` as in csip_server_respond. 0 or -1.
int csip_client_cancel(csip_client *invite, const char *headers, int is_restored);
// The connection that the request went out on; NULL over UDP.
csip_flow *csip_client_flow(csip_client *client);
void csip_client_destroy(csip_client *client);

// MD5 of some bytes in lower case hexadecimal digits, with a NUL.
void csip_md5(const uint8_t *bytes, size_t length, char digest[33]);

void csip_count(csip_agent *agent, csip_counts *counts);
