/* SPDX-License-Identifier: GPL-3.0-or-later */
/* DRM keys of several drivers, and scans of a small /proc whose processes come, go and change. */
#include "config.h"

#include "backends/card/card.h"

#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

#include "backends/card/fdinfo_keys.h"
#include "backends/card/process.h"
#include "base/clock.h"
#include "base/mem.h"
#include "tests/tap.h"

static struct fsroot fs;

/* --- keys --- */

static void test_keys(void)
{
	static const char i915[] = "pos:\t0\nflags:\t02100002\ndrm-driver:\ti915\ndrm-client-id:"
				   "\t7\ndrm-pdev:\t0000:00:02.0\n"
				   "drm-engine-render:\t123456789 ns\ndrm-engine-video:\t5 "
				   "ns\ndrm-engine-capacity-video:\t2\n"
				   "drm-total-system0:\t12 KiB\ndrm-resident-system0:\t3 "
				   "MiB\ndrm-total-stolen-system0:\t100\n";
	static const char xe[] = "drm-driver:\txe\ndrm-client-id:\t9\ndrm-cycles-rcs:\t100\ndrm-"
				 "total-cycles-rcs:\t400\n"
				 "drm-total-vram0:\t1 MiB\n";
	struct fdinfo_keys k;

	ok(fdinfo_parse(i915, &k), "keys of i915");
	is_str(k.driver, "i915", "driver");
	is_str(k.pdev, "0000:00:02.0", "address");
	is_int(k.client_id, 7, "client");
	is_int(k.n_engines, 2, "two engine classes");
	is_int(k.engines[0].time_ns, 123456789, "render time");
	is_int(k.engines[1].capacity, 2, "video has two engines");
	is_int(k.total_bytes, 12 * 1024 + 100, "total of all regions");
	is_int(k.resident_bytes, 3 << 20, "resident");
	ok(fdinfo_parse(xe, &k), "keys of xe");
	is_int(k.n_engines, 1, "one class, told in cycles");
	ok(k.engines[0].has_cycles && k.engines[0].has_total_cycles && !k.engines[0].has_time,
		"  ... and not in time");
	is_int(k.engines[0].total_cycles, 400, "  ... against those that passed");
	is_int(k.total_bytes, 1 << 20, "cycles are no memory");
	ok(k.resident_bytes == UINT64_MAX, "what is not told is unknown");
	/* drm_print_memory_stats() prints every region of a tile. */
	ok(fdinfo_parse("drm-driver:\txe\ndrm-total-system:\t0\ndrm-total-gtt:\t512 MiB\ndrm-resident-gtt:\t8 MiB\n"
			"drm-total-vram0:\t1 MiB\ndrm-total-vram1:\t2 MiB\ndrm-total-stolen:\t7\n", &k),
		"regions of xe");
	is_int(k.memory[CLIENT_SYSTEM].total_bytes, 512 << 20, "  ... what is used of the machine's memory");
	is_int(k.memory[CLIENT_SYSTEM].resident_bytes, 8 << 20, "  ... and is there");
	is_int(k.memory[CLIENT_LOCAL].total_bytes, 3 << 20, "  ... that of both tiles");
	ok(k.memory[CLIENT_LOCAL].resident_bytes == UINT64_MAX, "  ... of which nobody says what is there");
	ok(fdinfo_parse("drm-driver:\tamdgpu\ndrm-total-vram:\t8 KiB\ndrm-total-gtt:\t2 KiB\ndrm-total-cpu:\t1 KiB\n", &k),
		"regions of amdgpu");
	is_int(k.memory[CLIENT_SYSTEM].total_bytes, 3 << 10, "  ... of the machine's memory");
	is_int(k.memory[CLIENT_LOCAL].total_bytes, 8 << 10, "  ... of the card's");
	ok(fdinfo_parse(
		   "drm-driver:\tamdgpu\ndrm-memory-vram:\t8 KiB\ndrm-memory-gtt:\t2 KiB\n", &k),
		"keys of older drivers");
	is_int(k.total_bytes, 10 * 1024, "  ... tell one kind of memory");
	is_int(k.resident_bytes, 10 * 1024, "  ... which is resident");
}

static void test_odd_keys(void)
{
	static const struct { const char *text; bool good; } rows[] = {
		{ "", false }, { "\n\n", false }, { "pos:\t0\n", false }, { "drm-driver:\n", false }, { "drm-", false },
		{ "drm-driver:\tx\ndrm-engine-:\t1 ns\n", true }, { "drm-driver:\tx\ndrm-engine-render:\tabc\n", true },
		{ "drm-driver:\tx\ndrm-engine-render:\t99999999999999999999999 ns\n", true },
		{ "drm-driver:\tx\ndrm-engine-a-name-that-is-far-too-long:\t1 ns\n", true },
		{ "drm-driver:\tx\ndrm-client-id:\t-1", true }, { "drm-driver:\tx\ndrm-total-a:\t99999999999999 MiB\n", true },
		{ "drm-driver:\tx\ndrm-engine-capacity-render:\t0\n", true },
	};
	struct fdinfo_keys k;
	char many[2048] = "drm-driver:\tx\n";

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		is_int(fdinfo_parse(rows[i].text, &k), rows[i].good, "odd keys, row %zu", i);
		ok(k.total_bytes == UINT64_MAX && !k.has_client_id, "  ... give no number");
		for (int e = 0; e < k.n_engines; e++)
			ok(!k.engines[e].has_time && k.engines[e].capacity == 1,
				"  ... nor an engine's");
	}
	for (int i = 0; i < 40; i++)
		snprintf(many + strlen(many), sizeof(many) - strlen(many),
			"drm-engine-e%d:\t%d ns\n", i, i);
	ok(fdinfo_parse(many, &k), "forty engine classes");
	is_int(k.n_engines, CLIENT_MAX_ENGINES, "  ... are cut to those that fit");
}

static void test_stat(void)
{
	static const struct { const char *text; bool good; } rows[] = {
		{ "12 (a) 12 b) S 7 1 1 0 -1 4194304 1 2 3 4 50 7 0 0 20 0 1 0 777 1 2", true },
		{ "", false }, { "12", false }, { "12 )(", false }, { "12 (x) S 1 2", false },
	};
	struct process_stat st;

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		is_int(process_parse_stat(rows[i].text, &st), rows[i].good, "stat, row %zu", i);
	process_parse_stat(rows[0].text, &st);
	is_str(st.name, "a) 12 b", "a name with a bracket");
	is_int(st.parent, 7, "  ... is none of the parent's number");
	is_int(st.cpu_ticks, 57, "user and system time");
	is_int(st.start_ticks, 777, "start");
	ok(!st.is_kernel_thread, "no kernel thread");
	process_parse_stat(
		"2 (kth\033[2J) S 0 0 0 0 -1 2129984 1 2 3 4 5 6 7 8 9 10 11 12 13 14", &st);
	ok(st.is_kernel_thread, "a kernel thread");
	is_str(st.name, "kth?[2J", "  ... without escape sequences");
}

/* --- a small /proc --- */

static void put(const char *text, const char *name)
{
	char path[600], *slash;
	FILE *f;

	if (!fsroot_path(&fs, path, sizeof(path), "%s", name))
		exit(1);
	for (slash = path + strlen(fs.prefix) + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(path, 0755);
		*slash = '/';
	}
	f = fopen(path, "we");
	if (!f || fputs(text, f) < 0 || fclose(f) != 0) {
		printf("Bail out! cannot write %s\n", path);
		exit(1);
	}
}

static void put_of(int pid, const char *file, const char *text)
{
	char name[64];

	snprintf(name, sizeof(name), "/proc/%d/%s", pid, file);
	put(text, name);
}

static void put_process(int pid, const char *name, int start, int ticks)
{
	char stat[200];

	snprintf(stat, sizeof(stat),
		"%d (%s) S 1 1 1 0 -1 4194304 1 2 3 4 %d 0 0 0 20 0 1 0 %d 1 2", pid, name, ticks,
		start);
	put_of(pid, "stat", stat);
	put_of(pid, "fd/none", "");
}

/* An open file of the process; keys NULL: not a DRM file. */
static void put_fd(int pid, int fd, const char *target, const char *keys)
{
	char path[600];

	if (!fsroot_path(&fs, path, sizeof(path), "/proc/%d/fd/%d", pid, fd))
		exit(1);
	unlink(path);
	if (symlink(target, path) < 0)
		exit(1);
	snprintf(path, sizeof(path), "fdinfo/%d", fd);
	put_of(pid, path, keys ? keys : "pos:\t0\n");
}

static void drop_fd(int pid, int fd)
{
	char path[600];

	if (fsroot_path(&fs, path, sizeof(path), "/proc/%d/fd/%d", pid, fd))
		unlink(path);
	if (fsroot_path(&fs, path, sizeof(path), "/proc/%d/fdinfo/%d", pid, fd))
		unlink(path);
}

static const char *keys_of(int client, long long render_ns)
{
	static char text[512];

	snprintf(text, sizeof(text),
		"drm-driver:\ti915\ndrm-pdev:\t0000:00:02.0\ndrm-client-id:\t%d\ndrm-engine-render:"
		"\t%lld ns\n"
		"drm-engine-video:\t0 ns\ndrm-engine-capacity-video:\t2\ndrm-total-system:\t1 "
		"MiB\n",
		client, render_ns);
	return text;
}

/* One client with two descriptors of process 100. A folder of plain files has no order of its own, so
 * both say the same. */
static void put_client(long long render_ns)
{
	put_fd(100, 3, "/dev/dri/renderD128", keys_of(11, render_ns));
	put_fd(100, 5, "/dev/dri/card0", keys_of(11, render_ns));
}

static const struct client_row *row_of(const struct client_table *t, int64_t pid)
{
	for (size_t i = 0; i < t->n_rows; i++)
		if (t->rows[i].pid == pid)
			return &t->rows[i];
	return NULL;
}

static int remove_one(const char *path, const struct stat *st, int flag, struct FTW *ftw)
{
	(void)st;
	(void)flag;
	(void)ftw;
	return remove(path);
}

static void remove_tree(void)
{
	nftw(fs.prefix, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static struct client_source *open_clients(void)
{
	struct device d = { .id = "card0", .driver = "i915", .pci_address = "0000:00:02.0" };

	put("", "/sys/class/drm/card0/device/drm/card0/x");
	put("", "/sys/class/drm/card0/device/drm/renderD128/x");
	put("root:x:0:0::/root:/bin/sh\nmaker:x:4242:4242::/:/bin/sh\n", "/etc/passwd");
	return fdinfo_open(&d, &fs);
}

static void scan(struct client_source *c, int64_t now_ns, struct client_table *t)
{
	c->ops->scan(c, now_ns, t);
}

static void test_rates(void)
{
	struct client_source *c = open_clients();
	struct client_table t = { .why = WHY_NOT_YET };
	const struct client_row *r;

	put_process(100, "maker", 500, 100);
	put_of(100, "cmdline", "maker\n--fast");
	put_fd(100, 4, "/dev/null", NULL);
	put_client(1000);
	put_process(101, "other", 500, 0);
	put_fd(101, 3, "/dev/dri/renderD129",
		"drm-driver:\ti915\ndrm-pdev:\t0000:03:00.0\ndrm-client-id:\t12\n");
	put_process(102, "none", 500, 0);
	scan(c, NS_PER_S, &t);
	is_int(t.why, WHY_OK, "a scan");
	is_int(t.n_rows, 1, "one client: two files of it are one, other cards are others'");
	r = row_of(&t, 100);
	if (!ok(r != NULL, "its process"))
		return;
	is_str(r->name, "maker", "name");
	is_str(r->command, "maker?--fast", "command line without control characters");
	ok(isnan(r->busy_pct[0]), "no rate before the second scan");
	is_int(r->total_bytes, 1 << 20, "memory");
	ok(r->resident_bytes == UINT64_MAX, "no resident memory told");
	is_int(t.n_engines, 2, "two engine classes");
	put_client(1000 + 500 * NS_PER_MS);
	put_process(100, "maker", 500, 150);
	scan(c, 2 * NS_PER_S, &t);
	r = row_of(&t, 100);
	is_near(r->busy_pct[0], 50, 0.001, "half a second of a second");
	is_near(r->busy_pct[1], 0, 0.001, "video did nothing");
	is_near(r->cpu_pct, 50.0 * 100 / (double)sysconf(_SC_CLK_TCK), 0.01, "and the CPU");
	put_client(1000);
	scan(c, 3 * NS_PER_S, &t);
	is_near(row_of(&t, 100)->busy_pct[0], 0, 0.001, "a counter that steps back is no time");
	is_int((long long)row_of(&t, 100)->time_ns[0], 1000 + 500 * NS_PER_MS,
		"  ... and the time stays where it was");
	put_client(1000 + 600 * NS_PER_MS);
	scan(c, 4 * NS_PER_S, &t);
	is_near(row_of(&t, 100)->busy_pct[0], 10, 0.001, "and what it catches up is none, either");
	is_int((long long)row_of(&t, 100)->time_ns[0], 1000 + 600 * NS_PER_MS,
		"  ... until it is past that");
	put_process(100, "maker", 900, 0);
	put_fd(100, 3, "/dev/dri/renderD128", keys_of(13, 77));
	drop_fd(100, 5);
	scan(c, 5 * NS_PER_S, &t);
	r = row_of(&t, 100);
	ok(r && r->client_id == 13 && isnan(r->busy_pct[0]),
		"another process with its number starts anew");
	put_fd(100, 3, "/dev/dri/renderD128", keys_of(13, 77 + 250 * NS_PER_MS));
	scan(c, 6 * NS_PER_S, &t);
	is_near(row_of(&t, 100)->busy_pct[0], 25, 0.001, "from its own time");
	client_source_close(c);
	free(t.rows);
}

static void test_changes(void)
{
	struct client_source *c = open_clients();
	struct client_table t = { .why = WHY_NOT_YET };
	int scans = 0;

	drop_fd(100, 3);
	scan(c, NS_PER_S, &t);
	is_int(t.n_rows, 0, "nobody uses it");
	put_fd(100, 3, "/dev/dri/renderD128", keys_of(21, 5));
	while (t.n_rows == 0 && scans++ < 20)
		scan(c, (1 + scans) * NS_PER_S, &t);
	ok(scans <= 17, "a process that opens it later is found within seventeen scans, here %d",
		scans);
	put_fd(100, 9, "/dev/dri/renderD128", keys_of(22, 5));
	for (int i = 0; i < 4; i++)
		scan(c, (30 + i) * NS_PER_S, &t);
	is_int(t.n_rows, 2, "a second client of it within four");
	put_process(103, "late", 600, 0);
	put_fd(103, 3, "/dev/dri/card0",
		"drm-driver:\ti915\ndrm-client-id:\t23\ndrm-cycles-rcs:\t10\ndrm-total-cycles-rcs:"
		"\t100\n");
	scan(c, 40 * NS_PER_S, &t);
	is_int(t.n_rows, 3, "a new process at once");
	put_fd(103, 3, "/dev/dri/card0",
		"drm-driver:\ti915\ndrm-client-id:\t23\ndrm-cycles-rcs:\t35\ndrm-total-cycles-rcs:"
		"\t200\n");
	scan(c, 41 * NS_PER_S, &t);
	is_near(row_of(&t, 103)->busy_pct[2], 25, 0.001, "cycles against those that passed");
	ok(row_of(&t, 103)->time_ns[2] == UINT64_MAX, "  ... are no time");
	ok(isnan(row_of(&t, 103)->busy_pct[0]),
		"  ... and nothing of classes that it does not tell");
	drop_fd(100, 3);
	drop_fd(100, 9);
	for (int i = 0; i < 5; i++)
		scan(c, (50 + i) * NS_PER_S, &t);
	is_int(t.n_rows, 1, "closed files are forgotten");
	/* Who has to know at once whether others work has each process looked into. */
	for (int i = 0; i < 40; i++)
		scan(c, (60 + i) * NS_PER_S, &t);
	c->is_thorough = true;
	put_fd(100, 3, "/dev/dri/renderD128", keys_of(24, 5));
	scan(c, 101 * NS_PER_S, &t);
	ok(t.n_rows == 2 && isnan(row_of(&t, 100)->busy_pct[0]), "a thorough scan finds who opens it later at once");
	put_fd(100, 9, "/dev/dri/renderD128", keys_of(25, 5));
	scan(c, 102 * NS_PER_S, &t);
	is_int(t.n_rows, 3, "  ... and each file");
	put_fd(100, 9, "/dev/dri/renderD129", "drm-driver:\ti915\ndrm-pdev:\t0000:03:00.0\ndrm-client-id:\t26\n");
	scan(c, 103 * NS_PER_S, &t);
	is_int(t.n_rows, 2, "a number that is the file of another card now is no use of this one");
	client_source_close(c);
	free(t.rows);
}

static void test_hidden(void)
{
	struct client_source *c;
	struct client_table t = { .why = WHY_NOT_YET };
	char path[600], beside[600];

	if (geteuid() == 0) {
		skip(4, "root may look into everything");
		return;
	}
	put_process(104, "secret", 1, 0);
	put_fd(104, 5, "/dev/dri/renderD128", keys_of(77, 1000));
	if (!fsroot_path(&fs, path, sizeof(path), "/proc/104/fd") ||
		!fsroot_path(&fs, beside, sizeof(beside), "/proc/104/fdinfo"))
		return;
	chmod(path, 0);
	c = open_clients();
	scan(c, NS_PER_S, &t);
	is_int(t.hidden, 0, "a process whose links may not be seen is not hidden");
	ok(row_of(&t, 104), "  ... its files are known by what is in them");
	client_source_close(c);
	chmod(beside, 0);
	c = open_clients();
	scan(c, NS_PER_S, &t);
	is_int(t.hidden, 1, "a process that may not be looked into is counted");
	scan(c, 2 * NS_PER_S, &t);
	is_int(t.hidden, 1, "  ... also while it is left alone");
	chmod(path, 0755);
	chmod(beside, 0755);
	client_source_close(c);
	free(t.rows);
}

static void test_absent(void)
{
	struct fsroot nowhere = { .prefix = "/nonexistent" };
	struct device d = { .id = "card0", .driver = "i915" };
	struct client_source *c = fdinfo_open(&d, &nowhere);
	struct client_table t = { .why = WHY_NOT_YET };

	scan(c, NS_PER_S, &t);
	is_int(t.why, WHY_UNSUPPORTED, "no /proc");
	client_source_close(c);
	free(t.rows);
}

int main(void)
{
	char folder[] = "/tmp/rooftop-fdinfo-XXXXXX";

	if (!mkdtemp(folder))
		return 1;
	snprintf(fs.prefix, sizeof(fs.prefix), "%s", folder);
	test_keys();
	test_odd_keys();
	test_stat();
	put_process(99, "first", 1, 0);
	test_rates();
	test_changes();
	test_hidden();
	test_absent();
	remove_tree();
	return done_testing();
}
