/* One connection to a broker: text protocols over a stream socket, read and written in large pieces. */
#pragma once

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <string>
#include <string_view>

#include "load.h"

class Connection {
public:
    int fd;

    /// A port of 127.0.0.1, or the path of a Unix socket.
    explicit Connection(const std::string &address)
    {
        bool is_path = address[0] == '/';
        fd = socket(is_path ? AF_UNIX : AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        int result;
        if (is_path) {
            sockaddr_un name = {};
            name.sun_family = AF_UNIX;
            strncpy(name.sun_path, address.c_str(), sizeof name.sun_path - 1);
            result = connect(fd, reinterpret_cast<sockaddr *>(&name), sizeof name);
        } else {
            sockaddr_in name = {};
            name.sin_family = AF_INET;
            name.sin_port = htons(static_cast<uint16_t>(atoi(address.c_str())));
            name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
            result = connect(fd, reinterpret_cast<sockaddr *>(&name), sizeof name);
            int yes = 1;
            setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
        }
        if (result) die("no broker");
        fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
    }

    void append(std::string_view text) { out.append(text); }

    size_t pending() const { return out.size(); }

    /// Writes everything, waiting where it must; takes in what the broker says meanwhile.
    void flush()
    {
        size_t done = 0;
        while (done < out.size()) {
            ssize_t n = write(fd, out.data() + done, out.size() - done);
            if (n > 0) {
                done += static_cast<size_t>(n);
            } else if (errno == EAGAIN) {
                pollfd p = {fd, POLLIN | POLLOUT, 0};
                poll(&p, 1, -1);
                if (p.revents & POLLIN) fill();
            } else {
                die("the broker has closed the connection");
            }
        }
        out.clear();
    }

    /// Takes in what has arrived; false when there is nothing.
    bool fill()
    {
        if (start) {
            in.erase(0, start);
            start = 0;
        }
        size_t old = in.size();
        in.resize(old + (256 << 10));
        ssize_t n = read(fd, in.data() + old, 256 << 10);
        if (n == 0) die("the broker has closed the connection");
        in.resize(old + (n > 0 ? static_cast<size_t>(n) : 0));
        return n > 0;
    }

    /// The next line without its end, if it is there whole. Follow it by `take` or `body`.
    bool line(std::string_view &text) const
    {
        size_t end = in.find("\r\n", start);
        if (end == std::string::npos) return false;
        text = std::string_view(in).substr(start, end - start);
        return true;
    }

    /// Passes a line.
    void take(std::string_view text) { start += text.size() + 2; }

    /// The block of `bytes` that follows a line, if it is there whole.
    bool body(std::string_view text, size_t bytes, std::string_view &block) const
    {
        size_t begin = start + text.size() + 2;
        if (in.size() < begin + bytes + 2) return false;
        block = std::string_view(in).substr(begin, bytes);
        return true;
    }

    void take(std::string_view text, size_t bytes) { start += text.size() + 2 + bytes + 2; }

private:
    std::string in, out;
    size_t start = 0;
};

/// Calls `deliver` for each whole message that has arrived over the NATS protocol, and answers pings.
template <class Deliver> void read_nats(Connection &c, Deliver deliver)
{
    std::string_view line, block;
    while (c.line(line)) {
        if (line.substr(0, 4) == "MSG ") {
            size_t bytes = static_cast<size_t>(atoi(line.data() + line.rfind(' ') + 1));
            if (!c.body(line, bytes, block)) return;
            deliver(block);
            c.take(line, bytes);
            continue;
        }
        if (line.substr(0, 4) == "-ERR") die(std::string(line).c_str());
        if (line == "PING") {
            c.append("PONG\r\n");
            c.flush();
        }
        c.take(line);
    }
}

/// The same for Redis: of all that a subscription tells, only messages have blocks of that length.
template <class Deliver> void read_redis(Connection &c, Deliver deliver)
{
    std::string_view line, block;
    while (c.line(line)) {
        if (line[0] != '$') {
            if (line[0] == '-') die(std::string(line).c_str());
            c.take(line);
            continue;
        }
        size_t bytes = static_cast<size_t>(atoi(line.data() + 1));
        if (!c.body(line, bytes, block)) return;
        if (bytes == MESSAGE_BYTES) deliver(block);
        c.take(line, bytes);
    }
}

void fan_out_publish(bool nats, const std::string &address, int subscribers, int rate, int seconds, int64_t *progress);
void fan_out_subscribe(bool nats, const std::string &address, int subscribers, int seconds, int64_t *progress);
void jetstream_append(const std::string &port, int in_flight, int seconds, int64_t *progress);
void jetstream_handle(const std::string &port, int seconds, int64_t *progress);
