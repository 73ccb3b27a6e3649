# SPDX-License-Identifier: GPL-2.0-only
#
#   make                    the module for the running kernel, and rmctl
#   make install            both, with the manual page (DESTDIR, PREFIX)
#   make demo, make shell   in a virtual machine, nothing to install
#   make check              everything that can be tested, on every kernel
#
# All that is built goes below build/, one folder a kernel.

K ?= host
PREFIX ?= /usr/local
BUILD := build
OUT := $(CURDIR)/$(BUILD)/$(K)
VM := selftests/vm/run.sh
JOBS ?= $(shell nproc)

CFLAGS ?= -O2 -g
TOOL_LIBS := libnl-genl-3.0 libnl-3.0 ncursesw

# A kernel of the test machines by name, or the one of this system.
ifeq ($(K),host)
KDIR ?= /lib/modules/$(shell uname -r)/build
RESMON_TESTS ?=
else
KDIR = $(shell $(VM) --kdir $(K))
RESMON_TESTS ?= y
endif
KARCH := $(if $(filter uml%,$(K)),ARCH=um)
parallel = $(if $(findstring jobserver,$(MAKEFLAGS)),,-j$(JOBS))
kbuild = flock $(OUT).lock $(MAKE) $(parallel) -C "$$kdir" M=$(OUT) $(KARCH) \
	RESMON_TESTS=$(RESMON_TESTS)

all: module tool

# Objects lie beside their sources in Kbuild, so each kernel gets a folder of
# links to the sources. A `kdir` that is empty has told why already.
module: farm
	+@kdir='$(KDIR)'; [ -n "$$kdir" ] || exit 1; $(kbuild) modules

farm:
	@mkdir -p $(OUT)
	@find Kbuild kmod uapi selftests/kmod -type f \
		\( -name '*.[chS]' -o -name Kbuild -o -name '*.mk' \) \
		2>/dev/null | while read -r file; do \
		[ -e "$(OUT)/$$file" ] && continue; \
		mkdir -p "$$(dirname "$(OUT)/$$file")"; \
		ln -sfn "$(CURDIR)/$$file" "$(OUT)/$$file"; \
	done
	@find $(OUT) -xtype l -delete

tool: $(BUILD)/rmctl

TOOL_OBJS := $(patsubst tools/%.c,$(BUILD)/tool/%.o,$(wildcard tools/rmctl/*.c))
TOOL_CFLAGS = -std=gnu11 -Wall -Wextra -Wno-unused-parameter -Iuapi \
	-Itools/rmctl $(shell pkg-config --cflags $(TOOL_LIBS))

$(BUILD)/rmctl: $(TOOL_OBJS)
	$(CC) $(LDFLAGS) -o $@.$$$$ $(TOOL_OBJS) \
		$(shell pkg-config --libs $(TOOL_LIBS)) -lm && mv $@.$$$$ $@

$(BUILD)/tool/%.o: tools/%.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(TOOL_CFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

-include $(TOOL_OBJS:.o=.d)

install: install-module install-tool

install-module: module
	+@kdir='$(KDIR)'; [ -n "$$kdir" ] || exit 1; \
	$(kbuild) INSTALL_MOD_PATH='$(DESTDIR)' INSTALL_MOD_DIR=updates \
		modules_install && \
	depmod $(if $(DESTDIR),-b '$(DESTDIR)') \
		"$$($(MAKE) -s --no-print-directory -C "$$kdir" $(KARCH) \
			kernelrelease)"

install-tool: tool
	install -D -m 755 $(BUILD)/rmctl '$(DESTDIR)$(PREFIX)/sbin/rmctl'
	install -D -m 644 tools/rmctl/rmctl.8 \
		'$(DESTDIR)$(PREFIX)/share/man/man8/rmctl.8'
	install -D -m 644 tools/rmctl/rmctl.bash-completion \
		'$(DESTDIR)$(PREFIX)/share/bash-completion/completions/rmctl'

# Which kernel `make demo` and `make shell` boot.
VMK = $(if $(filter host,$(K)),6.1,$(K))

demo:
	@$(VM) -k $(VMK) -- selftests/demo/demo.sh

shell:
	@$(VM) -k $(VMK) -i

check:
	@selftests/check.sh

bench:
	@selftests/bench/bench.sh

fuzz:
	@selftests/fuzz/fuzz.sh

regen:
	@tools/ynl/regen.sh

clean:
	rm -rf $(BUILD)

.PHONY: all module farm tool install install-module install-tool demo shell \
	check bench fuzz regen clean
