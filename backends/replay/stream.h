/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The devices of a stream: on standard input, in a file, or from another machine. */
#ifndef BACKENDS_REPLAY_STREAM_H
#define BACKENDS_REPLAY_STREAM_H

#include "backends/common/backend.h"

/* Whether the text behind "file:" means a stream: "-", or a file that begins as one. */
bool stream_is(const char *spec);
/* As struct backend has them. */
bool stream_resolve(
	const struct fsroot *fs, const char *spec, struct device_list *out, struct err *err);
bool stream_open(const struct device_entry *e, const struct open_options *o,
	struct open_device *dev, struct err *err);

struct stream_hub;

/* Adds an entry for each device of a stream. prefix begins their ids: "file:-", "ssh:host". */
void stream_add_entries(struct stream_hub *h, const char *prefix, const char *spec,
	const struct backend *b, struct device_list *out);

#endif
