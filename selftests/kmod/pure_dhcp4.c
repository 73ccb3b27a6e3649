// SPDX-License-Identifier: GPL-2.0-only
/* The parser under test, a second time and without the module. */
#include "../../kmod/proto_dhcp4.c"
