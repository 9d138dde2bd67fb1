/* SPDX-License-Identifier: GPL-3.0-or-later */
/* This runner has the worker program load a real device: it starts the worker, speaks with it, and
 * makes sure that it ends. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/strbuf.h"
#include "core/work/job.h"

/* Strings are copied, and pointers must live as long as the runner. Zeros are allowed everywhere
 * but in worker. */
struct launcher_options {
	/* NULL-terminated: where the program may be, the first that can be executed is taken */
	const char *const *worker;
	const char *cache_dir;		/* for compiled kernels; NULL: $XDG_CACHE_HOME/rooftop */
	/* for what the tuner found; NULL: $XDG_STATE_HOME/rooftop */
	const char *state_dir;
	/* "0000:00:02.0" of the open device: the OpenCL device to look for; NULL: any */
	const char *pci_address;
	bool is_gpu;			/* the open device is a GPU, which no kernel on a processor loads */
	struct log *log;		/* the worker's standard error, line by line */
	const struct clock *clock;
	/* Returns the FLOP rate of multiply-adds of that type ("sp") that the open device allows at
	 * its clock of now, and gives that clock; NAN when they are unknown. It is not asked for
	 * CPU devices, whose clock the worker measures. */
	double (*bound_flop_per_s)(void *ctx, const char *type, double *clock_hz);
	void *bound_ctx;
	/* A worker that says nothing for so long, or takes so long to stop, is ended; NULL: it depends
	 * on what it is doing. The number is read whenever a worker is heard or told to stop. */
	const int64_t *patience_ns;
};

/* Makes a runner, which starts nothing yet. Never returns NULL; start() reports what cannot work.
 * Free it with ops->close. */
struct runner *launcher_new(const struct launcher_options *opt);
/* Says whether kernels() already knows the device: it asks a worker at its first call, and ready()
 * takes the answer. */
bool launcher_knows_device(const struct runner *r);
/* Adds every OpenCL device, a line each: its place, name and driver, and its PCI address where that
 * is known. Waits for a worker; for programs that do nothing else meanwhile. */
bool launcher_list_devices(struct runner *r, struct strbuf *out, struct err *err);
