/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as the files of an AMD card in sysfs, and as what its node answers: records of
 * file_records.h. The card is listed, opened and read, window after window; constants and values
 * are numbers, or there are none. */
#include "config.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#ifdef HAVE_LIBDRM
#include <amdgpu_drm.h>
#endif

#include "backends/common/backend.h"
#include "backends/card/drm_card.h"
#include "base/mem.h"
#include "tests/fuzz/file_records.h"

#define DEVICE "/sys/devices/0000:03:00.0"
#define HWMON DEVICE "/hwmon/hwmon3"
#define GC DEVICE "/ip_discovery/die/0/11/0"
#define NS 1000000000
#define ANSWER '!' /* what the node answers from then on; any other letter is a window */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
__attribute__((visibility("default"))) int ioctl(int fd, unsigned long request, ...);

static const struct file_record files[] = {
	{ 'a', DEVICE "/gpu_busy_percent" },
	{ 'b', DEVICE "/mem_busy_percent" },
	{ 'c', DEVICE "/mem_info_vram_total" },
	{ 'd', DEVICE "/mem_info_vram_used" },
	{ 'e', DEVICE "/current_link_speed" },
	{ 'f', DEVICE "/max_link_speed" },
	{ 'g', DEVICE "/current_link_width" },
	{ 'h', DEVICE "/pp_dpm_sclk" },
	{ 'i', DEVICE "/gpu_metrics" },
	{ 'j', DEVICE "/vendor" },
	{ 'k', DEVICE "/device" },
	{ 'l', DEVICE "/revision" },
	{ 'm', DEVICE "/uevent" },
	{ 'n', DEVICE "/power/runtime_status" },
	{ 'o', DEVICE "/power/autosuspend_delay_ms" },
	{ 'p', DEVICE "/power/control" },
	{ 'q', DEVICE "/power/runtime_suspended_time" },
	{ 'r', HWMON "/temp1_input" },
	{ 's', HWMON "/temp1_label" },
	{ 't', HWMON "/temp2_input" },
	{ 'u', HWMON "/temp2_label" },
	{ 'v', HWMON "/temp1_crit" },
	{ 'w', HWMON "/power1_average" },
	{ 'x', HWMON "/power1_cap" },
	{ 'y', HWMON "/freq1_input" },
	{ 'z', HWMON "/freq1_label" },
	{ 'A', HWMON "/fan1_input" },
	{ 'B', GC "/major" },
	{ 'C', GC "/minor" },
	{ 'D', GC "/revision" },
	{ 'E', "/usr/share/libdrm/amdgpu.ids" },
	{ 'F', DEVICE "/devfreq/gpu/cur_freq" },
	{ 'G', DEVICE "/devfreq/gpu/max_freq" },
};

static struct file_records records;
static struct {
	const uint8_t *data;
	size_t size;
} answer;

static void check(bool good)
{
	if (!good)
		abort();
}

/* Stands in front of the C library's. No answer is an error; what is beyond its end is 0. */
int ioctl(int fd, unsigned long request, ...)
{
	va_list ap;

	(void)fd;
	va_start(ap, request);
	void *arg = va_arg(ap, void *);
	va_end(ap);
#ifdef HAVE_LIBDRM
	if (request == DRM_IOCTL_AMDGPU_INFO && answer.data) {
		const struct drm_amdgpu_info *q = arg;
		size_t n = q->return_size < answer.size ? q->return_size : answer.size;

		memset((void *)(uintptr_t)q->return_pointer, 0, q->return_size);
		memcpy((void *)(uintptr_t)q->return_pointer, answer.data, n);
		return 0;
	}
#endif
	(void)arg;
	errno = EINVAL;
	return -1;
}

static void begin(void)
{
	file_records_open(&records, files, ARRAY_LEN(files));
	fstree_put(&records.fs, "/sys/class/drm/version", "");
	fstree_put(&records.fs, DEVICE "/drm/card0/dev", "226:0");
	fstree_put(&records.fs, "/dev/dri/card0", "");
	fstree_put(&records.fs, "/proc/version", "");
	file_records_link(&records, DEVICE "/drm/card0/device", "../../../0000:03:00.0");
	file_records_link(&records, "/sys/class/drm/card0", "../../devices/0000:03:00.0/drm/card0");
	file_records_link(&records, DEVICE "/driver", "/bus/pci/drivers/amdgpu");
}

/* Returns the letter of the window that comes next, or 0 at the end. */
static char next_window(void)
{
	const uint8_t *text;
	size_t len;
	char letter;

	while ((letter = file_records_next(&records, &text, &len)) == ANSWER) {
		answer.data = text;
		answer.size = len;
	}
	return letter;
}

static void check_device(const struct device *d)
{
	check(memchr(d->name, '\0', sizeof(d->name)) != NULL);
	check(memchr(d->generation, '\0', sizeof(d->generation)) != NULL);
	check(d->n_consts >= 0 && d->n_consts <= DEVICE_MAX_CONSTS && d->topology.eus >= 0);
	for (int i = 0; i < d->n_consts; i++)
		check(isfinite(d->consts[i].v) && d->consts[i].v >= 0);
}

static void read_window(struct source *s, int64_t now_ns)
{
	static struct sample sample;
	struct err err = { 0 };

	memset(&sample, 0, sizeof(sample));
	check(s->ops->ready(s, now_ns, &err) || err.msg[0]);
	s->ops->collect(s, now_ns, &sample);
	check(sample.window_ns >= 0 && sample.t1_ns >= sample.t0_ns);
	for (int i = 0; i < s->feed.n_counters; i++)
		check(memchr(s->feed.counters[i].name, '\0', sizeof(s->feed.counters[i].name)) !=
			NULL);
}

static void watch(const struct device_entry *e)
{
	struct open_options o = { .fs = &records.fs, .now_ns = NS };
	struct open_device *dev = xcalloc(1, sizeof(*dev));
	struct err err = { 0 };

	check(e->usable && e->backend->open(e, &o, dev, &err));
	check(dev->n_sources <= DEVICE_MAX_SOURCES && dev->n_checks <= DEVICE_MAX_CHECKS);
	check_device(&dev->device);
	char letter = 'W';
	for (int64_t window = 2; letter && window < 10; window++) {
		for (int i = 0; i < dev->n_sources; i++)
			read_window(dev->sources[i], window * NS);
		letter = next_window();
	}
	open_device_close(dev);
	free(dev);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct backend *const backends[] = { &amdgpu_backend, NULL };
	struct device_list list = { 0 };

	if (!records.n)
		begin();
	answer.data = NULL;
	file_records_begin(&records, data, size);
	next_window();
	check(drm_cards_list(backends, &records.fs, &list, NULL) && list.count == 1);
	check(!strcmp(list.entries[0].device.id, "card0"));
	check_device(&list.entries[0].device);
	watch(&list.entries[0]);
	device_list_release(&list);
	return 0;
}
