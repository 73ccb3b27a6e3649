/* SPDX-License-Identifier: GPL-2.0-only */
/* Made by selftests/vectors/gen.sh from rtt_step.csv. */
/* second,rtt_ms,exceeded,consecutive,allowed_pct */
static const int vector_rtt_step[][5] = {
	{ 1, 850, 0, 0, 100 },
	{ 2, 900, 0, 0, 100 },
	{ 3, 995, 0, 0, 100 },
	{ 4, 1021, 1, 1, 100 },
	{ 5, 1130, 1, 2, 100 },
	{ 6, 1158, 1, 3, 90 },
	{ 7, 1127, 1, 1, 90 },
	{ 8, 1135, 1, 2, 90 },
	{ 9, 1126, 1, 3, 80 },
	{ 10, 1000, 0, 1, 80 },
	{ 11, 991, 0, 2, 80 },
	{ 12, 998, 0, 3, 100 },
};
