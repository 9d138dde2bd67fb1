/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A descriptor whose other end may stop reading: what it does not take waits in a bounded queue, so
 * that nobody who writes is held up. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

struct loop;

/* How a write is kept from waiting. */
enum outlet_kind {
	OUTLET_CLOSED,
	OUTLET_FILE,	/* a disk, or a device that takes everything */
	OUTLET_OWN,	/* the open file is ours alone, and O_NONBLOCK */
	OUTLET_SOCKET,
	OUTLET_SHARED,	/* others write through the same open file */
};

/* A zero-initialised outlet is closed. outlet_open() begins it, outlet_close() ends it. Its place
 * in memory must not change while a loop watches it. */
struct outlet {
	enum outlet_kind kind;
	int fd;
	bool is_borrowed;	/* fd is the caller's */
	struct strbuf queue;
	size_t written;		/* bytes of the queue that are out */
	uint64_t left_out;	/* pieces that found the queue full */
	int error;		/* errno of the write that failed; nothing more goes out. 0 */
	/* begins and ends to watch fd, while the queue is not empty; NULL: nobody does */
	void (*watch)(struct outlet *o, bool wanted);
	struct loop *loop;	/* of who watches */
	bool is_watched;
	/* is called by who watches when the queue has become empty; may be NULL */
	void (*emptied)(void *ctx);
	void *ctx;
};

/* Opens what fd is open for once more, so that not to wait is our own affair: shells and other
 * programs share fd. It stays the caller's. Returns false with errno. */
bool outlet_open(struct outlet *o, int fd);
/* Takes a descriptor that is nobody else's, and opened with O_NONBLOCK. */
void outlet_take(struct outlet *o, int fd);
/* Says who watches; loop_watch_outlet() is for all who have a loop. */
void outlet_watch(struct outlet *o, void (*watch)(struct outlet *o, bool wanted), struct loop *loop);
/* Adds a piece, and writes what can be written without waiting. A piece that finds the queue full
 * is left out whole and counted. Returns whether it was taken; error may be set either way. */
bool outlet_add(struct outlet *o, const char *piece, size_t len);
/* Writes what can be written without waiting. Returns false when nothing can be written any more. */
bool outlet_push(struct outlet *o);
size_t outlet_waiting(const struct outlet *o);	/* bytes */
/* Whether the next piece would be left out until somebody reads; one that has failed is not waited for. */
bool outlet_is_full(const struct outlet *o);
/* Waits until everything is out, or for patience_ns without a byte taken; -1: for as long as the
 * reader wants. A signal that ends the program leaves it a second, and three while it still reads.
 * Returns whether everything is out. */
bool outlet_drain(struct outlet *o, int64_t patience_ns);
void outlet_forget(struct outlet *o);	/* drops what waits */
/* Forgets what waits, and closes. Returns false with errno when close() fails. */
bool outlet_close(struct outlet *o);

/* The program's standard error, through which messages go. */
struct outlet *outlet_of_messages(void);
void outlet_say(const char *format, ...) __attribute__((format(printf, 1, 2)));
