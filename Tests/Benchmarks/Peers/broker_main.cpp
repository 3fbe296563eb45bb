/* Load clients for NATS and Redis. ADDRESS: a port of 127.0.0.1, or the path of a Unix socket.
 *
 *   broker_peer nats|redis publish ADDRESS SUBSCRIBERS RATE SECONDS PROGRESS
 *   broker_peer nats|redis subscribe ADDRESS SUBSCRIBERS SECONDS PROGRESS
 *   broker_peer jetstream append PORT IN-FLIGHT SECONDS PROGRESS
 *   broker_peer jetstream handle PORT SECONDS PROGRESS
 */
#include "broker_connection.hpp"

int main(int argc, char **argv)
{
    if (argc < 6) return 64;
    std::string broker = argv[1], role = argv[2], address = argv[3];
    auto number = [&](int i) { return i < argc ? atoi(argv[i]) : 0; };
    int64_t *progress = progress_map(argv[argc - 1]);
    bool nats = broker == "nats";
    if (broker == "jetstream" && role == "append") jetstream_append(address, number(4), number(5), progress);
    else if (broker == "jetstream") jetstream_handle(address, number(4), progress);
    else if (role == "publish") fan_out_publish(nats, address, number(4), number(5), number(6), progress);
    else fan_out_subscribe(nats, address, number(4), number(5), progress);
    return 0;
}
