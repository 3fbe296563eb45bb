// libphonenumber behind plain C. No C++ type, string or exception crosses this header; nothing is allocated for the
// caller; every function may be called from any thread. Strings are NUL-terminated; a region is an ISO 3166 alpha-2
// code in upper case.
#pragma once

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

// A canonical number with its plus and the NUL: E.164 has at most 15 digits.
#define BW_NUMBER_SIZE 17

typedef enum {
    // `number` holds the canonical form.
    BW_NUMBER_POSSIBLE = 0,
    BW_NUMBER_TOO_SHORT,
    // Only dialled inside one area: has no international form.
    BW_NUMBER_LOCAL_ONLY,
    BW_NUMBER_TOO_LONG,
    // Between the shortest and the longest, and of no length that the plan has.
    BW_NUMBER_WRONG_LENGTH,
    BW_NUMBER_UNKNOWN_COUNTRY,
    BW_NUMBER_NONE,
    // The library itself failed.
    BW_NUMBER_FAILURE,
} bw_number_status;

typedef struct {
    bw_number_status status;
    // The country calling code that was read; 0 when none was.
    int country_code;
    // Matches the library's patterns, which are older than the newest area codes.
    bool valid;
    char number[BW_NUMBER_SIZE];
} bw_number;

// Reads `text`: with a leading plus as an international number, else as one dialled in `region` (empty: plus only).
bw_number bw_number_read(const char *text, const char *region);

// Exactly an emergency number of the region; more digits behind it make it another number.
bool bw_number_is_emergency(const char *text, const char *region);

// Exactly an emergency number of any region.
bool bw_number_is_emergency_anywhere(const char *text);

// Exactly a short number (service code, text-message code, emergency) of the region.
bool bw_number_is_short(const char *text, const char *region);

// The numbering plan of the region is known.
bool bw_number_is_region(const char *region);

// The region's country calling code; 0 when the region is unknown.
int bw_number_country_code(const char *region);

// National numbers are dialled with a 0 in front that is no part of them.
bool bw_number_has_trunk_zero(const char *region);

#ifdef __cplusplus
}
#endif
