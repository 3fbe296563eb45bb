/* Durable events through NATS JetStream: the same rules as DurableLoad.swift. */
#include "broker_connection.hpp"

static void publish(Connection &c, const std::string &subject, const std::string &reply, const std::string &body)
{
    c.append("PUB " + subject + " " + reply + " " + std::to_string(body.size()) + "\r\n" + body + "\r\n");
}

/// Waits until something has arrived, at most for so many milliseconds, and takes it in.
static void wait(Connection &c, int milliseconds)
{
    pollfd p = {c.fd, POLLIN, 0};
    poll(&p, 1, milliseconds);
    c.fill();
}

static void refuse_errors(std::string_view answer)
{
    if (answer.find("\"error\"") != std::string_view::npos) die(std::string(answer).c_str());
}

static void request(Connection &c, const std::string &subject, const std::string &body)
{
    publish(c, subject, "_INBOX.handle", body);
    c.flush();
    bool answered = false;
    while (!answered) {
        wait(c, 1000);
        read_nats(c, [&](std::string_view answer) {
            refuse_errors(answer);
            answered = true;
        });
    }
}

void jetstream_handle(const std::string &port, int seconds, int64_t *progress)
{
    Connection c(port);
    c.append("CONNECT {\"verbose\":false,\"pedantic\":false}\r\nSUB _INBOX.handle 1\r\nSUB deliver.handle 2\r\n");
    request(c, "$JS.API.STREAM.CREATE.bench",
            R"({"name":"bench","subjects":["events.>"],"storage":"file","retention":"limits","num_replicas":1})");
    request(c, "$JS.API.CONSUMER.CREATE.bench",
            R"({"stream_name":"bench","config":{"deliver_subject":"deliver.handle","ack_policy":"none","deliver_policy":"all"}})");
    progress_add(progress, 1, 1);
    struct load load = {};
    load.seconds = seconds;
    uint64_t start = UINT64_MAX, stop = UINT64_MAX;
    while (now_ns() < stop) {
        wait(c, 100);
        read_nats(c, [&](std::string_view event) {
            uint64_t sent, now = now_ns();
            memcpy(&sent, event.data(), sizeof sent);
            progress_add(progress, 0, 1);
            load.total++;
            if (start == UINT64_MAX) {
                start = now + WARM_UP;
                stop = start + uint64_t(seconds) * 1000000000ull;
            }
            if (now < start || now >= stop) return;
            load.count++;
            load_add(&load, now - sent);
        });
    }
    load_write(&load);
}

void jetstream_append(const std::string &port, int in_flight, int seconds, int64_t *progress)
{
    Connection c(port);
    c.append("CONNECT {\"verbose\":false,\"pedantic\":false}\r\nSUB _INBOX.append 1\r\n");
    c.flush();
    ready();
    while (progress_get(progress, 1) == 0) usleep(1000);
    uint64_t stop = now_ns() + uint64_t(seconds + 5) * 1000000000ull;
    int64_t base = progress_get(progress, 0), sent = 0;
    std::string body(200, 7);
    while (now_ns() < stop) {
        bool wrote = false;
        while (sent - (progress_get(progress, 0) - base) < in_flight) {
            uint64_t now = now_ns();
            memcpy(body.data(), &now, sizeof now);
            publish(c, "events.bench-" + std::to_string(sent & 63), "_INBOX.append", body);
            sent++;
            wrote = true;
        }
        if (wrote) c.flush();
        else usleep(50);
        c.fill();
        read_nats(c, refuse_errors);
    }
}
