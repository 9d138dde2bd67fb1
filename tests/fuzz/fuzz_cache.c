/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as an entry of the cache of compiled kernels, and any text as a remembered shape: an
 * entry gives bit by bit what was sealed, or nothing, and a shape is one that exists. */
#include "config.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fsroot.h"
#include "base/mem.h"
#include "kernels/worker/cache.h"
#include "kernels/catalog/variant.h"

#define MAGIC "rooftop-cl 2 "
#define HEADER_BYTES (sizeof(MAGIC) - 1 + HASH_HEX)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char key[HASH_HEX] = "0011223344556677";

static struct cache cache;
static char folder[] = "/tmp/rooftop-fuzz.XXXXXX";

static void check(bool good)
{
	if (!good)
		abort();
}

static void remove_folder(void)
{
	char path[sizeof(cache.folder) + 80];

	snprintf(path, sizeof(path), "%s/%s.bin", cache.folder, key);
	unlink(path);
	rmdir(cache.folder);
	rmdir(folder);
}

static void begin(void)
{
	check(mkdtemp(folder) && cache_open(&cache, folder, NULL));
	atexit(remove_folder);
}

/* What comes out must have the sum that stands before it. */
static void check_entry(const uint8_t *data, size_t size)
{
	size_t len = 0;
	uint8_t *out = cache_load(&cache, key, &len);
	char hex[HASH_HEX];

	if (!out)
		return;
	check(len > 0 && len == size - HEADER_BYTES);
	check(!memcmp(data, MAGIC, sizeof(MAGIC) - 1) && !memcmp(data + HEADER_BYTES, out, len));
	snprintf(hex, sizeof(hex), "%016" PRIx64, hash_add(HASH_START, out, len));
	check(!memcmp(data + sizeof(MAGIC) - 1, hex, HASH_HEX - 1));
	free(out);
}

static void try_file(const uint8_t *data, size_t size)
{
	char path[sizeof(cache.folder) + 80];

	snprintf(path, sizeof(path), "%s/%s.bin", cache.folder, key);
	check(file_keep(path, (const char *)data, size, NULL));
	check_entry(data, size);
}

/* Seals the bytes behind the first two, and changes the byte at the place that these name; a place
 * behind the end changes nothing. */
static void try_sealed(const uint8_t *data, size_t size)
{
	char path[sizeof(cache.folder) + 80];
	size_t len = 0, at = (size_t)data[0] | (size_t)data[1] << 8;

	check(cache_save(&cache, key, data + 2, size - 2, NULL));
	snprintf(path, sizeof(path), "%s/%s.bin", cache.folder, key);
	char *file = file_read_all(path, 1 << 20, &len, NULL);
	check(file && len == size - 2 + HEADER_BYTES);
	if (at < len)
		file[at] ^= 1;
	check(file_keep(path, file, len, NULL));
	free(file);
	char *out = cache_load(&cache, key, &len);
	check(at < size - 2 + HEADER_BYTES ? !out : (out || size == 2));
	check(!out || (len == size - 2 && !memcmp(out, data + 2, len)));
	free(out);
}

static void try_shape(const uint8_t *data, size_t size)
{
	char *text = xstrndup((const char *)data, size), once[160], again[160];
	struct variant v = { .accumulators = 0 };

	if (catalog_parse("flops.private.mad.sp.x4", &v.spec, NULL) && variant_decode(text, &v)) {
		struct variant same = v;

		variant_encode(&v, once, sizeof(once));
		check(variant_decode(once, &same));
		check(!strcmp(once, variant_encode(&same, again, sizeof(again))));
		check(v.accumulators >= 1 && v.accumulators <= 16 && v.spec.width >= 1 &&
			v.spec.width <= 16);
	}
	free(text);
}

/* First byte: a file, a sealed file that is damaged, or a shape. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 3)
		return 0;
	if (!cache.folder[0])
		begin();
	if (data[0] % 3 == 0)
		try_file(data + 1, size - 1);
	else if (data[0] % 3 == 1)
		try_sealed(data + 1, size - 1);
	else
		try_shape(data + 1, size - 1);
	return 0;
}
