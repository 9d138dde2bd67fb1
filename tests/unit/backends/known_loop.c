/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The loop of the self-test runs, and does what tables of processors say of it. On 64-bit Arm tests/packaging/cross.sh runs this
 * program in an emulator and compares the operations that it executes with the number in the last line. */
#include "config.h"

#include "backends/cpu/cpu_info.h"
#include "backends/cpu/sources.h"

#include "tests/tap.h"

int main(void)
{
#if defined(__x86_64__)
	bool can = __builtin_cpu_supports("avx");
	const char *platform = "cpu-zen2";
#elif defined(__aarch64__)
	bool can = true;
	const char *platform = "cpu-arm-sve128";
#else
	bool can = false;
	const char *platform = NULL;
#endif
	const struct cpu_loop_event *event = NULL;

	is_int(known_loop_run(), can, "the loop runs where the processor has its vectors");
	if (platform)
		event = cpu_loop_event(platform);
	ok(!platform || event, "a processor counts its operations");
	if (event)
		printf("# operations of the loop: %lld\n", (long long)KNOWN_LOOP_ADDITIONS * event->counts);
	return done_testing();
}
