#include "cphonenumber.h"

#include <cstring>
#include <mutex>
#include <set>
#include <string>

#include <phonenumbers/logger.h>
#include <phonenumbers/phonenumber.pb.h>
#include <phonenumbers/phonenumberutil.h>
#include <phonenumbers/shortnumberinfo.h>

using i18n::phonenumbers::NullLogger;
using i18n::phonenumbers::PhoneNumber;
using i18n::phonenumbers::PhoneNumberUtil;
using i18n::phonenumbers::ShortNumberInfo;

namespace {

// Made once and never freed: threads may still read at exit. All uses after the making are const; the library's own
// cache of patterns has a lock.
struct Library {
    PhoneNumberUtil *numbers;
    ShortNumberInfo *shortNumbers;
    std::set<std::string> *regions;
};

const Library &library() {
    static std::once_flag once;
    static Library made;
    std::call_once(once, [] {
        made.numbers = PhoneNumberUtil::GetInstance();
        // The default logger prints numbers to standard output. The library owns the new one.
        made.numbers->SetLogger(new NullLogger);
        made.shortNumbers = new ShortNumberInfo;
        made.regions = new std::set<std::string>;
        made.numbers->GetSupportedRegions(made.regions);
    });
    return made;
}

bw_number_status statusOf(PhoneNumberUtil::ErrorType error) {
    switch (error) {
    case PhoneNumberUtil::NO_PARSING_ERROR: return BW_NUMBER_POSSIBLE;
    case PhoneNumberUtil::INVALID_COUNTRY_CODE_ERROR: return BW_NUMBER_UNKNOWN_COUNTRY;
    case PhoneNumberUtil::NOT_A_NUMBER: return BW_NUMBER_NONE;
    case PhoneNumberUtil::TOO_SHORT_AFTER_IDD:
    case PhoneNumberUtil::TOO_SHORT_NSN: return BW_NUMBER_TOO_SHORT;
    case PhoneNumberUtil::TOO_LONG_NSN: return BW_NUMBER_TOO_LONG;
    }
    return BW_NUMBER_FAILURE;
}

bw_number_status statusOf(PhoneNumberUtil::ValidationResult result) {
    switch (result) {
    case PhoneNumberUtil::IS_POSSIBLE: return BW_NUMBER_POSSIBLE;
    case PhoneNumberUtil::IS_POSSIBLE_LOCAL_ONLY: return BW_NUMBER_LOCAL_ONLY;
    case PhoneNumberUtil::INVALID_COUNTRY_CODE: return BW_NUMBER_UNKNOWN_COUNTRY;
    case PhoneNumberUtil::TOO_SHORT: return BW_NUMBER_TOO_SHORT;
    case PhoneNumberUtil::INVALID_LENGTH: return BW_NUMBER_WRONG_LENGTH;
    case PhoneNumberUtil::TOO_LONG: return BW_NUMBER_TOO_LONG;
    }
    return BW_NUMBER_FAILURE;
}

// Runs `body`; a C++ exception becomes `otherwise`.
template <typename Result, typename Body>
Result guarded(Result otherwise, Body body) noexcept {
    try {
        return body();
    } catch (...) {
        return otherwise;
    }
}

}  // namespace

bw_number bw_number_read(const char *text, const char *region) {
    bw_number failure;
    std::memset(&failure, 0, sizeof failure);
    failure.status = BW_NUMBER_FAILURE;
    return guarded(failure, [&] {
        const Library &lib = library();
        bw_number read = failure;
        PhoneNumber number;
        read.status = statusOf(lib.numbers->Parse(text, *region ? region : "ZZ", &number));
        if (read.status != BW_NUMBER_POSSIBLE) return read;
        read.country_code = number.country_code();
        read.status = statusOf(lib.numbers->IsPossibleNumberWithReason(number));
        if (read.status != BW_NUMBER_POSSIBLE) return read;
        read.valid = lib.numbers->IsValidNumber(number);
        std::string canonical;
        lib.numbers->Format(number, PhoneNumberUtil::E164, &canonical);
        if (canonical.size() >= sizeof read.number) {
            read.status = BW_NUMBER_TOO_LONG;
            return read;
        }
        std::memcpy(read.number, canonical.data(), canonical.size());
        return read;
    });
}

bool bw_number_is_emergency(const char *text, const char *region) {
    return guarded(false, [&] { return library().shortNumbers->IsEmergencyNumber(text, region); });
}

bool bw_number_is_emergency_anywhere(const char *text) {
    return guarded(false, [&] {
        const Library &lib = library();
        for (const std::string &region : *lib.regions) {
            if (lib.shortNumbers->IsEmergencyNumber(text, region)) return true;
        }
        return false;
    });
}

bool bw_number_is_short(const char *text, const char *region) {
    return guarded(false, [&] {
        const Library &lib = library();
        PhoneNumber number;
        if (lib.numbers->Parse(text, region, &number) != PhoneNumberUtil::NO_PARSING_ERROR) return false;
        return lib.shortNumbers->IsValidShortNumberForRegion(number, region);
    });
}

bool bw_number_is_region(const char *region) {
    return guarded(false, [&] { return library().regions->count(region) == 1; });
}

int bw_number_country_code(const char *region) {
    return guarded(0, [&] { return library().numbers->GetCountryCodeForRegion(region); });
}

bool bw_number_has_trunk_zero(const char *region) {
    return guarded(false, [&] {
        std::string prefix;
        library().numbers->GetNddPrefixForRegion(region, true, &prefix);
        return prefix == "0";
    });
}
