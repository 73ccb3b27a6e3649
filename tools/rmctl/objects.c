// SPDX-License-Identifier: GPL-2.0-only
/* The table of all objects. */

#include <string.h>

#include "rmctl.h"

extern const struct object
#define OBJECT(name)	object_##name
#include "objects.def"
	object_none;
#undef OBJECT

const struct object * const objects[] = {
#define OBJECT(name)	(&object_##name)
#include "objects.def"
	NULL
};

const struct object *object_find(const char *name)
{
	unsigned int i;

	for (i = 0; objects[i]; i++)
		if (!strcmp(objects[i]->name, name))
			return objects[i];
	return NULL;
}

const struct command *command_find(const struct object *object,
				   const char *name)
{
	const struct command *c;

	for (c = object->commands; c->help; c++)
		if (c->name && !strcmp(c->name, name))
			return c;
	return NULL;
}
