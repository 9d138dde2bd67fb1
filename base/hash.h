/* SPDX-License-Identifier: GPL-3.0-or-later */
/* 64-bit FNV-1a (G. Fowler, L. C. Noll, K.-P. Vo): it names and seals what rooftop keeps for
 * itself. It is enough against damage, and not meant against people. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define HASH_START UINT64_C(0xcbf29ce484222325)
#define HASH_HEX 17	/* digits of one, and a NUL */

/* Begin with HASH_START; the bytes may come in pieces of any size. */
static inline uint64_t hash_add(uint64_t h, const void *data, size_t size)
{
	const unsigned char *bytes = data;

	for (size_t i = 0; i < size; i++)
		h = (h ^ bytes[i]) * UINT64_C(0x100000001b3);
	return h;
}

/* With its end, so that "ab" "c" and "a" "bc" differ. */
static inline uint64_t hash_add_text(uint64_t h, const char *text)
{
	return hash_add(h, text, strlen(text) + 1);
}
