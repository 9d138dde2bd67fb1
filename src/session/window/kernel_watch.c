/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gives what a hub reads to the table of the session. */
#include "config.h"

#include "session/window/kernel_watch.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "session/session.h"
#include "base/i18n.h"
#include "kernels/spans/span_hub.h"

#define LAYER "rooftop-spans.so"
#define LAYERS "OPENCL_LAYERS"

static void take_queue(void *ctx, const struct span_place *p)
{
	struct kernel_watch *w = ctx;

	span_table_queue(&w->table, p);
}

static void take_span(void *ctx, const struct span *s)
{
	struct kernel_watch *w = ctx;

	span_table_add(&w->table, s);
}

static void take_lost(void *ctx, uint64_t n)
{
	struct kernel_watch *w = ctx;

	span_table_lose(&w->table, n);
}

static void take_nonsense(void *ctx, uint64_t n)
{
	struct kernel_watch *w = ctx;

	w->table.nonsense += n;
}

/* The layer lies beside the program in a build tree, and else where it was installed. */
static bool find_layer(struct kernel_watch *w, struct err *err)
{
	ssize_t len = readlink("/proc/self/exe", w->layer, sizeof(w->layer) - 64);
	char *slash = NULL;

	if (len > 0) {
		w->layer[len] = '\0';
		slash = strrchr(w->layer, '/');
	}
	if (slash)
		snprintf(slash + 1, 64, "%s", LAYER);
	if (slash && access(w->layer, R_OK) == 0)
		return true;
	snprintf(w->layer, sizeof(w->layer), "%s", PKGLIBDIR "/" LAYER);
	if (access(w->layer, R_OK) == 0)
		return true;
	err_set(err, ERR_UNSUPPORTED, "there is no %s, which sees kernels", w->layer);
	return err_hint(
		err, "rooftop has to be built with OpenCL's headers of layers (CL/cl_layer.h)");
}

bool kernel_watch_open(struct session *ses, struct err *err)
{
	struct kernel_watch *w = &ses->kernels;
	const struct span_sink sink = { .queue = take_queue,
		.span = take_span,
		.lost = take_lost,
		.nonsense = take_nonsense,
		.ctx = w };

	if (!find_layer(w, err))
		return false;
	w->hub = span_hub_open(&sink, err);
	w->on = w->hub;
	kernel_watch_begin(ses);
	return w->on;
}

void kernel_watch_tell_children(const struct session *ses)
{
	const char *others = getenv(LAYERS);
	char list[PATH_MAX + 4096];

	if (!ses->kernels.hub)
		return;
	setenv(span_hub_variable(), span_hub_path(ses->kernels.hub), 1);
	snprintf(list, sizeof(list), "%s%s%s", others ? others : "", others && *others ? ":" : "",
		ses->kernels.layer);
	setenv(LAYERS, list, 1);
}

void kernel_watch_begin(struct session *ses)
{
	struct kernel_watch *w = &ses->kernels;

	span_table_clear(&w->table, clock_mono_ns(&ses->clock),
		ses->dev ? ses->dev->device.pci_address : "");
}

void kernel_watch_read(struct session *ses)
{
	struct kernel_watch *w = &ses->kernels;

	if (!w->on || !w->hub)
		return;
	int64_t until_ns = span_hub_read(w->hub, clock_mono_ns(&ses->clock));
	span_table_settle(&w->table, until_ns);
	w->programs = span_hub_programs(w->hub, &w->refused);
	w->unended = span_hub_unended(w->hub);
}

void kernel_watch_end(struct session *ses)
{
	struct kernel_watch *w = &ses->kernels;

	/* What a program has half written when it died is given up the second time. */
	kernel_watch_read(ses);
	kernel_watch_read(ses);
	if (w->on)
		span_table_settle(&w->table, clock_mono_ns(&ses->clock));
}

void kernel_watch_close(struct session *ses)
{
	span_hub_close(ses->kernels.hub);
	span_table_release(&ses->kernels.table);
	ses->kernels = (struct kernel_watch){ .on = false };
}

void kernel_watch_figures(
	const struct session *ses, const struct span_row *r, struct kernel_figures *out)
{
	*out = (struct kernel_figures){ .gflops = NAN,
		.gbytes_per_s = NAN,
		.flop_per_byte = NAN,
		.headroom = NAN,
		.counted_time = NAN,
		.counted_calls = NAN };
	if (!ses->dev)
		snprintf(out->why, sizeof(out->why), "no device is counted");
	else if (r->is_kernel)
		snprintf(out->why, sizeof(out->why), "its counters are not told apart");
}

const char *kernel_watch_why_empty(const struct session *ses)
{
	const struct kernel_watch *w = &ses->kernels;

	if (w->table.n_rows > 0)
		return "";
	if (w->programs > 0)
		return N_("programs loaded the layer and ran no kernel");
	if (w->refused > 0)
		return N_("what came up was no layer of this version and this user");
	return N_("no layer came up: the program uses no OpenCL, a loader that takes no layers "
		  "(ocl-icd before 2.3.0, oclgrind), or a driver without the loader");
}
