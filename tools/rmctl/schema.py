#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Make schema.c and schema_tables.h from the netlink specification.

What an attribute is called, which type it has and which enum names its values
is said once, in the specification. The tool decodes messages, names the
attribute at fault and parses enum words from the table this program writes.
"""

import sys

import yaml

SOURCE = """// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the netlink specification says about attributes and operations.
 * Made by schema.py from {spec}, do not edit.
 */

#include <linux/resmon.h>

#include "schema.h"

"""

HEADER = """/* SPDX-License-Identifier: GPL-2.0-only */
/* Made by schema.py from {spec}, do not edit. */

"""

TYPES = {
    "u32": "ATTR_U32",
    "s32": "ATTR_S32",
    "u64": "ATTR_U64",
    "string": "ATTR_STRING",
    "binary": "ATTR_BINARY",
    "flag": "ATTR_FLAG",
    "nest": "ATTR_NEST",
    "pad": "ATTR_PAD",
}


def ident(*parts):
    """A C identifier of the parts."""
    return "_".join(parts).replace("-", "_")


def const(*parts):
    """The constant of the uapi header."""
    return ident("RESMON", *parts).upper()


def enums(spec):
    """One table of names for each enum."""
    for enum in spec["definitions"]:
        if enum["type"] != "enum":
            continue
        name = enum["name"]
        yield f"static const char * const {ident(name)}_words[] = {{"
        for entry in enum["entries"]:
            yield f"\t[{const(name, entry['name'])}] = \"{entry['name']}\","
        yield "};"
        yield ""
        yield f"const struct names names_{ident(name)} = {{"
        yield f"\t{ident(name)}_words, {const(name, 'max')} + 1"
        yield "};"
        yield ""


def attribute(set_name, attr):
    """The row of one attribute."""
    fields = [f'"{attr["name"]}"', TYPES[attr["type"]]]
    if "enum" in attr:
        fields.append(f".names = &names_{ident(attr['enum'])}")
    if "nested-attributes" in attr:
        fields.append(f".set = &set_{ident(attr['nested-attributes'])}")
    if attr.get("multi-attr"):
        fields.append(".multi = true")
    yield f"\t[{const('a', set_name, attr['name'])}] = {{"
    line = "\t\t"
    for field in fields:
        if len(line.expandtabs()) + len(field) > 76:
            yield line.rstrip()
            line = "\t\t"
        line += field + ", "
    yield line.rstrip().rstrip(",")
    yield "\t},"


def sets(spec):
    """One table for each attribute set."""
    for group in spec["attribute-sets"]:
        name = group["name"]
        yield f"static const struct attr {ident(name)}_attrs[] = {{"
        for attr in group["attributes"]:
            yield from attribute(name, attr)
        yield "};"
        yield ""
        yield f"const struct attr_set set_{ident(name)} = {{"
        yield f"\t\"{name}\", {ident(name)}_attrs, {const('a', name, 'max')}"
        yield "};"
        yield ""


def operations(spec):
    """One row for each command, ordered by its number."""
    group_of = {op["name"]: op["attribute-set"]
                for op in spec["operations"]["list"] if "attribute-set" in op}
    yield "const struct op ops[] = {"
    for op in spec["operations"]["list"]:
        name = op["name"]
        group = op.get("attribute-set") or group_of[op["notify"]]
        yield f"\t[{const('cmd', name)}] = {{"
        yield f"\t\t\"{name}\", &set_{ident(group)}"
        yield "\t},"
    yield "};"
    yield ""
    yield "const unsigned int ops_max = RESMON_CMD_MAX;"


def declarations(spec):
    """What schema.c defines."""
    for enum in spec["definitions"]:
        if enum["type"] == "enum":
            yield f"extern const struct names names_{ident(enum['name'])};"
    yield ""
    for group in spec["attribute-sets"]:
        yield f"extern const struct attr_set set_{ident(group['name'])};"


def main():
    """Read the specification, write one of the two files."""
    path, kind = sys.argv[1:]
    with open(path, encoding="utf-8") as file:
        spec = yaml.safe_load(file)
    name = path[path.find("Documentation"):]
    if kind == "header":
        sys.stdout.write(HEADER.format(spec=name))
        parts = (declarations,)
    else:
        sys.stdout.write(SOURCE.format(spec=name))
        parts = (enums, sets, operations)
    for part in parts:
        sys.stdout.write("\n".join(part(spec)) + "\n")


main()
