// SPDX-License-Identifier: GPL-2.0-only
/*
 * The one place that makes the code of the tracepoints.
 */
#ifndef __CHECKER__
#define CREATE_TRACE_POINTS
#include "trace.h"
#endif
