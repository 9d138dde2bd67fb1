/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Takes out of texts and records what names a person or a machine, before they are given away. */
#pragma once

#include <stddef.h>

/* Names that have to go. A zero-initialised struct knows none. */
struct redactor {
	char **names;		/* heap, and so are the strings */
	size_t n, cap;
};

/* Adds a name; one of less than two characters is passed over. */
void redact_add(struct redactor *r, const char *name);
/* Adds this machine's name, with and without its domain, and the names and home folders of the user
 * and of all people in the user database (numbers from 1000 to 65533). */
void redact_add_own(struct redactor *r);
void redact_release(struct redactor *r);
/* Overwrites with "x", byte by byte, so that nothing moves: the names where they stand as words (in
 * letters of either case from four letters on), MAC and IP addresses, UUIDs, and what follows
 * "serial" or "uuid" and a colon, an equals sign or a blank to the end of the line. PCI addresses
 * and versions stay. Returns how many bytes it took out. */
size_t redact(const struct redactor *r, char *text, size_t len);
/* Overwrites what has no known form: values of keys that are not known to be the hardware's, in a
 * uevent and in cpuinfo, and words in files of /sys and /proc that hold numbers. */
size_t redact_unknown(const char *path, char *text, size_t len);
/* Overwrites everything but ends of lines: a file that holds nothing but a serial number. */
size_t redact_all(char *text, size_t len);
