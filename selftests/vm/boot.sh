# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# Starting a machine and waiting for its end. The folder $SHARE is the only
# thing that a machine can write: the environment and the command go in, the
# verdict comes out.

# share_fill KERNEL: everything that the machine reads from the share.
share_fill()
{
	local kernel=$1 release modules file lock
	cp "$VM_DIR/guest/stage2" "$VM_DIR/guest/uml" "$SHARE/"
	chmod 755 "$SHARE/stage2" "$SHARE/uml"
	release=$(kernel_release "$kernel")
	modules=$SHARE/modules/lib/modules/$release
	mkdir -p "$modules/updates"
	# Not while another caller links them.
	mkdir -p "$PROJECT/build"
	exec {lock}>>"$PROJECT/build/$kernel.lock"
	flock -s "$lock"
	for file in "$PROJECT/build/$kernel"/{,selftests/kmod/}*.ko; do
		[ -e "$file" ] && cp "$file" "$modules/updates/"
	done
	exec {lock}>&-
	local stock
	if is_uml "$kernel"; then
		stock=$(uml_kdir "$kernel")
	else
		stock=$CACHE/debian/$release/lib/modules/$release
		ln -s "$stock/kernel" "$modules/kernel"
	fi
	cp "$stock"/modules.{builtin,builtin.modinfo,order} "$modules/"
	depmod -b "$SHARE/modules" "$release" || return 1
}

share_environment()
{
	local kernel=$1 machine=qemu name
	is_uml "$kernel" && machine=uml
	{
		printf 'VM_MACHINE=%q\n' "$machine"
		printf 'VM_PROJECT=%q\n' "$PROJECT"
		printf 'VM_INTERACTIVE=%q\n' "$INTERACTIVE"
		printf 'VM_TIMEOUT=%q\n' "$TIMEOUT"
		if [ "$INTERACTIVE" = yes ] && [ -t 0 ]; then
			stty size | awk '{ print "VM_ROWS=" $1 " VM_COLS=" $2 }'
		fi
	} >"$SHARE/env"
	{
		printf 'export RESMON_VM=%q\n' "$kernel"
		printf 'export TERM=%q\n' "${TERM:-dumb}"
		# Tests use its netlink client, when it has been fetched already.
		if [ -d "$CACHE/src/newest" ]; then
			printf 'export RESMON_KSRC=%q\n' "$CACHE/src/newest"
		fi
		while read -r name; do
			case $name in
			RESMON_CACHE | RESMON_VM) ;;
			*) printf 'export %s=%q\n' "$name" "${!name}" ;;
			esac
		done < <(compgen -e | grep '^RESMON_')
		printf 'exec'
		printf ' %q' "${COMMAND[@]}"
		echo
	} >"$SHARE/command"
}

kernel_release()
{
	if is_uml "$1"; then
		cat "$(uml_kdir "$1")/include/config/kernel.release"
	else
		debian_release "$1"
	fi
}

kernel_command()
{
	if is_uml "$1"; then
		uml_command "$1"
	else
		qemu_command "$1"
	fi
}

# Both set MACHINE to the command that is the machine. Its kernel log goes to
# $LOG; what the command in the machine prints, to file descriptor 6.
qemu_command()
{
	local root
	root=$CACHE/debian/$(debian_release "$1")
	local serial="file,id=out,path=/dev/fd/6,append=on" port=virtserialport
	if [ "$INTERACTIVE" = yes ]; then
		serial="stdio,id=out,signal=off" port=virtconsole
	fi
	# The kernel looks for another archive at multiples of four bytes.
	cp "$root/initramfs.gz" "$WORK/initramfs" &&
		truncate -s %4 "$WORK/initramfs" &&
		hot_archive >>"$WORK/initramfs" || return 1
	MACHINE=(qemu-system-x86_64 -machine q35 -accel "tcg,thread=multi"
		-cpu max -smp 2 -m "${MEMORY:-2048}" -nodefaults
		-no-user-config -display none -monitor none -no-reboot
		-kernel "$root/boot/vmlinuz-${root##*/}"
		-initrd "$WORK/initramfs"
		-serial "file:$LOG"
		-virtfs "local,path=/,mount_tag=root,security_model=none,readonly=on,multidevs=remap"
		-virtfs "local,path=$SHARE,mount_tag=share,security_model=none"
		-device virtio-serial -chardev "$serial"
		-device "$port,chardev=out,name=resmon.out"
		-append "console=ttyS0 loglevel=7 panic=-1 oops=panic net.ifnames=0 mitigations=off apparmor=0 audit=0 no_timer_check norandmaps")
}

uml_command()
{
	local kdir smp=()
	kdir=$(uml_kdir "$1")
	[ "$1" = uml61 ] || smp=(ncpus=2 seccomp=on)
	# The allocator's caches of free objects keep stale pointers, in which
	# kmemleak finds what was leaked; caches under debugging have none.
	[ "$1" = uml-debug ] && smp+=(kasan_multi_shot slab_debug=F)
	mkdir -p "$WORK/uml"
	MACHINE=("$kdir/linux" "mem=${MEMORY:-2048}M" "${smp[@]}"
		root=/dev/root rootfstype=hostfs rootflags=/ ro
		"init=$SHARE/uml" "uml_dir=$WORK/uml" umid=machine
		loglevel=7 con=null "con0=null,fd:1")
	if [ "$INTERACTIVE" = yes ]; then
		MACHINE+=("con1=fd:5,fd:6")
	else
		MACHINE+=("con1=null,fd:6")
	fi
}

# boot KERNEL: 0 when the machine switched itself off, 1 when it had to be
# ended.
boot()
{
	local rc=0 reader logger
	kernel_command "$1" || die "cannot lay out the machine's memory"
	: >"$LOG"
	if [ "$INTERACTIVE" = yes ]; then
		boot_interactive || rc=$?
	else
		exec 7> >(exec cat)
		reader=$!
		# User-mode Linux wants to poll its console: no plain file.
		exec 8> >(exec cat >>"$LOG")
		logger=$!
		# KILL, since a User-mode Linux cannot clean up from within a hang.
		# A core file of a kernel that panicked helps nobody.
		(
			ulimit -c 0
			exec timeout -s KILL "$TIMEOUT" "${MACHINE[@]}" </dev/null \
				>&8 2>&1 6>&7 7>&- 8>&-
		) &
		MACHINE_PID=$!
		exec 7>&- 8>&-
		memory_guard "$MACHINE_PID" </dev/null >/dev/null 2>&1 &
		{ wait "$MACHINE_PID"; } 2>/dev/null || rc=$?
		MACHINE_PID=
		wait "$reader" "$logger"
	fi
	[ "$rc" != 124 ] && [ "$rc" != 137 ]
}

# Most memory that a machine may take of its host, in KiB.
MEMORY_MOST=$((8 << 20))

# memory_guard PID: a machine that eats the memory of its host makes everything
# else hang. A sanitizer's shadow memory cannot be limited, so it is watched.
memory_guard()
{
	local child kib
	while sleep 2 && kill -0 "$1" 2>/dev/null; do
		for child in $(pgrep -P "$1"); do
			kib=$(awk '/^VmRSS/ { print $2 }' \
				"/proc/$child/status" 2>/dev/null)
			[ "${kib:-0}" -gt "$MEMORY_MOST" ] || continue
			echo "the machine takes $kib KiB of its host" >>"$LOG"
			kill -KILL "$child"
		done
	done
}

boot_interactive()
{
	local rc=0 saved
	saved=$(stty -g 2>/dev/null)
	if [ -n "$saved" ] && [[ ${MACHINE[0]} != qemu* ]]; then
		stty raw -echo
	fi
	if [[ ${MACHINE[0]} == qemu* ]]; then
		"${MACHINE[@]}" 2>>"$LOG" || rc=$?
	else
		(ulimit -c 0; exec "${MACHINE[@]}" 5<&0 6>&1 </dev/null \
			>>"$LOG" 2>&1) || rc=$?
	fi
	[ -z "$saved" ] || stty "$saved"
	return "$rc"
}

# splats LOG: the lines after init that no healthy kernel prints.
splats()
{
	sed '1,/resmon-vm: init/d' "$1" | tr -d '\r' |
		grep -aE -f <(sed '/^$/d' "$VM_DIR/splats")
}
