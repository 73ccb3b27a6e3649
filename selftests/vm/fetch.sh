# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# Debian packages, downloaded and unpacked but never installed.
#
# 6.1 and 6.12 come from the package lists that the system has already; the
# source of the newest kernel lives in a suite that the system does not use,
# so that suite gets an apt state folder of its own.

NEWEST_SUITE=sid

# The system's own mirror of the distribution, whatever it is.
debian_mirror()
{
	# shellcheck disable=SC2016  # apt's variables
	apt-get indextargets --format '$(ORIGIN)|$(CODENAME)|$(SITE)' \
		'Identifier: Packages' |
		awk -F'|' '$1 == "Debian" && $2 !~ /security|updates|backports/ {
			print $3; exit }'
}

debian_keyring()
{
	local keyring=/usr/share/keyrings/debian-archive-keyring.gpg
	[ -f "$keyring" ] && echo "[signed-by=$keyring]"
}

# apt_newest APT-COMMAND...: apt with the newest suite and nothing else.
apt_newest()
{
	local tool=$1 state=$CACHE/apt
	shift
	"$tool" -q -o Dir::Etc::SourceList="$state/sources.list" \
		-o Dir::Etc::SourceParts=- -o Dir::State::Lists="$state/lists" \
		-o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= \
		-o Acquire::Languages=none -o APT::Sandbox::User= "$@"
}

apt_newest_update()
{
	local mirror
	mirror=$(debian_mirror)
	[ -n "$mirror" ] || { say "apt knows no Debian mirror"; return 1; }
	mkdir -p "$CACHE/apt/lists/partial"
	echo "deb $(debian_keyring) $mirror $NEWEST_SUITE main" \
		>"$CACHE/apt/sources.list"
	logged "$CACHE/log/apt-newest.log" apt_newest apt-get update
}

# The system's lists may be missing (a fresh container) or name versions that
# the mirror has dropped since.
apt_system_update()
{
	if [ "$(id -u)" = 0 ]; then
		logged "$CACHE/log/apt.log" apt-get -q update
	else
		logged "$CACHE/log/apt.log" sudo -n apt-get -q update
	fi
}

apt_system()
{
	local tool=$1
	shift
	"$tool" -q -o APT::Sandbox::User= "$@"
}

# apt_depends_on META PATTERN: the real package behind a meta package.
apt_depends_on()
{
	apt-cache depends "$1" 2>/dev/null |
		awk -v re="^$2\$" '/Depends:/ && $2 ~ re { print $2; exit }'
}

# fetch_debs APT DEST PACKAGE...: unpack the packages below DEST.
fetch_debs()
{
	local apt=$1 dest=$2 debs
	shift 2
	debs=$(mktemp -d "$CACHE/debs.XXXXXX") || return 1
	say "downloading $*"
	if ! (cd "$debs" && logged "$CACHE/log/download-$1.log" \
		"$apt" apt-get download "$@"); then
		rm -rf "$debs"
		return 1
	fi
	mkdir -p "$dest"
	local deb
	for deb in "$debs"/*.deb; do
		dpkg -x "$deb" "$dest" || { rm -rf "$debs"; return 1; }
	done
	rm -rf "$debs"
}

# source_tree SERIES: print the folder with the source of kernel SERIES
# (6.1, 6.12 or newest), unpacking it when missing.
source_tree()
{
	[ -e "$CACHE/src/$1/Makefile" ] ||
		with_lock "src-$1" source_unpack "$1" >&2 || return 1
	readlink -f "$CACHE/src/$1"
}

source_unpack()
{
	local series=$1 apt=apt_system package version tmp
	[ -e "$CACHE/src/$series/Makefile" ] && return 0
	mkdir -p "$CACHE/src"
	if [ "$series" = newest ]; then
		apt=apt_newest
		apt_newest_update || return 1
		package=$(apt_newest apt-cache search --names-only \
			'^linux-source-[0-9.]+$' | awk '{ print $1 }' |
			sort -V | tail -n 1)
	else
		package=linux-source-$series
		apt-cache show "$package" >/dev/null 2>&1 ||
			apt_system_update || return 1
	fi
	[ -n "$package" ] || { say "no source package for $series"; return 1; }
	version=$("$apt" apt-cache show "$package" 2>/dev/null |
		awk '/^Version:/ { print $2; exit }')
	[ -n "$version" ] || { say "no version of $package"; return 1; }
	if [ ! -e "$CACHE/src/$version/Makefile" ]; then
		tmp=$(mktemp -d "$CACHE/src/tmp.XXXXXX") || return 1
		fetch_debs "$apt" "$tmp/deb" "$package" ||
			{ rm -rf "$tmp"; return 1; }
		say "unpacking the source of Linux $version"
		mkdir "$tmp/tree"
		if ! tar -xf "$tmp/deb/usr/src/$package.tar.xz" \
			-C "$tmp/tree" --strip-components=1; then
			rm -rf "$tmp"
			return 1
		fi
		rm -rf "$CACHE/src/$version"
		chmod 755 "$tmp/tree"
		mv "$tmp/tree" "$CACHE/src/$version"
		rm -rf "$tmp"
	fi
	ln -sfn "$version" "$CACHE/src/$series"
}
