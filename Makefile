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

# Told once, for dkms and rmctl alike.
VERSION := $(shell sed -n 's/^PACKAGE_VERSION="\(.*\)"/\1/p' dkms.conf)

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

tool:
	+@$(MAKE) -s --no-print-directory $(parallel) -C tools/rmctl \
		O=$(CURDIR)/$(BUILD) VERSION=$(VERSION)

# Tests in C, with the harness of the kernel's own tests.
TESTS := $(patsubst selftests/tests/%.c,$(BUILD)/tests/%,\
	$(wildcard selftests/tests/*.c))
TEST_LIBS := libnl-genl-3.0 libnl-3.0

tests: $(TESTS) storm $(BUILD)/storm-asan

$(BUILD)/tests/%: selftests/tests/%.c
	@mkdir -p $(@D)
	$(CC) -std=gnu11 -O2 -g -Wall -Iuapi -MMD -MF $@.d \
		-I"$$($(VM) --src uml)/tools/testing/selftests" \
		$$(pkg-config --cflags $(TEST_LIBS)) -o $@ $< \
		$$(pkg-config --libs $(TEST_LIBS)) -lpthread

-include $(TESTS:=.d)

# Plays subscribers; its own test runs it under sanitizers.
storm: $(BUILD)/storm

$(BUILD)/storm-asan: STORM_FLAGS := -fsanitize=address,undefined \
	-fno-sanitize-recover=all -O1
$(BUILD)/storm $(BUILD)/storm-asan: $(wildcard selftests/storm/*.[ch])
	@mkdir -p $(@D)
	$(CC) -std=gnu11 -D_GNU_SOURCE -O2 -g -Wall -Wextra $(STORM_FLAGS) \
		-o $@ $(filter %.c,$^)

install: install-module install-tool

install-module: module
	+@kdir='$(KDIR)'; [ -n "$$kdir" ] || exit 1; \
	$(kbuild) INSTALL_MOD_PATH='$(DESTDIR)' INSTALL_MOD_DIR=updates \
		modules_install && \
	depmod $(if $(DESTDIR),-b '$(DESTDIR)') \
		"$$(modinfo -F vermagic $(OUT)/resmon.ko | cut -d' ' -f1)"

install-tool: tool
	+@$(MAKE) -s --no-print-directory -C tools/rmctl O=$(CURDIR)/$(BUILD) \
		VERSION=$(VERSION) PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' install

# Which kernel `make demo` and `make shell` boot.
VMK = $(if $(filter host,$(K)),6.1,$(K))

demo:
	@selftests/deps.sh
	@$(VM) -k $(VMK) -- selftests/demo/demo.sh

shell:
	@selftests/deps.sh
	@$(VM) -k $(VMK) -i

check:
	@selftests/check.sh

# Ten minutes a parser; check gives each one.
fuzz:
	@selftests/deps.sh
	@selftests/fuzz/fuzz.sh -s 600

bench:
	@selftests/bench/bench.sh

# What follows from the netlink specification.
regen:
	tools/ynl/regen.sh "$$($(VM) --src uml)" uapi/linux/resmon.h
	tools/ynl/rst.sh "$$($(VM) --src uml)" Documentation/netlink/resmon.rst
	+$(MAKE) -C tools/rmctl schema

clean:
	rm -rf $(BUILD)

.PHONY: all module farm tool tests storm install install-module install-tool demo shell \
	check fuzz bench regen clean
