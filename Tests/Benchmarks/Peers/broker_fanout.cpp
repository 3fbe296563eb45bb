/* Fan-out over NATS and Redis: the same rules as FanOutLoad.swift. */
#include <sys/epoll.h>

#include <memory>
#include <vector>

#include "broker_connection.hpp"

static std::string command(bool nats, uint64_t time)
{
    std::string body(MESSAGE_BYTES, 7);
    memcpy(body.data(), &time, sizeof time);
    return (nats ? "PUB fan 300\r\n" : "*3\r\n$7\r\nPUBLISH\r\n$3\r\nfan\r\n$300\r\n") + body + "\r\n";
}

void fan_out_publish(bool nats, const std::string &address, int subscribers, int rate, int seconds, int64_t *progress)
{
    Connection c(address);
    if (nats) c.append("CONNECT {\"verbose\":false,\"pedantic\":false}\r\n");
    auto listen = [&] {
        while (c.fill()) {}
        if (nats) read_nats(c, [](std::string_view) {});
        else read_redis(c, [](std::string_view) {});
    };
    ready();
    while (progress_get(progress, 1) < subscribers) {
        c.append(command(nats, 0));
        c.flush();
        listen();
        usleep(2000);
    }
    usleep(50000);
    int64_t base = progress_get(progress, 0), sent = 0;
    uint64_t start = now_ns(), stop = start + uint64_t(seconds) * 1000000000ull + WARM_UP;
    for (;;) {
        uint64_t now = now_ns();
        if (now >= stop) break;
        int64_t due = rate == 0 ? INT64_MAX : int64_t((now - start) / 1000) * rate / 1000000;
        bool behind =
            rate == 0 && sent * subscribers - (progress_get(progress, 0) - base) >= int64_t(WINDOW) * subscribers;
        // As fast as it can be: a pipeline of commands, as the brokers' own clients keep it.
        if (c.pending() > (32 << 10) || (c.pending() && (sent >= due || behind))) {
            c.flush();
            listen();
            continue;
        }
        if (sent >= due || behind) {
            usleep(50);
            continue;
        }
        c.append(command(nats, now));
        sent++;
    }
    c.flush();
    usleep(200000);
}

void fan_out_subscribe(bool nats, const std::string &address, int subscribers, int seconds, int64_t *progress)
{
    struct Subscriber {
        Connection connection;
        bool heard = false;
        explicit Subscriber(const std::string &a) : connection(a) {}
    };
    std::vector<std::unique_ptr<Subscriber>> all;
    int poll = epoll_create1(EPOLL_CLOEXEC);
    for (int i = 0; i < subscribers; i++) {
        all.push_back(std::make_unique<Subscriber>(address));
        Connection &c = all.back()->connection;
        c.append(nats ? "CONNECT {\"verbose\":false,\"pedantic\":false}\r\nSUB fan 1\r\n"
                      : "*2\r\n$9\r\nSUBSCRIBE\r\n$3\r\nfan\r\n");
        c.flush();
        epoll_event event = {};
        event.events = EPOLLIN;
        event.data.ptr = all.back().get();
        epoll_ctl(poll, EPOLL_CTL_ADD, c.fd, &event);
    }
    struct load load = {};
    load.seconds = seconds;
    uint64_t began = 0, stop = UINT64_MAX, now = 0;
    while (now < stop) {
        epoll_event events[64];
        int n = epoll_wait(poll, events, 64, 100);
        now = now_ns();
        for (int i = 0; i < n; i++) {
            auto *s = static_cast<Subscriber *>(events[i].data.ptr);
            s->connection.fill();
            int64_t received = 0;
            auto deliver = [&](std::string_view message) {
                uint64_t sent;
                memcpy(&sent, message.data(), sizeof sent);
                if (!sent) {
                    if (!s->heard) progress_add(progress, 1, 1);
                    s->heard = true;
                    return;
                }
                now = now_ns();
                received++;
                load.total++;
                if (!began) {
                    began = now;
                    stop = began + WARM_UP + uint64_t(seconds) * 1000000000ull;
                }
                if (now < began + WARM_UP || now >= stop) return;
                load.count++;
                if ((load.count & 7) == 0) load_add(&load, now - sent);
            };
            if (nats) read_nats(s->connection, deliver);
            else read_redis(s->connection, deliver);
            if (received) progress_add(progress, 0, received);
        }
    }
    load_write(&load);
}
