/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What launcher and worker say to each other: lines of "verb key=value key=value\n". Text has %XX
 * for blanks and controls. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "core/work/job.h"
#include "core/work/placement.h"
#include "kernels/catalog/catalog.h"

#define PROTO_VERSION 1
#define PROTO_MAX_LINE 4096

enum proto_verb {
	/* from the worker, first of all */
	PROTO_HELLO,
	/* to the worker: one QUERY or one RUN; then at most one STOP, which the end of the stream
	 * also means */
	PROTO_QUERY, PROTO_RUN, PROTO_STOP,
	/* from the worker: DEVICE; in a run PHASE, SHAPE, PLACE and PROGRESS as they come; DONE or
	 * FAIL last */
	PROTO_DEVICE, PROTO_PHASE, PROTO_SHAPE, PROTO_PLACE, PROTO_PROGRESS, PROTO_DONE, PROTO_FAIL,
	PROTO_VERBS
};

struct proto_hello {
	uint64_t version;
};

/* As the device of a QUERY, this asks for every OpenCL device: each has a DEVICE message of its
 * own, whose name begins with the device's place. */
#define PROTO_EVERY_DEVICE "*"

/* RUN and QUERY carry it. device and pci are as in struct job and struct launcher_options; a QUERY
 * does not use the job. */
struct proto_run {
	struct job job;
	char pci[16];
};

struct proto_device {
	char name[128];		/* OpenCL device and driver */
	char pci[16];		/* "0000:00:02.0", "" when the driver does not say */
	bool cpu;
	bool other;		/* not the device that pci asked for */
	bool dp, hp, matrix;
	uint64_t compute_units, max_group_size, local_bytes, max_alloc_bytes;
};

struct proto_phase {
	uint64_t phase;		/* enum job_phase */
	double build_ns;
};

/* These choices were made; names are as in struct job. */
struct proto_shape {
	char kernel[48];	/* with its width */
	char text[64];		/* how the body was varied: "fma affine 8 chains" */
	uint64_t groups, group_size, repeat;
	struct kernel_work work;	/* of one item with one repetition */
	double predicted_flop_per_s, predicted_bytes_per_s;
	struct kernel_made made;
};

/* Where groups ran: a message for each subslice that had any, or one with the reason why that is
 * not known. */
struct proto_place {
	uint64_t slice, subslice, groups, items[PLACEMENT_EUS];
	char reason[160];
};

struct proto_progress {
	uint64_t flags;		/* as in struct job_state */
	struct job_progress now;
};

struct proto_fail {
	uint64_t code;		/* enum err_code */
	char msg[320];
	char hint[320];
};

/* Only the member of the verb means something. The struct is plain data. */
struct proto_message {
	enum proto_verb verb;
	union {
		struct proto_hello hello;
		struct proto_run run;
		struct proto_device device;
		struct proto_phase phase;
		struct proto_shape shape;
		struct proto_place place;
		struct proto_progress progress;
		struct proto_fail fail;
	};
};

/* Adds the message as one line. */
void proto_encode(struct strbuf *b, const struct proto_message *m);
/* Reads a line without its newline. Anything that is not exactly a message is refused: unknown
 * verbs and keys, numbers and text out of range. Keys that are not there are 0, "" or NAN. */
bool proto_decode(const char *line, struct proto_message *out, struct err *err);

/* Cuts the bytes of a stream into lines. A zero-initialised reader is empty. */
struct proto_reader {
	char buf[PROTO_MAX_LINE];
	size_t len, used;
};

enum proto_got { PROTO_GOT_LINE, PROTO_GOT_NOTHING, PROTO_GOT_END, PROTO_GOT_ERROR };

/* Gives the next line of the stream, which is valid until the next call. Reads from the socket when
 * none is complete, and never waits: it returns NOTHING then. It returns ERROR with err for a line
 * that is too long or holds a NUL, and for a failed read. */
enum proto_got proto_next(struct proto_reader *r, int fd, const char **line, struct err *err);
/* Sends everything, and waits where a blocking socket is full. There is no SIGPIPE. */
bool proto_send(int fd, const struct proto_message *m, struct err *err);
