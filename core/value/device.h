/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Identity, topology, clocks and constants of a device; constant after opening. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Counts are of what the fuses left. raw is the kernel's own topology image
 * (drm_i915_query_topology_info), if it gives one, and is kept for recordings. */
struct topology {
	int slices;
	int subslices;		/* subslice, dual subslice (Gen12) or Xe-core */
	int eus, threads_per_eu;
	int max_subslices;	/* per slice, before fuses */
	int max_eus_per_subslice;
	uint64_t slice_mask;
	uint64_t subslice_mask;	/* bit = slice * subslice_mask_stride + subslice */
	int subslice_mask_stride;
	uint8_t raw[256];
	size_t raw_len;
};

/* Where an upper bound comes from. */
enum roof_source {
	ROOF_SOURCE_NONE,	/* the number is no upper bound, or there is none */
	ROOF_DATA_SHEET,	/* a table of what vendors publish */
	ROOF_MEASURED,		/* calibration measured it on this device */
	ROOF_COMPUTED,		/* of a clock and a width */
	ROOF_READ,		/* from the machine: firmware, driver or the card itself */
	ROOF_ASSUMED,		/* of a model, or by analogy */
};

/* Returns the word for outputs: "data_sheet"; "none" for ROOF_SOURCE_NONE. */
const char *roof_source_name(enum roof_source source);

/* A constant that equations may name ("eu_count"). Metric files declare the constant and its unit;
 * v is in that unit. A constant that is not listed is unknown. What follows v is said of upper
 * bounds only. */
struct device_const {
	char name[40];
	double v;
	enum roof_source source;
	bool uncertain;		/* nothing that can be looked up confirms it: shown with ~ */
	bool disproved;		/* the device exceeded it, so it is not used any more */
	/* the share of v that such parts are known to reach; 0: not known */
	double reach;
	char origin[96];	/* which table, file or field says so */
};

#define DEVICE_MAX_CONSTS 48

/* What is told of a device in words, such as the version of a driver that is no part of the kernel:
 * "driver_version", "Driver", "550.163.01". Names are for files and never change; labels are for
 * people. */
struct device_word {
	char name[20], label[20];
	char text[64];
};

#define DEVICE_MAX_WORDS 6

#define SET_NAME_SIZE 64	/* of a metric set, with its 0 */

/* What a recording says of itself, or a recorder of what it writes. */
struct recorded {
	char set[SET_NAME_SIZE];	/* the metric set */
	char turns[704];	/* the sets that take turns, with blanks between; empty: one set */
	uint32_t turn;		/* which of them counts */
	char guid[40];		/* the set's name for the kernel */
	uint64_t epoch_ns;	/* the time of day, since 1970, at time 0 of its samples; 0: not known */
	char events[704];	/* of A7, A8, ... of a set made by --counter, between blanks */
	char booleans[704];	/* of such a set, with semicolons between them */
};

/* Plain data. Empty strings and zeros mean unknown. */
struct device {
	char id[96];		/* "card0", "sim:hd620", "file:PATH": what -D takes */
	char name[96];		/* "Intel HD Graphics 620" */
	char vendor[16];	/* with which the name begins, and without which it is as clear */
	char driver[16];	/* "i915", "sim", "recording" */
	char platform[24];	/* key of metric sets: "kblgt2" */
	char generation[16];	/* "gen9.5" */
	char gt[8];		/* "GT2" */
	char counters[8];	/* the name of its hardware counters: "OA", "HWC" */
	char pci_address[16];
	uint32_t pci_vendor, pci_device, pci_revision;
	bool has_oa_reports;	/* its counters come in OA reports, with a period and contexts */
	/* its memory is known to be the machine's; a PCI device of which it is not is a card */
	bool shares_memory;
	bool is_processor;	/* it is the machine's processor, and no GPU */
	bool simulated, recorded;
	struct recorded recording;
	struct topology topology;
	uint64_t timestamp_hz, min_hz, max_hz;
	/* files in MHz between which the clock moves, the highest first, with a blank between */
	char clock_files[160];
	int oa_format;		/* i915 format number, 0 when there is no OA unit */
	struct device_const consts[DEVICE_MAX_CONSTS];
	int n_consts;
	struct device_word words[DEVICE_MAX_WORDS];
	int n_words;
};

/* Whether the device is a card, which draws power of its own; a simulated one says what it shares. */
static inline bool device_is_card(const struct device *d)
{
	return (d->pci_address[0] || d->simulated) && !d->shares_memory;
}

/* Adds or replaces a constant; asserts on overflow (our own mistake). */
void device_set_const(struct device *d, const char *name, double v);
/* The same for an upper bound, and returns the constant. */
struct device_const *device_set_roof(struct device *d, const char *name, double v,
	enum roof_source source, bool uncertain, const char *origin);
/* Takes a limit that people or the driver may have changed since it was read; 0: it is switched
 * off. A bound of another origin, which knows better, stays. Returns whether the constant is
 * another one now. */
bool device_follow_limit(struct device *d, const char *name, double v, const char *origin);
/* Forgets a constant that has turned out to be unknown. */
void device_drop_const(struct device *d, const char *name);
/* Remembers that a bound is wrong, because the device was seen to exceed it. */
void device_disprove(struct device *d, const char *name);
/* Returns NULL when the constant is unknown. */
const struct device_const *device_const(const struct device *d, const char *name);

/* Adds or replaces a word; an empty text is none. Too many are dropped. */
void device_set_word(struct device *d, const char *name, const char *label, const char *text);
/* Writes all of them into buf: "Driver 550.163.01, CUDA 12.4". */
void device_tell_words(const struct device *d, char *buf, size_t size);

/* One row of the devices screen and of -L: what was found and whether it is usable. Plain data. */
struct device_summary {
	char id[96];
	char name[96];
	size_t vendor;	/* bytes of the vendor at the front of name, and of the blank behind it */
	char what[128];		/* "Intel HD Graphics 620 [8086:5916] gen9.5 GT2 24 EU" */
	char driver[16];
	char counters[48];	/* "OA ok", "OA model", "--" */
	char state[32];		/* "ready", "asleep, left so", "no backend" */
	char words[320];	/* what else is told of it; empty: nothing */
	bool usable, current;
	char reason[320];	/* why it is not usable; empty when it is */
	char hint[320];		/* the way out */
};

/* One row of doctor and of the lower half of the devices screen. */
struct device_check {
	char source[32];
	char gives[128];
	/* "ok", "own" (of this user only), "NO", "--" (the machine has none) */
	char status[16];
	bool no_permission;		/* NO, because a permission is missing */
	char reason[320];
	char hint[320];
	/* the source's feed; empty when the check is about several sources or none */
	char feed[16];
};
