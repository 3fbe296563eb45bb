// What Linux offers by macros, variadics or between fork and exec, as plain functions. Every function returns -1 and sets
// errno on failure unless it says otherwise; descriptors are made close-on-exec.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// Event counter (eventfd, nonblocking).
int bw_eventfd_make(void);
// Adds one; a full counter is no failure.
int bw_eventfd_signal(int fd);
// Takes all; returns 0 also when there was nothing.
int bw_eventfd_drain(int fd);

// epoll. `events` are the BW_READABLE... bits; `token` comes back with what happened.
enum { BW_READABLE = 1, BW_WRITABLE = 2, BW_HUNG_UP = 4 };
struct bw_poll_event {
    uint64_t token;
    uint32_t events;
};
int bw_poll_make(void);
int bw_poll_add(int poll, int fd, uint32_t events, uint64_t token);
int bw_poll_modify(int poll, int fd, uint32_t events, uint64_t token);
int bw_poll_remove(int poll, int fd);
// Waits at most `milliseconds` (-1: for ever); returns the number of events, 0 also when interrupted.
int bw_poll_wait(int poll, struct bw_poll_event *events, int capacity, int milliseconds);

// SIGTERM, SIGINT and a SIGHUP that is not ignored write their number as one byte into a pipe, SIGPIPE is ignored.
// Returns the pipe's reading end. To be called once in a process.
int bw_signals_watch(void);

// Names the calling thread, at most 15 bytes.
void bw_thread_name(const char *name);

// Starts `body(context)` on a new thread of `stack` bytes; it is joined with bw_thread_join.
int bw_thread_start(void (*body)(void *), void *context, size_t stack, uint64_t *thread);
void bw_thread_join(uint64_t thread);

struct bw_spawn_request {
    const char *path;
    char *const *arguments;
    char *const *environment;
    const char *directory;          // NULL: stays
    int standard_input, standard_output, standard_error;
    const int *inherited;           // descriptors kept open under their numbers
    size_t inherited_count;
    bool changes_user;
    uid_t user;
    gid_t group;
    int death_signal;               // sent when the spawning thread ends; 0: none
};
// Starts a program in a process group of its own, with default signal handling and no descriptors but the named ones.
// Returns the process id; a failure to execute is reported as errno here, not as an exit of the child.
pid_t bw_spawn(const struct bw_spawn_request *request);
// A descriptor that becomes readable when the process ends.
int bw_process_descriptor(pid_t process);
// Reaps an ended child: its exit status, or 128 + signal; -2 while it runs.
int bw_process_reap(pid_t process);

// Opens (making it) and locks a file exclusively without waiting; EWOULDBLOCK when another process holds it.
int bw_lock_file(const char *path);
