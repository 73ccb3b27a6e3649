# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# What tests run all the time. A QEMU machine has it in memory: to open a file
# of the host takes it some ten times as long, and to start a program it opens
# a dozen.

HOT_COMMANDS=(awk bash bridge cat chmod cp cut date diff env find grep head id ip
	kill kmod ln ls mkdir mktemp mount mv nproc nsenter pgrep ping ps
	python3 readlink realpath rm sed seq sh sleep sort ss stat tail tc tee
	timeout touch tr umount uniq unshare wc xargs)
HOT_MODULES=(argparse collections contextlib ctypes errno fcntl ipaddress json
	json.tool os pathlib random re select signal socket struct subprocess
	threading time traceback yaml)

# hot_commands: the paths of the commands, as they are and as they are found.
hot_commands()
{
	local name path
	for name in "${HOT_COMMANDS[@]}"; do
		path=$(PATH=/usr/sbin:/usr/bin command -v "$name") || continue
		# Through /etc/alternatives, too.
		while [ -L "$path" ]; do
			echo "$path"
			path=$(cd "${path%/*}" && realpath -s "$(readlink "$path")")
		done
		echo "$path"
	done
}

hot_python()
{
	/usr/bin/python3 - "${HOT_MODULES[@]}" <<-'EOF'
		import importlib
		import sys

		for name in sys.argv[1:]:
		    try:
		        importlib.import_module(name)
		    except ImportError:
		        pass
		for module in list(sys.modules.values()):
		    for name in "__file__", "__cached__":
		        path = getattr(module, name, None)
		        if path and path.startswith("/usr/"):
		            print(path)
	EOF
}

# hot_libraries FILE...: what the loader maps for them.
hot_libraries()
{
	ldd "$@" 2>/dev/null | sed -nE 's,^.*[[:space:]](/[^ ]*) \(0x.*,\1,p'
}

# hot_paths: of paths as they are said, those that are there, relative to /, by
# the real names of their folders, and where they lead.
hot_paths()
{
	local file folder
	while read -r file; do
		folder=$(realpath -q "${file%/*}/") || continue
		file=${folder%/}/${file##*/}
		if [ -e "$file" ]; then echo "${file#/}"; fi
		if [ -L "$file" ] && [ ! -d "$file" ]; then
			realpath --relative-to=/ "$file"
		fi
	done
}

# hot_archive: those files as an archive for the kernel to unpack, beside
# the first process that lays them over the host's.
hot_archive()
{
	local root=$WORK/hot files=() python=() shared=()
	mapfile -t files < <(hot_commands)
	mapfile -t python < <(hot_python)
	mapfile -t shared < <(printf '%s\n' "${python[@]}" | grep '\.so$')
	mapfile -t -O ${#files[@]} files < <(hot_libraries "${files[@]}" \
		"${shared[@]}")
	files+=("${python[@]}" /bin /sbin /lib /lib64 /etc/ld.so.cache
		/usr/lib/locale/C.utf8)
	mkdir -p "$root/hot"
	printf '%s\n' "${files[@]}" | hot_paths | sort -u |
		(cd / && cpio -pdm --quiet "$root/hot") || return 1
	cp "$VM_DIR/guest/initramfs" "$root/init" || return 1
	chmod 755 "$root/init"
	(cd "$root" && find . | cpio -o -H newc --quiet) || return 1
	rm -rf "$root"
}
