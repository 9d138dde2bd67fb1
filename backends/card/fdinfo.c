/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scans /proc for files of DRM devices and turns their fdinfo into rows. */
#include "config.h"

#include "backends/card/card.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "backends/card/process.h"
#include "backends/card/fdinfo_keys.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/minmax.h"
#include "base/parse.h"
#include "base/privilege.h"
#include "base/rights.h"

#define NODES "/dev/dri/"
#define MAX_NODES 4
/* A process without DRM files is looked into again after 1, 2, 4, ... scans, at most this many. */
#define MAX_REST 16
/* The file list of a process with DRM files is read again every so many scans; in between only
 * the known files are read. */
#define RELIST 4
#define FDINFO_BYTES 8192
#define DENTS_BYTES 16384

/* An open file of the device, with the numbers of its last reading: differences make the rates. */
struct drm_file {
	int fd;
	bool known;		/* keys were read before: the numbers mean something */
	bool found;		/* while a list is read */
	uint64_t client_id;
	uint64_t time_ns[CLIENT_MAX_ENGINES], cycles[CLIENT_MAX_ENGINES],
		total_cycles[CLIENT_MAX_ENGINES];
};

/* A process that has such files. */
struct gpu_process {
	struct process_stat stat;
	uint64_t cpu_ticks;	/* at the scan before */
	bool cpu_known;
	struct client_row row;	/* who it is */
	struct drm_file *files;
	size_t n_files, cap_files;
	int listed;		/* scans since its list of files was read */
};

struct process {
	int pid;
	uint32_t seq;		/* of the scan that saw it last */
	uint8_t rest, wait;	/* scans between two looks; left until the next one */
	bool hidden;		/* may not be looked into */
	struct gpu_process *gpu;
};

/* Drivers of Linux 7.2 whose files have no keys of DRM (no show_fdinfo in nouveau_drm.c, lima_drv.c
 * and pvr_drv.c), so that nobody can be seen. One that learns it is believed. */
static const char *const silent_drivers[] = { "nouveau", "lima", "powervr" };

struct fdinfo {
	struct client_source source;
	const struct fsroot *fs;
	char driver[16], pdev[16];
	bool is_silent;			/* the driver is known to tell nothing */
	char nodes[MAX_NODES][24];	/* "card0", "renderD128" */
	int n_nodes;
	struct process_names names;
	uint32_t seq;
	int64_t before_ns;		/* the scan before; 0: none */
	long ticks_per_s;
	struct process *processes;	/* sorted by pid */
	size_t n_processes, cap_processes;
	char engines[CLIENT_MAX_ENGINES][16];
	uint32_t capacity[CLIENT_MAX_ENGINES];
	int n_engines;
	char text[FDINFO_BYTES];
	/* of /proc, and of a process' folder meanwhile */
	_Alignas(uint64_t) char dents[2][DENTS_BYTES];
};

/* --- folders, without the allocations of opendir() --- */

/* What the kernel writes for an entry of a folder. C libraries name it differently, or not at all. */
struct kernel_dirent {
	uint64_t ino;
	int64_t next;
	uint16_t bytes;
	uint8_t type;
	char name[];
};

/* Calls fn for each entry whose name is a number. */
static bool each_number(struct fdinfo *s, int depth, int dir,
	void (*fn)(struct fdinfo *s, int number, void *ctx), void *ctx)
{
	long n;

	while ((n = syscall(SYS_getdents64, dir, s->dents[depth], DENTS_BYTES)) > 0) {
		for (long at = 0; at < n;) {
			const struct kernel_dirent *e =
				(const struct kernel_dirent *)(s->dents[depth] + at);
			uint64_t number;

			at += e->bytes;
			if (e->name[0] != '.' && parse_u64(e->name, &number) &&
				number <= INT_MAX)
				fn(s, (int)number, ctx);
		}
	}
	return n == 0;
}

/* The column of an engine class; -1 when there is no room for another. */
static int engine_column(struct fdinfo *s, const char *name)
{
	for (int i = 0; i < s->n_engines; i++)
		if (!strcmp(s->engines[i], name))
			return i;
	if (s->n_engines == CLIENT_MAX_ENGINES)
		return -1;
	snprintf(s->engines[s->n_engines], sizeof(s->engines[0]), "%.15s", name);
	return s->n_engines++;
}

/* --- which files are of the device --- */

/* True when the link of a descriptor leads to a DRM node. *ours: to one that has the name of a node
 * of this device. */
static bool is_drm_link(const struct fdinfo *s, int dir, int fd, bool *ours)
{
	char name[16], target[128];

	snprintf(name, sizeof(name), "%d", fd);
	ssize_t len = readlinkat(dir, name, target, sizeof(target) - 1);
	if (len <= (ssize_t)strlen(NODES))
		return false;
	target[len] = '\0';
	if (strncmp(target, NODES, strlen(NODES)))
		return false;
	*ours = false;
	for (int i = 0; i < s->n_nodes; i++)
		*ours |= !strcmp(target + strlen(NODES), s->nodes[i]);
	return true;
}

static bool read_keys(struct fdinfo *s, int pid, int fd, struct fdinfo_keys *keys)
{
	char path[64];

	snprintf(path, sizeof(path), "%d/fdinfo/%d", pid, fd);
	return file_read_text(s->names.proc, path, s->text, sizeof(s->text)) > 0 &&
		fdinfo_parse(s->text, keys);
}

/* When the driver tells an address, the address decides. Names of nodes may differ in a container,
 * and a name may be used again after a card was plugged in. */
static bool is_of_device(const struct fdinfo *s, const struct fdinfo_keys *keys, bool by_name)
{
	if (keys->pdev[0] && s->pdev[0])
		return !strcmp(keys->pdev, s->pdev);
	return by_name && !strcmp(keys->driver, s->driver);
}

struct listing {
	struct process *p;
	int dir;
	bool has_links;			/* dir is fd, not fdinfo */
};

static void note_fd(struct fdinfo *s, int fd, void *ctx)
{
	const struct listing *l = ctx;
	struct gpu_process *g = l->p->gpu;
	struct fdinfo_keys keys;
	bool is_ours = true;

	if (l->has_links && !is_drm_link(s, l->dir, fd, &is_ours))
		return;
	for (size_t i = 0; g && i < g->n_files; i++)
		if (g->files[i].fd == fd) {
			g->files[i].found = true;
			return;
		}
	if (!read_keys(s, l->p->pid, fd, &keys) || !is_of_device(s, &keys, is_ours))
		return;
	if (!g)
		l->p->gpu = g = xcalloc(1, sizeof(*g));
	g->files = array_grow(g->files, g->n_files, &g->cap_files, sizeof(*g->files));
	g->files[g->n_files++] = (struct drm_file){ .fd = fd, .found = true };
}

/* Fills p->gpu with the files of the device that the process has open. */
static void list_files(struct fdinfo *s, struct process *p)
{
	struct listing l = { .p = p };
	char path[32];
	size_t n = 0;

	snprintf(path, sizeof(path), "%d/fd", p->pid);
	l.dir = openat(s->names.proc, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	l.has_links = l.dir >= 0;
	/* CAP_SYS_PTRACE alone does not open the folder of links, which has mode 0500, but since
	 * Linux 5.14 the one beside it. Which files are nodes is then seen in each of them. */
	if (!l.has_links && (errno == EACCES || errno == EPERM)) {
		snprintf(path, sizeof(path), "%d/fdinfo", p->pid);
		l.dir = openat(s->names.proc, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	}
	p->hidden = l.dir < 0 && (errno == EACCES || errno == EPERM);
	if (p->gpu)
		for (size_t i = 0; i < p->gpu->n_files; i++)
			p->gpu->files[i].found = false;
	if (l.dir >= 0) {
		each_number(s, 1, l.dir, note_fd, &l);
		close(l.dir);
	}
	if (!p->gpu)
		return;
	/* drops the files that were closed meanwhile */
	for (size_t i = 0; i < p->gpu->n_files; i++)
		if (p->gpu->files[i].found)
			p->gpu->files[n++] = p->gpu->files[i];
	p->gpu->n_files = n;
	p->gpu->listed = 0;
}

/* --- processes --- */

static void drop_gpu(struct process *p)
{
	if (p->gpu)
		free(p->gpu->files);
	free(p->gpu);
	p->gpu = NULL;
}

static struct process *find_process(struct fdinfo *s, int pid)
{
	size_t low = 0, high = s->n_processes;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (s->processes[middle].pid < pid)
			low = middle + 1;
		else
			high = middle;
	}
	if (low < s->n_processes && s->processes[low].pid == pid)
		return &s->processes[low];
	s->processes = array_grow(
		s->processes, s->n_processes, &s->cap_processes, sizeof(*s->processes));
	memmove(&s->processes[low + 1], &s->processes[low],
		(s->n_processes - low) * sizeof(*s->processes));
	s->n_processes++;
	s->processes[low] = (struct process){ .pid = pid };
	return &s->processes[low];
}

static void identify(struct fdinfo *s, struct process *p, const struct process_stat *stat)
{
	struct gpu_process *g = p->gpu;

	g->stat = *stat;
	g->row = client_row_unknown(p->pid);
	process_describe(&s->names, stat, &g->row);
}

/* Sets when the process is looked into next. The processes that the first scan found are spread
 * over the scans to come. */
static void rest(struct process *p)
{
	bool was_long = p->rest == MAX_REST;

	if (p->rest == 0)
		p->rest = 1;
	else if (p->rest < MAX_REST)
		p->rest = (uint8_t)(2 * p->rest);
	p->wait = p->rest;
	if (p->rest == MAX_REST && !was_long)
		p->wait = (uint8_t)(1 + p->pid % MAX_REST);
}

/* Looks into a process that was not known to have files of the device. Kernel threads have none, so
 * they do not count as hidden. */
static void look_for_files(struct fdinfo *s, struct process *p)
{
	struct process_stat stat;

	list_files(s, p);
	if (p->hidden &&
		(!process_read_stat(s->names.proc, p->pid, &stat) || stat.is_kernel_thread))
		p->hidden = false;
	if (p->gpu && process_read_stat(s->names.proc, p->pid, &stat))
		identify(s, p, &stat);
	else
		drop_gpu(p);
	rest(p);
}

/* Looks into a process that had files. Another process may have its number now, or another program
 * may run in it. */
static void look_again(struct fdinfo *s, struct process *p)
{
	struct gpu_process *g = p->gpu;
	struct process_stat stat;

	if (!process_read_stat(s->names.proc, p->pid, &stat) ||
		stat.start_ticks != g->stat.start_ticks) {
		drop_gpu(p);
		p->rest = 0;
		look_for_files(s, p);
		return;
	}
	g->cpu_ticks = g->stat.cpu_ticks;
	g->cpu_known = true;
	if (strcmp(stat.name, g->stat.name))
		identify(s, p, &stat);
	g->stat = stat;
	if (++g->listed >= RELIST || s->source.is_thorough)
		list_files(s, p);
	if (g->n_files)
		return;
	drop_gpu(p);
	p->rest = p->wait = 1;
}

/* --- rows --- */

/* Times of drivers may step back for a while: the larger one of before holds until they have caught
 * up (Linux drm-usage-stats.rst). */
static double forward(uint64_t before, uint64_t now)
{
	return now > before ? (double)(now - before) : 0;
}

/* The kernel tells how many engines a class has only of some: amdgpu's rings share a name, and are
 * at most 8 for computing (drivers/gpu/drm/amd/amdgpu/amdgpu_ring.h, AMDGPU_MAX_COMPUTE_RINGS) in
 * each of at most 8 parts (amdgpu_gfx.h, AMDGPU_MAX_GC_INSTANCES). A time that grew by more in a
 * window is none. */
#define MAX_ENGINES_OF_CLASS 64

static float busy(
	const struct drm_file *f, int column, const struct fdinfo_engine *e, int64_t window_ns)
{
	double whole = (double)window_ns, part = forward(f->time_ns[column], e->time_ns);

	if (!f->known || window_ns <= 0)
		return NAN;
	if (!e->has_time) {
		if (!e->has_cycles || !e->has_total_cycles)
			return NAN;
		part = forward(f->cycles[column], e->cycles);
		whole = forward(f->total_cycles[column], e->total_cycles);
	}
	if (whole <= 0 || part > MAX_ENGINES_OF_CLASS * whole)
		return NAN;
	return (float)(100 * part / whole / e->capacity);
}

static void fill_engines(struct fdinfo *s, struct drm_file *f, const struct fdinfo_keys *keys,
	int64_t window_ns, struct client_row *row)
{
	for (int i = 0; i < keys->n_engines; i++) {
		const struct fdinfo_engine *e = &keys->engines[i];
		int column = engine_column(s, e->name);

		if (column < 0)
			continue;
		s->capacity[column] = e->capacity;
		row->busy_pct[column] = busy(f, column, e, window_ns);
		f->time_ns[column] = max_u64(f->time_ns[column], e->time_ns);
		if (e->has_time)
			row->time_ns[column] = f->time_ns[column];
		f->cycles[column] = max_u64(f->cycles[column], e->cycles);
		f->total_cycles[column] = max_u64(f->total_cycles[column], e->total_cycles);
	}
	f->known = true;
}

static void add_row(struct fdinfo *s, const struct process *p, struct drm_file *f,
	int64_t window_ns, struct client_table *out)
{
	const struct gpu_process *g = p->gpu;
	struct fdinfo_keys keys;

	/* The number may be that of another card's file now. */
	if (!read_keys(s, p->pid, f->fd, &keys) || !is_of_device(s, &keys, true))
		return;
	/* A client may be open several times, in several processes. The first one stands for it. */
	for (size_t i = 0; keys.has_client_id && i < out->n_rows; i++)
		if (out->rows[i].client_id == keys.client_id)
			return;
	/* Another client behind the same number starts from nothing. */
	if (keys.client_id != f->client_id)
		*f = (struct drm_file){ .fd = f->fd, .found = f->found };
	f->client_id = keys.client_id;
	struct client_row *row = client_table_add(out, p->pid);
	*row = g->row;
	row->client_id = keys.client_id;
	row->total_bytes = keys.total_bytes;
	row->resident_bytes = keys.resident_bytes;
	memcpy(row->memory, keys.memory, sizeof(row->memory));
	memcpy(row->has_memory, keys.has_memory, sizeof(row->has_memory));
	fill_engines(s, f, &keys, window_ns, row);
	if (g->cpu_known && window_ns > 0)
		row->cpu_pct = (float)(100.0 * forward(g->cpu_ticks, g->stat.cpu_ticks) /
			(double)s->ticks_per_s / ((double)window_ns / NS_PER_S));
}

static void note_process(struct fdinfo *s, int pid, void *ctx)
{
	struct client_table *out = ctx;
	struct process *p = find_process(s, pid);

	p->seq = s->seq;
	if (p->gpu)
		look_again(s, p);
	else if (p->wait > 0 && !s->source.is_thorough)
		p->wait--;
	else
		look_for_files(s, p);
	out->hidden += p->hidden;
}

static void scan_all(struct client_source *src, int64_t now_ns, struct client_table *out)
{
	struct fdinfo *s = (struct fdinfo *)src;
	int64_t window_ns = s->before_ns ? now_ns - s->before_ns : 0;
	size_t n = 0;

	out->n_rows = 0;
	out->hidden = 0;
	out->t_ns = now_ns;
	s->seq++;
	if (s->names.proc < 0 || lseek(s->names.proc, 0, SEEK_SET) < 0 ||
		!each_number(s, 0, s->names.proc, note_process, out)) {
		client_table_note(out, WHY_UNSUPPORTED);
		return;
	}
	for (size_t i = 0; i < s->n_processes; i++) {
		if (s->processes[i].seq == s->seq)
			s->processes[n++] = s->processes[i];
		else
			drop_gpu(&s->processes[i]);
	}
	s->n_processes = n;
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; s->processes[i].gpu && k < s->processes[i].gpu->n_files; k++)
			add_row(s, &s->processes[i], &s->processes[i].gpu->files[k], window_ns,
				out);
	memcpy(out->engines, s->engines, sizeof(out->engines));
	memcpy(out->capacity, s->capacity, sizeof(out->capacity));
	out->n_engines = s->n_engines;
	out->why = s->is_silent && !out->n_rows ? WHY_UNSUPPORTED : WHY_OK;
	s->before_ns = now_ns;
}

/* Other users' processes show what they have open only to CAP_SYS_PTRACE. */
static void scan(struct client_source *src, int64_t now_ns, struct client_table *out)
{
	privilege_raise();
	scan_all(src, now_ns, out);
	privilege_lower();
}

static void close_source(struct client_source *src)
{
	struct fdinfo *s = (struct fdinfo *)src;

	for (size_t i = 0; i < s->n_processes; i++)
		drop_gpu(&s->processes[i]);
	free(s->processes);
	process_names_close(&s->names);
}

#define FDINFO_HOW "DRM fdinfo"

static const struct client_source_ops ops = {
	.size = sizeof(struct fdinfo),
	.scan = scan, .close = close_source,
};

/* --- the device --- */

static bool note_node(void *ctx, const char *name)
{
	struct fdinfo *s = ctx;

	if (s->n_nodes < MAX_NODES && (!strncmp(name, "card", 4) || !strncmp(name, "renderD", 7)))
		snprintf(s->nodes[s->n_nodes++], sizeof(s->nodes[0]), "%.23s", name);
	return true;
}

static bool is_silent(const char *driver)
{
	for (size_t i = 0; i < ARRAY_LEN(silent_drivers); i++)
		if (!strcmp(silent_drivers[i], driver))
			return true;
	return false;
}

struct client_source *fdinfo_open(const struct device *d, const struct fsroot *fs)
{
	struct fdinfo *s = client_source_new(&ops, FDINFO_HOW);
	char path[PATH_MAX];

	s->fs = fs;
	s->ticks_per_s = sysconf(_SC_CLK_TCK);
	memcpy(s->driver, d->driver, sizeof(s->driver));
	s->is_silent = is_silent(d->driver);
	memcpy(s->pdev, d->pci_address, sizeof(s->pdev));
	snprintf(path, sizeof(path), "/sys/class/drm/%.40s/device/drm", d->id);
	if (!fsroot_each(fs, path, note_node, s, NULL))
		note_node(s, d->id);
	process_names_open(&s->names, fs);
	return &s->source;
}

static void attach(
	const struct device_entry *e, const struct open_options *o, struct open_device *dev)
{
	struct device_check check = { .feed = "clients", .source = "fdinfo", .status = "ok" };
	struct rights rights;
	char exe[200];

	if (dev->device.simulated || strncmp(e->device.id, "card", 4))
		return;
	if (!dev->clients)
		dev->clients = fdinfo_open(&dev->device, o->fs);
	else if (strncmp(dev->clients->how, FDINFO_HOW, strlen(FDINFO_HOW)) != 0)
		return;	/* its backend knows better, and says so itself */
	rights_read(&rights, o->fs);
	snprintf(check.gives, sizeof(check.gives), "%s",
		"who uses it: processes, engine time, memory");
	if (is_silent(e->device.driver)) {
		snprintf(check.status, sizeof(check.status), "--");
		snprintf(check.reason, sizeof(check.reason),
			"the driver %s tells nothing of its clients", e->device.driver);
	} else if (!rights_has(&rights, RIGHT_SYS_PTRACE)) {
		snprintf(check.status, sizeof(check.status), "%s", "own");
		snprintf(check.reason, sizeof(check.reason), "%s",
			"only processes of this user: this process has no CAP_SYS_PTRACE for "
			"those of others");
		snprintf(check.hint, sizeof(check.hint),
			"for this program: sudo setcap cap_sys_ptrace,cap_perfmon+ep %s",
			rights_own_path(exe, sizeof(exe)));
	}
	open_device_check(dev, &check);
}

const struct companion fdinfo_companion = { .name = "fdinfo", .attach = attach };
