/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A recorded card, and a divided one, for the library of the tests (nvml.c says how they are named). */
#pragma once

#define FAKE_MIG_MAX 7

struct fake_instance {
	unsigned gi, slices, sms;
	unsigned long long mib, used_mib;
	char profile[24];
};

extern struct fake_instance fake_instance[FAKE_MIG_MAX];

/* The file of "key value" lines, read once; NULL: none is recorded. */
const char *fake_recording(void);
/* The words behind the key, up to the end of the line; NULL: the card does not say. */
const char *fake_recorded(const char *key);
/* Fills fake_instance; returns how many there are. */
unsigned fake_instances(void);
/* NULL: the handle is of the whole card. */
const struct fake_instance *fake_instance_of(const void *device);

/* Where a card is recorded, the function ends here. */
#define RECORDED(key, out, factor) \
	do { \
		const char *told = fake_recorded(key); \
		if (told) \
			*(out) = (__typeof__(*(out)))(strtod(told, NULL) * (factor) + 0.5); \
		if (fake_recording()) \
			return told ? 0 : 3; \
	} while (0)
#define RECORDED_TEXT(key, text, size) \
	do { \
		const char *told = fake_recorded(key); \
		if (told) \
			snprintf(text, size, "%.*s", (int)strcspn(told, "\n"), told); \
		if (fake_recording()) \
			return told ? 0 : 3; \
	} while (0)
