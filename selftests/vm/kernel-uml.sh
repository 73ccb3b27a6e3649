# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# User-mode Linux kernels, built from the distribution's source packages below
# $CACHE/uml/NAME-VERSION-KEY, where KEY changes with what is built.

uml_series()
{
	case $1 in
	uml61) echo 6.1 ;;
	*) echo newest ;;
	esac
}

uml_fragments()
{
	case $1 in
	uml61) echo common plain ;;
	uml) echo common smp release ;;
	uml-debug) echo common smp debug ;;
	esac
}

uml_config()
{
	local fragment
	for fragment in $(uml_fragments "$1"); do
		cat "$VM_DIR/configs/$fragment.config"
	done
}

# What is included before a file of the kernel, see there for why.
UML_DEBUG_INCLUDES=(smp stacktrace time vmalloc)

# More arguments for the build, one a line.
uml_flags()
{
	local name
	[ "$1" = uml-debug ] || return 0
	for name in "${UML_DEBUG_INCLUDES[@]}"; do
		echo "CFLAGS_$name.o=-include $VM_DIR/configs/$name.h"
	done
}

# Everything that decides what is built, beside the source.
uml_key()
{
	{
		uml_config "$1"
		[ "$1" != uml-debug ] ||
			(cd "$VM_DIR/configs" &&
			 cat "${UML_DEBUG_INCLUDES[@]/%/.h}")
		gcc -dumpfullversion
	} | sha256sum | cut -c 1-12
}

# Prints nothing when the source is not there.
uml_kdir()
{
	local version key
	version=$(readlink "$CACHE/src/$(uml_series "$1")") || return 1
	key=$(uml_key "$1")
	echo "$CACHE/uml/$1-$version-$key"
}

uml_ready()
{
	local kdir
	kdir=$(uml_kdir "$1") && [ -e "$kdir/ready" ]
}

uml_prepare()
{
	uml_ready "$1" && return 0
	source_tree "$(uml_series "$1")" >/dev/null || return 1
	with_lock "build-$1" uml_build "$1"
}

# Kbuild drops an option without a word when a parent of it is missing.
uml_assert_config()
{
	local config=$1 fragment=$2 line name bad=0
	while IFS= read -r line; do
		case $line in
		CONFIG_*=*)
			grep -qxF -- "$line" "$config" && continue
			say "demanded but not in the configuration: $line"
			bad=1
			;;
		'# CONFIG_'*' is not set')
			name=${line#\# }
			name=${name% is not set}
			grep -q "^$name=" "$config" || continue
			say "ruled out but in the configuration: $name"
			bad=1
			;;
		esac
	done <"$fragment"
	return "$bad"
}

uml_build()
{
	local name=$1 kdir source fragment flags=()
	uml_ready "$name" && return 0
	kdir=$(uml_kdir "$name") || return 1
	source=$(source_tree "$(uml_series "$name")") || return 1
	fragment=$kdir/demanded.config
	mkdir -p "$kdir"
	uml_config "$name" >"$fragment"
	say "building $name, Linux ${source##*/}"
	local make=(make -s -C "$source" "O=$kdir" ARCH=um
		"KCONFIG_ALLCONFIG=$fragment" "-j$(jobs_max)"
		KBUILD_BUILD_USER=resmon KBUILD_BUILD_HOST=resmon)
	mapfile -t flags < <(uml_flags "$name")
	make+=("${flags[@]}")
	logged "$CACHE/log/$name.log" "${make[@]}" alldefconfig || return 1
	uml_assert_config "$kdir/.config" "$fragment" || return 1
	logged "$CACHE/log/$name.log" "${make[@]}" || return 1
	if [ ! -x "$kdir/linux" ] || [ ! -s "$kdir/Module.symvers" ]; then
		say "$name: the build left no kernel"
		return 1
	fi
	uml_trim "$kdir"
	touch "$kdir/ready"
	uml_forget_others "$name" "$kdir"
}

# Modules are built against headers, scripts and symbols alone.
uml_trim()
{
	find "$1" -path "$1/scripts" -prune -o \
		\( -name '*.o' -o -name '*.a' -o -name 'vmlinux*' \
		   -o -name '.*.cmd' \) -type f \
		! -name vmlinux.symvers ! -name 'module*' ! -path '*/tools/*' \
		-exec rm -f {} +
	# `linux` is a link to, or a copy of, what was just linked
	rm -f "$1/.tmp_vmlinux"*
}

# An older configuration of the same kernel is not asked for again, unless a
# machine runs from it at this moment.
uml_forget_others()
{
	local dir
	for dir in "$CACHE/uml/$1"-[0-9]*; do
		if [ "$dir" != "$2" ] && [ -z "$(find "$dir" -maxdepth 0 \
			-mmin -1440)" ]; then
			rm -rf "$dir"
		fi
	done
}
