/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RESMON_PROC_H
#define RESMON_PROC_H

#include <linux/seq_file.h>
#include <linux/seq_file_net.h>

#include "element.h"
#include "net.h"

/* Room for a time in milliseconds. */
#define RESMON_MS_TEXT	16

/* A position that no object has: behind the last one. */
#define RESMON_PROC_END	((loff_t)1 << 62)

/**
 * struct resmon_proc_elements - where the reader is
 * @p: of the core, first
 * @walk: the element
 * @type: client type of the line
 */
struct resmon_proc_elements {
	struct seq_net_private p;
	struct resmon_walk walk;
	u32 type;
};

/**
 * resmon_proc_rn() - the chassis that a file shows
 * @seq: the reader
 *
 * Context: While the file is read.
 * Return: The chassis.
 */
static inline struct resmon_net *resmon_proc_rn(struct seq_file *seq)
{
	return resmon_net_of(seq_file_net(seq));
}

extern const struct seq_operations resmon_proc_elements_ops;
extern const struct seq_operations resmon_proc_throttle_ops;
extern const struct seq_operations resmon_proc_sessions_ops;

int resmon_proc_net_init(struct resmon_net *rn);
void resmon_proc_net_exit(struct resmon_net *rn);
void resmon_proc_stop(struct seq_file *seq, void *v);
const char *resmon_ms_text(u32 us, char *text, size_t size);

#endif /* RESMON_PROC_H */
