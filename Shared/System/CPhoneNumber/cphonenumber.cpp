#include "cphonenumber.h"
