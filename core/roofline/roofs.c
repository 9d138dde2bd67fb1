/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The file of measured roofs. */
#include "config.h"

#include "core/roofline/roofs.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fsroot.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/parse.h"
#include "base/strbuf.h"

#define MAGIC "rooftop-roofs 1"
#define MAX_BYTES 65536

/* Each word of a simulated device changes what it is, wherever it stands, but that of what it was
 * told to run, and its flaws, which are to be found by its roofs. Returns 0 when there is no other. */
static uint64_t hash_words(const char *name)
{
	uint64_t hash = 0;
	size_t len;

	for (name += strcspn(name, ","); *name; name += len) {
		len = 1 + strcspn(name + 1, ",");
		if (strncmp(name, ",load=", 6) != 0 && strncmp(name, ",flaw=", 6) != 0)
			hash += hash_add(HASH_START, name, len);
	}
	return hash;
}

bool roof_file_path(const struct device *dev, const char *name, char *buf, size_t size)
{
	char key[240], rest[280], words[HASH_HEX + 1] = "";
	uint64_t hash = dev && dev->simulated ? hash_words(name) : 0;

	if (hash)
		snprintf(words, sizeof(words), "-%016" PRIx64, hash);
	if (dev && dev->simulated)
		snprintf(key, sizeof(key), "%s-%s%s", dev->id, dev->name, words);
	else if (dev && *dev->id)
		snprintf(key, sizeof(key), "%s-%04x-%04x-%02x-%s", dev->platform, dev->pci_vendor,
			dev->pci_device, dev->pci_revision, dev->name);
	else
		snprintf(key, sizeof(key), "opencl-%s", name);
	for (char *p = key; *p; p++)
		if (!isalnum((unsigned char)*p) && *p != '-')
			*p = '_';
	snprintf(rest, sizeof(rest), "/rooftop/roofs-%s", key);
	return user_path(buf, size, "XDG_STATE_HOME", "/.local/state", rest);
}

/* --- reading --- */

static bool damaged(const char *path, const char *why, struct err *err)
{
	err_set(err, ERR_PARSE, "measured roofs in '%.200s' are not used: %s", path, why);
	return err_hint(err, "'rooftop calibrate' measures them again and replaces the file");
}

/* The text up to the last line, which holds its checksum. */
static bool check_sum(char *text, size_t len)
{
	char *last = len ? memrchr(text, '\n', len - 1) : NULL;
	uint64_t want;

	if (!last || text[len - 1] != '\n' || strncmp(last + 1, "sum ", 4) != 0)
		return false;
	text[len - 1] = '\0';
	if (!parse_hex(last + 5, &want) ||
		hash_add(HASH_START, text, (size_t)(last + 1 - text)) != want)
		return false;
	last[1] = '\0';
	return true;
}

/* "roof flop sp.mad 399000000000 1050000000 1795269802000000000 flops.private.mad.sp.x4" */
static bool parse_record(char *line, struct roof_record *r)
{
	char *word[6];
	uint64_t wall_ns;

	for (size_t i = 0; i < ARRAY_LEN(word); i++)
		if (!(word[i] = strsep(&line, " ")) || !*word[i])
			return false;
	r->role = !strcmp(word[0], "flop") ? ROOF_FLOP : ROOF_BYTES;
	if (line || (r->role == ROOF_BYTES && strcmp(word[0], "bytes") != 0) ||
		strlen(word[1]) >= sizeof(r->name) ||
		strlen(word[5]) >= sizeof(r->kernel))
		return false;
	if (!parse_double(word[2], &r->value) || r->value <= 0 ||
		!parse_double(word[3], &r->clock_hz) || r->clock_hz < 0 ||
		!parse_u64_range(word[4], 0, INT64_MAX, &wall_ns))
		return false;
	r->wall_ns = (int64_t)wall_ns;
	snprintf(r->name, sizeof(r->name), "%s", word[1]);
	snprintf(r->kernel, sizeof(r->kernel), "%s", word[5]);
	return true;
}

static bool parse_text(struct roof_file *f, char *text)
{
	strsep(&text, "\n");
	while (text && *text) {
		char *rest = strsep(&text, "\n"), *key = strsep(&rest, " ");

		if (!rest)
			return false;
		if (!strcmp(key, "device"))
			snprintf(f->device, sizeof(f->device), "%s", rest);
		else if (!strcmp(key, "runner"))
			snprintf(f->runner, sizeof(f->runner), "%s", rest);
		else if (strcmp(key, "roof") != 0 || f->n == ROOF_FILE_MAX ||
			!parse_record(rest, &f->records[f->n++]))
			return false;
	}
	return true;
}

bool roof_file_load(struct roof_file *f, const char *path, struct err *err)
{
	struct err failed = { 0 };
	struct roof_file found = { 0 };
	size_t len;
	char *text = file_read_all(path, MAX_BYTES, &len, &failed);
	bool good = false;

	*f = (struct roof_file){ 0 };
	if (!text && failed.sys == ENOENT)
		return true;
	/* The file may be good: to measure again would not help. */
	if (!text) {
		err_set(err, failed.code, "measured roofs in '%.200s' are not used: %s", path,
			failed.msg);
		return failed.hint[0] ? err_hint(err, "%s", failed.hint) : false;
	}
	if (strncmp(text, MAGIC "\n", sizeof(MAGIC)) != 0)
		damaged(path, "it is no such file, or of another version", err);
	else if (strlen(text) != len || !check_sum(text, len))
		damaged(path, "its checksum is wrong", err);
	else if (!parse_text(&found, text))
		damaged(path, "a line of it makes no sense", err);
	else
		good = true;
	if (good)
		*f = found;
	free(text);
	return good;
}

/* --- writing --- */

/* A name from elsewhere must not add lines of its own. */
static void add_line(struct strbuf *out, const char *key, const char *text)
{
	strbuf_addf(out, "%s ", key);
	for (; *text; text++)
		strbuf_addc(out, (unsigned char)*text < ' ' ? ' ' : *text);
	strbuf_addc(out, '\n');
}

bool roof_file_save(const struct roof_file *f, const char *path, struct err *err)
{
	struct strbuf out = { 0 };

	strbuf_add(&out, MAGIC "\n");
	add_line(&out, "device", f->device);
	add_line(&out, "runner", f->runner);
	for (int i = 0; i < f->n; i++) {
		const struct roof_record *r = &f->records[i];

		strbuf_addf(&out, "roof %s %s ", r->role == ROOF_FLOP ? "flop" : "bytes", r->name);
		strbuf_add_double(&out, r->value);
		strbuf_addc(&out, ' ');
		strbuf_add_double(&out, r->clock_hz);
		strbuf_addf(&out, " %" PRId64 " %s\n", r->wall_ns, r->kernel);
	}
	strbuf_addf(&out, "sum %016" PRIx64 "\n", hash_add(HASH_START, strbuf_str(&out), out.len));
	file_drop_leftovers(path);
	bool good = file_keep(path, strbuf_str(&out), out.len, err);
	strbuf_release(&out);
	return good;
}

bool roof_file_put(struct roof_file *f, const struct roof_record *r)
{
	int i = 0;

	while (i < f->n &&
		(f->records[i].role != r->role || strcmp(f->records[i].name, r->name) != 0))
		i++;
	if (i == ROOF_FILE_MAX)
		return false;
	f->records[i] = *r;
	if (i == f->n)
		f->n++;
	return true;
}
