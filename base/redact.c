/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds names and addresses by their form. */
#include "config.h"

#include "base/redact.h"

#include <ctype.h>
#include <pwd.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/mem.h"

#define NAME_MIN 2
#define NAME_ANY_CASE_MIN 4
/* Users that are people; the last number is nobody's (Debian Policy 9.2.2). */
#define PEOPLE_FROM 1000
#define PEOPLE_TO 65533

void redact_add(struct redactor *r, const char *name)
{
	if (!name || strlen(name) < NAME_MIN || !strcmp(name, "root"))
		return;
	r->names = array_grow(r->names, r->n, &r->cap, sizeof(*r->names));
	r->names[r->n++] = xstrdup(name);
}

static void add_user(struct redactor *r, const struct passwd *user)
{
	const char *home = user && user->pw_dir ? strrchr(user->pw_dir, '/') : NULL;

	if (!user)
		return;
	redact_add(r, user->pw_name);
	if (home)
		redact_add(r, home + 1);
}

void redact_add_own(struct redactor *r)
{
	static const char *const variables[] = { "USER", "LOGNAME", "SUDO_USER", "HOSTNAME" };
	const struct passwd *user;
	struct utsname machine;

	for (size_t i = 0; i < ARRAY_LEN(variables); i++)
		redact_add(r, getenv(variables[i]));
	if (uname(&machine) == 0) {
		redact_add(r, machine.nodename);
		machine.nodename[strcspn(machine.nodename, ".")] = '\0';
		redact_add(r, machine.nodename);
	}
	add_user(r, getpwuid(getuid()));
	setpwent();
	while ((user = getpwent()))
		if (user->pw_uid >= PEOPLE_FROM && user->pw_uid <= PEOPLE_TO)
			add_user(r, user);
	endpwent();
}

void redact_release(struct redactor *r)
{
	for (size_t i = 0; i < r->n; i++)
		free(r->names[i]);
	free(r->names);
	*r = (struct redactor){ .names = NULL };
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static size_t mask(char *text, size_t len)
{
	memset(text, 'x', len);
	return len;
}

/* A name may be written as a user, a host or a title, in letters of either case. A short one would
 * be found by chance then. */
static char *find_name(char *text, size_t len, const char *name, size_t n)
{
	int lower = tolower((unsigned char)*name), upper = toupper((unsigned char)*name);

	if (n < NAME_ANY_CASE_MIN)
		return memmem(text, len, name, n);
	for (size_t i = 0; i + n <= len; i++)
		if ((text[i] == lower || text[i] == upper) && !strncasecmp(text + i, name, n))
			return text + i;
	return NULL;
}

static size_t take_names(const struct redactor *r, char *text, size_t len)
{
	size_t taken = 0;

	for (size_t i = 0; i < r->n; i++) {
		size_t n = strlen(r->names[i]);
		char *from = text, *found;

		while ((found = find_name(from, len - (size_t)(from - text), r->names[i], n))) {
			bool begins = found == text || !is_word(found[-1]);
			bool ends = found + n == text + len || !is_word(found[n]);

			from = found + 1;
			if (begins && ends)
				taken += mask(found, n);
		}
	}
	return taken;
}

/* Returns how many bytes from here follow a form: 'h' is a hexadecimal digit, everything else
 * itself. Returns 0 when they do not, or when the word goes on. */
static size_t follows(const char *at, const char *end, const char *form)
{
	size_t n = strlen(form);

	if ((size_t)(end - at) < n)
		return 0;
	for (size_t i = 0; i < n; i++) {
		if (form[i] == 'h' ? !isxdigit((unsigned char)at[i]) : at[i] != form[i])
			return 0;
	}
	return at + n < end && (is_word(at[n]) || at[n] == ':') ? 0 : n;
}

/* Four numbers up to 255 with points between them, and no fifth one. */
static size_t ipv4(const char *at, const char *end)
{
	const char *p = at;

	for (int part = 0; part < 4; part++) {
		int value = 0, digits = 0;

		for (; p < end && isdigit((unsigned char)*p) && digits < 4; p++, digits++)
			value = value * 10 + (*p - '0');
		if (digits == 0 || digits > 3 || value > 255)
			return 0;
		if (part < 3 && (p >= end || *p++ != '.'))
			return 0;
	}
	return p < end && (is_word(*p) || *p == '.') ? 0 : (size_t)(p - at);
}

/* Groups of up to four hexadecimal digits with colons: at least four colons, or two beside each
 * other between groups. A PCI address has two colons and a point. */
static size_t ipv6(const char *at, const char *end)
{
	const char *p = at;
	int colons = 0, digits = 0, groups = 0;
	bool twice = false;

	for (; p < end && (isxdigit((unsigned char)*p) || *p == ':'); p++) {
		if (*p != ':') {
			groups += digits == 0;
			if (++digits > 4)
				return 0;
			continue;
		}
		twice |= p > at && p[-1] == ':';
		colons++;
		digits = 0;
	}
	if (p < end && is_word(*p))
		return 0;
	return (colons >= 4 && groups >= 4) || (twice && groups >= 2) ? (size_t)(p - at) : 0;
}

static size_t address(const char *at, const char *end)
{
	static const char *const forms[] = { "hhhhhhhh-hhhh-hhhh-hhhh-hhhhhhhhhhhh",
		"hh:hh:hh:hh:hh:hh", "hh-hh-hh-hh-hh-hh" };
	size_t n = 0;

	for (size_t i = 0; i < ARRAY_LEN(forms) && !n; i++)
		n = follows(at, end, forms[i]);
	if (!n)
		n = ipv4(at, end);
	return n ? n : ipv6(at, end);
}

static size_t take_addresses(char *text, size_t len)
{
	size_t taken = 0;

	for (size_t i = 0; i < len; i++) {
		size_t n = 0;

		if ((isxdigit((unsigned char)text[i]) || text[i] == ':') &&
			(i == 0 || (!is_word(text[i - 1]) && text[i - 1] != '.' && text[i - 1] != ':')))
			n = address(text + i, text + len);
		if (!n)
			continue;
		taken += mask(text + i, n);
		i += n - 1;
	}
	return taken;
}

/* Takes the rest of a line behind "serial" or "uuid", from the first blank, colon or equals
 * sign. */
static size_t take_values(char *text, size_t len)
{
	static const char *const keys[] = { "serial", "uuid" };
	size_t taken = 0;

	for (size_t i = 0; i < len; i++) {
		for (size_t k = 0; k < ARRAY_LEN(keys); k++) {
			size_t n = strlen(keys[k]), at = i + n;

			if (len - i < n || strncasecmp(text + i, keys[k], n) != 0)
				continue;
			while (at < len && text[at] != '\n' && !strchr(":= \t", text[at]))
				at++;
			for (; at < len && text[at] != '\n' && text[at]; at++)
				if (is_word(text[at]) && text[at] != 'x')
					taken += mask(text + at, 1);
		}
	}
	return taken;
}

size_t redact(const struct redactor *r, char *text, size_t len)
{
	return take_names(r, text, len) + take_addresses(text, len) + take_values(text, len);
}

/* Files of lines KEY and VALUE, and how the keys begin that say what the hardware is: Linux
 * lib/kobject_uevent.c, drivers/pci/pci-driver.c, drivers/of/device.c, and cpuinfo of arch. */
static const struct {
	const char *file;
	char separator;
	const char *keys[48];
} keyed[] = {
	{ "/uevent", '=',
		{ "DRIVER", "PCI_", "MODALIAS", "OF_", "DEVTYPE", "DEVNAME", "MAJOR", "MINOR",
			"SUBSYSTEM", "SEQNUM" } },
	{ "/cpuinfo", ':',
		{ "processor", "vendor_id", "cpu", "CPU", "model", "Model", "stepping",
			"microcode", "cache", "physical id", "siblings", "core id", "apicid",
			"initial apicid", "fpu", "wp", "flags", "Features", "bugs", "bogomips",
			"BogoMIPS", "TLB", "clflush", "address sizes", "power management",
			"vmx flags", "Revision" } },
};

static bool is_known_key(const char *line, size_t len, const char *const *keys)
{
	for (; *keys; keys++)
		if (len >= strlen(*keys) && !memcmp(line, *keys, strlen(*keys)))
			return true;
	return false;
}

/* Parts of the names of files below /sys and /proc whose words are the drivers' and the kernel's. All
 * others hold numbers, with units of four letters at most ("16.0 GT/s PCIe", "500Mhz"). */
static const char *const worded[] = { "/name", "_name", "label", "/type", ".unit", "/format/",
	"/events/", "/lockdown", "/properties", "_status", "governor", "/modalias", "/compatible", "state",
	"/gpu_stats", "/resctrl/", "/proc/stat", "/proc/meminfo", "/proc/version", "/kernel/version",
	"/osrelease", "/proc/driver/", "/enabled", "/dimm_", "_oem_info" };
#define UNIT_LETTERS 4

static size_t take_words(char *text, size_t len)
{
	size_t taken = 0;

	for (size_t at = 0, from, n; at < len; at += n + !n) {
		for (n = 0; at + n < len && is_word(text[at + n]); n++)
			;
		from = n > 1 && text[at] == '0' && text[at + 1] == 'x' ? 2 : 0;
		while (from < n && isxdigit((unsigned char)text[at + from]))
			from++;
		if (n - from > UNIT_LETTERS)
			taken += mask(text + at, n);
	}
	return taken;
}

size_t redact_unknown(const char *path, char *text, size_t len)
{
	const char *file = strrchr(path, '/');
	bool has_words = strncmp(path, "root/", 5) != 0 || memchr(text, '\0', len);
	size_t taken = 0;

	for (size_t k = 0; file && k < ARRAY_LEN(keyed); k++) {
		if (strcmp(file, keyed[k].file) != 0)
			continue;
		has_words = true;
		for (char *line = text, *end; line < text + len; line = end + 1) {
			end = memchr(line, '\n', len - (size_t)(line - text));
			if (!end)
				end = text + len;
			size_t line_len = (size_t)(end - line);
			char *value = memchr(line, keyed[k].separator, line_len);
			if (!value || !is_known_key(line, line_len, keyed[k].keys)) {
				value = value ? value + 1 : line;
				taken += mask(value, (size_t)(end - value));
			}
		}
	}
	for (size_t i = 0; i < ARRAY_LEN(worded); i++)
		has_words |= strstr(path, worded[i]) != NULL;
	return taken + (has_words ? 0 : take_words(text, len));
}

size_t redact_all(char *text, size_t len)
{
	size_t taken = 0;

	for (size_t i = 0; i < len; i++)
		if (text[i] != '\n')
			taken += mask(text + i, 1);
	return taken;
}
