/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ways to energy counters, and the choice between them. A way is a row of energy_routes; an open
 * one is a reader of some planes. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/fsroot.h"
#include "core/value/device.h"

/* package, cores (PP0), GPU (PP1, or a discrete GPU's own), memory, platform (psys), the card
 * around a discrete GPU. */
enum energy_plane {
	ENERGY_PACKAGE,
	ENERGY_CORES,
	ENERGY_GPU,
	ENERGY_DRAM,
	ENERGY_PSYS,
	ENERGY_CARD,
	ENERGY_PLANES
};

#define ENERGY_ALL ((1u << ENERGY_PLANES) - 1)

/* "package": also how people read it. */
extern const char *const energy_plane_names[ENERGY_PLANES];

/* What all packages together have counted since opening. */
struct energy_reading {
	/* CLOCK_MONOTONIC; readers that are asked take the time that they are given */
	int64_t t_ns;
	/* those that have a number: all of the reader's, once it has answered */
	unsigned planes;
	uint64_t uj[ENERGY_PLANES];
};

struct energy_reader;

struct energy_reader_ops {
	size_t size;	/* of the reader's own struct, which begins with struct energy_reader */
	/* Never blocks. Adds the reader's planes to what is in out. False: it cannot be read any
	 * more. */
	bool (*read)(struct energy_reader *r, int64_t now_ns, struct energy_reading *out,
		struct err *err);
	/* Optional. Windows are so long from now on: a reader with a pace of its own chooses it
	 * anew, which changes update_ns. */
	void (*retime)(struct energy_reader *r, int64_t window_ns);
	/* Only where more than memory is held. */
	void (*close)(struct energy_reader *r);
};

/* Allocated by energy_reader_open(), freed by energy_reader_close(). */
struct energy_reader {
	const struct energy_reader_ops *ops;
	unsigned planes;	/* bits by enum energy_plane */
	char how[48];		/* "perf power PMU" */
	/* what its planes are called by the machine, as "CPU Power Socket 0"; "": as we call them */
	char rails[ENERGY_PLANES][48];
	bool is_card;		/* a card of its own, which draws power even when it is idle */
	/* its energy is watts times time, which change whenever they are read */
	bool sums_watts;
	int fd;			/* readable when there is something new, or -1: to be asked */
	/* how often counters change where the reader says so itself; 0: to be measured */
	int64_t update_ns;
};

/* Whose energy, and where to look. */
struct energy_target {
	const struct fsroot *fs;
	const struct device *device;
	int64_t now_ns;
	int64_t delay_ns;	/* length of windows */
	bool named;		/* this way was asked for by name, so it need not spare itself */
};

struct energy_route {
	const char *name;	/* as --power takes it */
	const char *how;
	const struct energy_reader_ops *ops;
	/* Finds the planes of wanted that this way has. False: it has none or may not be used, and
	 * nothing is left open. r is zeros, but for ops, how, and fd, which is -1. */
	bool (*open)(struct energy_reader *r, const struct energy_target *t, unsigned wanted,
		struct err *err);
};

/* Returns a reader of the planes of wanted that the way has, or NULL with err. */
struct energy_reader *energy_reader_open(const struct energy_route *route,
	const struct energy_target *t, unsigned wanted, struct err *err);
void energy_reader_close(struct energy_reader *r);

extern const struct energy_route energy_hwmon, energy_perf, energy_powercap, energy_rails,
	energy_papi;

/* The limits of all packages together, each counted once as its energy is; 0: one of them has none. */
struct powercap_limits {
	double long_term_w, short_term_w;
};
struct powercap_limits powercap_limits(const struct fsroot *fs);
/* Starts PAPI and waits until it says whether it has an energy counter, at most two seconds.
 * Whether its registers may be read says too little: the PAPI of many distributions is built
 * without them. */
bool energy_papi_ask(const struct fsroot *fs, struct err *err);

#define ENERGY_ROUTES 5
/* The routes in order of preference. */
extern const struct energy_route *const energy_routes[ENERGY_ROUTES];

/* The readers that were opened, each for planes that the ones before do not have, and what the
 * others said. */
struct energy_choice {
	struct energy_reader *readers[ENERGY_ROUTES];
	int n_readers;
	unsigned planes;
	/* by index in energy_routes; code ERR_NONE: not asked, or it delivers */
	struct err refusals[ENERGY_ROUTES];
};

/* Whether the device is a card, which draws power of its own: the planes and limits of the
 * processor beside it say nothing about it. */
bool energy_is_card(const struct device *d, const struct energy_choice *c);
/* way: "auto" or NULL (all routes), or the name of one. A card is asked by hwmon alone. True when
 * there is at least one reader. */
bool energy_choose(const struct energy_target *t, const char *way, struct energy_choice *out);
void energy_choice_release(struct energy_choice *c);
/* "perf power PMU", or with several readers "hwmon: gpu; perf power PMU: package cores"; planes
 * that the machine calls by names of its own have these: "board sensors: cores (VDD_CPU_CV)". */
void energy_choice_how(const struct energy_choice *c, char *buf, size_t size);

/* Names that --power takes: "auto", the routes in their order, "none".
 * NULL-terminated. */
extern const char *const power_ways[];

/* What the power sensors of boards measure, by the names that firmware and boards give them. */

/* Whether a chip of that name (file name of a folder in /sys/class/hwmon) measures parts of the
 * machine, and not a card, a battery or a power supply. */
bool rail_chip_is_known(const char *chip);
/* Returns the name of the rail that a sensor without one is on, or NULL. boards: the words of the
 * device tree's file "compatible", with a NUL behind each; device: the sensor's I2C device,
 * "0-0040". */
const char *rail_name_at(const char *boards, size_t size, const char *device);
/* Returns the plane of a rail of that chip; ENERGY_PLANES where its name tells none. An empty name
 * is that of a sensor without a label. */
enum energy_plane rail_plane(const char *chip, const char *name);
