// The agent and the casts between csip's and sofia-sip's names. Each file that includes this sees the same magics.
#pragma once

#include "csip.h"

struct csip_agent;
#define SU_ROOT_MAGIC_T struct csip_agent
#define SU_MSG_ARG_T struct csip_letter
#define SU_TIMER_ARG_T struct csip_agent
#define NTA_AGENT_MAGIC_T struct csip_agent
#define NTA_LEG_MAGIC_T struct csip_agent
#define NTA_INCOMING_MAGIC_T void
#define NTA_OUTGOING_MAGIC_T struct csip_sent

#include <pthread.h>
#include <semaphore.h>
#include <sofia-sip/msg_addr.h>
#include <sofia-sip/nta.h>
#include <sofia-sip/nta_tport.h>
#include <sofia-sip/sip.h>
#include <sofia-sip/sip_header.h>
#include <sofia-sip/sip_status.h>
#include <sofia-sip/sip_tag.h>
#include <sofia-sip/su_log.h>
#include <sofia-sip/su_tagarg.h>
#include <sofia-sip/su_wait.h>
#include <sofia-sip/tport.h>
#include <sofia-sip/tport_tag.h>

#define CSIP_DISMISSED 256

struct csip_agent {
    csip_callbacks callbacks;
    void *context;
    csip_options options;
    char *host, *user_agent;
    pthread_t thread;
    sem_t started;
    int error, failed_transport;
    su_root_t *root;
    nta_agent_t *nta;
    nta_leg_t *leg;
    nta_outgoing_t *unclaimed;
    su_timer_t *timer;
    uint16_t port;
    // Branches of forks that were ended; the oldest is forgotten.
    uint64_t dismissed[CSIP_DISMISSED];
    unsigned next_dismissed;
    int lacks_tcp;
    void (*last)(void *context);
};

// Server transactions carry an id only.
extern _Thread_local csip_agent *csip_current;

// A message to the agent's own thread.
struct csip_letter {
    csip_agent *agent;
    int stops;
};

// What the stack remembers about a request of ours.
struct csip_sent {
    csip_agent *agent;
    uint64_t id;
    nta_outgoing_t *transaction;
};

static inline nta_incoming_t *incoming(csip_server *server) { return (nta_incoming_t *)server; }
static inline tport_t *connection(csip_flow *flow) { return (tport_t *)flow; }

// The library's message classes but for the request line; made once, before any agent.
void csip_message_classes_make(void);
msg_mclass_t const *csip_message_classes(void);
// A view of a message; its strings belong to `home`.
void csip_view(csip_message *view, su_home_t *home, msg_t *msg, sip_t const *sip);
// The callback of the default leg: every request that no transaction takes.
int csip_received(csip_agent *agent, nta_leg_t *leg, nta_incoming_t *irq, sip_t const *sip);
// Makes a message of a request; NULL when it cannot be made.
msg_t *csip_build(csip_agent *agent, const csip_request *request);
// Gives a request of ours its own copy of the Via. The stack lets it point into the agent's, which goes when another transport is
// added; what repeats or cancels the request is made of it then.
void csip_own_via(nta_outgoing_t *request);
// The callback of the default client transaction.
int csip_unclaimed(struct csip_sent *sent, nta_outgoing_t *orq, sip_t const *sip);
