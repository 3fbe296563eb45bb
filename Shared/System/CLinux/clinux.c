#define _GNU_SOURCE
#include "clinux.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <unistd.h>

int bw_eventfd_make(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

int bw_eventfd_signal(int fd) {
    uint64_t one = 1;
    ssize_t written = write(fd, &one, sizeof one);
    return written < 0 && errno != EAGAIN ? -1 : 0;
}

int bw_eventfd_drain(int fd) {
    uint64_t count;
    ssize_t taken = read(fd, &count, sizeof count);
    return taken < 0 && errno != EAGAIN ? -1 : 0;
}

int bw_poll_make(void) { return epoll_create1(EPOLL_CLOEXEC); }

static int change(int poll, int operation, int fd, uint32_t events, uint64_t token) {
    struct epoll_event event = {0};
    if (events & BW_READABLE) event.events |= EPOLLIN | EPOLLRDHUP;
    if (events & BW_WRITABLE) event.events |= EPOLLOUT;
    event.data.u64 = token;
    return epoll_ctl(poll, operation, fd, &event);
}

int bw_poll_add(int poll, int fd, uint32_t events, uint64_t token) {
    return change(poll, EPOLL_CTL_ADD, fd, events, token);
}

int bw_poll_modify(int poll, int fd, uint32_t events, uint64_t token) {
    return change(poll, EPOLL_CTL_MOD, fd, events, token);
}

int bw_poll_remove(int poll, int fd) { return epoll_ctl(poll, EPOLL_CTL_DEL, fd, NULL); }

int bw_poll_wait(int poll, struct bw_poll_event *events, int capacity, int milliseconds) {
    struct epoll_event ready[64];
    int count = epoll_wait(poll, ready, capacity < 64 ? capacity : 64, milliseconds);
    if (count < 0) return errno == EINTR ? 0 : -1;
    for (int i = 0; i < count; i++) {
        events[i].token = ready[i].data.u64;
        events[i].events = 0;
        if (ready[i].events & (EPOLLIN | EPOLLRDHUP)) events[i].events |= BW_READABLE;
        if (ready[i].events & EPOLLOUT) events[i].events |= BW_WRITABLE;
        if (ready[i].events & (EPOLLHUP | EPOLLERR)) events[i].events |= BW_HUNG_UP | BW_READABLE;
    }
    return count;
}

static int signal_pipe[2] = {-1, -1};

static void on_signal(int number) {
    int saved = errno;
    unsigned char byte = (unsigned char)number;
    ssize_t ignored = write(signal_pipe[1], &byte, 1);
    (void)ignored;
    errno = saved;
}

int bw_signals_watch(void) {
    if (pipe2(signal_pipe, O_CLOEXEC | O_NONBLOCK) != 0) return -1;
    // The reader waits in read(2); only the handler must never wait.
    fcntl(signal_pipe[0], F_SETFL, 0);
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    if (sigaction(SIGTERM, &action, NULL) != 0 || sigaction(SIGINT, &action, NULL) != 0) return -1;
    // nohup(1) has it ignored: the program is to outlive its terminal.
    struct sigaction hangup;
    if (sigaction(SIGHUP, NULL, &hangup) != 0) return -1;
    if (hangup.sa_handler != SIG_IGN && sigaction(SIGHUP, &action, NULL) != 0) return -1;
    signal(SIGPIPE, SIG_IGN);
    return signal_pipe[0];
}

void bw_thread_name(const char *name) { pthread_setname_np(pthread_self(), name); }

struct start {
    void (*body)(void *);
    void *context;
};

static void *run(void *argument) {
    struct start start = *(struct start *)argument;
    free(argument);
    start.body(start.context);
    return NULL;
}

int bw_thread_start(void (*body)(void *), void *context, size_t stack, uint64_t *thread) {
    struct start *start = malloc(sizeof *start);
    if (!start) return -1;
    *start = (struct start){body, context};
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, stack);
    pthread_t handle;
    int failure = pthread_create(&handle, &attributes, run, start);
    pthread_attr_destroy(&attributes);
    if (failure) {
        free(start);
        errno = failure;
        return -1;
    }
    *thread = (uint64_t)handle;
    return 0;
}

void bw_thread_join(uint64_t thread) { pthread_join((pthread_t)thread, NULL); }

int bw_lock_file(const char *path) {
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0) return -1;
    if (flock(fd, LOCK_EX | LOCK_NB) == 0) return fd;
    int saved = errno;
    close(fd);
    errno = saved;
    return -1;
}
