/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads recordings: buffered, sequential, files of any size. Nothing that a file says is
 * trusted. */
#include "config.h"

#include "core/record/record_file.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/minmax.h"
#include "base/utf8.h"

_Static_assert(sizeof(struct rec_header) == 8, "record header");
_Static_assert(offsetof(struct rec_header, size) == 6, "record size");
_Static_assert(sizeof(struct rec_device_info) == 336, "device information");
_Static_assert(offsetof(struct rec_device_info, device_id) == 8, "device id");
_Static_assert(offsetof(struct rec_device_info, revision) == 12, "revision");
_Static_assert(offsetof(struct rec_device_info, min_hz) == 16, "lowest frequency");
_Static_assert(offsetof(struct rec_device_info, max_hz) == 20, "highest frequency");
_Static_assert(offsetof(struct rec_device_info, engine_class) == 24, "engine class");
_Static_assert(offsetof(struct rec_device_info, engine_instance) == 28, "engine instance");
_Static_assert(offsetof(struct rec_device_info, oa_format) == 32, "report format");
_Static_assert(offsetof(struct rec_device_info, set_name) == 36, "metric set");
_Static_assert(offsetof(struct rec_device_info, guid) == 292, "guid");
_Static_assert(offsetof(struct rec_device_info, pad) == 332, "padding");

#define HEADER sizeof(struct rec_header)
#define BUFFER_BYTES (256 * 1024)

_Static_assert(BUFFER_BYTES > UINT16_MAX, "the largest record fits");

/* A step between two reports, at the offset of the second one, that is in doubt until a pair of
 * clocks behind it has been read. */
struct doubt {
	uint64_t offset;
	int64_t raw;		/* by the time stamps */
	int64_t taken;		/* as it counts until then */
	bool restarts;		/* another recording begins */
	size_t window;		/* the first one behind it */
};

/* A step that the time stamps do not tell. */
struct rec_jump {
	uint64_t offset;
	int64_t ticks;
};

struct rec_reader {
	int fd;
	char *path;
	uint8_t *buf;
	size_t start, fill;	/* unread bytes are buf[start] to buf[fill - 1] */
	uint64_t offset;	/* offset of buf[start] in the file */
	/* reading ends here: at the size at opening, later at what the scan found good */
	uint64_t end;
	size_t timestamp_at;	/* its place in a SAMPLE's payload */
	int clock_shift;	/* see rec_summary */
	bool is_xe;
	bool begins_otherwise;	/* than recordings do */
	int64_t ticks;		/* ticks at the last SAMPLE, while scanning */
	int64_t usual;		/* of the last step that was in no doubt */
	/* since the last SAMPLE: reports were lost, another recording began */
	bool is_lost, restarts;
	bool has_restart;	/* the last pair of clocks is of that recording */
	struct doubt *doubts;
	size_t n_doubts, cap_doubts;
	struct rec_jump *jumps;	/* by offset */
	size_t n_jumps, cap_jumps;
	struct rec_summary sum;
	struct rec_correlation *corr;
	size_t n_corr, cap_corr;
	int64_t *windows;
	size_t n_windows, cap_windows;
};

#define XE_FIRST_TYPE 4		/* VERSION in xe's files; INFO, TOPOLOGY and CORRELATION follow */
#define VERSION_BYTES 16
#define XE_FIRST_64_BIT_FORMAT 7	/* XE_OAC_FORMAT_A24u64_B8_C8 */

uint32_t rec_type_in_file(bool is_xe, uint32_t type)
{
	if (is_xe && type >= REC_VERSION && type <= REC_CORRELATION)
		return type - REC_VERSION + XE_FIRST_TYPE;
	return type;
}

/* i915's media formats (13 and 14) begin with a 64-bit id, the others with a 32-bit one (Linux enum
 * drm_i915_oa_format). Formats that only xe has stand in our older files with the number of xe's
 * property, above 255; all of them begin with 64 bits (xe_oa.c). */
static size_t timestamp_offset(const struct rec_summary *s)
{
	const struct rec_device_info *info = &s->info;

	if (s->is_xe)
		return info->oa_format >= XE_FIRST_64_BIT_FORMAT ? 8 : 4;
	if (info->oa_format == 13 || info->oa_format == 14 || info->oa_format > 255)
		return 8;
	return 4;
}

/* Makes n bytes available at buf[start], fewer only at the end. Returns false on a read error. */
static bool fill_to(struct rec_reader *r, size_t n, struct err *err)
{
	while (r->fill - r->start < n) {
		uint64_t wanted = r->end - r->offset - (r->fill - r->start);

		if (r->start > 0 && BUFFER_BYTES - r->start < n) {
			memmove(r->buf, r->buf + r->start, r->fill - r->start);
			r->fill -= r->start;
			r->start = 0;
		}
		size_t room = BUFFER_BYTES - r->fill;
		if (wanted < room)
			room = (size_t)wanted;
		ssize_t got = 0;
		if (room)
			got = read(r->fd, r->buf + r->fill, room);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return err_sys(err, "cannot read '%s'", r->path);
		if (got == 0)
			break;
		r->fill += (size_t)got;
	}
	return true;
}

/* Reads the next record as it is in the file; ERR_END at the end, ERR_PARSE when no whole record is
 * left. */
bool rec_next(struct rec_reader *r, struct rec *out, struct err *err)
{
	unsigned long long at = r->offset;
	struct rec_header h;

	if (!fill_to(r, HEADER, err))
		return false;
	size_t left = r->fill - r->start;
	if (left == 0 && r->offset == r->end)
		return err_set(err, ERR_END, "end of '%s'", r->path);
	if (left == 0)
		return err_set(
			err, ERR_PARSE, "'%s' has become shorter while it was read", r->path);
	if (left < HEADER)
		return err_set(err, ERR_PARSE,
			"the file is cut inside the header of the record at byte %llu", at);
	memcpy(&h, r->buf + r->start, HEADER);
	if (h.size < HEADER)
		return err_set(err, ERR_PARSE,
			"the record at byte %llu has the impossible size %u", at, h.size);
	if (!fill_to(r, h.size, err))
		return false;
	left = r->fill - r->start;
	if (left < h.size)
		return err_set(err, ERR_PARSE,
			"the file is cut inside the record at byte %llu: %zu of %u bytes", at,
			left, h.size);
	if (r->is_xe && h.type >= XE_FIRST_TYPE &&
		h.type <= XE_FIRST_TYPE + (REC_CORRELATION - REC_VERSION))
		h.type += REC_VERSION - XE_FIRST_TYPE;
	*out = (struct rec){ .type = h.type,
		.payload = r->buf + r->start + HEADER,
		.size = h.size - HEADER,
		.offset = at };
	r->start += h.size;
	r->offset += h.size;
	return true;
}

int64_t rec_ticks(uint32_t before, uint32_t now)
{
	uint32_t delta = now - before;

	if (delta >= 0xf0000000)
		return (int64_t)delta - (INT64_C(1) << 32);
	return delta;
}

uint32_t rec_timestamp(const struct rec_reader *r, const struct rec *sample)
{
	uint32_t t = 0;

	if (sample->size >= r->timestamp_at + sizeof(t))
		memcpy(&t, (const uint8_t *)sample->payload + r->timestamp_at, sizeof(t));
	return t;
}

/* A report is blank when its time stamp and the id before it are zero. */
bool rec_is_report(const struct rec_reader *r, const struct rec *rec)
{
	static const uint8_t zeros[16];

	return rec->type == REC_SAMPLE && rec->size == r->sum.sample_size &&
		memcmp(rec->payload, zeros, 2 * r->timestamp_at) != 0;
}

/* Names are plain ASCII. */
static void make_name(char *s, size_t size)
{
	s[size - 1] = '\0';
	utf8_make_plain(s, "");
	for (; *s; s++)
		if ((unsigned char)*s > 0x7e)
			*s = '?';
}

static void take_info(struct rec_reader *r, const struct rec *rec)
{
	struct rec_device_info *info = &r->sum.info;

	memcpy(info, rec->payload, sizeof(*info));
	make_name(info->set_name, sizeof(info->set_name));
	make_name(info->guid, sizeof(info->guid));
	r->sum.has_info = true;
}

static void take_topology(struct rec_reader *r, const struct rec *rec)
{
	struct rec_summary *s = &r->sum;

	s->topology_len = sizeof(s->topology);
	if (rec->size < sizeof(s->topology))
		s->topology_len = rec->size;
	memcpy(s->topology, rec->payload, s->topology_len);
	s->has_topology = true;
}

static void take_rooftop(struct rec_reader *r, const struct rec *rec)
{
	struct rec_summary *s = &r->sum;
	size_t n = strnlen(rec->payload, rec->size);

	if (n >= sizeof(s->rooftop))
		n = sizeof(s->rooftop) - 1;
	memcpy(s->rooftop, rec->payload, n);
	s->rooftop[n] = '\0';
	utf8_make_plain(s->rooftop, "\n");
}

/* Whether so many ticks can be added: pairs of clocks may be nonsense, time and again. */
static bool may_step(int64_t from, double ticks)
{
	return ticks < 0x1p60 && from < INT64_C(1) << 60;
}

/* Another recording that follows in the same file has its place by the pair of clocks at its
 * beginning. */
static int64_t restart_step(const struct rec_reader *r, const struct rec *rec)
{
	const struct rec_correlation *c = &r->corr[r->n_corr - 1];
	int64_t step = c->ticks - r->ticks +
		rec_ticks((uint32_t)c->gpu_timestamp, rec_timestamp(r, rec));

	return step > 0 ? step : r->usual;
}

static void add_jump(struct rec_reader *r, uint64_t offset, int64_t ticks)
{
	r->jumps = array_grow(r->jumps, r->n_jumps, &r->cap_jumps, sizeof(*r->jumps));
	r->jumps[r->n_jumps++] = (struct rec_jump){ .offset = offset, .ticks = ticks };
}

/* A step that follows a loss or a new beginning, goes back by more than reports are late, or is
 * much longer than the one before it: while the GPU sleeps there are none, and the pairs of clocks
 * say so. */
#define LONG_STEPS 10
#define LONG_PER_S 10

static void take_step(struct rec_reader *r, const struct rec *rec, int64_t raw)
{
	if (r->has_restart) {
		add_jump(r, rec->offset, restart_step(r, rec));
		r->ticks += r->jumps[r->n_jumps - 1].ticks;
		r->is_lost = r->restarts = r->has_restart = false;
		return;
	}
	int64_t hz = (int64_t)r->sum.info.timestamp_hz;
	bool is_doubt = r->is_lost || r->restarts || raw < -r->usual ||
		(raw > LONG_STEPS * r->usual && raw > hz / LONG_PER_S);

	if (!is_doubt && raw > 0)
		r->usual = raw;
	if (is_doubt) {
		r->doubts = array_grow(r->doubts, r->n_doubts, &r->cap_doubts, sizeof(*r->doubts));
		r->doubts[r->n_doubts++] = (struct doubt){ .offset = rec->offset,
			.raw = raw,
			.taken = r->usual,
			.restarts = r->restarts,
			.window = r->n_windows };
	}
	r->ticks += is_doubt ? r->usual : raw;
	r->is_lost = r->restarts = false;
}

/* Moves what lies behind the step, but for windows behind the next one in doubt. */
static void settle(struct rec_reader *r, const struct doubt *d, int64_t ticks, int64_t *moved)
{
	size_t end = d + 1 < r->doubts + r->n_doubts ? d[1].window : r->n_windows;

	*moved += ticks - d->taken;
	for (size_t i = d->window; i < end; i++)
		r->windows[i] += *moved;
	r->ticks += ticks - d->taken;
	if (ticks == d->raw && !d->restarts)
		return;
	add_jump(r, d->offset, ticks);
}

/* Settles all steps in doubt by the pair of clocks before them and the one behind (NULL: none
 * follows), which tell how much time all of them took. Where they agree with the time stamps these
 * are right; else the last step has all that is missing. Without pairs, steps forward are
 * believed. */
static void settle_doubts(struct rec_reader *r, const struct rec_correlation *behind)
{
	const struct rec_correlation *before = r->n_corr ? &r->corr[r->n_corr - 1] : NULL;
	bool has_pairs = before && behind && behind->cpu_ns > before->cpu_ns;
	double hz = (double)r->sum.info.timestamp_hz, passed = 0, missing = 0, by_stamps = 0;

	for (size_t i = 0; i < r->n_doubts; i++)
		by_stamps += (double)(r->doubts[i].raw - r->doubts[i].taken);
	if (has_pairs) {
		int64_t counted = r->ticks - before->ticks +
			rec_ticks(r->sum.last_timestamp, (uint32_t)behind->gpu_timestamp);

		passed = (double)(behind->cpu_ns - before->cpu_ns) / 1e9 * hz;
		missing = passed - (double)counted;
	}
	int64_t moved = 0;
	bool agrees = has_pairs && fabs(missing - by_stamps) < passed / 8 + hz / 100;
	for (size_t i = 0; i < r->n_doubts; i++) {
		const struct doubt *d = &r->doubts[i];
		int64_t ticks = d->taken;

		if (agrees || (!has_pairs && d->raw > 0 && !d->restarts))
			ticks = d->raw;
		else if (has_pairs && i == r->n_doubts - 1 && missing > 0 && may_step(r->ticks, missing))
			ticks += (int64_t)missing;
		settle(r, d, ticks, &moved);
	}
	r->n_doubts = 0;
	if (r->ticks > r->sum.span_ticks)
		r->sum.span_ticks = r->ticks;
}

int64_t rec_step(
	const struct rec_reader *r, const struct rec *report, uint32_t before, bool *jumped)
{
	size_t low = 0, high = r->n_jumps;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (r->jumps[middle].offset < report->offset)
			low = middle + 1;
		else
			high = middle;
	}
	*jumped = low < r->n_jumps && r->jumps[low].offset == report->offset;
	return *jumped ? r->jumps[low].ticks : rec_ticks(before, rec_timestamp(r, report));
}

static void take_sample(struct rec_reader *r, const struct rec *rec)
{
	struct rec_summary *s = &r->sum;
	uint32_t now = rec_timestamp(r, rec);

	if (s->sample_size == 0)
		s->sample_size = rec->size;
	if (!rec_is_report(r, rec))
		return;
	if (s->samples == 0) {
		s->first_timestamp = now;
		for (size_t i = 0; i < r->n_corr; i++)
			r->corr[i].ticks = -rec_ticks((uint32_t)r->corr[i].gpu_timestamp, now);
	} else {
		take_step(r, rec, rec_ticks(s->last_timestamp, now));
	}
	s->last_timestamp = now;
	s->samples++;
	if (r->ticks > s->span_ticks)
		s->span_ticks = r->ticks;
}

/* Where a recording begins that follows another one: as much later as its pair of clocks says. */
static int64_t restart_ticks(const struct rec_reader *r, const struct rec_correlation *c)
{
	const struct rec_correlation *before = r->n_corr ? &r->corr[r->n_corr - 1] : c;
	double hz = (double)r->sum.info.timestamp_hz;
	double passed = ((double)c->cpu_ns - (double)before->cpu_ns) / 1e9 * hz;

	if (!(passed > 0) || !may_step(before->ticks, passed))
		return r->ticks;
	return max_i64(r->ticks, before->ticks + (int64_t)passed);
}

static void take_correlation(struct rec_reader *r, const struct rec *rec)
{
	struct rec_correlation c = { 0 };
	const uint8_t *p = rec->payload;

	r->sum.correlations++;
	if (r->n_corr == REC_MAX_CORRELATIONS)
		return;
	memcpy(&c.cpu_ns, p, 8);
	memcpy(&c.gpu_timestamp, p + 8, 8);
	c.gpu_timestamp <<= r->clock_shift;
	if (r->n_doubts)
		settle_doubts(r, r->restarts ? NULL : &c);
	r->has_restart = r->restarts;
	if (r->restarts)
		c.ticks = restart_ticks(r, &c);
	else if (r->sum.samples > 0)
		c.ticks = r->ticks + rec_ticks(r->sum.last_timestamp, (uint32_t)c.gpu_timestamp);
	r->corr = array_grow(r->corr, r->n_corr, &r->cap_corr, sizeof(*r->corr));
	r->corr[r->n_corr++] = c;
}

static void take_window(struct rec_reader *r, const struct rec *rec)
{
	(void)rec;
	if (r->n_windows == REC_MAX_CORRELATIONS || r->sum.samples == 0 ||
		(r->n_windows && r->windows[r->n_windows - 1] >= r->ticks))
		return;
	r->windows = array_grow(r->windows, r->n_windows, &r->cap_windows, sizeof(*r->windows));
	r->windows[r->n_windows++] = r->ticks;
}

static void take_version(struct rec_reader *r, const struct rec *rec)
{
	memcpy(&r->sum.version, rec->payload, sizeof(r->sum.version));
	r->sum.has_version = true;
	r->restarts |= r->sum.samples > 0;
}

static void take_loss(struct rec_reader *r, const struct rec *rec)
{
	r->is_lost |= rec->type == REC_BUFFER_LOST;
}

/* What the scan keeps of each type, and the payload that it needs. Newer recorders may write larger
 * ones. */
static const struct {
	uint32_t type;
	size_t min_bytes;
	const char *name;
	void (*take)(struct rec_reader *r, const struct rec *rec);
} kinds[] = {
	{ REC_SAMPLE, 16, "SAMPLE", take_sample },
	{ REC_REPORT_LOST, 0, "REPORT_LOST", take_loss },
	{ REC_BUFFER_LOST, 0, "BUFFER_LOST", take_loss },
	{ REC_VERSION, 4, "VERSION", take_version },
	{ REC_DEVICE_INFO, sizeof(struct rec_device_info), "DEVICE_INFO", take_info },
	{ REC_TOPOLOGY, 16, "TOPOLOGY", take_topology },
	{ REC_CORRELATION, 16, "CORRELATION", take_correlation },
	{ REC_ROOFTOP, 0, "ROOFTOP", take_rooftop },
	{ REC_WINDOW, 0, "WINDOW", take_window },
};

static bool take_record(struct rec_reader *r, const struct rec *rec, struct err *err)
{
	r->sum.has_spans |= rec->type == REC_SPAN_QUEUE;
	r->sum.has_clients |= rec->type == REC_CLIENTS;
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
		if (kinds[i].type != rec->type)
			continue;
		if (rec->size < kinds[i].min_bytes)
			return err_set(err, ERR_PARSE,
				"the %s record at byte %llu has %zu bytes, at least %zu are needed",
				kinds[i].name, (unsigned long long)rec->offset, rec->size,
				kinds[i].min_bytes);
		kinds[i].take(r, rec);
		return true;
	}
	return true;
}

bool rec_rewind(struct rec_reader *r, struct err *err)
{
	if (lseek(r->fd, 0, SEEK_SET) != 0)
		return err_sys(err, "cannot rewind '%s'", r->path);
	r->start = r->fill = 0;
	r->offset = 0;
	return true;
}

/* Reads every record once. Returns false only on a read error; wrong data is reported as damage. */
static bool scan(struct rec_reader *r, struct err *err)
{
	struct err e = { 0 };
	struct rec rec;

	memset(&r->sum, 0, sizeof(r->sum));
	r->sum.is_xe = r->is_xe;
	r->sum.clock_shift = r->clock_shift;
	r->n_corr = 0;
	r->n_windows = r->n_doubts = r->n_jumps = 0;
	r->ticks = r->usual = 0;
	r->is_lost = r->restarts = r->has_restart = false;
	if (!rec_rewind(r, err))
		return false;
	while (rec_next(r, &rec, &e) && take_record(r, &rec, &e))
		r->sum.good_bytes = r->offset;
	settle_doubts(r, NULL);
	if (e.code == ERR_PARSE)
		r->sum.damage = e;
	else if (e.code != ERR_END && err)
		*err = e;
	return e.code == ERR_PARSE || e.code == ERR_END;
}

/* Returns the power of two by which the clock of the correlations is slower than that of reports.
 * That clock has 36 bits, and 64 where both are the same. */
static int find_clock_shift(const struct rec_reader *r)
{
	double ns = 0, ticks = 0;

	for (size_t i = 1; i < r->n_corr; i++) {
		const struct rec_correlation *a = &r->corr[i - 1], *b = &r->corr[i];

		if (b->cpu_ns <= a->cpu_ns)
			continue;
		ns += (double)(b->cpu_ns - a->cpu_ns);
		ticks += (double)((b->gpu_timestamp - a->gpu_timestamp) & 0xfffffffff);
	}
	for (int shift = 1; shift <= 3 && ticks > 0; shift++) {
		double times = (double)r->sum.info.timestamp_hz * ns / 1e9 / ticks / (1 << shift);

		if (times > 0.95 && times < 1.05)
			return shift;
	}
	return 0;
}

static bool scan_file(struct rec_reader *r, struct err *err)
{
	const struct rec_summary *s = &r->sum;

	r->timestamp_at = 4;
	if (!scan(r, err))
		return false;
	/* Only now are the place of the time stamp and the two clocks known: INFO may follow
	 * samples. */
	r->clock_shift = find_clock_shift(r);
	if (timestamp_offset(s) != r->timestamp_at || r->clock_shift) {
		r->timestamp_at = timestamp_offset(s);
		if (!scan(r, err))
			return false;
	}
	if (s->good_bytes == 0) {
		err_set(err, ERR_PARSE, "'%s' is not a recording: %s", r->path,
			r->begins_otherwise ? "it begins otherwise" : s->damage.msg);
		return err_hint(err, "-w makes recordings; CSV and JSON are for 'rooftop diff'");
	}
	if (s->has_version && s->version != 1)
		return err_set(err, ERR_UNSUPPORTED,
			"'%s' has format version %u, only version 1 is known", r->path,
			s->version);
	r->end = s->good_bytes;
	return rec_rewind(r, err);
}

bool rec_may_begin(const struct rec_header *h)
{
	return (h->type & 0xff) < 0x20 &&
		(h->type < 8 || h->type >> 16 == 1 || h->type >> 16 == REC_ROOFTOP >> 16);
}

/* O_NONBLOCK: a FIFO without a writer must not hang the program. */
static bool open_file(struct rec_reader *r, struct err *err)
{
	struct stat st;

	r->fd = open(r->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (r->fd < 0 || fstat(r->fd, &st) < 0) {
		bool is_missing = errno == ENOENT;

		err_sys(err, "cannot open '%s'", r->path);
		return is_missing && err_hint(err, "'rooftop -w FILE' makes a recording");
	}
	if (!S_ISREG(st.st_mode)) {
		err_set(err, ERR_PARSE, "'%s' is no file that can be played", r->path);
		return err_hint(err, "-r needs a regular file, not a folder or a pipe; -r - plays a stream");
	}
	if (st.st_size == 0) {
		err_set(err, ERR_PARSE, "'%s' is empty", r->path);
		return err_hint(err, "'rooftop -w FILE' makes a recording");
	}
	r->end = (uint64_t)st.st_size;
	/* Recorders write VERSION first, and i915's know no record of that type. */
	struct rec_header h = { .type = 0 };
	bool is_whole = pread(r->fd, &h, sizeof(h), 0) == sizeof(h);
	r->is_xe = is_whole && h.type == XE_FIRST_TYPE && h.size == VERSION_BYTES;
	r->begins_otherwise = is_whole && !rec_may_begin(&h);
	return true;
}

struct rec_reader *rec_open(const char *path, struct err *err)
{
	struct rec_reader *r = xcalloc(1, sizeof(*r));

	*r = (struct rec_reader){ .fd = -1, .path = xstrdup(path), .buf = xmalloc(BUFFER_BYTES) };
	if (!open_file(r, err) || !scan_file(r, err)) {
		rec_close(r);
		return NULL;
	}
	return r;
}

const struct rec_summary *rec_summary(const struct rec_reader *r)
{
	return &r->sum;
}

void rec_close(struct rec_reader *r)
{
	if (!r)
		return;
	if (r->fd >= 0)
		close(r->fd);
	free(r->corr);
	free(r->windows);
	free(r->doubts);
	free(r->jumps);
	free(r->buf);
	free(r->path);
	free(r);
}

const int64_t *rec_windows(const struct rec_reader *r, size_t *n)
{
	*n = r->n_windows;
	return r->windows;
}

const struct rec_correlation *rec_correlations(const struct rec_reader *r, size_t *n)
{
	*n = r->n_corr;
	return r->corr;
}
