// SPDX-License-Identifier: GPL-2.0-only
/* Mode xdp: the module is asked about each frame before any socket sees it. */
#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>

extern int resmon_xdp_verdict(struct xdp_md *ctx) __ksym;

SEC("xdp")
int resmon_xdp(struct xdp_md *ctx)
{
	return resmon_xdp_verdict(ctx);
}

char LICENSE[] SEC("license") = "GPL";
