/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The contract of a backend: finding devices, opening their sources, handing over samples. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/fsroot.h"
#include "base/log.h"
#include "base/strbuf.h"
#include "core/work/client.h"
#include "core/value/device.h"
#include "core/work/job.h"
#include "core/metric/metric.h"
#include "core/spans/span.h"
#include "core/record/mark_records.h"
#include "core/roofline/roofs.h"
#include "core/work/playback.h"
#include "core/value/sample.h"

struct backend;
struct source;

/* A device that was found. device holds what is known without opening. When it is not usable,
 * refusal says why. */
struct device_entry {
	const struct backend *backend;
	struct device device;
	/* text after "NAME:" of the -D argument, empty for probed devices */
	char spec[256];
	bool usable;
	bool display_only;		/* a card that only shows a picture: it has no render node */
	bool gone;			/* it was there, is open, and left the machine */
	struct err refusal;
	/* what entries of one stream have in common; NULL: nothing */
	struct device_shared *shared;
};

/* Counted: each entry holds one, and so does each open device. */
struct device_shared {
	int users;
	void (*release)(struct device_shared *s);	/* nobody is left */
};

/* Gives one up; NULL is none. */
void device_shared_drop(struct device_shared *s);

struct device_list {
	struct device_entry *entries;
	size_t count, cap;
	/* For resolve(): the length of windows that another machine is asked for; 0: its own. */
	int64_t window_ns;
	/* For probe(): of simulated devices only the one that this argument of -D names; NULL:
	 * all */
	const char *simulated;
};

/* The list owns the entries. Returns the new, zeroed entry; valid until the next add. */
struct device_entry *device_list_add(struct device_list *l, const struct backend *b);
void device_list_release(struct device_list *l);

/* Where raw records go while recording: whole records with headers, as the kernel's read() gives
 * them. Called from ready(). */
struct record_tap {
	void (*records)(void *ctx, const void *records, size_t len);
	void *ctx;
};

struct open_options {
	/* what is to be counted; its "program" and "config" directives are the backend's */
	const struct metric_set *set;
	/* [n_turns] the sets that will take turns, with the one above as the first; NULL: it alone */
	const struct metric_set *const *turns;
	int n_turns;
	const char *access;		/* "auto", "perf", "mmio", "rpc" */
	/* way to energy counters: "auto", "hwmon", "perf", "powercap", "papi", "none" */
	const char *power;
	/* wanted timer period of reports, 0: chosen from delay_ns */
	int64_t oa_period_ns;
	int64_t delay_ns;		/* length of the windows that will be collected */
	int64_t now_ns;			/* monotonic time of opening, by the session's clock */
	double speed;			/* replay: 1 is real time */
	/* count only while this hardware context runs, as reports name it */
	bool has_context;
	uint32_t context;
	/* it is opened anew for parts that it has now, which may take it some seconds to tell */
	bool patient;
	/* nobody looks at a screen meanwhile: what the device tells of itself is worth the wait */
	bool may_wait;
	/* replay: one window for each consecutive pair of reports */
	bool per_report;
	/* replay: the windows of the program that recorded, one for each collect() */
	bool per_window;
	const struct fsroot *fs;
	struct log *log;
};

#define DEVICE_MAX_SOURCES 12
#define DEVICE_MAX_CHECKS 32

/* An open device. The session owns it. The window of the first source is the snapshot's. */
struct open_device {
	struct device device;
	struct source *sources[DEVICE_MAX_SOURCES];
	int n_sources;
	/* what was tried, for the devices screen and doctor */
	struct device_check checks[DEVICE_MAX_CHECKS];
	int n_checks;
	struct client_source *clients;	/* NULL: unknown who uses it */
	struct span_source *spans;	/* NULL: programs tell their commands, not the device */
	int stamp_shift;		/* correlate() gives a clock that is slower by this power of two */
	/* the measured roofs of the machine that a recording comes from; has_roofs: this machine's
	 * are not looked for */
	struct roof_file roofs;
	bool has_roofs;
	/* loads that only this device can run (sim); NULL: the worker's */
	struct runner *runner;
};

/* A stream of raw counters. Each kind of source is a struct of its own that begins with a struct
 * source, and its callbacks cast the pointer that they get to it (so do those of client sources and
 * energy readers). source_new() allocates it, and source_close() frees it. Times are by the
 * session's clock. */
struct source_ops {
	size_t size; /* of that struct, in bytes */
	/* Drains the waiting data and sums it. It is called when fd is readable and before every
	 * collect, and never blocks. False: the source has failed, err says why, and collect
	 * reports WHY_STALE until it recovers. */
	bool (*ready)(struct source *s, int64_t now_ns, struct err *err);
	/* Hands over what was gathered since the last collect and starts a new window. The caller
	 * has zeroed out. SAMPLE_LAST in quality says that nothing follows. It never blocks and
	 * never fails: out->why says why there are no data. */
	void (*collect)(struct source *s, int64_t now_ns, struct sample *out);
	/* Optional. Sets or clears (NULL) the recording tap. */
	void (*set_tap)(struct source *s, const struct record_tap *tap);
	/* Optional. Hands over each pair of reports from now on, by tap->pair (NULL: no more).
	 * False: there are none. */
	bool (*set_pairs)(struct source *s, const struct pair_tap *tap);
	/* Optional. A CPU/GPU time pair for recordings. */
	bool (*correlate)(struct source *s, int64_t now_ns, uint64_t *cpu_ns,
		uint64_t *gpu_timestamp, struct err *err);
	/* Optional, of a device's first source, and its windows are then those of the data, not of
	 * the screen: says whether no window is complete yet. Called after ready(); collect() then
	 * hands over the next window. */
	bool (*waiting)(struct source *s);
	/* Optional, for a source that was refused or lost its device: tries again to open it. The
	 * feed does not change. It is called every few seconds while samples come with a reason,
	 * and does not block for long. True: it delivers from now on. */
	bool (*retry)(struct source *s, int64_t now_ns, struct err *err);
	/* Optional. The hardware has forgotten what it was told, because the machine slept or the
	 * GPU was reset; why says so. */
	void (*forgotten)(struct source *s, const char *why);
	/* Optional. Windows are so long from now on: a source that reads at a pace of its own chooses it
	 * anew. It does not block for long; a source that cannot change its pace keeps it. */
	void (*retime)(struct source *s, int64_t window_ns);
	/* Optional. A sentence about what it does now ("memory-bound phase: ..."), into buf. */
	void (*status)(struct source *s, char *buf, size_t size);
	/* Both optional, for recordings: tell where it plays and at which speed (the other
	 * members of out are not theirs); go on from that place at that speed, or stand still
	 * there. With jump what lies between is left out, and the next sample begins there; else
	 * it is read. */
	void (*playback)(const struct source *s, struct playback *out);
	bool (*play)(struct source *s, int64_t now_ns, const struct playback *from, bool jump,
		struct err *err);
	/* Optional, for recordings: takes the next mark that stands before what ready() has read up
	 * to, in their order. False: there is none. */
	bool (*mark)(struct source *s, struct rec_mark *out);
	/* Optional. Gives back what it holds beside its own memory, as far as it was opened. */
	void (*close)(struct source *s);
};

struct source {
	const struct source_ops *ops;
	struct feed feed;
	int fd;			/* for poll, or -1: ticks only */
	/* ready() or retry() learned something new of the device or the feed, so equations must be
	 * bound again */
	bool rebind;
	/* the device has other parts than its feeds say, and shows them when it is opened anew */
	bool reopen;
	/* its gauges say what is so at the moment of ready(): see looks.c; it has neither retry()
	 * nor a descriptor */
	bool look_often;
	/* ready() has failed because the GPU was reset: the other sources of the device have lost
	 * what they were told, too, though they may not know */
	bool reset;
	/* per-report replay: each collect is the next window, whatever the clock says */
	bool self_paced;
};

struct drm_card;

/* Which DRM cards belong to a backend: a card fits a row when everything the row names matches. */
struct card_claim {
	const char *driver;	/* the DRM driver; NULL: any, or none */
	uint32_t pci_vendor;	/* 0: any, or none */
	const char *compatible;	/* how the device tree's name of it begins; NULL: any, or none */
};

struct backend {
	const char *name;	/* "sim": also the prefix of its -D arguments */
	const char *description;
	bool never_by_default;	/* never chosen without -D or session rules (sim, replay) */
	bool has_ways;		/* open() follows open_options.access */
	bool counts_clients;	/* what its devices do is known by what everybody's processes say */
	const struct card_claim *cards;	/* [n_cards] which DRM cards of this machine are its own */
	size_t n_cards;
	/* Both optional: how a card of its vendor that has no driver gets one; NULL-terminated, the
	 * settings of the kernel (sysctl) that decide who may read its counters. */
	const char *driver_hint;
	const char *const *settings;
	/* With cards: says what a card of its own is, and whether it is usable. The entry has id,
	 * ids of PCI, driver, a name by vendor, and the refusal of a card that nobody knows. Opens
	 * nothing that could wake a device. */
	void (*identify)(
		struct device_entry *e, const struct drm_card *card, const struct fsroot *fs);
	/* Optional. Says what a usable card is that identify() could not ask without waking it, and
	 * whose platform is empty for that. Called before it is opened; may wake it. False with err
	 * when it is none that can be used. */
	bool (*settle)(struct device_entry *e, const struct fsroot *fs, struct err *err);
	/* Optional. Adds every device of this kind that is no DRM card, usable or not. Opens
	 * nothing that could wake a device. False only on an internal failure. */
	bool (*probe)(const struct fsroot *fs, struct device_list *out, struct err *err);
	/* Optional. Adds one entry for the text after "NAME:", or one for each device of a stream;
	 * false with err when it makes no sense. */
	bool (*resolve)(const struct fsroot *fs, const char *spec, struct device_list *out,
		struct err *err);
	/* Optional. Adds lines about what may follow "NAME:", for -D NAME:help. */
	void (*help)(struct strbuf *out);
	/* Fills dev (device, sources, checks). On failure nothing stays open. */
	bool (*open)(const struct device_entry *e, const struct open_options *o,
		struct open_device *dev, struct err *err);
	/* Optional. The open device counts what another set of its platform asks for, from now on;
	 * its sources and their feeds stay, but their descriptors may be others, and counters that
	 * the new set does not give may lose their names. Drains first. The next sample of what was
	 * reprogrammed is SAMPLE_PARTIAL. A backend that has to open a stream anew does so in here.
	 * False: err says why, and it counts what it did. NULL: sets cannot take turns on its
	 * devices. */
	bool (*reprogram)(struct open_device *dev, const struct metric_set *set, int64_t now_ns,
		struct err *err);
};

/* What belongs to a device of another backend: energy planes, clients. When a backend has opened a
 * device, it is offered to every companion. A companion that has something to add appends sources
 * (never the first), checks, or the client source. It must look whether the device is real, as
 * simulated and recorded ones are offered, too. What fails here is no error of the device: it
 * becomes a check, and a source whose samples carry the reason. */
struct companion {
	const char *name;
	void (*attach)(const struct device_entry *e, const struct open_options *o,
		struct open_device *dev);
};

/* NULL-terminated. */
extern const struct companion *const backend_companions[];
/* Offers the open device to every companion. */
void backend_attach(
	const struct device_entry *e, const struct open_options *o, struct open_device *dev);
/* Appends a row; the last one is dropped when there is no room. */
void open_device_check(struct open_device *dev, const struct device_check *check);
/* Makes a row but does not append it: "ok", or "NO" and why. */
struct device_check device_check_of(
	const char *feed, const char *source, const char *gives, const struct err *refusal);
/* The same for what was tried: gives is what it offers, feed the name of its source, refusal NULL
 * or without a code when it works. */
void open_device_tried(struct open_device *dev, const char *feed, const char *source,
	const char *gives, const struct err *refusal);

/* For sources that read when they are asked: a window from *begun_ns until now, where the next one
 * begins. A window without length has nothing to say yet. */
void source_window(struct sample *out, int64_t *begun_ns, int64_t now_ns);
/* The ready() of such sources, which has nothing to do. */
bool source_always_ready(struct source *s, int64_t now_ns, struct err *err);
/* Returns the zeroed struct of the kind that ops describes, with its ops and without a descriptor. */
void *source_new(const struct source_ops *ops);
/* The same with another size than ops->size, for what ends in an array. */
void *source_new_sized(const struct source_ops *ops, size_t size);
/* Closes it and frees its memory; NULL is none. */
void source_close(struct source *s);
/* Also closes clients and runner. */
void open_device_close(struct open_device *dev);

/* NULL-terminated, in order of preference, sim last. */
extern const struct backend *const backend_registry[];
const struct backend *backend_by_name(const char *name, size_t len);
/* The one that has all cards of a vendor of PCI; NULL: none says so. */
const struct backend *backend_by_vendor(uint32_t pci_vendor);
/* Adds the DRM cards of this machine in the order of their names, then what backends find by
 * themselves, in order of preference. */
bool backends_probe(const struct fsroot *fs, struct device_list *out, struct err *err);

/* All backends, in order of preference, and all companions. NAME_backend and NAME_companion are
 * defined in their folders; nothing else lists them. */
#define BACKEND_LIST(X) \
	X(intel) \
	X(amdgpu) \
	X(nvidia) \
	X(mali) \
	X(v3d) \
	X(adreno) \
	X(cpu) \
	X(npu) \
	X(replay) \
	X(ssh) \
	X(sim)

#define COMPANION_LIST(X) \
	X(fdinfo) \
	X(power) \
	X(engines) \
	X(gt_files) \
	X(local_memory) \
	X(card_traffic) \
	X(card_link) \
	X(traffic)

#define X(name) extern const struct backend name##_backend;
BACKEND_LIST(X)
#undef X
#define X(name) extern const struct companion name##_companion;
COMPANION_LIST(X)
#undef X
