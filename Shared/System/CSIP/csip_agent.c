// The agent's life: thread, sockets, start and end.
#define _GNU_SOURCE
#include "csip_internal.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

_Thread_local csip_agent *csip_current;

static pthread_once_t once = PTHREAD_ONCE_INIT;

// What the stack would say names addresses and numbers.
static void say_nothing(void *stream, char const *format, va_list arguments) {}

static void initialise(void) {
    su_init();
    su_log_redirect(NULL, say_nothing, NULL);
    csip_message_classes_make();
}

static uint16_t bound_port(nta_agent_t *nta) {
    sip_via_t const *via = nta_agent_via(nta);
    if (!via) return 0;
    return via->v_port ? (uint16_t)strtoul(via->v_port, NULL, 10) : 5060;
}

// Why a socket cannot be bound: the stack loses errno on its way out.
static int reason(csip_agent *agent, int type) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(agent->port)};
    if (inet_pton(AF_INET, agent->options.host, &address.sin_addr) != 1) return EINVAL;
    int probe = socket(AF_INET, type | SOCK_CLOEXEC, 0);
    if (probe < 0) return errno;
    int failed = bind(probe, (struct sockaddr *)&address, sizeof address) < 0 ||
        (type == SOCK_STREAM && listen(probe, 1) < 0);
    int found = failed ? errno : EADDRINUSE;
    close(probe);
    return found;
}

// A connection stays for a while without a call: whoever keeps it alive (RFC 5626 section 3.5.1, every two minutes at the most)
// finds it there for the next one.
enum { IDLE_MILLISECONDS = 300000 };

static int listen_tcp(csip_agent *agent) {
    char url[160];
    snprintf(url, sizeof url, "sip:%s:%u;transport=tcp", agent->options.host, agent->port);
    return nta_agent_add_tport(agent->nta, URL_STRING_MAKE(url), TPTAG_IDLE(IDLE_MILLISECONDS), TPTAG_PONG2PING(1), TAG_END());
}

// One attempt: UDP first, then TCP on the same port.
static int bind_sockets(csip_agent *agent) {
    char url[160], port[8] = "*";
    if (agent->options.port) snprintf(port, sizeof port, "%u", agent->options.port);
    snprintf(url, sizeof url, "sip:%s:%s;transport=udp", agent->options.host, port);
    agent->port = agent->options.port;
    agent->nta = nta_agent_create(
        agent->root, URL_STRING_MAKE(url), NULL, agent, NTATAG_MCLASS(csip_message_classes()), NTATAG_UA(1), NTATAG_MERGE_482(0), NTATAG_CANCEL_487(0),
        NTATAG_SERVER_RPORT(1), NTATAG_SIP_T1(agent->options.t1), NTATAG_SIP_T1X64(64 * agent->options.t1),
        NTATAG_SIP_T2(agent->options.t2), NTATAG_SIP_T4(agent->options.t4), NTATAG_MAXSIZE(256 * 1024),
        NTATAG_UDP_MTU(65535),
        TPTAG_UDP_RMEM(4 * 1024 * 1024), TAG_END());
    if (!agent->nta) {
        agent->error = reason(agent, SOCK_DGRAM);
        agent->failed_transport = 1;
        return -1;
    }
    agent->port = bound_port(agent->nta);
    if (listen_tcp(agent) < 0) {
        agent->error = reason(agent, SOCK_STREAM);
        // Whoever had the address before us still stands there: TCP follows when it has gone.
        if (agent->options.takes_over && agent->error == EADDRINUSE) {
            agent->lacks_tcp = 1;
            return 0;
        }
        agent->failed_transport = 2;
        nta_agent_destroy(agent->nta);
        agent->nta = NULL;
        return -1;
    }
    return 0;
}

static void second_passed(su_root_magic_t *magic, su_timer_t *timer, su_timer_arg_t *agent) {
    if (agent->lacks_tcp && listen_tcp(agent) == 0) agent->lacks_tcp = 0;
    agent->callbacks.wake(agent->context);
}

static int set_up(csip_agent *agent) {
    agent->root = su_root_create(agent);
    if (!agent->root) {
        agent->error = errno ? errno : ENOMEM;
        return -1;
    }
    // A port that the system chose for UDP may be taken for TCP.
    int attempts = agent->options.port ? 1 : 16;
    while (bind_sockets(agent) < 0)
        if (--attempts == 0) return -1;
    agent->leg = nta_leg_tcreate(agent->nta, csip_received, agent, NTATAG_NO_DIALOG(1), TAG_END());
    agent->unclaimed = agent->leg ? nta_outgoing_default(agent->nta, csip_unclaimed, NULL) : NULL;
    if (!agent->unclaimed) {
        agent->error = ENOMEM;
        return -1;
    }
    agent->timer = su_timer_create(su_root_task(agent->root), 1000);
    if (!agent->timer || su_timer_run(agent->timer, second_passed, agent) < 0) {
        agent->error = ENOMEM;
        return -1;
    }
    agent->error = 0;
    agent->failed_transport = 0;
    return 0;
}

static void tear_down(csip_agent *agent) {
    if (agent->timer) su_timer_destroy(agent->timer);
    if (agent->unclaimed) nta_outgoing_destroy(agent->unclaimed);
    if (agent->leg) nta_leg_destroy(agent->leg);
    if (agent->nta) nta_agent_destroy(agent->nta);
    if (agent->root) su_root_destroy(agent->root);
    agent->timer = NULL;
    agent->unclaimed = NULL;
    agent->leg = NULL;
    agent->nta = NULL;
    agent->root = NULL;
}

static void *thread_body(void *argument) {
    csip_agent *agent = argument;
    csip_current = agent;
    int failed = set_up(agent) < 0;
    if (failed)
        tear_down(agent);
    else
        // What is wanted before the first message is read.
        agent->callbacks.wake(agent->context);
    sem_post(&agent->started);
    if (failed) return NULL;
    su_root_run(agent->root);
    if (agent->last) agent->last(agent->context);
    tear_down(agent);
    return NULL;
}

static void release(csip_agent *agent) {
    sem_destroy(&agent->started);
    free(agent->user_agent);
    free(agent->host);
    free(agent);
}

csip_agent *csip_start(
    const csip_options *options, const csip_callbacks *callbacks, void *context, int *error, int *failed_transport) {
    pthread_once(&once, initialise);
    csip_agent *agent = calloc(1, sizeof *agent);
    if (!agent) abort();
    agent->callbacks = *callbacks;
    agent->context = context;
    agent->options = *options;
    agent->user_agent = strdup(options->user_agent);
    agent->options.host = agent->host = strdup(options->host);
    sem_init(&agent->started, 0, 0);
    int created = pthread_create(&agent->thread, NULL, thread_body, agent);
    if (created == 0) {
        pthread_setname_np(agent->thread, "sip");
        while (sem_wait(&agent->started) < 0 && errno == EINTR) {}
        agent->options.user_agent = NULL;
        if (agent->root) return agent;
        pthread_join(agent->thread, NULL);
    }
    *error = created ? created : agent->error;
    *failed_transport = agent->failed_transport;
    release(agent);
    return NULL;
}

csip_agent *csip_of_thread(void) { return csip_current; }

uint16_t csip_port(const csip_agent *agent) { return agent->port; }

static void read_letter(su_root_magic_t *magic, su_msg_r message, struct csip_letter *letter) {
    if (letter->stops)
        su_root_break(letter->agent->root);
    else
        letter->agent->callbacks.wake(letter->agent->context);
}

static int send_letter(csip_agent *agent, int stops) {
    su_msg_r message = SU_MSG_R_INIT;
    if (su_msg_create(message, su_root_task(agent->root), su_task_null, read_letter, sizeof(struct csip_letter)) < 0)
        return -1;
    *su_msg_data(message) = (struct csip_letter){.agent = agent, .stops = stops};
    return su_msg_send(message);
}

int csip_wake(csip_agent *agent) { return send_letter(agent, 0); }

void csip_stop(csip_agent *agent, void (*last)(void *context)) {
    agent->last = last;
    if (send_letter(agent, 1) < 0) abort();
    pthread_join(agent->thread, NULL);
    release(agent);
}

void csip_count(csip_agent *agent, csip_counts *counts) {
    usize_t irq = 0, orq = 0, bad = 0, bad_requests = 0, received = 0, sent = 0, again = 0, answered = 0;
    nta_agent_get_stats(
        agent->nta, NTATAG_S_IRQ_HASH_USED_REF(irq), NTATAG_S_ORQ_HASH_USED_REF(orq), NTATAG_S_BAD_MESSAGE_REF(bad),
        NTATAG_S_BAD_REQUEST_REF(bad_requests), NTATAG_S_RECV_MSG_REF(received), NTATAG_S_SENT_MSG_REF(sent),
        NTATAG_S_RETRY_REQUEST_REF(again), NTATAG_S_RETRY_RESPONSE_REF(answered), TAG_END());
    *counts = (csip_counts){
        .server_transactions = irq,
        .client_transactions = orq,
        .bad_messages = bad,
        .bad_requests = bad_requests,
        .received_messages = received,
        .sent_messages = sent,
        .retransmitted_requests = again,
        .retransmitted_responses = answered,
    };
}
