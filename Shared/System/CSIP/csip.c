#include "csip.h"
