/* What every peer's load client shares: the clock, the report (one JSON line, the same as LoadReport.swift), and the
 * progress file (the same as SharedProgress.swift). */
#pragma once

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define WARM_UP 300000000ull
#define MESSAGE_BYTES 300
#define WINDOW 1000

static inline uint64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000ull + (uint64_t)t.tv_nsec;
}

static inline void die(const char *what)
{
    fprintf(stderr, "peer: %s\n", what);
    exit(1);
}

struct load {
    uint64_t count, total, bytes;
    double seconds;
    uint32_t *latencies;
    size_t used, room;
};

static inline void load_add(struct load *l, uint64_t ns)
{
    if (l->used == l->room) {
        l->room = l->room ? 2 * l->room : 1 << 16;
        l->latencies = (uint32_t *)realloc(l->latencies, l->room * sizeof *l->latencies);
    }
    l->latencies[l->used++] = ns > UINT32_MAX ? UINT32_MAX : (uint32_t)ns;
}

static int load_compare(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

static inline double load_percentile(const struct load *l, double share)
{
    return l->used ? l->latencies[(size_t)((double)(l->used - 1) * share)] / 1000.0 : 0;
}

static inline void load_write(struct load *l)
{
    qsort(l->latencies, l->used, sizeof *l->latencies, load_compare);
    printf("{\"count\": %llu, \"total\": %llu, \"seconds\": %f, \"bytes\": %llu, \"p50_us\": %f, \"p99_us\": %f}\n",
           (unsigned long long)l->count, (unsigned long long)l->total, l->seconds, (unsigned long long)l->bytes,
           load_percentile(l, 0.5), load_percentile(l, 0.99));
    fflush(stdout);
}

/* [0]: deliveries so far; [1]: subscribers that have heard the sender. */
static inline int64_t *progress_map(const char *path)
{
    int file = open(path, O_RDWR);
    void *memory = file < 0 ? MAP_FAILED : mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (memory == MAP_FAILED) die("no progress file");
    close(file);
    return (int64_t *)memory;
}

static inline int64_t progress_get(int64_t *progress, int index)
{
    return __atomic_load_n(progress + index, __ATOMIC_RELAXED);
}

static inline void progress_add(int64_t *progress, int index, int64_t by)
{
    __atomic_fetch_add(progress + index, by, __ATOMIC_RELAXED);
}

static inline void ready(void)
{
    puts("ready");
    fflush(stdout);
}
