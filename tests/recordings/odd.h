/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Odd recordings, one row each: how it is made, and what must come of it. */
#pragma once

#include "tests/recordings/make.h"

#define ODD_REPORTS 6

struct odd_file {
	const char *name;
	void (*make)(struct bytes *b);
	const char *open_error;		/* part of rec_open()'s message, NULL: opens */
	const char *damage;		/* part of the summary's damage, NULL: none */
	unsigned samples;
	const char *replay_error;	/* part of the message when replayed, NULL: replays */
	unsigned windows;		/* per-report windows of the replay */
};

static void odd_good(struct bytes *b)
{
	make_good(b, ODD_REPORTS);
}

static void odd_no_version(struct bytes *b)
{
	make_info(b);
	make_topology(b, true);
	make_samples(b, 100, 0, ODD_REPORTS);
}

static void odd_samples_first(struct bytes *b)
{
	make_samples(b, 100, 0, ODD_REPORTS);
	make_start(b);
}

static void odd_unknown_types(struct bytes *b)
{
	uint8_t zeros[64] = { 0 };

	make_record(b, 4, zeros, 0);
	make_good(b, ODD_REPORTS);
	make_record(b, 70000, zeros, 3);
	make_record(b, 0xffffffff, zeros, sizeof(zeros));
}

static void odd_pad(struct bytes *b)
{
	odd_good(b);
	b->p[4] = 0xab;
	b->p[5] = 0xcd;
}

static void odd_two_infos(struct bytes *b)
{
	struct rec_device_info info = make_device();

	make_start(b);
	info.device_id = 0x1912;
	make_record(b, REC_DEVICE_INFO, &info, sizeof(info));
	make_samples(b, 100, 0, ODD_REPORTS);
}

static void odd_unpadded_topology(struct bytes *b)
{
	make_version(b, 1);
	make_info(b);
	make_topology(b, false);
	make_samples(b, 100, 0, ODD_REPORTS);
}

static void odd_lost(struct bytes *b)
{
	make_start(b);
	make_samples(b, 100, 0, 2);
	make_record(b, REC_REPORT_LOST, NULL, 0);
	make_samples(b, 100, 2, 2);
	make_record(b, REC_BUFFER_LOST, NULL, 0);
	make_samples(b, 100, 4, 2);
}

static void odd_lost_16(struct bytes *b)
{
	make_start(b);
	make_samples(b, 100, 0, 3);
	make_record(b, REC_REPORT_LOST, "12345678", 8);
	make_samples(b, 100, 3, 3);
}

static void odd_version_2(struct bytes *b)
{
	make_version(b, 2);
	make_info(b);
	make_topology(b, true);
	make_samples(b, 100, 0, ODD_REPORTS);
}

static void odd_no_info(struct bytes *b)
{
	make_version(b, 1);
	make_topology(b, true);
	make_samples(b, 100, 0, ODD_REPORTS);
}

static void odd_no_topology(struct bytes *b)
{
	make_version(b, 1);
	make_info(b);
	make_samples(b, 100, 0, ODD_REPORTS);
}

static void odd_with_info(struct bytes *b, const struct rec_device_info *info)
{
	make_version(b, 1);
	make_record(b, REC_DEVICE_INFO, info, sizeof(*info));
	make_topology(b, true);
	make_samples(b, 100, 0, ODD_REPORTS);
}

static void odd_unknown_id(struct bytes *b)
{
	struct rec_device_info info = make_device();

	info.device_id = 0x1234;
	odd_with_info(b, &info);
}

static void odd_gt1(struct bytes *b)
{
	struct rec_device_info info = make_device();

	info.device_id = 0x5902;
	odd_with_info(b, &info);
}

static void odd_no_frequency(struct bytes *b)
{
	struct rec_device_info info = make_device();

	info.timestamp_hz = 0;
	odd_with_info(b, &info);
}

static void odd_unknown_format(struct bytes *b)
{
	struct rec_device_info info = make_device();

	info.oa_format = 77;
	odd_with_info(b, &info);
}

static void odd_huge_format(struct bytes *b)
{
	struct rec_device_info info = make_device();

	info.oa_format = 0x8000000a;
	odd_with_info(b, &info);
}

static void odd_unknown_set(struct bytes *b)
{
	struct rec_device_info info = make_device();

	memset(info.set_name, '\x1b', sizeof(info.set_name));
	memset(info.guid, 0xff, sizeof(info.guid));
	odd_with_info(b, &info);
}

static void odd_empty(struct bytes *b)
{
	(void)b;
}

static void odd_no_sample(struct bytes *b)
{
	make_start(b);
	make_correlation(b, 1, 1);
	make_correlation(b, 2, 2);
}

static void odd_one_sample(struct bytes *b)
{
	make_good(b, 1);
}

static void odd_one_correlation(struct bytes *b)
{
	make_start(b);
	make_correlation(b, 5000000000, 100);
	make_samples(b, 100, 0, ODD_REPORTS);
}

static void odd_equal_correlations(struct bytes *b)
{
	make_start(b);
	make_correlation(b, 5000000000, 100);
	make_samples(b, 100, 0, ODD_REPORTS);
	make_correlation(b, 5000000000, 100);
}

static void odd_wild_correlations(struct bytes *b)
{
	make_start(b);
	make_correlation(b, UINT64_MAX, UINT64_MAX);
	make_samples(b, 100, 0, ODD_REPORTS);
	make_correlation(b, 0, 0x7fffffff);
	make_correlation(b, UINT64_C(1) << 60, 0x80000000);
}

static void odd_short_info(struct bytes *b)
{
	struct rec_device_info info = make_device();

	make_version(b, 1);
	make_record(b, REC_DEVICE_INFO, &info, sizeof(info) - 4);
	make_topology(b, true);
	make_samples(b, 100, 0, ODD_REPORTS);
}

static void odd_late_short_info(struct bytes *b)
{
	odd_good(b);
	make_record(b, REC_DEVICE_INFO, "1234", 4);
	make_samples(b, 0x40001000, ODD_REPORTS, 3);
}

static void odd_long_info(struct bytes *b)
{
	uint8_t big[sizeof(struct rec_device_info) + 8] = { 0 };
	struct rec_device_info info = make_device();

	memcpy(big, &info, sizeof(info));
	make_record(b, REC_DEVICE_INFO, big, sizeof(big));
	make_topology(b, true);
	make_samples(b, 100, 0, ODD_REPORTS);
}

static void odd_short_topology(struct bytes *b)
{
	uint16_t t[8] = { 0, 1, 3, 8, 1, 1, 2, 1 };

	make_version(b, 1);
	make_info(b);
	make_record(b, REC_TOPOLOGY, t, sizeof(t));
	make_samples(b, 100, 0, ODD_REPORTS);
}

static void odd_wild_topology(struct bytes *b)
{
	uint8_t t[1024];

	memset(t, 0xff, sizeof(t));
	make_version(b, 1);
	make_info(b);
	make_record(b, REC_TOPOLOGY, t, sizeof(t));
	make_samples(b, 100, 0, ODD_REPORTS);
}

static void odd_size_0(struct bytes *b)
{
	odd_good(b);
	make_header(b, REC_SAMPLE, 0);
	make_samples(b, 100, 0, 3);
}

static void odd_size_4(struct bytes *b)
{
	odd_good(b);
	make_header(b, REC_SAMPLE, 4);
}

static void odd_size_0_first(struct bytes *b)
{
	make_header(b, REC_VERSION, 0);
	odd_good(b);
}

static void odd_cut_header(struct bytes *b)
{
	odd_good(b);
	make_bytes(b, "\1\0\0\0\0", 5);
}

static void odd_only_header(struct bytes *b)
{
	make_bytes(b, "\1\0\0\0\0", 5);
}

static void odd_cut_payload(struct bytes *b)
{
	make_start(b);
	make_samples(b, 100, 0, ODD_REPORTS);
	b->len -= 100;
}

static void odd_cut_correlation(struct bytes *b)
{
	odd_good(b);
	b->len -= 4;
}

static void odd_samples_of(struct bytes *b, size_t size)
{
	uint8_t report[MAKE_REPORT];

	make_start(b);
	for (unsigned i = 0; i < ODD_REPORTS; i++) {
		make_report(report, 100 + MAKE_PERIOD * i, i);
		make_record(b, REC_SAMPLE, report, size);
	}
}

static void odd_samples_128(struct bytes *b)
{
	odd_samples_of(b, 128);
}

static void odd_samples_8(struct bytes *b)
{
	odd_samples_of(b, 8);
}

static void odd_mixed_samples(struct bytes *b)
{
	uint8_t report[MAKE_REPORT] = { 1, 2, 3 };

	make_start(b);
	make_samples(b, 100, 0, 3);
	make_record(b, REC_SAMPLE, report, 128);
	make_samples(b, 100, 3, 3);
}

static void odd_blank_samples(struct bytes *b)
{
	uint8_t report[MAKE_REPORT] = { 0 };

	make_start(b);
	make_record(b, REC_SAMPLE, report, sizeof(report));
	make_samples(b, 0x80000000, 0, 3);
	make_record(b, REC_SAMPLE, report, sizeof(report));
	make_samples(b, 0x80000000, 3, 3);
	make_record(b, REC_SAMPLE, report, sizeof(report));
}

static void odd_wrap(struct bytes *b)
{
	make_start(b);
	make_samples(b, 0xffffffff - 3 * MAKE_PERIOD, 0, ODD_REPORTS);
}

static void odd_same_timestamps(struct bytes *b)
{
	make_start(b);
	for (unsigned i = 0; i < ODD_REPORTS; i++)
		make_sample(b, 100, i);
}

static void odd_backward(struct bytes *b)
{
	make_start(b);
	for (unsigned i = 0; i < ODD_REPORTS; i++)
		make_sample(b, 100000 - 100 * i, i);
}

static void odd_text(struct bytes *b)
{
	for (int i = 0; i < 40; i++)
		make_bytes(b, "this is a text and not a recording\n", 35);
}

/* What i915-perf-reader 1.27.1 does with many of these: endless loop, SIGSEGV, SIGABRT, reads
 * beyond the end. */
static const struct odd_file odd_files[] = {
	{ "good", odd_good, NULL, NULL, 6, NULL, 5 },
	{ "no VERSION", odd_no_version, NULL, NULL, 6, NULL, 5 },
	{ "samples before INFO", odd_samples_first, NULL, NULL, 6, NULL, 5 },
	{ "unknown types", odd_unknown_types, NULL, NULL, 6, NULL, 5 },
	{ "pad not 0", odd_pad, NULL, NULL, 6, NULL, 5 },
	{ "two INFOs", odd_two_infos, NULL, NULL, 6, NULL, 5 },
	{ "unpadded topology", odd_unpadded_topology, NULL, NULL, 6, NULL, 5 },
	{ "LOST records", odd_lost, NULL, NULL, 6, NULL, 4 },
	{ "LOST of size 16", odd_lost_16, NULL, NULL, 6, NULL, 5 },
	{ "version 2", odd_version_2, "version 2", NULL, 0, "version 2", 0 },
	{ "no INFO", odd_no_info, NULL, NULL, 6, "which device", 0 },
	{ "no TOPOLOGY", odd_no_topology, NULL, NULL, 6, "slices", 0 },
	{ "unknown device", odd_unknown_id, NULL, NULL, 6, "8086:1234", 0 },
	{ "device without metrics", odd_gt1, NULL, NULL, 6, "8086:5902", 0 },
	{ "no frequency", odd_no_frequency, NULL, NULL, 6, "frequency 0 Hz", 0 },
	{ "unknown format", odd_unknown_format, NULL, NULL, 6, "format 77", 0 },
	{ "format above 31 bits", odd_huge_format, NULL, NULL, 6, "format 2147483658", 0 },
	{ "set of escape characters", odd_unknown_set, NULL, NULL, 6, NULL, 5 },
	{ "empty", odd_empty, "empty", NULL, 0, "empty", 0 },
	{ "no sample", odd_no_sample, NULL, NULL, 0, "0 reports", 0 },
	{ "one sample", odd_one_sample, NULL, NULL, 1, "1 report,", 0 },
	{ "no correlation", odd_no_version, NULL, NULL, 6, NULL, 5 },
	{ "one correlation", odd_one_correlation, NULL, NULL, 6, NULL, 5 },
	{ "equal correlations", odd_equal_correlations, NULL, NULL, 6, NULL, 5 },
	{ "wild correlations", odd_wild_correlations, NULL, NULL, 6, NULL, 5 },
	{ "short INFO", odd_short_info, NULL, "DEVICE_INFO", 0, "which device", 0 },
	{ "short INFO at the end", odd_late_short_info, NULL, "DEVICE_INFO", 6, NULL, 5 },
	{ "long INFO", odd_long_info, NULL, NULL, 6, NULL, 5 },
	{ "topology without masks", odd_short_topology, NULL, NULL, 6, "topology", 0 },
	{ "topology of ones", odd_wild_topology, NULL, NULL, 6, "topology", 0 },
	{ "record size 0", odd_size_0, NULL, "impossible size 0", 6, NULL, 5 },
	{ "record size 4", odd_size_4, NULL, "impossible size 4", 6, NULL, 5 },
	{ "record size 0 at once", odd_size_0_first, "impossible size 0", NULL, 0, "impossible size 0", 0 },
	{ "cut header", odd_cut_header, NULL, "cut inside the header", 6, NULL, 5 },
	{ "nothing but a cut header", odd_only_header, "cut inside the header", NULL, 0, "cut inside the header", 0 },
	{ "cut sample", odd_cut_payload, NULL, "164 of 264 bytes", 5, NULL, 4 },
	{ "cut correlation", odd_cut_correlation, NULL, "20 of 24 bytes", 6, NULL, 5 },
	{ "samples of 128 bytes", odd_samples_128, NULL, NULL, 6, "128 bytes", 0 },
	{ "samples of 8 bytes", odd_samples_8, NULL, "SAMPLE", 0, "0 reports", 0 },
	{ "one sample of another size", odd_mixed_samples, NULL, NULL, 6, NULL, 5 },
	{ "blank samples", odd_blank_samples, NULL, NULL, 6, NULL, 5 },
	{ "time stamps wrap", odd_wrap, NULL, NULL, 6, NULL, 5 },
	{ "equal time stamps", odd_same_timestamps, NULL, NULL, 6, NULL, 5 },
	{ "time stamps go back", odd_backward, NULL, NULL, 6, NULL, 0 },
	{ "a text", odd_text, "it begins otherwise", NULL, 0, "it begins otherwise", 0 },
};
