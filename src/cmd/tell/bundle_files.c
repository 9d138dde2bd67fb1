/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gathers the files that were read, and writes them as an archive. */
#include "config.h"

#include "cmd/tell/bundle.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fsroot.h"
#include "base/mem.h"

#define FILE_MAX_BYTES (256 << 10)
#define LINKS_MAX 40
#define ROOT "root"

/* --- what was asked for --- */

static void note(void *ctx, const char *path)
{
	struct bundle *b = ctx;

	for (size_t i = 0; i < b->n_seen; i++)
		if (!strcmp(b->seen[i], path))
			return;
	b->seen = array_grow(b->seen, b->n_seen, &b->cap_seen, sizeof(*b->seen));
	b->seen[b->n_seen++] = xstrdup(path);
}

void bundle_begin(struct bundle *b)
{
	redact_add_own(&b->names);
	fsroot_watch(note, b);
	bundle_answers_begin(b);
}

void bundle_release(struct bundle *b)
{
	fsroot_watch(NULL, NULL);
	bundle_answers_release(b);
	for (size_t i = 0; i < b->n_seen; i++)
		free(b->seen[i]);
	for (size_t i = 0; i < b->n; i++) {
		free(b->entries[i].path);
		free(b->entries[i].data);
	}
	free(b->seen);
	free(b->entries);
	redact_release(&b->names);
	*b = (struct bundle){ .n = 0 };
}

/* --- from the machine --- */

static bool begins(const char *path, const char *with)
{
	return !strncmp(path, with, strlen(with));
}

/* Whether a file may go: nothing of processes or users, no command line of the kernel, and nothing
 * that acts when it is read. */
static bool may_go(const char *path)
{
	const char *name = strrchr(path, '/');

	if (begins(path, "/proc/"))
		return !isdigit((unsigned char)path[6]) && !begins(path, "/proc/self") &&
			!begins(path, "/proc/thread-self") && !begins(path, "/proc/cmdline") &&
			!begins(path, "/proc/mounts") && !begins(path, "/proc/net");
	if (begins(path, "/dev/"))
		return true;
	return begins(path, "/sys/") && !begins(path, "/sys/kernel/debug/") &&
		!begins(path, "/sys/firmware/dmi") && strcmp(name, "/rom") != 0 &&
		!(begins(name, "/resource") && isdigit((unsigned char)name[9]));
}

/* Reads a file of the machine. A device node is an empty file in the bundle: that it is there is
 * all that can be sent. */
static char *read_file(const char *full, const struct stat *st, size_t *len)
{
	*len = 0;
	if (!S_ISREG(st->st_mode))
		return S_ISCHR(st->st_mode) ? xcalloc(1, 1) : NULL;
	int fd = open(full, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return NULL;
	char *data = xmalloc(FILE_MAX_BYTES);
	ssize_t n;
	while (*len < FILE_MAX_BYTES && (n = read(fd, data + *len, FILE_MAX_BYTES - *len)) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			break;
		*len += (size_t)n;
	}
	bool failed = *len == 0 && n < 0;
	close(fd);
	if (!failed)
		return data;
	free(data);
	return NULL;
}

/* Makes a link that leads to a place below the machine's root lead to the same place below the
 * bundle's. */
static char *relative(const char *link, const char *target)
{
	struct strbuf out = { 0 };

	if (*target != '/')
		return xstrdup(target);
	for (const char *c = strchr(link + 1, '/'); c; c = strchr(c + 1, '/'))
		strbuf_add(&out, "../");
	strbuf_add(&out, target + 1);
	return strbuf_take(&out);
}

/* Removes the last part of a path. */
static void up(struct strbuf *path)
{
	const char *slash = strrchr(strbuf_str(path), '/');

	if (slash)
		strbuf_cut(path, (size_t)(slash - path->s));
}

/* Adds what a link is, and puts where it leads in place of what was walked: at, without its last
 * part, and rest. */
static bool follow(struct bundle *b, const char *full, struct strbuf *at, struct strbuf *rest)
{
	char target[PATH_MAX];
	ssize_t len = readlink(full, target, sizeof(target) - 1);

	if (len <= 0)
		return false;
	target[len] = '\0';
	char *path = xasprintf(ROOT "%s", strbuf_str(at));
	char *to = relative(strbuf_str(at), target);
	bundle_add(b, path, to, strlen(to), true);
	free(path);
	if (*target == '/')
		strbuf_clear(at);
	else
		up(at);
	char *tail = strbuf_take(rest);
	strbuf_addf(rest, "/%s%s", target, tail);
	free(tail);
	return true;
}

/* Walks a path part by part, so that links become links and files stand where they really are. */
static void collect(struct bundle *b, const struct fsroot *fs, const char *path)
{
	struct strbuf at = { 0 }, rest = { 0 };
	struct stat st = { 0 };
	char full[PATH_MAX];
	size_t len;
	int links = 0;
	bool good = true;

	strbuf_add(&rest, path);
	while (good && rest.len) {
		const char *from = strbuf_str(&rest) + strspn(strbuf_str(&rest), "/");
		size_t n = strcspn(from, "/");
		char *part = xasprintf("%.*s", (int)n, from), *left = xstrdup(from + n);

		strbuf_clear(&rest);
		strbuf_add(&rest, left);
		free(left);
		if (!strcmp(part, ".."))
			up(&at);
		else if (*part && strcmp(part, ".") != 0)
			strbuf_addf(&at, "/%s", part);
		free(part);
		if (!at.len)
			continue;
		good = snprintf(full, sizeof(full), "%s%s", fs->prefix, strbuf_str(&at)) <
				(int)sizeof(full) && lstat(full, &st) == 0;
		if (good && S_ISLNK(st.st_mode))
			good = ++links < LINKS_MAX && follow(b, full, &at, &rest);
	}
	char *data = good && at.len && may_go(strbuf_str(&at)) ? read_file(full, &st, &len) : NULL;
	char *name = xasprintf(ROOT "%s", strbuf_str(&at));
	if (data)
		bundle_add(b, name, data, len, false);
	free(name);
	strbuf_release(&at);
	strbuf_release(&rest);
}

void bundle_collect(struct bundle *b, const struct fsroot *fs)
{
	fsroot_watch(NULL, NULL);
	for (size_t i = 0; i < b->n_seen; i++)
		if (may_go(b->seen[i]))
			collect(b, fs, b->seen[i]);
}

/* --- the archive --- */

#define FOLDER "rooftop-bundle/"
#define BLOCK 512

/* The head of a file, POSIX.1-1988: texts end with NUL where they have room, numbers are octal. */
struct ustar {
	char name[100], mode[8], uid[8], gid[8], size[12], mtime[12], checksum[8], type;
	char target[100], magic[6], version[2], user[32], group[32], major[8], minor[8], prefix[155];
	char pad[12];
};

/* Splits a path into prefix and name. Returns false where it is too long for both. */
static bool put_path(struct ustar *h, const char *path)
{
	size_t len = strlen(path);
	const char *cut = path;

	if (len > sizeof(h->name)) {
		cut = strchr(path + len - sizeof(h->name) - 1, '/');
		if (!cut || (size_t)(cut - path) > sizeof(h->prefix))
			return false;
		memcpy(h->prefix, path, (size_t)(cut - path));
		cut++;
	}
	memcpy(h->name, cut, strlen(cut));
	return true;
}

/* Says whether a head has room for a path and for where it leads. */
static bool has_room(const char *path, size_t link_len)
{
	struct ustar h;
	char *whole = xasprintf(FOLDER "%s", path);
	bool fits = put_path(&h, whole) && link_len <= sizeof(h.target);

	free(whole);
	return fits;
}

void bundle_add(struct bundle *b, const char *path, char *data, size_t len, bool is_link)
{
	char *name = xstrdup(path);
	bool known = redact(&b->names, name, strlen(name)) > 0;

	free(name);
	b->passed_over += known;
	if (!known && !has_room(path, is_link ? len : 0)) {
		b->too_long++;
		known = true;
	}
	for (size_t i = 0; i < b->n && !known; i++)
		known = !strcmp(b->entries[i].path, path);
	if (known) {
		free(data);
		return;
	}
	b->entries = array_grow(b->entries, b->n, &b->cap, sizeof(*b->entries));
	struct bundle_entry *e = &b->entries[b->n++];
	*e = (struct bundle_entry){ xstrdup(path), data, len, 0, is_link };
	const char *file = strrchr(path, '/');
	bool is_number = file && (strstr(file, "serial") || strstr(file, "uuid") ||
					 strstr(file, "unique_id"));
	if (is_number && !is_link) {
		e->redacted = redact_all(data, len);
		return;
	}
	e->redacted = redact(&b->names, data, len);
	if (!is_link)
		e->redacted += redact_unknown(path, data, len);
}

static void put_head(struct strbuf *out, const struct bundle_entry *e)
{
	struct ustar h = { .magic = "ustar", .version = { '0', '0' }, .type = '0' };
	char *path = xasprintf(FOLDER "%s", e->path);
	const unsigned char *bytes = (const unsigned char *)&h;
	unsigned sum = 0;

	put_path(&h, path);
	free(path);
	snprintf(h.mode, sizeof(h.mode), "%07o", 0644);
	snprintf(h.uid, sizeof(h.uid), "%07o", 0);
	snprintf(h.gid, sizeof(h.gid), "%07o", 0);
	snprintf(h.size, sizeof(h.size), "%011zo", e->is_link ? (size_t)0 : e->len);
	snprintf(h.mtime, sizeof(h.mtime), "%011o", 0);
	if (e->is_link) {
		h.type = '2';
		memcpy(h.target, e->data, e->len);
	}
	memset(h.checksum, ' ', sizeof(h.checksum));
	for (size_t i = 0; i < sizeof(h); i++)
		sum += bytes[i];
	snprintf(h.checksum, sizeof(h.checksum), "%06o", sum);
	strbuf_addn(out, (const char *)&h, sizeof(h));
}

static void pad(struct strbuf *out, size_t to)
{
	while (out->len % to)
		strbuf_addc(out, '\0');
}

static int by_path(const void *a, const void *b)
{
	const struct bundle_entry *x = a, *y = b;

	return strcmp(x->path, y->path);
}

void bundle_write(struct bundle *b, struct strbuf *out)
{
	static const char zeros[2 * BLOCK];

	_Static_assert(sizeof(struct ustar) == BLOCK, "a head is a block");
	qsort(b->entries, b->n, sizeof(*b->entries), by_path);
	for (size_t i = 0; i < b->n; i++) {
		const struct bundle_entry *e = &b->entries[i];

		put_head(out, e);
		if (!e->is_link)
			strbuf_addn(out, e->data, e->len);
		pad(out, BLOCK);
	}
	strbuf_addn(out, zeros, sizeof(zeros));
	pad(out, 20 * BLOCK);
}
