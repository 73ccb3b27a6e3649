# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# The distribution's own kernels, unpacked below $CACHE/debian/RELEASE with
# headers that refer to that place, and an initramfs with the modules that find
# the host's root file system; what runs there first comes with each machine.
# $CACHE/debian/SERIES is a link to the one in use.

# What the initramfs needs, in no order: depmod knows the dependencies.
INITRAMFS_MODULES=(virtio_pci 9pnet_virtio 9p overlay virtio_console)

debian_release()
{
	local link
	link=$(readlink "$CACHE/debian/$1") && echo "$link"
}

debian_kdir()
{
	local release
	release=$(debian_release "$1")
	echo "$CACHE/debian/$release/usr/src/linux-headers-$release"
}

debian_ready()
{
	local release
	release=$(debian_release "$1") || return 1
	[ -e "$CACHE/debian/$release/ready-$(debian_recipe)" ]
}

# Changes with what is in the folder: count up after changing what is made.
DEBIAN_RECIPE=2

debian_recipe()
{
	echo "$DEBIAN_RECIPE ${INITRAMFS_MODULES[*]}" | sha256sum | cut -c 1-12
}

debian_prepare()
{
	debian_ready "$1" || with_lock "debian-$1" debian_build "$1"
}

debian_image_package()
{
	local meta=linux-image-$1-amd64
	[ "$1" = 6.1 ] && meta=linux-image-amd64
	apt_depends_on "$meta" 'linux-image-[0-9].*-amd64'
}

debian_build()
{
	local series=$1 image release tmp kbuild
	debian_ready "$series" && return 0
	apt_system_update || say "using the package lists as they are"
	image=$(debian_image_package "$series")
	[ -n "$image" ] || { say "no package of Linux $series"; return 1; }
	release=${image#linux-image-}
	case $release in
	"$series".*) ;;
	*) say "$image is not Linux $series"; return 1 ;;
	esac
	kbuild=$(apt_depends_on "linux-headers-$release" 'linux-kbuild-.*')
	mkdir -p "$CACHE/debian"
	tmp=$(mktemp -d "$CACHE/debian/tmp.XXXXXX") || return 1
	if fetch_debs apt_system "$tmp" "$image" "linux-headers-$release" \
		"linux-headers-${release%-amd64}-common" "$kbuild" &&
	   debian_finish "$series" "$release" "$tmp"; then
		chmod 755 "$tmp"
		rm -rf "${CACHE:?}/debian/$release"
		mv "$tmp" "$CACHE/debian/$release"
		ln -sfn "$release" "$CACHE/debian/$series"
		return 0
	fi
	rm -rf "$tmp"
	return 1
}

# debian_finish SERIES RELEASE TMP: the folder will be moved to its name, so
# paths in it are those that it will have then.
debian_finish()
{
	local series=$1 release=$2 tmp=$3
	local final=$CACHE/debian/$2
	local kdir=$tmp/usr/src/linux-headers-$2
	# usr/lib/modules in newer packages, lib/modules in older ones
	[ -d "$tmp/lib/modules" ] ||
		{ mkdir -p "$tmp/lib" && mv "$tmp/usr/lib/modules" "$tmp/lib/"; }
	# What a machine without such hardware never loads.
	local kernel=$tmp/lib/modules/$release/kernel
	rm -rf "$kernel"/sound "$kernel"/drivers/{gpu,media,scsi,usb,iio} \
		"$kernel"/drivers/{infiniband,staging,hwmon,mtd,md,platform} \
		"$kernel"/drivers/net/{wireless,ethernet} \
		"$kernel"/drivers/{ata,nvme,bluetooth,hid,isdn,target,iommu}
	rm -f "$tmp/lib/modules/$release"/{build,source}
	depmod -b "$tmp" "$release" || return 1

	sed -i "s|/usr/src/|$final/usr/src/|" "$kdir/Makefile" || return 1
	debian_btf "$series" "$release" "$tmp" || return 1
	debian_initramfs "$release" "$tmp" || return 1
	touch "$tmp/ready-$(debian_recipe)"
}

# The module gets BTF when the headers folder has a vmlinux with it and the
# tool that fills in BTF ids. Newer headers carry both, for older ones the
# first is in the image and the second in the source.
debian_btf()
{
	local series=$1 release=$2 tmp=$3 source image
	local kdir=$tmp/usr/src/linux-headers-$release
	[ ! -e "$kdir/vmlinux" ] || return 0
	source=$(source_tree "$series") || return 1
	say "making BTF for modules of Linux $release"
	image=$tmp/vmlinux
	bash "$source/scripts/extract-vmlinux" \
		"$tmp/boot/vmlinuz-$release" >"$image" 2>/dev/null || return 1
	objcopy --only-section=.BTF "$image" "$kdir/vmlinux" 2>/dev/null ||
		return 1
	rm "$image"
	mkdir -p "$tmp/btf" "$kdir/tools/bpf/resolve_btfids"
	logged "$CACHE/log/btf-$series.log" make -s "-j$(jobs_max)" \
		-C "$source/tools/bpf/resolve_btfids" "OUTPUT=$tmp/btf/" ||
		return 1
	cp "$tmp/btf/resolve_btfids" "$kdir/tools/bpf/resolve_btfids/" &&
		rm -rf "$tmp/btf"
}

debian_initramfs()
{
	local release=$1 tmp=$2 root=$2/initramfs module file
	mkdir -p "$root"/{bin,dev,proc,sys,root,modules}
	cp "$(command -v busybox)" "$root/bin/busybox" || return 1
	for module in "${INITRAMFS_MODULES[@]}"; do
		modprobe -d "$tmp" -S "$release" --show-depends "$module" ||
			return 1
	done | awk '$1 == "insmod" && !seen[$2]++ { print $2 }' \
		>"$root/list" || return 1
	while read -r file; do
		cp "$file" "$root/modules/" || return 1
		echo "/modules/${file##*/}"
	done <"$root/list" >"$root/modules/order"
	rm "$root/list"
	find "$root/modules" -name '*.xz' -exec unxz {} +
	sed -i 's/\.xz$//' "$root/modules/order"
	(cd "$root" && find . | cpio -o -H newc --quiet) |
		gzip -1 >"$tmp/initramfs.gz" || return 1
	rm -rf "$root"
}
