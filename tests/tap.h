/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Test Anything Protocol for our test programs: numbered points, flushed one by one, the plan last
 * so that a crash is seen. */
#pragma once

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static struct {
	int points;
	int failures;
} tap;

/* A '#' would start a directive ("# SKIP") and a newline a new line of the protocol. */
__attribute__((format(printf, 4, 5)))
static inline bool tap_point(bool good, const char *file, int line, const char *fmt, ...)
{
	char name[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(name, sizeof(name), fmt, ap);
	va_end(ap);
	for (char *p = name; *p; p++) {
		if (*p == '#' || (unsigned char)*p < ' ')
			*p = '_';
	}
	tap.points++;
	printf("%s %d - %s\n", good ? "ok" : "not ok", tap.points, name);
	if (!good) {
		tap.failures++;
		printf("#   failed at %s:%d\n", file, line);
	}
	fflush(stdout);
	return good;
}

static inline const char *tap_quoted(const char *s)
{
	return s ? s : "(null)";
}

static inline bool tap_same(double got, double want, double eps)
{
	if (isnan(got) || isnan(want))
		return isnan(got) && isnan(want);
	if (isinf(got) || isinf(want))
		return isinf(got) && isinf(want) && signbit(got) == signbit(want);
	return fabs(got - want) <= eps;
}

/* A build in which the same cases take far longer than elsewhere (under a sanitizer, in an emulator)
 * tries a share of them: with ROOFTOP_SHARE=N, or N:FROM, one of N, from a random one on. */
static inline int tap_share(void)
{
	const char *share = getenv("ROOFTOP_SHARE");

	return share && atoi(share) > 1 ? atoi(share) : 1;
}

/* Whether the next case is among them. What all cases prove together needs all of them. Of a law that
 * has rows alone, at least one is tried. */
static inline bool in_share_of(int rows)
{
	static int number = -1;
	int share = tap_share() < rows ? tap_share() : rows;

	if (number < 0) {
		const char *from = getenv("ROOFTOP_SHARE");

		from = from ? strchr(from, ':') : NULL;
		number = from ? atoi(from + 1) : (int)(time(NULL) % tap_share());
		if (tap_share() > 1)
			printf("# ROOFTOP_SHARE=%d:%d\n", tap_share(), number);
	}
	return number++ % share == 0;
}

static inline bool in_share(void)
{
	return in_share_of(tap_share());
}

/* The condition holds. The name is a printf format and should say what was tried, with the row's
 * input. */
#define ok(cond, ...) tap_point((cond) ? true : false, __FILE__, __LINE__, __VA_ARGS__)

/* What only all cases prove together is not asked of a share of them. */
#define ok_of_all(cond, ...) do { \
	if (tap_share() == 1) \
		ok(cond, __VA_ARGS__); \
	else \
		skip(1, "a share of the cases proves nothing of all"); \
} while (0)

#define is_int(got, want, ...) do { \
	long long tap_got = (long long)(got), tap_want = (long long)(want); \
	if (!ok(tap_got == tap_want, __VA_ARGS__)) \
		printf("#       got: %lld (0x%llx)\n#  expected: %lld (0x%llx)\n", tap_got, (unsigned long long)tap_got, \
			tap_want, (unsigned long long)tap_want); \
} while (0)

/* Within eps; NAN equals only NAN, an infinity only itself. */
#define is_near(got, want, eps, ...) do { \
	double tap_got = (got), tap_want = (want), tap_eps = (eps); \
	if (!ok(tap_same(tap_got, tap_want, tap_eps), __VA_ARGS__)) \
		printf("#       got: %.17g\n#  expected: %.17g within %g\n", tap_got, tap_want, tap_eps); \
} while (0)

#define is_str(got, want, ...) do { \
	const char *tap_got = (got), *tap_want = (want); \
	if (!ok(tap_got == tap_want || (tap_got && tap_want && !strcmp(tap_got, tap_want)), __VA_ARGS__)) \
		printf("#       got: '%s'\n#  expected: '%s'\n", tap_quoted(tap_got), tap_quoted(tap_want)); \
} while (0)

/* A comment; keep it to one line. */
__attribute__((format(printf, 1, 2)))
static inline void diag(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	fputs("# ", stdout);
	vprintf(fmt, ap);
	putchar('\n');
	va_end(ap);
	fflush(stdout);
}

/* n points that cannot be tried here. */
static inline void skip(int n, const char *why)
{
	while (n-- > 0)
		printf("ok %d # SKIP %s\n", ++tap.points, why);
	fflush(stdout);
}

/* The whole program cannot be tried here; call it before any point. Does not return. */
static inline void skip_all(const char *why)
{
	printf("1..0 # SKIP %s\n", why);
	exit(0);
}

/* Prints the plan; main() returns its result. A program without a point has proved nothing and says
 * so. */
static inline int done_testing(void)
{
	if (!tap.points)
		printf("Bail out! no test was run\n");
	else
		printf("1..%d\n", tap.points);
	fflush(stdout);
	return tap.failures || !tap.points;
}
