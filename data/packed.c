/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Unpacks embedded texts, and keeps them while they are needed. */
#include "config.h"

#include "data/data.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/mem.h"

#define GZIP_MAGIC 0x1f		/* begins no text */
#define GZIP_HEAD_BYTES 10	/* without a name: pack.sh gives none */
#define GZIP_TAIL_BYTES 8	/* a sum, which nobody has to look at, and the length */
#define PLATFORM_SIZE 64

/* The texts belong to the program as its constants do. Several are needed at a time, because files
 * include each other. */
static struct {
	struct {
		const struct packed_file *file;
		char *text;
	} * item;
	size_t n, cap;
} held;

bool packed_serves(const struct packed_file *f, const char *platform)
{
	char word[PLATFORM_SIZE];
	int len = platform ? snprintf(word, sizeof(word), " %s ", platform) : 0;

	return f->platforms && len < (int)sizeof(word) && (!platform || strstr(f->platforms, word));
}

static char *unpack(const struct packed_file *f)
{
	/* What gzip packed ends with the length of the text, lowest byte first. */
	const unsigned char *end = f->packed + f->packed_bytes;
	size_t bytes = end[-4] | (size_t)end[-3] << 8 | (size_t)end[-2] << 16 | (size_t)end[-1] << 24;
	char *text = xmalloc(bytes + 1);
	z_stream z = { .next_in = (unsigned char *)f->packed + GZIP_HEAD_BYTES,
		.avail_in = (unsigned)f->packed_bytes - GZIP_HEAD_BYTES - GZIP_TAIL_BYTES,
		.next_out = (unsigned char *)text,
		.avail_out = (unsigned)bytes };

	/* It was packed when the program was built: only want of memory can go wrong. */
	if (inflateInit2(&z, -MAX_WBITS) != Z_OK || inflate(&z, Z_FINISH) != Z_STREAM_END)
		abort();
	inflateEnd(&z);
	text[bytes] = '\0';
	return text;
}

const char *packed_text(const struct packed_file *f)
{
	if (f->packed[0] != GZIP_MAGIC)
		return (const char *)f->packed;
	for (size_t i = 0; i < held.n; i++)
		if (held.item[i].file == f)
			return held.item[i].text;
	held.item = array_grow(held.item, held.n, &held.cap, sizeof(*held.item));
	held.item[held.n].file = f;
	held.item[held.n].text = unpack(f);
	return held.item[held.n++].text;
}

const char *packed_find(const struct packed_file *files, const char *name, const char *suffix)
{
	size_t len = strlen(name);

	for (; files->name; files++)
		if (!strncmp(files->name, name, len) && !strcmp(files->name + len, suffix))
			return packed_text(files);
	return NULL;
}

void packed_forget(void)
{
	for (size_t i = 0; i < held.n; i++)
		free(held.item[i].text);
	free(held.item);
	held.item = NULL;
	held.n = held.cap = 0;
}
