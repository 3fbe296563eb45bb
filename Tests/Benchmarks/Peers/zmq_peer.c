/* The floor: libzmq ROUTER/DEALER in C with protobuf-c, one thread a side, no deadline, no trace, no limits. A message is
 * a number of four bytes and the packed note.
 *
 *   zmq_peer serve ADDRESS [SERVER-PUBLIC SERVER-SECRET]
 *   zmq_peer echo ADDRESS IN-FLIGHT SECONDS [SERVER-PUBLIC]
 *   zmq_peer keys                                  two lines: public, secret
 */
#include <zmq.h>

#include "fabric.pb-c.h"
#include "load.h"

static void *context;

static void server(const char *address, const char *public_key, const char *secret_key)
{
    void *socket = zmq_socket(context, ZMQ_ROUTER);
    int yes = 1, limit = 10000;
    zmq_setsockopt(socket, ZMQ_ROUTER_MANDATORY, &yes, sizeof yes);
    zmq_setsockopt(socket, ZMQ_SNDHWM, &limit, sizeof limit);
    zmq_setsockopt(socket, ZMQ_RCVHWM, &limit, sizeof limit);
    if (public_key) {
        zmq_setsockopt(socket, ZMQ_CURVE_SERVER, &yes, sizeof yes);
        zmq_setsockopt(socket, ZMQ_CURVE_SECRETKEY, secret_key, strlen(secret_key));
    }
    if (zmq_bind(socket, address)) die("bind");
    ready();
    for (;;) {
        zmq_msg_t identity, body, answer;
        zmq_msg_init(&identity);
        zmq_msg_init(&body);
        if (zmq_msg_recv(&identity, socket, ZMQ_DONTWAIT) < 0) {
            zmq_pollitem_t item = {socket, 0, ZMQ_POLLIN, 0};
            zmq_poll(&item, 1, -1);
            continue;
        }
        zmq_msg_recv(&body, socket, 0);
        const uint8_t *bytes = (const uint8_t *)zmq_msg_data(&body);
        Bellwire__Fabric__V1__Note *note = bellwire__fabric__v1__note__unpack(NULL, zmq_msg_size(&body) - 4, bytes + 4);
        if (!note) die("not a note");
        zmq_msg_init_size(&answer, 4 + bellwire__fabric__v1__note__get_packed_size(note));
        memcpy(zmq_msg_data(&answer), bytes, 4);
        bellwire__fabric__v1__note__pack(note, (uint8_t *)zmq_msg_data(&answer) + 4);
        bellwire__fabric__v1__note__free_unpacked(note, NULL);
        zmq_msg_close(&body);
        if (zmq_msg_send(&identity, socket, ZMQ_SNDMORE) < 0 || zmq_msg_send(&answer, socket, 0) < 0) exit(0);
    }
}

static uint64_t *sent_at;
static uint8_t payload[80];

static void call(void *socket, uint32_t id)
{
    Bellwire__Fabric__V1__Note note = BELLWIRE__FABRIC__V1__NOTE__INIT;
    note.id = (char *)"01890a5d-ac96-774b-bcce-b302099a8057";
    note.account_id = (char *)"01890a5d-ac96-774b-bcce-b302099a8058";
    note.from = (char *)"+15551230000";
    note.to = (char *)"+15551230001";
    note.created_milliseconds = 1700000000000;
    note.state = 3;
    note.answered = 1;
    note.payload.data = payload;
    note.payload.len = sizeof payload;
    zmq_msg_t body;
    zmq_msg_init_size(&body, 4 + bellwire__fabric__v1__note__get_packed_size(&note));
    memcpy(zmq_msg_data(&body), &id, 4);
    bellwire__fabric__v1__note__pack(&note, (uint8_t *)zmq_msg_data(&body) + 4);
    sent_at[id] = now_ns();
    if (zmq_msg_send(&body, socket, 0) < 0) die("send");
}

static void echo(const char *address, uint32_t in_flight, int seconds, const char *server_key)
{
    void *socket = zmq_socket(context, ZMQ_DEALER);
    int limit = 10000, zero = 0;
    zmq_setsockopt(socket, ZMQ_SNDHWM, &limit, sizeof limit);
    zmq_setsockopt(socket, ZMQ_RCVHWM, &limit, sizeof limit);
    zmq_setsockopt(socket, ZMQ_LINGER, &zero, sizeof zero);
    if (server_key) {
        char public_key[41], secret_key[41];
        zmq_curve_keypair(public_key, secret_key);
        zmq_setsockopt(socket, ZMQ_CURVE_SERVERKEY, server_key, 40);
        zmq_setsockopt(socket, ZMQ_CURVE_PUBLICKEY, public_key, 40);
        zmq_setsockopt(socket, ZMQ_CURVE_SECRETKEY, secret_key, 40);
    }
    if (zmq_connect(socket, address)) die("connect");
    memset(payload, 7, sizeof payload);
    sent_at = (uint64_t *)calloc(in_flight, sizeof *sent_at);
    struct load load = {.seconds = seconds};
    uint64_t start = now_ns() + WARM_UP, stop = start + (uint64_t)seconds * 1000000000ull;
    for (uint32_t i = 0; i < in_flight; i++) call(socket, i);
    for (;;) {
        zmq_msg_t body;
        zmq_msg_init(&body);
        if (zmq_msg_recv(&body, socket, ZMQ_DONTWAIT) < 0) {
            zmq_pollitem_t item = {socket, 0, ZMQ_POLLIN, 0};
            zmq_poll(&item, 1, -1);
            continue;
        }
        const uint8_t *bytes = (const uint8_t *)zmq_msg_data(&body);
        uint32_t id;
        memcpy(&id, bytes, 4);
        Bellwire__Fabric__V1__Note *note = bellwire__fabric__v1__note__unpack(NULL, zmq_msg_size(&body) - 4, bytes + 4);
        if (!note || note->payload.len != sizeof payload) die("not a note");
        bellwire__fabric__v1__note__free_unpacked(note, NULL);
        zmq_msg_close(&body);
        uint64_t now = now_ns();
        load.total++;
        if (sent_at[id] >= start) {
            load.count++;
            load_add(&load, now - sent_at[id]);
        }
        if (now >= stop) break;
        call(socket, id);
    }
    load_write(&load);
    zmq_close(socket);
}

int main(int argc, char **argv)
{
    context = zmq_ctx_new();
    if (argc > 1 && !strcmp(argv[1], "keys")) {
        char public_key[41], secret_key[41];
        zmq_curve_keypair(public_key, secret_key);
        printf("%s\n%s\n", public_key, secret_key);
    } else if (argc > 2 && !strcmp(argv[1], "serve")) {
        server(argv[2], argc > 4 ? argv[3] : NULL, argc > 4 ? argv[4] : NULL);
    } else if (argc > 4 && !strcmp(argv[1], "echo")) {
        echo(argv[2], (uint32_t)atoi(argv[3]), atoi(argv[4]), argc > 5 ? argv[5] : NULL);
    } else {
        return 64;
    }
    return 0;
}
