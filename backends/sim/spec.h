/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the text after "sim:", which names a device, then key=value words and flags. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "core/value/device.h"
#include "backends/sim/model/workload.h"

/* Describes a simulated machine. What Intel's tables know about the GPU comes from the PCI id. It
 * is const data. */
struct sim_machine {
	const char *name;
	uint16_t pci_device, min_mhz, max_mhz;
	double dram_bytes_per_s;
	double l3_bytes_per_cycle_subslice;	/* where the platform table has none */
	double gti_bytes_per_cycle;		/* the same, each way */
	uint32_t timestamp_hz;			/* the same */
	uint32_t energy_unit_den;		/* a RAPL count is 1/den J */
	struct power_config power;		/* clocks are filled in */
	double cores_idle_w, cores_busy_w;
	const char *source;
	bool hides_roof;			/* of its memory */
	uint32_t l3_kib, llc_kib;		/* for data; llc_kib 0: no cache is shared with the CPU */
	double memory_share;			/* of its peak that the memory delivers */
};

extern const struct sim_machine sim_machines[];
extern const int sim_machine_count;

/* What a machine may have that a check has to find. Rows: the word behind "flaw=", and what is
 * wrong. */
#define SIM_FLAW_LIST(X) \
	X(SLOW_MEMORY, "slow-memory", \
		"the memory delivers 60 % of what it should") \
	X(HOT, "hot", "it is at its temperature limit, which holds the clock down") \
	X(BITFLIP, "bitflip", "some results of kernels have a wrong bit") \
	X(HALF_LINK, "half-link", "its PCIe link has 8 of 16 lanes")

enum sim_flaw {
#define X(id, word, help) SIM_FLAW_##id,
	SIM_FLAW_LIST(X)
#undef X
};

struct sim_flaws {
	unsigned broken;	/* bits by enum sim_flaw */
	uint32_t lost_every;	/* buffer reads, 0: none */
	int64_t late_ns;
	int jitter_pct;
	bool wrap;
	uint32_t stamp_permille;	/* rate of the time stamp in parts of what it says; 0: all */
};

/* How launches are told, and what is wrong with that. */
struct sim_span_spec {
	bool on;
	int64_t offset_ns;		/* of the clock of spans */
	int64_t apart_ns;		/* of the clock of their ends from that of their queueing */
	uint32_t drift_ppm;
	int64_t jitter_ns;		/* of each time, at most */
	uint32_t lost_every;		/* 0: none */
	uint32_t unseen;		/* the queue that nobody sees, from 1; 0: none */
	int64_t overlap_ns;		/* so long a launch is told to go on beside what follows */
	bool by_reports;		/* the clock is that of the reports' time stamps */
	uint32_t others_pct, copy_pct;	/* of the time, by others, and on an engine for copies */
};

struct sim_spec {
	struct sim_span_spec spans;
	struct sim_machine machine;
	struct workload_options load;
	struct sim_flaws flaws;
	uint32_t mig;			/* slices of instances, a digit each; 0: it is not divided */
	double delivers_pct;		/* of its peak that the memory delivers; 0: as the machine has it */
};

/* Reads "hd620" or "hd620,load=copy.sp.x4,groups=6,lost=3", and checks that the load can be built
 * on that machine. */
bool sim_spec_parse(const char *text, struct sim_spec *out, struct err *err);
/* Reads the words behind the name of another vendor's GPU, which takes a load and those of these
 * numbers: words with blanks around each. What is not named is 0, and the load the tour. */
bool sim_spec_other(const char *text, const char *numbers, struct sim_spec *out, struct err *err);
/* Whether a spec begins with the name of a simulated Intel GPU. */
bool sim_spec_knows(const char *text);
/* Lists everything a spec may hold: machines, loads, options and their ranges, a line each. */
void sim_spec_help(struct strbuf *out);
/* Fills in identity, topology, clocks and constants of the simulated device. */
bool sim_device(const struct sim_machine *m, struct device *out, struct err *err);
/* Returns what the model needs to know about the device. */
struct workload_hardware sim_hardware(const struct sim_machine *m, const struct device *d);

static inline bool sim_has_flaw(const struct sim_spec *s, enum sim_flaw flaw)
{
	return s->flaws.broken & 1u << flaw;
}
