#define _GNU_SOURCE
#include "clinux.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

// Between fork and exec only async-signal-safe calls are made: other threads may have held any lock.

static int compare(const void *left, const void *right) { return *(const int *)left - *(const int *)right; }

// Closes every descriptor from 3 on but the sorted kept ones.
static void close_others(const int *kept, size_t count) {
    unsigned from = 3;
    for (size_t i = 0; i < count; i++) {
        if (kept[i] < 3) continue;
        if ((unsigned)kept[i] > from) syscall(SYS_close_range, from, (unsigned)kept[i] - 1, 0);
        int flags = fcntl(kept[i], F_GETFD);
        if (flags >= 0) fcntl(kept[i], F_SETFD, flags & ~FD_CLOEXEC);
        from = (unsigned)kept[i] + 1;
    }
    syscall(SYS_close_range, from, ~0u, 0);
}

// dup2 that also works when both are the same descriptor, which then must not close on exec.
static int place(int fd, int at) {
    if (fd == at) return fcntl(fd, F_SETFD, 0);
    return dup2(fd, at);
}

static int prepare(const struct bw_spawn_request *request, pid_t parent) {
    for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    if (setpgid(0, 0) != 0) return -1;
    if (request->changes_user) {
        if (setgroups(1, &request->group) != 0 || setgid(request->group) != 0 || setuid(request->user) != 0) return -1;
    }
    // After the change of user, which clears it. The parent may have gone meanwhile.
    if (request->death_signal) {
        if (prctl(PR_SET_PDEATHSIG, request->death_signal) != 0) return -1;
        if (getppid() != parent) _exit(127);
    }
    if (request->directory && chdir(request->directory) != 0) return -1;
    return 0;
}

pid_t bw_spawn(const struct bw_spawn_request *request) {
    int report[2];
    if (pipe2(report, O_CLOEXEC) != 0) return -1;
    // The report's writing end is kept open in the child until exec; it moves out of the way of 0, 1 and 2.
    size_t count = request->inherited_count + 1;
    int *kept = malloc(count * sizeof *kept);
    if (!kept) return -1;
    for (size_t i = 0; i < request->inherited_count; i++) kept[i] = request->inherited[i];
    kept[count - 1] = report[1];
    qsort(kept, count, sizeof *kept, compare);

    pid_t parent = getpid();
    pid_t child = fork();
    if (child == 0) {
        int failed = prepare(request, parent);
        // Copies above the standard ones first: a source may itself be 0, 1 or 2.
        int input = fcntl(request->standard_input, F_DUPFD_CLOEXEC, 3);
        int output = fcntl(request->standard_output, F_DUPFD_CLOEXEC, 3);
        int error = fcntl(request->standard_error, F_DUPFD_CLOEXEC, 3);
        if (!failed) failed = place(input, 0) < 0 || place(output, 1) < 0 || place(error, 2) < 0;
        if (!failed) {
            close_others(kept, count);
            fcntl(report[1], F_SETFD, FD_CLOEXEC);
            execve(request->path, request->arguments, request->environment);
        }
        int reason = errno;
        ssize_t ignored = write(report[1], &reason, sizeof reason);
        (void)ignored;
        _exit(127);
    }
    int saved = errno;
    free(kept);
    close(report[1]);
    if (child < 0) {
        close(report[0]);
        errno = saved;
        return -1;
    }
    int reason = 0;
    ssize_t taken;
    do taken = read(report[0], &reason, sizeof reason);
    while (taken < 0 && errno == EINTR);
    close(report[0]);
    if (taken == (ssize_t)sizeof reason) {
        while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {}
        errno = reason;
        return -1;
    }
    return child;
}

int bw_process_descriptor(pid_t process) {
    int fd = (int)syscall(SYS_pidfd_open, process, 0);
    if (fd >= 0) fcntl(fd, F_SETFD, FD_CLOEXEC);
    return fd;
}

int bw_process_reap(pid_t process) {
    int status = 0;
    pid_t reaped;
    do reaped = waitpid(process, &status, WNOHANG);
    while (reaped < 0 && errno == EINTR);
    if (reaped == 0) return -2;
    if (reaped < 0) return -1;
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
