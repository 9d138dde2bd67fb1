/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loads of the simulated Bifrost GPU. Some are described by what their counters show; the others are
 * frames, made of work for each unit, from which follows how long they take and what is counted. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Says what a phase does, as shares that the counters must give back. It is plain data. */
struct mali_load {
	const char *name, *text;
	double clock;			/* of the highest */
	double active;			/* of all clocks: work in a job slot */
	double fragment, other, tiler;	/* of active clocks */
	/* exec of active clocks, the rest of exec's */
	double exec, arithmetic, load_store, texture, varying;
	double diverged;		/* of instructions */
	double pixels;			/* per active clock */
	double overdraw;		/* quads rasterized for a quad of pixels */
	/* of quads; of tiles */
	double early_killed, hidden, transparent, partial, late_killed, unchanged;
	double primitives;		/* per active clock */
	double facing, frustum, coverage;	/* culled, each of what the one before left */
	double read, write;		/* beats of the external buses, of active clocks */
	double memory;			/* how full the memory behind them is, where that is more */
	double snoops;			/* lookups of others in a slice, of active clocks */
	double read_miss, write_miss;
	uint8_t latency[6], reads[4], writes[4];	/* histograms, percent */
	double imbalance;		/* what the last core does less than the first */
};

/* How many there are, and how many of them the tour shows. */
extern const int mali_load_count, mali_tour_count;
/* Returns load number i. */
struct mali_load mali_load_nth(int i);

/* What can be taken away from a frame, to see whether it then takes less time: work of a unit, and
 * what makes it more than it need be. */
enum mali_part {
	MALI_TILER,
	MALI_ARITHMETIC,
	MALI_LOAD_STORE,
	MALI_TEXTURE,
	MALI_VARYING,
	MALI_RASTER,		/* the fixed part of a core that makes fragments */
	MALI_L2_LOOKUPS,
	MALI_READ_BUS,
	MALI_WRITE_BUS,
	MALI_MEMORY,		/* what is behind both buses */
	MALI_LATENCY,		/* of a thread by itself */
	MALI_PAUSE,		/* the wait for the next frame's turn */
	MALI_UNITS,
	MALI_TURNS = MALI_UNITS,	/* one queue waits for the other one */
	MALI_OVERDRAW,		/* pixels that are shaded more than once */
	MALI_PARTIAL,		/* threads of quads that cover nothing */
	MALI_FACING,		/* primitives that show their back */
	MALI_UNEVEN,		/* cores that do more than others */
	MALI_PARTS
};

struct mali_frame;	/* opaque, const */

/* Returns the frame of that name, NULL when the load is none. */
const struct mali_frame *mali_frame_by_name(const char *name);
/* Returns how many clocks it takes, and how many of them work is queued for; less: bits of the
 * parts that are taken away. */
double mali_frame_clocks(const struct mali_frame *f, unsigned less);
double mali_frame_active(const struct mali_frame *f, unsigned less);
