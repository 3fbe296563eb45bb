// Everything that uses sofia-sip's macros, magics and variadic tags stands in CSIP; this module only links the library.
#pragma once
