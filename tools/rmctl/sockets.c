// SPDX-License-Identifier: GPL-2.0-only
/*
 * Packet sockets of this network namespace that read every protocol, and whose
 * they are: they get a frame before any hook of netfilter does (H7).
 */

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <linux/if_ether.h>

#include "names.h"
#include "out.h"
#include "sockets.h"

/* What /proc/net/packet has of each of them. */
static void read_sockets(struct json_object *all)
{
	FILE *file = fopen("/proc/net/packet", "re");
	unsigned int proto, ifindex;
	unsigned long long inode;
	char line[256];

	if (!file)
		return;
	while (fgets(line, sizeof(line), file)) {
		struct json_object *one;

		/* sk RefCnt Type Proto Iface R Rmem User Inode */
		if (sscanf(line, "%*s %*s %*s %x %u %*s %*s %*s %llu", &proto,
			   &ifindex, &inode) != 3 || proto != ETH_P_ALL)
			continue;
		one = json_object_new_object();
		json_object_object_add(one, "ifindex",
				       json_object_new_uint64(ifindex));
		json_object_object_add(one, "inode",
				       json_object_new_uint64(inode));
		json_object_array_add(all, one);
	}
	fclose(file);
}

static struct json_object *find(struct json_object *all, __u64 inode)
{
	size_t i;

	for (i = 0; i < json_object_array_length(all); i++) {
		struct json_object *one = json_object_array_get_idx(all, i);

		if (rec_num_or(one, "inode", 0) == inode)
			return one;
	}
	return NULL;
}

/* Of processes that share a socket the first one found stands for them. */
static void name_owner(struct json_object *one, const char *pid)
{
	char path[300], comm[64] = "";
	FILE *file;

	if (rec_get(one, "pid"))
		return;
	snprintf(path, sizeof(path), "/proc/%s/comm", pid);
	file = fopen(path, "re");
	if (file) {
		if (!fgets(comm, sizeof(comm), file))
			comm[0] = '\0';
		fclose(file);
	}
	comm[strcspn(comm, "\n")] = '\0';
	clean_text(comm);
	json_object_object_add(one, "pid",
			       json_object_new_uint64(strtoul(pid, NULL, 10)));
	json_object_object_add(one, "process",
			       json_object_new_string(comm[0] ? comm : "?"));
}

/* Only root sees the descriptors of all; the others stay without a name. */
static void search_process(struct json_object *all, const char *pid)
{
	char path[600], link[64];
	struct dirent *entry;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%s/fd", pid);
	dir = opendir(path);
	while (dir && (entry = readdir(dir))) {
		struct json_object *one;
		unsigned long long inode;
		ssize_t len;

		snprintf(path, sizeof(path), "/proc/%s/fd/%s", pid,
			 entry->d_name);
		len = readlink(path, link, sizeof(link) - 1);
		if (len < 0)
			continue;
		link[len] = '\0';
		if (sscanf(link, "socket:[%llu]", &inode) != 1)
			continue;
		one = find(all, inode);
		if (one)
			name_owner(one, pid);
	}
	if (dir)
		closedir(dir);
}

/* An array; the caller puts it. */
struct json_object *sockets_read(void)
{
	struct json_object *all = json_object_new_array();
	struct dirent *entry;
	DIR *dir;

	read_sockets(all);
	if (!json_object_array_length(all))
		return all;
	dir = opendir("/proc");
	while (dir && (entry = readdir(dir)))
		if (isdigit((unsigned char)entry->d_name[0]))
			search_process(all, entry->d_name);
	if (dir)
		closedir(dir);
	return all;
}

/* Those that are bound to a net device or to none. */
struct json_object *sockets_before(struct json_object *all, __u64 ifindex)
{
	struct json_object *list = json_object_new_array();
	size_t i;

	for (i = 0; i < json_object_array_length(all); i++) {
		struct json_object *one = json_object_array_get_idx(all, i);
		__u64 at = rec_num_or(one, "ifindex", 0);

		if (!at || at == ifindex)
			json_object_array_add(list, json_object_get(one));
	}
	return list;
}
