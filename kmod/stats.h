/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RESMON_STATS_H
#define RESMON_STATS_H

#include <linux/u64_stats_sync.h>

#include "pure.h"

struct resmon_element;
struct resmon_net;
struct resmon_request;
struct resmon_decision;

/**
 * enum resmon_column - what counters are kept apart by
 * @RESMON_COLUMN_PPPOE: client sessions of that type
 * @RESMON_COLUMN_DHCP: client sessions of that type
 * @RESMON_COLUMN_L2TP: client sessions of that type
 * @RESMON_COLUMN_SERVICE: service sessions, of any type
 * @RESMON_COLUMNS: number of columns
 */
enum resmon_column {
	RESMON_COLUMN_PPPOE,
	RESMON_COLUMN_DHCP,
	RESMON_COLUMN_L2TP,
	RESMON_COLUMN_SERVICE,
	RESMON_COLUMNS,
};

/**
 * enum resmon_commit - outcome of the charge gate
 * @RESMON_COMMIT_CHARGED: took a place
 * @RESMON_COMMIT_SAME: the session was there already
 * @RESMON_COMMIT_REFUSED: a cap refused
 * @RESMON_COMMITS: number of outcomes
 */
enum resmon_commit {
	RESMON_COMMIT_CHARGED,
	RESMON_COMMIT_SAME,
	RESMON_COMMIT_REFUSED,
	RESMON_COMMITS,
};

/**
 * struct resmon_row - monotone counters of one element and column (P3)
 * @admitted: requests that were admitted
 * @duplicate: requests of a session that was there already
 * @denied: requests from here that were denied, by cause, whoever refused
 * @refused: requests that a rule of this element refused, by cause
 *
 * The number of requests is not stored: it is the sum of admitted, duplicate
 * and denied, so that it always agrees with them.
 */
struct resmon_row {
	u64 admitted;
	u64 duplicate;
	u64 denied[RESMON_CAUSE_MAX + 1];
	u64 refused[RESMON_CAUSE_MAX + 1];
};

/**
 * struct resmon_counters - monotone counters of one element (P3)
 * @row: by column
 * @limit: requests that a limit of this element refused, by the type of the
 *	limit, which is not always the type of the request
 * @commit: outcomes of the charge gate
 */
struct resmon_counters {
	struct resmon_row row[RESMON_COLUMNS];
	u64 limit[RESMON_TYPE_MAX + 1];
	u64 commit[RESMON_COMMITS];
};

struct resmon_stats;

struct resmon_stats *resmon_stats_alloc(void);
void resmon_stats_free(struct resmon_stats *stats);
void resmon_stats_count(struct resmon_net *rn, const struct resmon_request *req,
			const struct resmon_decision *v);
void resmon_stats_commit(struct resmon_net *rn,
			 const struct resmon_request *req,
			 enum resmon_commit outcome);
void resmon_stats_row(const struct resmon_element *elem,
		      enum resmon_column column, struct resmon_row *row);
u64 resmon_stats_commits(const struct resmon_element *elem,
			 enum resmon_commit outcome);
bool resmon_stats_row_empty(const struct resmon_row *row);
void resmon_stats_clear(struct resmon_net *rn, struct resmon_element *elem);
u64 resmon_stats_denied(const struct resmon_element *elem);
u64 resmon_stats_refused(const struct resmon_element *elem);
u64 resmon_stats_admitted(const struct resmon_element *elem);
u64 resmon_stats_refused_type(const struct resmon_element *elem, u32 type);
u64 resmon_stats_denied_type(const struct resmon_element *elem, u32 type);

#endif /* RESMON_STATS_H */
