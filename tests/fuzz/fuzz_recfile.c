/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as a recording: read to the end, replayed report by report and by the clock. */
#include "config.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "backends/common/backend.h"
#include "core/record/record_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_records(const char *path)
{
	struct rec_reader *r = rec_open(path, NULL);
	struct rec rec;
	uint64_t bytes = 0;

	if (!r)
		return;
	while (rec_next(r, &rec, NULL))
		bytes += sizeof(struct rec_header) + rec.size;
	if (bytes != rec_summary(r)->good_bytes || rec_rewind(r, NULL) != true)
		abort();
	rec_close(r);
}

/* The end must come: no report is 2^62 ns away. */
static void replay(const char *path, bool per_report)
{
	struct open_options o = { .speed = 1, .per_report = per_report };
	struct device_list list = { 0 };
	struct open_device dev = { 0 };
	struct sample s = { 0 };
	struct source *source;
	char status[64];
	uint64_t cpu, gpu;
	int64_t now_ns = 0;

	if (!replay_backend.resolve(NULL, path, &list, NULL) ||
		!replay_backend.open(&list.entries[0], &o, &dev, NULL))
		goto out;
	source = dev.sources[0];
	for (int i = 0; !(s.quality & SAMPLE_LAST); i++) {
		s = (struct sample){ 0 };
		source->ops->ready(source, now_ns, NULL);
		source->ops->collect(source, now_ns, &s);
		for (int k = 1; k < dev.n_sources; k++) {
			struct sample side = { .why = WHY_OK };

			dev.sources[k]->ops->collect(dev.sources[k], now_ns, &side);
		}
		source->ops->correlate(source, now_ns, &cpu, &gpu, NULL);
		source->ops->status(source, status, sizeof(status));
		now_ns = now_ns < INT64_MAX / 4 ? now_ns * 2 + 1 : INT64_MAX / 2;
		if (i > 1000000)
			abort();
	}
out:
	open_device_close(&dev);
	device_list_release(&list);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char path[64];
	int fd = memfd_create("recording", MFD_CLOEXEC);

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	read_records(path);
	replay(path, false);
	replay(path, true);
	close(fd);
	return 0;
}
