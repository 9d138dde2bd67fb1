/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A command that a device carried out for a program, as whoever saw it tells it. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* A queue of a program. Its numbers are given by whoever reads spans, and never used again. */
struct span_place {
	int number;
	uint32_t pid;
	bool out_of_order; /* its commands may overlap and overtake each other */
	bool by_reports; /* its begins and ends are by the clock that stamps the device's reports */
	char device[64]; /* as the program's library calls it */
	char pci_address[16]; /* "": not known */
	char maker[16]; /* "opencl" */
};

/* Times are in ns. Those of the device are by a clock of its own; those of the host are
 * CLOCK_MONOTONIC. */
struct span {
	int queue; /* the number of its place */
	const char *name; /* printable; valid during the call that hands it over */
	bool is_kernel; /* else a copy, a fill, ... */
	uint64_t index; /* which command of its queue, from 1 */
	uint64_t items; /* work-items, or bytes */
	int64_t queued, start, end; /* by the device; queued may be 0: not known */
	int64_t before, after, seen; /* by the host: around the call, and when it was seen to end */
	bool is_matched; /* start and end are by the host, too, matched as the device's reports are */
};

/* What worked beside that which reports tell apart: more than a hundredth of the time is busy. */
enum span_others { OTHERS_IDLE, OTHERS_NOT_KNOWN, OTHERS_BUSY };

struct span_around {
	int64_t t0_ns, t1_ns; /* by the host */
	enum span_others clients; /* of other programs */
	enum span_others engines; /* for copies and video */
};

/* Takes what is told. Names are printable and valid during the call. */
struct span_sink {
	void (*queue)(void *ctx, const struct span_place *p);
	void (*span)(void *ctx, const struct span *s);
	void (*lost)(void *ctx, uint64_t n);
	void (*nonsense)(void *ctx, uint64_t n);
	void *ctx;
	/* Optional: a recording tells it. */
	void (*around)(void *ctx, const struct span_around *a);
};

/* A device that tells of its commands itself: a simulated one. */
struct span_source {
	/* Tells what has ended. Returns the moment of the session's clock up to which all was
	 * told. */
	int64_t (*read)(struct span_source *s, int64_t now_ns, const struct span_sink *sink);
	/* Optional. Returns this moment by the clock of its spans; 0: it is not known yet. */
	int64_t (*now)(struct span_source *s);
	void (*close)(struct span_source *s);
};
