/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The memory that a maker of spans shares with rooftop: names, queues and a ring of spans.
 * doc/SPANS.md explains it. It is all that the layer and the program have in common, and includes
 * nothing of either. */
#pragma once

#include <stdatomic.h>
#include <stdint.h>

/* Names the socket at which spans are taken. A maker without it does nothing. */
#define SPAN_ENV "ROOFTOP_SPANS"
#define SPAN_MAGIC "RTSPANS"	/* with its 0: eight bytes */
#define SPAN_VERSION 1

#define SPAN_NAME_MAX 1024	/* bytes of a name with its 0; longer ones are cut */
#define SPAN_NAMES_MAX 4096
#define SPAN_NAME_BYTES (1 << 20)	/* of all names */
#define SPAN_QUEUES_MAX 256
#define SPAN_RING (1 << 15)

/* What a command was. */
enum span_kind {
	SPAN_KERNEL = 1,
	SPAN_OTHER,	/* a copy, a fill, a map, ...; the name says which */
};

/* Flags of a queue. */
#define SPAN_OUT_OF_ORDER 1u	/* commands may overlap and overtake each other */
#define SPAN_REPORT_CLOCK 2u	/* start and end are by the clock that stamps the device's reports */

/* Names and queues are written once, before the count that makes them known. Number 0 of each
 * stands for all that found no room. */
struct span_name {
	uint32_t at, bytes;	/* in text, without a 0 */
};

struct span_queue {
	uint32_t flags;
	uint32_t pci_vendor;	/* of its device; 0: not known */
	char pci_address[16];	/* "0000:00:02.0"; "": not known */
	char device[64];	/* its name */
	/* commands that were handed to the driver, and those of which nothing more comes: told or
	 * dropped */
	_Atomic uint64_t submitted, done;
};

/* A slot is valid while seq is its number plus 1, before and after it was read. Times of the device
 * are in ns of a clock of its own; those of the host are CLOCK_MONOTONIC, and 0 where there is
 * none. */
struct span_slot {
	_Atomic uint64_t seq;
	uint64_t queued, start, end;	/* of the device: put into the queue, began, ended */
	uint64_t before, after;		/* of the host: around the call that put it there */
	uint64_t seen;			/* of the host: when it was known to have ended */
	uint64_t items;			/* work-items, or bytes of what is no kernel */
	uint64_t index;			/* which command of its queue it is, from 1 */
	uint32_t name, queue, kind, zero;
};

struct span_head {
	char magic[8];
	uint32_t version, bytes;	/* of all */
	char maker[16];			/* "opencl", "level-zero", "cupti", "rocprofiler" */
	_Atomic uint32_t n_names, n_queues;
	_Atomic uint64_t head;		/* spans that were written; the newest has seq head */
	_Atomic uint64_t dropped;	/* commands that were seen and will not be told */
	_Atomic uint32_t text_bytes;
	_Atomic uint32_t ended;		/* the program has ended, and nothing follows */
};

struct span_memory {
	struct span_head head;
	struct span_name names[SPAN_NAMES_MAX];
	struct span_queue queues[SPAN_QUEUES_MAX];
	struct span_slot ring[SPAN_RING];
	char text[SPAN_NAME_BYTES];
};

_Static_assert(sizeof(struct span_slot) == 88, "slot");
_Static_assert(sizeof(struct span_queue) == 104, "queue");
_Static_assert(sizeof(struct span_head) == 64, "head");

/* The one message of the socket (SOCK_SEQPACKET), with the memory's descriptor. */
struct span_hello {
	char magic[8];
	uint32_t version, bytes;
};
