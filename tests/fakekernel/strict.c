/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the strict fakes share: the DRM core's part of an ioctl, time, and the spans in which a GPU
 * sleeps. */
#include "config.h"

#include "tests/fakekernel/strict.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <time.h>

#include "tests/fakekernel/drm_version.h"

#define LARGEST_ARGUMENT 512	/* of the calls below */
#define DRIVER_BASE 0x40	/* DRM_COMMAND_BASE */
#define DRIVER_END 0xa0

FILE *strict_file(const char *name)
{
	char full[PATH_MAX];

	snprintf(full, sizeof(full), "%s/strict/%s", fake_root(), name);
	return fopen(full, "r");
}

int strict_kernel(void)
{
	char text[32];
	int major = 7, minor = 2;

	if (fake_tree_read("/strict/kernel", text, sizeof(text)))
		sscanf(text, "%d.%d", &major, &minor);
	return major * 1000 + minor;
}

uint64_t strict_now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* strict/begin is made by a touch when the tree is; its age tells when that was in CLOCK_MONOTONIC. */
uint64_t strict_begin_ns(void)
{
	static uint64_t begin;
	char full[PATH_MAX];
	struct timespec now;
	struct stat st;

	if (begin)
		return begin;
	begin = strict_now_ns();
	snprintf(full, sizeof(full), "%s/strict/begin", fake_root());
	clock_gettime(CLOCK_REALTIME, &now);
	if (stat(full, &st) == 0) {
		int64_t age = (int64_t)(now.tv_sec - st.st_mtim.tv_sec) * 1000000000 +
			(now.tv_nsec - st.st_mtim.tv_nsec);

		begin -= age > 0 && (uint64_t)age < begin ? (uint64_t)age : 0;
	}
	return begin;
}

struct strict_spans strict_sleeps(void)
{
	return strict_spans_of("asleep");
}

struct strict_spans strict_spans_of(const char *name)
{
	struct strict_spans s = { .n = 0 };
	FILE *f = strict_file(name);
	unsigned long from, to;

	while (f && s.n < STRICT_MAX_SPANS && fscanf(f, "%lu %lu", &from, &to) == 2) {
		s.from_ns[s.n] = strict_begin_ns() + from * 1000000;
		s.to_ns[s.n++] = strict_begin_ns() + to * 1000000;
	}
	if (f)
		fclose(f);
	return s;
}

bool strict_within(const struct strict_spans *s, uint64_t t, uint64_t *until)
{
	for (int i = 0; i < s->n; i++) {
		if (t < s->from_ns[i] || t >= s->to_ns[i])
			continue;
		if (until)
			*until = s->to_ns[i];
		return true;
	}
	return false;
}

int strict_falls(const struct strict_spans *s, uint64_t from, uint64_t to)
{
	int n = 0;

	for (int i = 0; i < s->n; i++)
		n += s->from_ns[i] >= from && s->from_ns[i] < to;
	return n;
}

uint64_t strict_awake_ns(const struct strict_spans *s, uint64_t from, uint64_t to)
{
	uint64_t awake = to > from ? to - from : 0;

	for (int i = 0; i < s->n; i++) {
		uint64_t a = s->from_ns[i] > from ? s->from_ns[i] : from;
		uint64_t b = s->to_ns[i] < to ? s->to_ns[i] : to;

		awake -= b > a ? b - a : 0;
	}
	return awake;
}

int strict_fdinfo_memory(char *buf, size_t size, const char *what, uint64_t bytes)
{
	static const char *const units[] = { "", " KiB", " MiB" };
	int unit = 0;

	while (unit < 2 && bytes && bytes % 1024 == 0) {
		bytes /= 1024;
		unit++;
	}
	return snprintf(buf, size, "drm-%s-memory:\t%" PRIu64 "%s\n", what, bytes, units[unit]);
}

/* --- runtime power management --- */

static bool ends_with(const char *path, const char *end)
{
	size_t len = strlen(path), n = strlen(end);

	return len >= n && !strcmp(path + len - n, end);
}

/* What the core tells of a device that sleeps in spans; without strict/asleep it is up to the tree. */
static bool on_open(const char *path, int flags, int *fd)
{
	bool is_status = ends_with(path, "/power/runtime_status");
	uint64_t now, begin;
	struct strict_spans s;
	char text[32];
	int len;

	if ((flags & O_ACCMODE) != O_RDONLY || strncmp(path, "/sys/", 5) ||
		(!is_status && !ends_with(path, "/power/runtime_suspended_time")))
		return false;
	s = strict_sleeps();
	if (!s.n)
		return false;
	now = strict_now_ns();
	begin = strict_begin_ns();
	if (is_status)
		len = snprintf(text, sizeof(text), "%s\n",
			strict_within(&s, now, NULL) ? "suspended" : "active");
	else
		len = snprintf(text, sizeof(text), "%" PRIu64 "\n",
			(now - begin - strict_awake_ns(&s, begin, now)) / 1000000);
	*fd = fake_text_file(text, (size_t)len);
	return true;
}

static const char *const folders[] = { "/sys", NULL };
const struct fake_driver fake_power_strict = { .name = "power",
	.folders = folders,
	.is_strict = true,
	.open = on_open };

/* --- ioctls --- */

static int version(const struct strict_driver *d, void *data)
{
	struct fake_drm_version *v = data;

	v->major = d->major;
	v->minor = d->minor;
	v->patch = 0;
	fake_drm_field(d->name, v->name, &v->name_len);
	fake_drm_field(d->date, v->date, &v->date_len);
	fake_drm_field(d->desc, v->desc, &v->desc_len);
	return 0;
}

/* The call of that number, whatever size and direction the program gave. */
static const struct strict_call *find(const struct strict_driver *d, unsigned long request)
{
	unsigned number = _IOC_NR(request);

	if (number < DRIVER_BASE || number >= DRIVER_END)
		return NULL;
	for (size_t i = 0; i < d->n_calls; i++)
		if (_IOC_NR(d->calls[i].request) == number)
			return &d->calls[i];
	return NULL;
}

/* What drm_ioctl() answers, as -errno or the call's own result. */
static long serve(const struct strict_driver *d, struct fake_fd *f, unsigned long request,
	unsigned long arg)
{
	const struct strict_call *call = find(d, request);
	bool is_version = _IOC_NR(request) == _IOC_NR(FAKE_DRM_VERSION);
	unsigned long known = call ? call->request : FAKE_DRM_VERSION;
	size_t in = _IOC_SIZE(request), out = in;
	_Alignas(8) char data[LARGEST_ARGUMENT];
	long result;

	if (fake_tree_number("/unplugged", 0))
		return -ENODEV;
	if (_IOC_TYPE(request) != 'd')
		return -ENOTTY;
	if (!call && !is_version)
		return -EINVAL;
	if (!(_IOC_DIR(request) & _IOC_DIR(known) & _IOC_WRITE))
		in = 0;
	if (!(_IOC_DIR(request) & _IOC_DIR(known) & _IOC_READ))
		out = 0;
	if (in > sizeof(data) || out > sizeof(data))
		return -EINVAL;
	if ((in || out) && !arg)
		return -EFAULT;
	/* What the program did not give is zero, also when it is larger than the driver knows. */
	memset(data, 0, sizeof(data));
	memcpy(data, (const void *)arg, in);
	result = call ? call->serve(f, data) : version(d, data);
	/* Also after a failure. */
	memcpy((void *)arg, data, out);
	return result;
}

int strict_ioctl(const struct strict_driver *d, struct fake_fd *f, unsigned long request,
	unsigned long arg)
{
	long result = serve(d, f, request, arg);

	if (result >= 0)
		return (int)result;
	errno = (int)-result;
	return -1;
}
