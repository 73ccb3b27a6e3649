/* SPDX-License-Identifier: GPL-2.0-only */
/* What functions that BPF programs call are marked with. */
#ifndef RESMON_COMPAT_BTF_H
#define RESMON_COMPAT_BTF_H

#include <linux/btf.h>
#include <linux/btf_ids.h>

/* Since 6.3. */
#ifndef __bpf_kfunc
#define __bpf_kfunc __used noinline
#endif

/* Since 6.7. */
#ifndef __bpf_kfunc_start_defs
#define __bpf_kfunc_start_defs()					\
	__diag_push();							\
	__diag_ignore_all("-Wmissing-declarations", "called by BPF");	\
	__diag_ignore_all("-Wmissing-prototypes", "called by BPF")
#define __bpf_kfunc_end_defs() __diag_pop()
#endif

/* Since 6.9. */
#ifndef BTF_KFUNCS_START
#define BTF_KFUNCS_START(name) BTF_SET8_START(name)
#define BTF_KFUNCS_END(name) BTF_SET8_END(name)
#endif

#endif /* RESMON_COMPAT_BTF_H */
