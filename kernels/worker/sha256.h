/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SHA-256 (FIPS 180-4): names and seals of cached programs. */
#ifndef KERNELS_WORKER_SHA256_H
#define KERNELS_WORKER_SHA256_H

#include <stddef.h>
#include <stdint.h>

#define SHA256_HEX 65

struct sha256 {
	uint32_t state[8];
	uint64_t bytes;
	uint8_t block[64];
};

void sha256_init(struct sha256 *s);
/* Any number of bytes, in pieces of any size. */
void sha256_add(struct sha256 *s, const void *data, size_t size);
/* Adds a string with its length, so that "ab" "c" and "a" "bc" differ. */
void sha256_add_text(struct sha256 *s, const char *text);
/* 64 lower-case digits and a NUL; s is used up. */
void sha256_hex(struct sha256 *s, char hex[SHA256_HEX]);

#endif
