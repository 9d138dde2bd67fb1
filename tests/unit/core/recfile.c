/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading of recordings: good ones, odd ones, ones that are no files, and those of other
 * programs. */
#include "config.h"

#include "core/record/record_file.h"

#include <errno.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "tests/oracle.h"
#include "tests/recordings/odd.h"
#include "tests/tap.h"

static struct temp_file temp;

/* Reads to the end; every record must lie behind the one before it. Returns the number of usable
 * samples, -1 on trouble. */
static long count_reports(struct rec_reader *r)
{
	struct err err = { 0 };
	struct rec rec;
	uint64_t at = 0;
	long n = 0;

	while (rec_next(r, &rec, &err)) {
		if (rec.offset != at)
			return -1;
		at += sizeof(struct rec_header) + rec.size;
		n += rec_is_report(r, &rec);
	}
	return err.code == ERR_END && at == rec_summary(r)->good_bytes ? n : -1;
}

static bool has(const char *text, const char *part)
{
	return part ? strstr(text, part) != NULL : text[0] == '\0';
}

static void test_odd(const struct odd_file *f)
{
	struct bytes b = { 0 };
	struct err err = { 0 };
	struct rec_reader *r;
	const struct rec_summary *s;

	f->make(&b);
	temp_write(&temp, b.p, b.len);
	r = rec_open(temp.path, &err);
	if (f->open_error) {
		ok(!r && has(err.msg, f->open_error), "%s: refused, '%s'", f->name, err.msg);
	} else if (ok(r, "%s: opens %s", f->name, err.msg)) {
		s = rec_summary(r);
		ok(has(s->damage.msg, f->damage), "%s: damage '%s'", f->name, s->damage.msg);
		is_int(s->samples, f->samples, "%s: samples", f->name);
		is_int(count_reports(r), f->samples, "%s: reads to the end", f->name);
		ok(rec_rewind(r, &err) && count_reports(r) == (long)f->samples, "%s: and again", f->name);
	}
	rec_close(r);
	free(b.p);
}

/* Cut anywhere, the file gives its whole records and no more. */
static void test_every_cut(void)
{
	struct bytes b = { 0 };
	size_t opened = 0, whole_heads = 0;
	bool good = true;

	make_good(&b, 2);
	for (size_t len = 1; len < b.len; len++) {
		struct rec_reader *r;

		if (!in_share())
			continue;
		whole_heads += len >= 16;
		temp_write(&temp, b.p, len);
		r = rec_open(temp.path, NULL);
		opened += r != NULL;
		good = good &&
			(r ? count_reports(r) >= 0 && rec_summary(r)->good_bytes <= len : len < 16);
		rec_close(r);
	}
	ok(good && opened == whole_heads, "a recording cut after each of its %zu bytes", b.len);
	free(b.p);
}

static void test_summary(void)
{
	struct bytes b = { 0 };
	struct err err = { 0 };
	struct rec_reader *r;
	const struct rec_summary *s;
	const struct rec_correlation *c;
	size_t n;

	make_good(&b, 100);
	make_record(&b, REC_ROOFTOP, "set=compute\nsimulated=1\n\33[2J\0\0", 30);
	temp_write(&temp, b.p, b.len);
	r = rec_open(temp.path, &err);
	if (!ok(r, "good recording opens %s", err.msg))
		return;
	s = rec_summary(r);
	ok(s->has_version && s->has_info && s->has_topology && s->version == 1,
		"all parts are there");
	is_int(s->info.device_id, 0x5916, "device");
	is_str(s->info.set_name, "RenderBasic", "set");
	is_int(s->sample_size, 256, "sample size");
	is_int(s->first_timestamp, 0x40001000, "first time stamp");
	is_int(s->last_timestamp, 0x40001000 + 99 * MAKE_PERIOD, "last time stamp");
	is_int(s->span_ticks, 99 * MAKE_PERIOD, "length");
	is_int(s->good_bytes, b.len, "all bytes are good");
	is_str(s->rooftop, "set=compute\nsimulated=1\n?[2J",
		"our own text without terminal sequences");
	c = rec_correlations(r, &n);
	is_int(n, 2, "correlations");
	is_int(c[0].ticks, 0, "a correlation at the first sample");
	is_int(c[1].ticks, 100 * MAKE_PERIOD, "one behind the last");
	is_int(c[1].cpu_ns, 1001000000000, "CPU time");
	rec_close(r);
	free(b.p);
}

static void test_ticks(void)
{
	static const struct { uint32_t before, now; int64_t want; } rows[] = {
		{ 0, 0, 0 }, { 5, 7, 2 }, { 7, 5, -2 }, { 0xffffffff, 1, 2 }, { 1, 0xffffffff, -2 }, { 0, 0xefffffff, 0xefffffff },
		{ 0, 0xf0000010, -0x0ffffff0 }, { 0x80000000, 0, 0x80000000 },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		is_int(rec_ticks(rows[i].before, rows[i].now), rows[i].want, "ticks from %x to %x",
			rows[i].before, rows[i].now);
}

static void test_wrap(void)
{
	struct bytes b = { 0 };
	struct rec_reader *r;

	make_start(&b);
	for (unsigned i = 0; i < 20; i++)
		make_sample(&b, 0xf0000000u + i * 0x40000000u, i);
	temp_write(&temp, b.p, b.len);
	r = rec_open(temp.path, NULL);
	is_int(rec_summary(r)->span_ticks, INT64_C(19) * 0x40000000,
		"five wraps of the time stamp");
	rec_close(r);
	free(b.p);
}

/* Media formats have 64-bit headers: the time stamp is elsewhere, even when INFO comes last. */
static void test_wide_header(void)
{
	struct bytes b = { 0 };
	struct rec_device_info info = make_device();
	struct rec_reader *r;
	uint32_t d[32] = { 1u << 19, 77, 0, 5 };

	info.oa_format = 14;
	for (unsigned i = 0; i < 3; i++) {
		d[2] = 1000 + 10 * i;
		make_record(&b, REC_SAMPLE, d, sizeof(d));
	}
	make_record(&b, REC_DEVICE_INFO, &info, sizeof(info));
	/* another recording that has no reports */
	make_version(&b, 1);
	make_correlation(&b, 1000, 1u << 30);
	temp_write(&temp, b.p, b.len);
	r = rec_open(temp.path, NULL);
	is_int(rec_summary(r)->first_timestamp, 1000, "time stamp of a 64-bit header");
	is_int(rec_summary(r)->span_ticks, 20, "and their span");
	rec_close(r);
	free(b.p);
}

/* The command streamer's clock of some GPUs runs at half the pace of the reports'. */
static void test_two_clocks(void)
{
	for (unsigned shift = 0; shift <= 1; shift++) {
		const struct rec_correlation *c;
		struct bytes b = { 0 };
		struct rec_reader *r;
		size_t n;

		make_start(&b);
		make_correlation(&b, 1000000000, 0xffff0000u >> shift);
		for (unsigned i = 0; i < 20; i++)
			make_sample(&b, 0xffff0000u + i * MAKE_PERIOD, i);
		make_correlation(&b, 1200000000,
			(0xffff0000u + UINT64_C(20) * MAKE_PERIOD) >> shift);
		temp_write(&temp, b.p, b.len);
		r = rec_open(temp.path, NULL);
		c = rec_correlations(r, &n);
		is_int(rec_summary(r)->clock_shift, shift, "clocks that differ by 2^%u", shift);
		ok(n == 2 && c[0].ticks == 0 && c[1].ticks == 20 * MAKE_PERIOD,
			"  ... have their times in ticks of the reports");
		rec_close(r);
		free(b.p);
	}
}

/* The same file with the types and the format numbers of xe-perf-recorder. */
static void test_xe(void)
{
	struct rec_device_info info = make_device();
	uint32_t version[2] = { 1, 0 };
	uint64_t pair[2] = { 5, 6 };
	struct bytes b = { 0 };
	struct rec_reader *r;
	struct rec rec;

	info.oa_format = 4;	/* A32u40_A4u32_B8_C8 */
	make_record(&b, rec_type_in_file(true, REC_VERSION), version, sizeof(version));
	make_record(&b, rec_type_in_file(true, REC_DEVICE_INFO), &info, sizeof(info));
	make_record(&b, rec_type_in_file(true, REC_CORRELATION), pair, sizeof(pair));
	make_samples(&b, 1000, 0, 5);
	is_int(b.p[0], 4, "VERSION is record 4 of xe-perf-recorder");
	temp_write(&temp, b.p, b.len);
	r = rec_open(temp.path, NULL);
	ok(r && rec_summary(r)->is_xe && rec_summary(r)->has_version && rec_summary(r)->has_info,
		"a file of xe-perf-recorder is known by it");
	is_int(rec_summary(r)->samples, 5, "its samples");
	is_int(rec_summary(r)->correlations, 1, "its correlation");
	ok(rec_next(r, &rec, NULL) && rec.type == REC_VERSION, "records have their usual types");
	rec_close(r);
	free(b.p);
}

static void test_no_file(void)
{
	static const struct { const char *path, *want; } rows[] = {
		{ "/", "no file that can be played" }, { "/nonexistent/file", "No such file" }, { "/dev/null", "no file that can be played" }, { "", "No such file" },
	};
	char fifo[160];
	struct err err = { 0 };

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		ok(!rec_open(rows[i].path, &err) && strstr(err.msg, rows[i].want),
			"'%s' is refused: %s", rows[i].path, err.msg);
		ok(!rec_open(rows[i].path, NULL), "'%s' is refused without a place for the reason",
			rows[i].path);
	}
	snprintf(fifo, sizeof(fifo), "%s/fifo", temp.dir);
	if (!ok(mkfifo(fifo, 0600) == 0, "makes a FIFO"))
		return;
	ok(!rec_open(fifo, &err) && strstr(err.hint, "regular"), "a FIFO is refused at once: %s",
		err.msg);
	unlink(fifo);
	temp_write(&temp, "x", 1);
	if (geteuid() == 0) {
		skip(1, "root may read every file");
	} else {
		chmod(temp.path, 0);
		ok(!rec_open(temp.path, &err) && err.code == ERR_PERMISSION, "no permission: %s",
			err.msg);
		chmod(temp.path, 0600);
	}
}

/* What happens to the file after opening. */
static void test_changes(void)
{
	struct bytes b = { 0 };
	struct err err = { 0 };
	struct rec_reader *r;
	struct rec rec;
	long n = 0;
	FILE *f;

	/* More than the reader's buffer, so that the end is not in memory yet. */
	make_good(&b, 3000);
	temp_write(&temp, b.p, b.len);
	r = rec_open(temp.path, NULL);
	f = fopen(temp.path, "ae");
	ok(f && fwrite(b.p, 1, b.len, f) == b.len && fclose(f) == 0, "the file grows");
	is_int(count_reports(r), 3000, "a growing file ends where it ended at opening");
	rec_close(r);

	temp_write(&temp, b.p, b.len);
	r = rec_open(temp.path, NULL);
	ok(truncate(temp.path, 500000) == 0, "the file shrinks");
	while (rec_next(r, &rec, &err))
		n += rec_is_report(r, &rec);
	ok(err.code == ERR_PARSE && n > 1800 && n < 1900,
		"a shrunk file ends with an error after %ld reports: %s", n, err.msg);
	ok(!rec_next(r, &rec, &err) && err.code == ERR_PARSE, "and stays so");
	rec_close(r);
	free(b.p);
}

static void test_many_correlations(void)
{
	struct bytes b = { 0 };
	struct rec_reader *r;
	size_t n;
	/* A million of them take an emulator ten seconds. */
	const unsigned made = tap_share() > 16 ? 3000 : REC_MAX_CORRELATIONS + 10;
	const unsigned kept = made < REC_MAX_CORRELATIONS ? made : REC_MAX_CORRELATIONS;

	make_start(&b);
	for (unsigned i = 0; i < made; i++)
		make_correlation(&b, i, i);
	temp_write(&temp, b.p, b.len);
	r = rec_open(temp.path, NULL);
	rec_correlations(r, &n);
	is_int(n, kept, "correlations kept");
	is_int(rec_summary(r)->correlations, made, "correlations counted");
	rec_close(r);
	free(b.p);
}

/* What the recorder and other programs wrote is whole, and all of it is read. What is in it is
 * compared by tests/recordings/reader.c. */
static void test_oracle(const char *folder, const char *name)
{
	char path[4096];
	struct err err = { 0 };

	snprintf(path, sizeof(path), "%s/%s.i915perf", folder, name);
	struct rec_reader *r = rec_open(path, &err);
	if (!ok(r, "%s opens %s", name, err.msg))
		return;
	const struct rec_summary *s = rec_summary(r);
	ok(s->has_version && s->has_info && s->has_topology, "%s: all parts are there", name);
	is_int(s->damage.code, ERR_NONE, "%s: whole", name);
	ok(s->samples > 0 && s->correlations > 1, "%s: %u reports, %u correlations", name,
		(unsigned)s->samples, (unsigned)s->correlations);
	is_int(count_reports(r), s->samples, "%s: each of them is read", name);
	rec_close(r);
}

int main(void)
{
	static struct oracle_files files;

	temp_open(&temp);
	for (size_t i = 0; i < ARRAY_LEN(odd_files); i++)
		test_odd(&odd_files[i]);
	test_every_cut();
	test_summary();
	test_ticks();
	test_wrap();
	test_wide_header();
	test_two_clocks();
	test_xe();
	test_no_file();
	test_changes();
	test_many_correlations();
	if (oracle_list(&files, "recordings", ".i915perf"))
		for (int i = 0; i < files.n; i++)
			test_oracle(files.folder, files.names[i]);
	temp_close(&temp);
	return done_testing();
}
