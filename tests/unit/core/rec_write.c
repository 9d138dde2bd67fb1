/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writing of recordings: read back by our reader and by i915-perf-reader, and cut back to whole
 * records when the disk is full. */
#include "config.h"

#include "core/record/record_file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "base/mem.h"
#include "tests/recordings/make.h"
#include "tests/tap.h"

static struct temp_file temp;

static struct rec_writer *create(bool overwrite, const char *text, struct err *err)
{
	struct rec_device_info info = make_device();
	uint8_t raw[256];
	size_t len = make_topology_image(raw);

	return rec_create(temp.path, overwrite,
		&(struct rec_start){ .info = &info,
			.topology = raw,
			.topology_len = len,
			.rooftop_text = text },
		err);
}

static size_t file_size(void)
{
	struct stat st;

	return stat(temp.path, &st) == 0 ? (size_t)st.st_size : 0;
}

/* The same bytes as the format's description gives. */
static void test_bytes(void)
{
	struct bytes want = { 0 }, samples = { 0 };
	struct err err = { 0 };
	struct rec_writer *w = create(false, NULL, &err);
	char got[8192];
	size_t n;
	FILE *f;

	if (!ok(w, "creates %s", err.msg))
		return;
	make_samples(&samples, 7, 0, 5);
	ok(rec_write_correlation(w, 11, 12, &err) &&
			rec_write_records(w, samples.p, samples.len, &err),
		"writes %s", err.msg);
	ok(rec_write_records(w, samples.p, 0, &err), "writes nothing");
	make_start(&want);
	make_correlation(&want, 11, 12);
	make_bytes(&want, samples.p, samples.len);
	is_int(file_size(), want.len, "its bytes are in the file before it is closed");
	ok(rec_finish(w, &err), "finishes");
	f = fopen(temp.path, "re");
	n = f ? fread(got, 1, sizeof(got), f) : 0;
	ok(n == want.len && !memcmp(got, want.p, n), "the file is what the format says, %zu bytes",
		n);
	if (f)
		fclose(f);
	free(want.p);
	free(samples.p);
}

/* As when a replay is recorded into its own file. */
static void test_replaced(void)
{
	struct bytes b = { 0 };
	struct rec_reader *r;
	struct rec rec;
	int n = 0;

	make_good(&b, 3000);
	temp_write(&temp, b.p, b.len);
	free(b.p);
	r = rec_open(temp.path, NULL);
	ok(rec_finish(create(true, NULL, NULL), NULL), "a file that is being read is overwritten");
	while (rec_next(r, &rec, NULL))
		n += rec_is_report(r, &rec);
	is_int(n, 3000, "its reader still has all of it");
	rec_close(r);
}

static void test_existing(void)
{
	struct err err = { 0 };
	struct rec_writer *w = create(false, NULL, &err);
	size_t before = file_size();

	ok(!w && err.code == ERR_USAGE && strstr(err.msg, "exists"), "an existing file stays: %s",
		err.msg);
	ok(!create(false, NULL, NULL) && file_size() == before,
		"without a place for the reason too");
	w = create(true, NULL, &err);
	ok(w && rec_finish(w, &err), "unless told otherwise");
	ok(file_size() < before, "then it begins anew");
	test_replaced();
	ok(rec_finish(NULL, &err), "no writer, nothing to finish");
}

static void test_refusals(void)
{
	static const char *const paths[] = { "/nonexistent/file", "/", "" };
	struct rec_device_info info = make_device();
	const struct rec_start bare = { .info = &info, .topology = "" };
	struct err err = { 0 };
	char fifo[160];

	for (size_t i = 0; i < ARRAY_LEN(paths); i++)
		ok(!rec_create(paths[i], true, &bare, &err) && err.msg[0],
			"'%s' is refused: %s", paths[i], err.msg);
	snprintf(fifo, sizeof(fifo), "%s/fifo", temp.dir);
	if (mkfifo(fifo, 0600) == 0)
		ok(!rec_create(fifo, true, &bare, &err) && err.msg[0],
			"a FIFO is refused at once: %s", err.msg);
	unlink(fifo);
	ok(!rec_create("/dev/full", true, &bare, &err) && err.sys == ENOSPC,
		"a full disk at once: %s", err.msg);
	ok(access("/dev/full", F_OK) == 0, "a device is not removed");
}

static void test_text(void)
{
	struct err err = { 0 };
	struct rec_writer *w = create(true, "set=overview\nsimulated=1\n", &err);
	struct rec_reader *r;

	ok(w && rec_finish(w, &err), "writes our own text %s", err.msg);
	r = rec_open(temp.path, &err);
	if (!ok(r, "opens again %s", err.msg))
		return;
	is_str(rec_summary(r)->rooftop, "set=overview\nsimulated=1\n", "and the text is there");
	is_int(rec_summary(r)->good_bytes % 8, 0, "records stay aligned");
	rec_close(r);
}

/* What a set counts comes back whole, or nothing is begun. */
static void test_long_text(void)
{
	int cut = 0, refused = 0, kept = 0;
	char text[2101];

	for (size_t len = 2000; len < sizeof(text); len++) {
		struct err err = { 0 };
		char want[80];

		memset(text, 'x', len);
		text[len] = '\0';
		unlink(temp.path);
		struct rec_writer *w = create(false, text, &err);
		if (w) {
			rec_finish(w, &err);
			struct rec_reader *r = rec_open(temp.path, &err);
			cut += !r || strcmp(rec_summary(r)->rooftop, text) != 0;
			kept++;
			rec_close(r);
			continue;
		}
		snprintf(want, sizeof(want), "room for %d bytes of what its set counts, and not for %zu", 2000 + kept - 1, len);
		refused += strstr(err.msg, want) && access(temp.path, F_OK) < 0;
	}
	is_int(cut, 0, "%d long texts come back whole", kept);
	ok(kept > 0 && refused > 0, "the others are refused with their length and with the room that there is");
	is_int(kept + refused, 101, "  ... and leave no file");
}

static void test_broken_input(void)
{
	struct bytes b = { 0 };
	struct err err = { 0 };
	struct rec_writer *w = create(true, NULL, &err);
	struct rec_reader *r;
	uint64_t size;

	make_samples(&b, 5, 0, 3);
	ok(!rec_write_records(w, b.p, b.len - 1, &err) && err.code == ERR_PARSE, "a cut record: %s",
		err.msg);
	size = file_size();
	ok(!rec_write_records(w, b.p, b.len, &err) && !rec_write_correlation(w, 1, 2, &err),
		"nothing more is taken");
	is_int(file_size(), size, "or written");
	ok(!rec_finish(w, &err) && err.code == ERR_PARSE, "and the end says so again");
	r = rec_open(temp.path, NULL);
	ok(r && rec_summary(r)->samples == 2 && rec_summary(r)->damage.code == ERR_NONE,
		"two whole records are there");
	rec_close(r);
	free(b.p);
}

/* A limit on the file's size makes the kernel write a part and then refuse, as a full disk does. */
static void test_limit(size_t limit)
{
	struct rlimit old, now;
	struct bytes b = { 0 };
	struct err err = { 0 }, last = { 0 };
	struct rec_writer *w = create(true, NULL, &err);
	struct rec_reader *r;
	bool good = true;
	unsigned written = 0;
	uint64_t start = file_size();

	getrlimit(RLIMIT_FSIZE, &old);
	now = (struct rlimit){ .rlim_cur = limit, .rlim_max = old.rlim_max };
	make_samples(&b, 5, 0, 15);
	setrlimit(RLIMIT_FSIZE, &now);
	while (written < 100 && (good = rec_write_records(w, b.p, b.len, &err)))
		written++;
	ok(!good && err.sys == EFBIG && err.hint[0], "limit %zu: after %u blocks, %s", limit,
		written, err.msg);
	ok(!rec_write_correlation(w, 1, 2, NULL) && !rec_write_records(w, b.p, b.len, &last),
		"and stays so");
	is_str(last.msg, err.msg, "with the same reason");
	setrlimit(RLIMIT_FSIZE, &old);
	is_int((file_size() - start) % 264, 0, "the file ends with the last whole record");
	ok(file_size() <= limit && file_size() + 264 > limit,
		"which is as far as the limit goes, %zu", file_size());
	ok(!rec_finish(w, &err), "finishing tells it");
	r = rec_open(temp.path, &err);
	if (ok(r, "the file stays readable %s", err.msg)) {
		is_int(rec_summary(r)->damage.code, ERR_NONE, "and whole");
		is_int(rec_summary(r)->samples, (limit - start) / 264,
			"with every report that fits");
	}
	rec_close(r);
	free(b.p);
}

static void test_limit_at_start(void)
{
	struct rlimit old, now;
	struct err err = { 0 };

	getrlimit(RLIMIT_FSIZE, &old);
	now = (struct rlimit){ .rlim_cur = 100, .rlim_max = old.rlim_max };
	setrlimit(RLIMIT_FSIZE, &now);
	ok(!create(true, NULL, &err) && err.sys == EFBIG, "no room for the start: %s", err.msg);
	setrlimit(RLIMIT_FSIZE, &old);
	ok(access(temp.path, F_OK) < 0, "a recording without its start is removed");
}

/* i915-perf-reader on the file; its output in text. False when it is not installed. */
static bool run_reader(char *text, size_t size, int *status)
{
	int out[2];
	size_t len = 0;
	ssize_t n;
	pid_t pid;

	if (access("/usr/bin/i915-perf-reader", X_OK) < 0 || pipe2(out, O_CLOEXEC) < 0)
		return false;
	pid = fork();
	if (pid == 0) {
		dup2(out[1], STDOUT_FILENO);
		dup2(out[1], STDERR_FILENO);
		execl("/usr/bin/i915-perf-reader", "i915-perf-reader", "-c", "all", temp.path,
			(char *)NULL);
		_exit(127);
	}
	close(out[1]);
	while ((n = read(out[0], text + len, size - 1 - len)) > 0)
		len += (size_t)n;
	text[len] = '\0';
	close(out[0]);
	return pid > 0 && waitpid(pid, status, 0) == pid;
}

static void test_other_reader(void)
{
	static char text[65536];
	struct bytes b = { 0 };
	struct err err = { 0 };
	struct rec_writer *w = create(true, "set=overview\n", &err);
	int status = -1;

	make_samples(&b, 1000, 0, 50);
	rec_write_correlation(w, 5000000000, 900, &err);
	rec_write_records(w, b.p, b.len, &err);
	rec_write_correlation(w, 5500000000, 900 + 50 * MAKE_PERIOD, &err);
	ok(rec_finish(w, &err), "writes for i915-perf-reader %s", err.msg);
	free(b.p);
	if (!run_reader(text, sizeof(text), &status)) {
		skip(6, "i915-perf-reader is not installed");
		return;
	}
	ok(WIFEXITED(status) && WEXITSTATUS(status) == 0, "i915-perf-reader reads it");
	ok(strstr(text, "Recorded on device=0x5916(kabylake)"), "device");
	ok(strstr(text, "RenderBasic (") && strstr(text, "99c1a40e-a090-4354-86e3-4d068bb1917e"),
		"set");
	ok(strstr(text, "Reports: 50\n"), "reports");
	ok(strstr(text, "Timestamp correlation points: 2\n"), "correlations");
	/* 49 steps of 9000000 clocks in 490 ms. */
	ok(strstr(text, "GpuCoreClocks: 441000000\n") && strstr(text, "GpuTime: 490000000\n"),
		"values");
}

int main(void)
{
	temp_open(&temp);
	signal(SIGXFSZ, SIG_IGN);
	test_bytes();
	test_existing();
	test_refusals();
	test_text();
	test_long_text();
	test_broken_input();
	for (size_t limit = 8000; limit < 8264; limit += 33)
		test_limit(limit);
	test_limit_at_start();
	test_other_reader();
	temp_close(&temp);
	return done_testing();
}
