/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What limits a device, from counters and roofs alone. Each row was made by hand, with the reason
 * for what it wants; none was made by looking at what the program says.
 *
 * Sources of the reasons: [NC] Nsight Compute's rule SOLBottleneck and its triage guide; [VT] VTune's
 * guide to GPU metrics (active, stalled, idle); [AD] Advisor's hierarchical roofline; [TL] toplev: a
 * child without its parent is noise; [RL] Yang, Kurth, Williams 2020: the level nearest to its own
 * roof binds; [LL] Little's law; [XML] descriptions in Intel's public oa-*.xml; [DU] Duarte 2018, who
 * measured 85 % of DDR4's peak with the best copy; [AR] Arm's guides to Mali counters; [FX]
 * FluidX3D's table of what parts reach of their data sheet. */
#include "config.h"

#include "core/verdict/verdict.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/format.h"
#include "base/mem.h"
#include "core/snapshot/snapshot.h"
#include "core/verdict/verdict_priv.h"
#include "tests/tap.h"

enum what {
	BUSY, ASLEEP, WORK, WAIT, EMPTY, SLOTS, LIFE, FPU0, FPU1, SEND, XMX, L3, SLM, GTI_R, GTI_W, DRAM,
	DRAM_ALL, PCIE, COPY, Q_L3, Q_DRAM, Q_ONE, CLOCK, ASKED, SETTING, HEAT, POWER, CURRENT, WATTS, TILER,
	READ_BUS, L2, DEALT, TILER_MOST, QUEUE_A, QUEUE_B, REFUSES, CULLS, OVERDRAW, METRICS
};

/* The numbers of a row take the place of what these equations would give. */
static const char file[] =
	"gauge v 1 \"any number\"\n"
	"const roof_dram B/s \"the roof of memory\"\n"
	"const roof_pcie B/s \"the roof of the link\"\n"
	"set s \"S\"\nplatforms p\n"
	"metric busy\nunit 1\nvalue v\nmax 1\nlimit busy while-awake\n"
	"metric asleep\nunit 1\nvalue v\nmax 1\nlimit asleep\n"
	"metric work\nunit 1\nvalue v\nmax 1\nlimit working EUs\n"
	"metric wait\nunit 1\nvalue v\nmax 1\nlimit waiting EUs\n"
	"metric empty\nunit 1\nvalue v\nmax 1\nlimit empty EUs\n"
	"metric slots\nunit 1\nvalue v\nmax 1\nlimit occupancy\n"
	"metric life\nunit s\nvalue v * 1[s]\nlimit life\n"
	"metric fpu0\nunit 1\nvalue v\nmax 1\nlimit pipe fpu0 of fpu\n"
	"metric fpu1\nunit 1\nvalue v\nmax 1\nlimit pipe fpu1 of fpu\n"
	"metric send\nunit 1\nvalue v\nmax 1\nlimit pipe send\n"
	"metric xmx\nunit 1\nvalue v\nmax 1\nlimit pipe xmx\n"
	"metric l3\nunit B/s\nvalue v * 1[B/s]\nmax 1[B/s]\nlimit level l3 before dram\n"
	"metric slm\nunit B/s\nvalue v * 1[B/s]\nmax 1[B/s]\nlimit level slm of l3\n"
	"metric gti_r\nunit B/s\nvalue v * 1[B/s]\nmax 1[B/s]\nlimit level gti_read before dram\n"
	"metric gti_w\nunit B/s\nvalue v * 1[B/s]\nmax 1[B/s]\nlimit level gti_write before dram\n"
	"metric dram\nunit B/s\nvalue v * 1[B/s]\nmax roof_dram\nlimit level dram fixed \"DRAM\"\n"
	"metric dram_all\nunit B/s\nvalue v * 1[B/s]\nmax roof_dram\nlimit level dram fixed shared\n"
	"metric pcie\nunit B/s\nvalue v * 1[B/s]\nmax roof_pcie\nlimit link pcie_rx\n"
	"metric copy\nunit 1\nvalue v\nmax 1\nlimit copy copy\n"
	"metric q_l3\nunit 1\nvalue v\nmax 1\nlimit full l3 before dram\n"
	"metric q_dram\nunit 1\nvalue v\nmax 1\nlimit full dram\n"
	"metric q_one\nunit 1\nvalue v\nmax 1\nlimit full l2 one-sided\n"
	"metric clock\nunit Hz\nvalue v * 1[Hz]\nmax 1[Hz]\nlimit clock\n"
	"metric asked\nunit Hz\nvalue v * 1[Hz]\nlimit requested\n"
	"metric setting\nunit Hz\nvalue v * 1[Hz]\nlimit setting\n"
	"metric heat\nunit 1\nvalue v\nmax 1\nlimit reason heat\n"
	"metric power\nunit 1\nvalue v\nmax 1\nlimit reason power\n"
	"metric current\nunit 1\nvalue v\nmax 1\nlimit reason current\n"
	"metric watts\nunit W\nvalue v * 1[W]\nmax 1[W]\nlimit power package\n"
	"metric tiler\nunit 1\nvalue v\nmax 1\nlimit pipe tiler while-busy\n"
	"metric read_bus\nunit B/s\nvalue v * 1[B/s]\nmax 1[B/s]\nlimit level external_read before dram behind l2\n"
	"metric l2\nunit 1\nvalue v\nmax 1\nlimit level l2 before external_read\n"
	"metric dealt\nunit 1\nvalue v\nlimit dealt\n"
	"metric tiler_most\nunit 1\nvalue v\nmax 1\nlimit fullest tiler\n"
	"metric queue_a\nunit 1\nvalue v\nmax 1\nlimit queue fragments\n"
	"metric queue_b\nunit 1\nvalue v\nmax 1\nlimit queue vertices\n"
	"metric refuses\nunit 1\nvalue v\nmax 1\nlimit full dram from 10\n"
	"metric culls\nunit %\nvalue v\nlimit cause facing of tiler from 30 \"%s %% culled\" \"cull earlier\"\n"
	"metric overdraw\nunit 1\nvalue v\nlimit cause overdraw of fpu0 of dram from 2 \"%s shaded\" \"sort\"\n";

/* A number that was counted, its roof, and where that comes from. Rows end with what = METRICS. */
struct seen {
	enum what what;
	double value, roof;
	enum roof_source source;
	bool uncertain, estimated;
	double reach;
};

#define END { .what = METRICS }
/* A share of a whole. */
#define S(what, share) OF(what, share, 1)
/* Shares of the units' time. */
#define EUS(work, wait, empty) S(WORK, work), S(WAIT, wait), S(EMPTY, empty)
#define OF(what, v, roof) { what, v, roof, ROOF_SOURCE_NONE, false, false, 0 }
#define SHEET(what, v, roof) { what, v, roof, ROOF_DATA_SHEET, false, false, 0 }
#define AT(hz) OF(CLOCK, hz, 1000e6)

#define MAX_SEEN 20

static const struct {
	const char *what;
	enum verdict_kind kind;
	const char *bound;
	double headroom;	/* NAN: none */
	unsigned flags;
	struct seen seen[MAX_SEEN];
} rows[] = {
	/* --- work comes first: [NC] says "grid too small" instead of a bottleneck, [VT] reads idle
	 * before stalled before active */
	{ "4.9 % busy is idle whatever else is full", VERDICT_IDLE, "busy", NAN, 0,
		{ S(BUSY, 0.049), EUS(0.04, 0, 0.96), S(FPU0, 0.99), SHEET(DRAM, 30, 34), END } },
	{ "half of the time without work, near nothing", VERDICT_PARTLY_IDLE, "busy", 2, 0,
		{ S(BUSY, 0.5), EUS(0.2, 0.3, 0.5), S(FPU0, 0.2), SHEET(DRAM, 10, 34), END } },
	{ "half of the time without work stays that when a pipe is full meanwhile", VERDICT_PARTLY_IDLE, "busy", 2, 0,
		{ S(BUSY, 0.5), EUS(0.49, 0.01, 0.5), S(FPU0, 0.49), END } },
	{ "80 % busy and a pipe full meanwhile (0.76 / 0.8): the pipe", VERDICT_PIPE, "fpu0", 1 / 0.76, VERDICT_AT_MOST,
		{ S(BUSY, 0.8), EUS(0.78, 0.02, 0.2), S(FPU0, 0.76), S(FPU1, 0.1), END } },
	{ "80 % busy and nothing full meanwhile: waits for work", VERDICT_PARTLY_IDLE, "busy", 1.25, 0,
		{ S(BUSY, 0.8), EUS(0.4, 0.4, 0.2), S(FPU0, 0.3), SHEET(DRAM, 10, 34), END } },
	/* the clock stands still while a GPU sleeps, so that shares of its cycles are those of the rest */
	{ "cycles are all busy, but the device slept 60 % of the time", VERDICT_PARTLY_IDLE, "busy", 2.5, 0,
		{ S(BUSY, 1), S(ASLEEP, 0.6), EUS(0.5, 0.5, 0), S(FPU0, 0.3), END } },
	{ "copying while the rest is idle is no idleness", VERDICT_BANDWIDTH, "pcie_rx", 1 / 0.8, 0,
		{ S(BUSY, 0.02), SHEET(PCIE, 12.8e9, 16e9), END } },
	{ "a copy engine at work while no thread is loaded", VERDICT_BANDWIDTH, "copy", 1, 0,
		{ S(BUSY, 1), EUS(0, 0, 1), S(COPY, 1), S(FPU0, 0), END } },
	{ "a copy engine beside full pipes is no limit", VERDICT_PIPE, "fpu0", 1 / 0.99, VERDICT_AT_MOST,
		{ S(BUSY, 1), EUS(1, 0, 0), S(COPY, 0.5), S(FPU0, 0.99), S(FPU1, 0.2), END } },

	/* --- threads */
	{ "threads that live 0.5 us, and EUs empty 76 %: launches [LL]", VERDICT_LAUNCH, "gaps", 1 / 0.24, 0,
		{ S(BUSY, 1), EUS(0.2, 0.04, 0.76), OF(LIFE, 0.5e-6, NAN), S(FPU0, 0.2), SHEET(DRAM, 1, 34), END } },
	{ "the same emptiness with threads of 100 us: too few of them [LL]", VERDICT_PARALLELISM, "groups", 5, 0,
		{ S(BUSY, 1), EUS(0.2, 0.04, 0.76), OF(LIFE, 100e-6, NAN), S(FPU0, 0.2), SHEET(DRAM, 1, 34), END } },
	{ "a third of the EUs without a thread, the others work [NC]", VERDICT_PARALLELISM, "groups", 1 / 0.66, 0,
		{ S(BUSY, 1), EUS(0.66, 0.01, 0.33), S(FPU0, 0.66), S(FPU1, 0.66), SHEET(DRAM, 1, 34), END } },
	/* of 8.5 of 34 GB/s, of which programs reach 85 % [DU], and may reach less */
	{ "few threads, all wait, and no level is near: occupancy [VT]", VERDICT_PARALLELISM, "occupancy", 0.85 / 0.25, VERDICT_AT_MOST,
		{ S(BUSY, 1), EUS(0.2, 0.78, 0.02), S(SLOTS, 0.25), S(FPU0, 0.2), OF(L3, 20, 200), SHEET(DRAM, 8.5, 34), END } },
	{ "the same, and memory may be slower than its data sheet", VERDICT_UNKNOWN, "dram", NAN, 0,
		{ S(BUSY, 1), EUS(0.2, 0.78, 0.02), S(SLOTS, 0.25), S(FPU0, 0.2), OF(L3, 20, 200), SHEET(DRAM, 10.2, 34), END } },
	{ "few threads, but memory is full: more of them move nothing more [RL]", VERDICT_BANDWIDTH, "dram", 34 / 29., 0,
		{ S(BUSY, 1), EUS(0.08, 0.9, 0.02), S(SLOTS, 0.3), S(FPU0, 0.05), SHEET(DRAM, 29e9, 34e9), END } },
	{ "few threads, all wait, and the roof of memory is not known: not said", VERDICT_UNKNOWN, "dram", NAN, 0,
		{ S(BUSY, 1), EUS(0.08, 0.9, 0.02), S(SLOTS, 0.3), S(FPU0, 0.05), OF(L3, 20e9, 200e9), OF(DRAM, 29e9, NAN), END } },

	/* --- pipes: [NC] the largest share of the units, never a mean */
	{ "double precision fills FPU0 and leaves FPU1 [DU]", VERDICT_PIPE, "fpu0", 1 / 0.997, 0,
		{ S(BUSY, 1), EUS(0.997, 0.003, 0), S(FPU0, 0.997), S(FPU1, 0.001), SHEET(DRAM, 1e9, 34e9), END } },
	{ "both full: the group is named", VERDICT_PIPE, "fpu", 1, 0,
		{ S(BUSY, 1), EUS(1, 0, 0), S(FPU0, 1), S(FPU1, 0.96), SHEET(DRAM, 1e9, 34e9), END } },
	{ "division: math on FPU1 [DU]", VERDICT_PIPE, "fpu1", 1, 0,
		{ S(BUSY, 1), EUS(1, 0, 0), S(FPU0, 0.34), S(FPU1, 1), END } },
	{ "a matrix pipe", VERDICT_PIPE, "xmx", 1 / 0.95, VERDICT_AT_MOST,
		{ S(BUSY, 1), EUS(0.97, 0.03, 0), S(FPU0, 0.1), S(FPU1, 0.2), S(XMX, 0.95), END } },
	{ "FLOP decide nothing: 50 % of the peak on both pipes is half of each", VERDICT_MIX, "fpu", 1 / 0.7, 0,
		{ S(BUSY, 1), EUS(0.9, 0.1, 0), S(FPU0, 0.7), S(FPU1, 0.65), OF(L3, 20e9, 200e9), SHEET(DRAM, 2e9, 34e9), END } },
	{ "Haswell counts no pipe: the EUs work, and that is all that is known", VERDICT_MIX, "", 1 / 0.93, 0,
		{ S(BUSY, 1), EUS(0.93, 0.05, 0.02), OF(GTI_R, 1e9, 80e9), OF(DRAM, 1e9, 25e9), END } },
	{ "a tiler that is full while the GPU is active is a pipe [AR]", VERDICT_PIPE, "tiler", 1 / (0.96 * 0.95), VERDICT_AT_MOST,
		{ S(BUSY, 0.96), S(TILER, 0.95), OF(READ_BUS, 5e9, 24e9), END } },
	{ "a pipe at 55 % while the GPU is active a third of the time is idle [AR]", VERDICT_PARTLY_IDLE, "busy", 1 / 0.35, 0,
		{ S(BUSY, 0.35), S(TILER, 0.55), OF(READ_BUS, 5e9, 24e9), END } },

	{ "a pipe that is full in one core decides when work is done; even work would gain the rest [AR]", VERDICT_PIPE, "tiler", 1 / 0.7, VERDICT_AT_MOST,
		{ S(BUSY, 1), S(TILER, 0.7), S(TILER_MOST, 0.95), OF(READ_BUS, 5e9, 24e9), END } },
	{ "a core that is nearly full is not full", VERDICT_NONE, "tiler", 1 / 0.7, 0,
		{ S(BUSY, 1), S(TILER, 0.7), S(TILER_MOST, 0.85), S(L2, 0.1), OF(READ_BUS, 5e9, 24e9), S(REFUSES, 0.01), END } },
	{ "a full core of a GPU that is busy for half of the time waits for work", VERDICT_PARTLY_IDLE, "busy", 2, 0,
		{ S(BUSY, 0.5), S(TILER, 0.7), S(TILER_MOST, 0.95), OF(READ_BUS, 5e9, 24e9), END } },
	{ "sleep takes nothing from a pipe that is full while the device is busy", VERDICT_PIPE, "tiler", 1 / (0.8 * 0.95), VERDICT_AT_MOST,
		{ S(BUSY, 0.8), S(ASLEEP, 0.1), S(TILER, 0.95), OF(READ_BUS, 1e9, 24e9), END } },
	{ "memory that refuses 12 % of the requests is full, though the bus before it is half empty [AR]", VERDICT_BANDWIDTH, "dram", NAN, 0,
		{ S(BUSY, 1), EUS(0.3, 0.69, 0.01), S(TILER, 0.1), OF(READ_BUS, 12e9, 24e9), S(REFUSES, 0.12), END } },
	{ "memory that refuses 8 % is not", VERDICT_NONE, "external_read", 2, 0,
		{ S(BUSY, 1), S(TILER, 0.1), S(L2, 0.1), OF(READ_BUS, 12e9, 24e9), S(REFUSES, 0.08), END } },
	{ "a full queue of work is no limit by itself: what is behind it is not known [AR]", VERDICT_NONE, "tiler", 1 / 0.3, 0,
		{ S(BUSY, 1), S(TILER, 0.3), S(QUEUE_A, 1), S(QUEUE_B, 0.2), S(L2, 0.1), OF(READ_BUS, 5e9, 24e9), S(REFUSES, 0.01), END } },

	/* --- memory */
	{ "DRAM at 85 % of its data sheet is full: the best copy reaches no more [DU]", VERDICT_BANDWIDTH, "dram", 34.1 / 29, 0,
		{ S(BUSY, 1), EUS(0.06, 0.93, 0.01), S(SLOTS, 0.98), S(FPU0, 0.05), OF(GTI_R, 15e9, 67e9), SHEET(DRAM, 29e9, 34.1e9), END } },
	{ "DRAM at 70 % of its data sheet may be all that it delivers, or latency", VERDICT_UNKNOWN, "dram", NAN, 0,
		{ S(BUSY, 1), EUS(0.06, 0.93, 0.01), S(SLOTS, 0.98), S(FPU0, 0.05), OF(GTI_R, 15e9, 67e9), SHEET(DRAM, 70e9, 100e9), END } },
	{ "a part that reaches 46 % of its data sheet is full at 42 % [FX]", VERDICT_BANDWIDTH, "dram", 1 / 0.42, 0,
		{ S(BUSY, 1), EUS(0.06, 0.93, 0.01), S(SLOTS, 0.98), { DRAM, 42e9, 100e9, ROOF_DATA_SHEET, false, false, 0.46 }, END } },
	{ "a measured roof is what is reached: 85 % of it leaves room", VERDICT_NONE, "dram", 1 / 0.85, 0,
		{ S(BUSY, 1), EUS(0.5, 0.49, 0.01), S(SLOTS, 0.98), { DRAM, 85e9, 100e9, ROOF_MEASURED, false, false, 0 }, END } },
	{ "91 % of a measured roof does not", VERDICT_BANDWIDTH, "dram", 1 / 0.91, 0,
		{ S(BUSY, 1), EUS(0.1, 0.89, 0.01), { DRAM, 91e9, 100e9, ROOF_MEASURED, false, false, 0 }, END } },
	{ "the L3 at 94 % with room in memory [RL]", VERDICT_BANDWIDTH, "l3", 1 / 0.94, 0,
		{ S(BUSY, 1), EUS(0.3, 0.69, 0.01), OF(L3, 188e9, 200e9), OF(GTI_R, 1e9, 67e9), SHEET(DRAM, 2e9, 34e9), END } },
	{ "the L3's port is full of shared local memory: that is named", VERDICT_BANDWIDTH, "slm", 1, 0,
		{ S(BUSY, 1), EUS(0.3, 0.69, 0.01), OF(L3, 200e9, 200e9), OF(SLM, 198e9, 200e9), SHEET(DRAM, 2e9, 34e9), END } },
	{ "half of it is the L3's own: the port is named", VERDICT_BANDWIDTH, "l3", 1, 0,
		{ S(BUSY, 1), EUS(0.3, 0.69, 0.01), OF(L3, 200e9, 200e9), OF(SLM, 100e9, 200e9), SHEET(DRAM, 2e9, 34e9), END } },
	{ "DRAM at what it ever reaches is nearer to it than GTI at 91 % [DU], which allows no more", VERDICT_BANDWIDTH, "dram", 64 / 58., 0,
		{ S(BUSY, 1), EUS(0.05, 0.94, 0.01), OF(GTI_R, 58e9, 64e9), SHEET(DRAM, 85e9, 100e9), END } },
	{ "waiting, and the cache before memory is not counted: its part is not known", VERDICT_UNKNOWN, "l2", NAN, 0,
		{ S(BUSY, 1), EUS(0.05, 0.94, 0.01), S(SLOTS, 0.9), OF(READ_BUS, 1e9, 24e9), SHEET(DRAM, 1e9, 34e9), END } },
	{ "the L3 at 85 % where nobody knows the memory behind it: not said", VERDICT_UNKNOWN, "dram", NAN, 0,
		{ S(BUSY, 1), EUS(0.3, 0.69, 0.01), S(SLOTS, 0.9), OF(L3, 170e9, 200e9), OF(DRAM, 20e9, NAN), END } },
	{ "writes fill their own direction of GTI at 86 %", VERDICT_BANDWIDTH, "gti_write", 33.6 / 28.9, 0,
		{ S(BUSY, 1), EUS(0.1, 0.89, 0.01), OF(GTI_R, 5e9, 67e9), OF(GTI_W, 28.9e9, 33.6e9), SHEET(DRAM, 34e9, 68e9), END } },
	{ "a roof that nobody can look up, and no second sign", VERDICT_NONE, "dram", 1 / 0.85, VERDICT_ESTIMATED,
		{ S(BUSY, 1), EUS(0.7, 0.29, 0.01), S(FPU0, 0.5), { DRAM, 85e9, 100e9, ROOF_DATA_SHEET, true, false, 0 }, END } },
	{ "the same while the EUs wait", VERDICT_BANDWIDTH, "dram", 1 / 0.85, VERDICT_ESTIMATED,
		{ S(BUSY, 1), EUS(0.1, 0.89, 0.01), S(FPU0, 0.05), { DRAM, 85e9, 100e9, ROOF_DATA_SHEET, true, false, 0 }, END } },
	{ "everybody's traffic fills the memory while the EUs work", VERDICT_NONE, "dram", 1 / 0.9, 0,
		{ S(BUSY, 1), EUS(0.8, 0.19, 0.01), S(FPU0, 0.5), SHEET(DRAM_ALL, 90e9, 100e9), END } },
	{ "the queue to memory is full: no roof is needed [XML]", VERDICT_BANDWIDTH, "dram", NAN, 0,
		{ S(BUSY, 1), EUS(0.07, 0.92, 0.01), S(SLOTS, 0.95), S(FPU0, 0.05), OF(DRAM, 29e9, NAN), S(Q_DRAM, 0.8), END } },
	{ "the L3 stalls and the queue to memory has room [XML]", VERDICT_BANDWIDTH, "l3", NAN, 0,
		{ S(BUSY, 1), EUS(0.07, 0.92, 0.01), S(SLOTS, 0.95), S(Q_L3, 0.7), S(Q_DRAM, 0.1), OF(DRAM, 9e9, NAN), END } },
	{ "a full queue while the EUs work is no limit [TL]", VERDICT_PIPE, "fpu0", 1 / 0.93, VERDICT_AT_MOST,
		{ S(BUSY, 1), EUS(0.95, 0.04, 0.01), S(FPU0, 0.93), S(FPU1, 0.3), S(Q_DRAM, 0.8), OF(DRAM, 29e9, NAN), END } },

	{ "heat, and the queue to a memory without a roof is full: a higher clock does not help that", VERDICT_BANDWIDTH, "gti_read", 67 / 61., VERDICT_AT_MOST,
		{ S(BUSY, 1), EUS(0.07, 0.92, 0.01), S(SLOTS, 0.95), S(FPU0, 0.05), OF(GTI_R, 61e9, 67e9), OF(DRAM, 61e9, NAN), S(Q_DRAM, 1),
			OF(CLOCK, 800e6, 1050e6), S(HEAT, 1), END } },
	{ "heat, and the queue is full while the memory is at 30 % of its roof: the clock, below which GTI is full", VERDICT_HEAT, "temperature",
		1050 / 800., VERDICT_AT_MOST,
		{ S(BUSY, 1), EUS(0.07, 0.92, 0.01), S(SLOTS, 0.95), S(FPU0, 0.05), OF(GTI_R, 66e9, 67e9), SHEET(DRAM, 30e9, 100e9), S(Q_DRAM, 1),
			OF(CLOCK, 800e6, 1050e6), S(HEAT, 1), END } },
	{ "a queue that is full says what limits", VERDICT_BANDWIDTH, "l2", NAN, 0,
		{ S(BUSY, 1), EUS(0.07, 0.92, 0.01), S(SLOTS, 0.95), S(FPU0, 0.05), SHEET(DRAM, 9e9, 100e9), S(Q_ONE, 0.7), END } },
	{ "of one whose emptiness says nothing that is all that is known", VERDICT_LATENCY, "dram", 1 / 0.09, VERDICT_AT_MOST,
		{ S(BUSY, 1), EUS(0.07, 0.92, 0.01), S(SLOTS, 0.95), S(FPU0, 0.05), SHEET(DRAM, 9e9, 100e9), S(Q_ONE, 0.01), END } },

	/* --- what is not known is said */
	{ "EUs wait and the roof of memory is not known", VERDICT_UNKNOWN, "dram", NAN, 0,
		{ S(BUSY, 1), EUS(0.07, 0.92, 0.01), S(SLOTS, 0.95), S(FPU0, 0.05), OF(L3, 40e9, 200e9), OF(DRAM, 29e9, NAN), END } },
	{ "EUs wait and the set does not count memory", VERDICT_UNKNOWN, "dram", NAN, 0,
		{ S(BUSY, 1), EUS(0.07, 0.92, 0.01), S(SLOTS, 0.95), S(FPU0, 0.05), OF(L3, 40e9, 200e9), END } },
	{ "all threads wait, everything is counted, nothing is near: latency [NC]", VERDICT_LATENCY, "l3", 5, VERDICT_AT_MOST,
		{ S(BUSY, 1), EUS(0.07, 0.92, 0.01), S(SLOTS, 0.95), S(FPU0, 0.05), OF(L3, 40e9, 200e9), OF(GTI_R, 6e9, 67e9), SHEET(DRAM, 6e9, 34e9), END } },
	{ "the same without a roof, but with an empty queue to memory: latency [XML]", VERDICT_LATENCY, "l3", 5, VERDICT_AT_MOST,
		{ S(BUSY, 1), EUS(0.07, 0.92, 0.01), S(SLOTS, 0.95), S(FPU0, 0.05), OF(L3, 40e9, 200e9), OF(DRAM, 6e9, NAN), S(Q_DRAM, 0.02), END } },
	{ "a level at 65 % may be what they wait for: not latency", VERDICT_UNKNOWN, "dram", NAN, 0,
		{ S(BUSY, 1), EUS(0.07, 0.92, 0.01), S(SLOTS, 0.95), S(FPU0, 0.05), OF(L3, 40e9, 200e9), SHEET(DRAM, 65e9, 100e9), END } },
	{ "the same where the L3 is at 65 %, whose roof is computed", VERDICT_NONE, "l3", 1 / 0.65, 0,
		{ S(BUSY, 1), EUS(0.07, 0.92, 0.01), S(SLOTS, 0.95), S(FPU0, 0.05), OF(L3, 130e9, 200e9), SHEET(DRAM, 10e9, 100e9), END } },
	{ "29 % of a printed roof is less than any memory delivers: latency", VERDICT_LATENCY, "dram", 1 / 0.29, VERDICT_AT_MOST,
		{ S(BUSY, 1), EUS(0.07, 0.92, 0.01), S(SLOTS, 0.95), S(FPU0, 0.05), OF(L3, 40e9, 200e9), SHEET(DRAM, 29e9, 100e9), END } },
	{ "51 % may be a memory that is slower than its data sheet", VERDICT_UNKNOWN, "dram", NAN, 0,
		{ S(BUSY, 1), EUS(0.07, 0.92, 0.01), S(SLOTS, 0.95), S(FPU0, 0.05), OF(L3, 40e9, 200e9), SHEET(DRAM, 51e9, 100e9), END } },
	{ "the same of an upper bound", VERDICT_UNKNOWN, "dram", NAN, VERDICT_ESTIMATED,
		{ S(BUSY, 1), EUS(0.07, 0.92, 0.01), S(SLOTS, 0.95), S(FPU0, 0.05), OF(L3, 40e9, 200e9), { DRAM, 51e9, 100e9, ROOF_DATA_SHEET, false, true, 0 }, END } },
	{ "everybody's traffic fills the memory of a device of which nothing else is counted", VERDICT_UNKNOWN, "waiting", NAN, VERDICT_ESTIMATED,
		{ S(BUSY, 1), { DRAM_ALL, 90e9, 100e9, ROOF_DATA_SHEET, false, true, 0 }, END } },
	{ "of a measured roof they leave room", VERDICT_LATENCY, "dram", 1 / 0.51, 0,
		{ S(BUSY, 1), EUS(0.07, 0.92, 0.01), S(SLOTS, 0.95), S(FPU0, 0.05), OF(L3, 40e9, 200e9), { DRAM, 51e9, 100e9, ROOF_MEASURED, false, false, 0 }, END } },
	{ "the queue tells whether the memory is behind", VERDICT_LATENCY, "dram", 1 / 0.51, 0,
		{ S(BUSY, 1), EUS(0.07, 0.92, 0.01), S(SLOTS, 0.95), S(FPU0, 0.05), OF(L3, 40e9, 200e9), SHEET(DRAM, 51e9, 100e9), S(Q_DRAM, 0.02), END } },
	{ "a level that stands still says nothing of the memory, which nothing counts", VERDICT_UNKNOWN, "dram", NAN, 0,
		{ S(BUSY, 1), EUS(0.02, 0.98, 0), S(SLOTS, 0.95), S(SEND, 0.012), OF(SLM, 0, 200e9), END } },
	{ "where nobody counts waiting, what the pipes leave may be waiting", VERDICT_UNKNOWN, "dram", NAN, 0,
		{ S(BUSY, 1), S(FPU0, 0.018), S(FPU1, 0.018), S(SEND, 0.036), END } },
	{ "a pipe at 70 % may wait for a memory of which nothing is known", VERDICT_UNKNOWN, "dram", NAN, 0,
		{ S(BUSY, 1), S(FPU0, 0.7), S(FPU1, 0.2), END } },
	{ "a roof of zero is none", VERDICT_UNKNOWN, "dram", NAN, 0,
		{ S(BUSY, 1), EUS(0.07, 0.92, 0.01), S(SLOTS, 0.95), S(FPU0, 0.05), OF(DRAM, 29e9, 0), END } },
	{ "nothing is counted but busy time", VERDICT_NO_COUNTERS, "", NAN, 0, { S(BUSY, 0.98), END } },

	/* --- the clock */
	{ "power holds the clock down below full pipes", VERDICT_POWER, "package", 1 / 0.85, VERDICT_AT_MOST,
		{ S(BUSY, 1), EUS(1, 0, 0), S(FPU0, 1), S(FPU1, 1), AT(850e6), OF(ASKED, 1000e6, NAN), OF(WATTS, 15, 15), END } },
	{ "heat is said before power", VERDICT_HEAT, "temperature", 1 / 0.6, VERDICT_AT_MOST,
		{ S(BUSY, 1), EUS(1, 0, 0), S(FPU0, 1), S(FPU1, 1), AT(600e6), S(HEAT, 1), S(POWER, 1), OF(WATTS, 15, 15), END } },
	{ "current", VERDICT_CURRENT, "package", 1 / 0.9, VERDICT_AT_MOST,
		{ S(BUSY, 1), EUS(1, 0, 0), S(FPU0, 1), S(FPU1, 1), AT(900e6), S(CURRENT, 0.8), OF(WATTS, 9, 15), END } },
	{ "a setting", VERDICT_CLOCK, "setting", 2, VERDICT_AT_MOST,
		{ S(BUSY, 1), EUS(1, 0, 0), S(FPU0, 1), S(FPU1, 1), AT(500e6), OF(SETTING, 500e6, NAN), OF(ASKED, 500e6, NAN), END } },
	{ "the clock is held down, but memory is full and does not follow it", VERDICT_BANDWIDTH, "dram", 1 / 0.85, 0,
		{ S(BUSY, 1), EUS(0.1, 0.89, 0.01), S(FPU0, 0.1), SHEET(DRAM, 85e9, 100e9), AT(600e6), S(HEAT, 1), OF(WATTS, 15, 15), END } },
	{ "the L3 follows the clock", VERDICT_POWER, "package", 1 / 0.8, 0,
		{ S(BUSY, 1), EUS(0.3, 0.69, 0.01), OF(L3, 188e9, 200e9), SHEET(DRAM, 2e9, 34e9), AT(800e6), S(POWER, 1), END } },
	{ "a memory at a quarter of its data sheet is nearest, and has room: units wait by a clock that is held", VERDICT_POWER, "package", 1 / 0.4,
		VERDICT_AT_MOST, { S(BUSY, 1), EUS(0.05, 0.95, 0), S(SLOTS, 0.95), S(FPU0, 0.02), OF(L3, 10e9, 200e9), SHEET(DRAM, 25e9, 100e9), AT(400e6), S(POWER, 1), END } },
	{ "one at 40 % may be slower than that: not said", VERDICT_UNKNOWN, "dram", NAN, 0,
		{ S(BUSY, 1), EUS(0.05, 0.95, 0), S(SLOTS, 0.95), S(FPU0, 0.02), OF(L3, 10e9, 200e9), SHEET(DRAM, 40e9, 100e9), AT(400e6), S(POWER, 1), END } },
	{ "at a fifth of the clock what is left of the time may be another clock's", VERDICT_POWER, "package", 5, VERDICT_AT_MOST,
		{ S(BUSY, 1), EUS(0.3, 0.69, 0.01), OF(L3, 184e9, 200e9), SHEET(DRAM, 1e9, 34e9), AT(200e6), S(POWER, 1), END } },
	{ "watts at their limit beside a full clock are no limit", VERDICT_PIPE, "fpu0", 1 / 0.95, VERDICT_AT_MOST,
		{ S(BUSY, 1), EUS(0.97, 0.03, 0), S(FPU0, 0.95), S(FPU1, 0.1), AT(1000e6), OF(WATTS, 15, 15), END } },
	{ "a flag beside a full clock is of a moment", VERDICT_PIPE, "fpu0", 1 / 0.95, VERDICT_AT_MOST,
		{ S(BUSY, 1), EUS(0.97, 0.03, 0), S(FPU0, 0.95), S(FPU1, 0.1), AT(990e6), S(HEAT, 0.2), END } },
	{ "watts at their limit, but nobody asks for more clock", VERDICT_PIPE, "fpu0", 1 / 0.95 / 0.8, VERDICT_AT_MOST,
		{ S(BUSY, 1), EUS(0.97, 0.03, 0), S(FPU0, 0.95), S(FPU1, 0.1), AT(800e6), OF(ASKED, 800e6, NAN), OF(WATTS, 15, 15), END } },
	{ "a low clock without a reason is none, but a pipe would do more at the highest", VERDICT_PIPE, "fpu0", 1 / 0.95 / 0.8, VERDICT_AT_MOST,
		{ S(BUSY, 1), EUS(0.97, 0.03, 0), S(FPU0, 0.95), S(FPU1, 0.1), AT(800e6), OF(WATTS, 9, 15), END } },
	{ "without counters a held clock is all that is known, and nobody knows what it would gain", VERDICT_POWER, "package", NAN, VERDICT_AT_MOST,
		{ S(BUSY, 0.98), AT(820e6), S(POWER, 1), OF(WATTS, 96, 100), END } },
	{ "a held clock, and EUs that wait for memory of unknown roof: not said", VERDICT_UNKNOWN, "dram", NAN, 0,
		{ S(BUSY, 1), EUS(0.1, 0.89, 0.01), S(SLOTS, 0.9), S(FPU0, 0.1), OF(DRAM, 20e9, NAN), AT(700e6), S(POWER, 1), END } },

	/* --- counters that cannot be true together: no verdict, and the contradiction has a name */
	{ "busy all the time, but work, wait and rest are 60 %", VERDICT_NONE, "", NAN, VERDICT_CONTRADICTION,
		{ S(BUSY, 1), EUS(0.4, 0.1, 0.1), S(FPU0, 0.95), END } },
	{ "EUs that work in a GPU that is not busy are still an idle GPU", VERDICT_IDLE, "busy", NAN, 0,
		{ S(BUSY, 0.01), EUS(0.9, 0.1, 0), S(FPU0, 0.95), END } },
	{ "a clock above its maximum", VERDICT_NONE, "", NAN, VERDICT_CONTRADICTION,
		{ S(BUSY, 1), EUS(0.97, 0.03, 0), S(FPU0, 0.95), AT(1400e6), END } },
	{ "a pipe that is busy for more than its clocks", VERDICT_NONE, "", NAN, VERDICT_CONTRADICTION,
		{ S(BUSY, 1), EUS(0.97, 0.03, 0), S(FPU0, 1.4), END } },
	{ "counted bytes above the roof: the table is wrong", VERDICT_NONE, "", NAN, VERDICT_CONTRADICTION,
		{ S(BUSY, 1), EUS(0.1, 0.9, 0), SHEET(DRAM, 60e9, 34e9), END } },
	{ "an upper bound above the roof proves a cache, not a wrong table", VERDICT_UNKNOWN, "dram", NAN, VERDICT_ESTIMATED,
		{ S(BUSY, 1), EUS(0.1, 0.9, 0), S(SLOTS, 0.9), { DRAM, 60e9, 34e9, ROOF_DATA_SHEET, false, true, 0 }, END } },
};

static struct value values[METRICS], ceilings[METRICS];
static struct device device;
static struct snapshot snap;
static struct metric_lib lib;

static void report(void *ctx, const struct err *err)
{
	(void)ctx;
	ok(false, "%s", err->msg);
}

static void see(struct metric_set *set, const struct seen *seen)
{
	device = (struct device){ 0 };
	snap = (struct snapshot){ .device = &device, .set = set, .values = values, .ceilings = ceilings, .mono_ns = NS_PER_S };
	for (int i = 0; i < METRICS; i++) {
		values[i] = ceilings[i] = value_none(WHY_NOT_IN_SET);
		set->metrics[i].flags = 0;
	}
	for (; seen->what != METRICS; seen++) {
		const char *name = seen->what == PCIE ? "roof_pcie" : "roof_dram";

		values[seen->what] = value_ok(seen->value);
		if (!isnan(seen->roof))
			ceilings[seen->what] = value_ok(seen->roof);
		if (seen->estimated)
			set->metrics[seen->what].flags |= METRIC_ESTIMATED;
		if (seen->source)
			device_set_roof(&device, name, seen->roof, seen->source, seen->uncertain, "")
				->reach = seen->reach;
	}
}

/* What a window shows: with DRAM counted, so that nothing is left open. */
#define QUIET SHEET(DRAM, 1e9, 34e9)
static const struct seen steady_pipe[] = { S(BUSY, 1), EUS(1, 0, 0), S(FPU0, 0.97), S(FPU1, 0.4), QUIET, END };
static const struct seen steady_idle[] = { S(BUSY, 0), EUS(0, 0, 1), S(FPU0, 0), S(FPU1, 0), END };
static const struct seen steady_dram[] = { S(BUSY, 1), EUS(0.06, 0.93, 0.01), S(SLOTS, 0.98), S(FPU0, 0.05), SHEET(DRAM, 29e9, 34e9), END };
static const struct seen steady_mix[] = { S(BUSY, 1), EUS(0.9, 0.1, 0), S(FPU0, 0.7), S(FPU1, 0.65), QUIET, END };
static const struct seen hot[] = { S(BUSY, 1), EUS(1, 0, 0), S(FPU0, 0.97), S(FPU1, 0.4), QUIET, AT(600e6), S(HEAT, 1), END };
static const struct seen other_leads[] = { S(BUSY, 1), EUS(1, 0, 0), S(FPU0, 0.91), S(FPU1, 0.5), S(SEND, 0.97), QUIET, END };
static const struct seen other_nearly[] = { S(BUSY, 1), EUS(1, 0, 0), S(FPU0, 0.95), S(FPU1, 0.5), S(SEND, 0.97), QUIET, END };
static const struct seen both_full[] = { S(BUSY, 1), EUS(1, 0, 0), S(FPU0, 0.97), S(FPU1, 0.97), QUIET, END };
static const struct seen even[] = { S(BUSY, 1), EUS(1, 0, 0), S(FPU0, 0.91), S(FPU1, 0.97), QUIET, END };
static const struct seen send_nearly[] = { S(BUSY, 1), EUS(1, 0, 0), S(FPU0, 0.92), S(FPU1, 0.98), S(SEND, 0.985), QUIET, END };
static const struct seen border_both[] = { S(BUSY, 0.72), EUS(0.72, 0, 0.28), S(FPU0, 0.71), S(FPU1, 0.71), QUIET, END };
static const struct seen below_one[] = { S(BUSY, 0.69), EUS(0.69, 0, 0.31), S(FPU0, 0.685), S(FPU1, 0.1), QUIET, END };
static const struct seen above_one[] = { S(BUSY, 0.72), EUS(0.72, 0, 0.28), S(FPU0, 0.715), S(FPU1, 0.1), QUIET, END };
static const struct seen none_both[] = { S(BUSY, 0.97), EUS(0.72, 0.25, 0.03), S(SLOTS, 0.5), S(FPU0, 0.5), S(FPU1, 0.5), QUIET, END };
static const struct seen none_one[] = { S(BUSY, 0.88), EUS(0.6, 0.2, 0.2), S(SLOTS, 0.5), S(FPU0, 0.4), S(FPU1, 0.02), QUIET, END };
static const struct seen no_sense[] = { S(BUSY, 1), EUS(0.4, 0.1, 0.1), S(FPU0, 0.1), S(FPU1, 0.1), END };

/* Windows one after the other: what each shows, and what is said then. Times are in tenths of a second. */
struct window {
	const struct seen *seen;
	int length, end;
	const char *want;
	int since;
	unsigned flags;
};

static void expect(struct metric_set *set, struct verdict_memory *m, const struct window *w, struct verdict *v)
{
	char got[64];

	see(set, w->seen);
	snap.mono_ns = w->end * NS_PER_S / 10;
	snap.window_ns = w->length * NS_PER_S / 10;
	verdict_make(&snap, m, v);
	snprintf(got, sizeof(got), "%s %s", verdict_kind_name(v->kind), v->bound);
	is_str(got, w->want, "after %d.%d s: kind and bound", w->end / 10, w->end % 10);
	is_int(v->since_ns * 10 / NS_PER_S, w->since, "after %d.%d s: since", w->end / 10, w->end % 10);
	is_int(v->flags, w->flags, "after %d.%d s: flags", w->end / 10, w->end % 10);
}

static void expect_all(struct metric_set *set, const struct window *w, size_t n, struct verdict *v)
{
	struct verdict_memory m = { .has_said = false };

	for (size_t i = 0; i < n; i++)
		expect(set, &m, &w[i], v);
}

/* A load whose busy time wavers about the border between waiting for work and having enough of it. */
static void test_border(struct metric_set *set)
{
	static const struct { double busy; const char *want; } windows[] = {
		{ 0.88, "partly_idle busy" }, { 0.92, "partly_idle busy" }, { 0.93, "partly_idle busy" }, { 0.94, "partly_idle busy" },
		{ 0.97, "no_counters " }, { 0.88, "no_counters " }, { 0.86, "no_counters " }, { 0.8, "partly_idle busy" },
		{ 0.01, "idle busy" }, { 0.06, "idle busy" }, { 0.09, "partly_idle busy" }, { 0.04, "partly_idle busy" }, { 0, "idle busy" },
	};
	struct verdict_memory m = { .has_said = false };

	for (size_t i = 0; i < ARRAY_LEN(windows); i++) {
		struct seen seen[] = { S(BUSY, windows[i].busy), END };
		struct verdict v;
		char got[64];

		see(set, seen);
		snap.mono_ns = (int64_t)(i + 1) * NS_PER_S / 5;
		snap.window_ns = NS_PER_S / 5;
		verdict_make(&snap, &m, &v);
		snprintf(got, sizeof(got), "%s %s", verdict_kind_name(v.kind), v.bound);
		is_str(got, windows[i].want, "busy %.0f %% after what was said", 100 * windows[i].busy);
	}
}

static void test_steadiness(struct metric_set *set)
{
	static const struct window longer[] = {
		{ steady_pipe, 10, 10, "pipe fpu0", 10, 0 }, { steady_idle, 10, 20, "idle busy", 20, 0 }, { steady_dram, 10, 30, "bandwidth dram", 30, 0 },
		{ no_sense, 10, 40, "none ", 40, VERDICT_CONTRADICTION }, { steady_dram, 10, 50, "bandwidth dram", 30, 0 },
		{ other_nearly, 10, 60, "pipe send", 60, 0 }, { steady_pipe, 10, 70, "pipe fpu0", 60, 0 },
	};
	static const struct window shorter[] = {
		{ steady_pipe, 2, 2, "pipe fpu0", 2, 0 },
		{ steady_dram, 2, 4, "measuring ", 2, 0 },	/* one is not enough */
		{ steady_pipe, 2, 6, "pipe fpu0", 2, 0 },
		{ steady_dram, 2, 8, "measuring ", 6, 0 },	/* and does not count later */
		{ steady_dram, 2, 10, "bandwidth dram", 10, 0 },
		{ steady_idle, 2, 12, "idle busy", 12, 0 },	/* no work, and work again, is seen at once */
		{ steady_pipe, 2, 14, "pipe fpu0", 14, 0 },
		{ hot, 2, 16, "heat temperature", 16, 0 },	/* and so is a clock that is held */
		{ steady_dram, 2, 18, "bandwidth dram", 18, 0 },
		{ steady_mix, 2, 20, "measuring ", 18, 0 },
		{ steady_pipe, 2, 22, "measuring ", 18, 0 },
		{ steady_mix, 2, 24, "measuring ", 18, 0 },
		{ steady_pipe, 2, 26, "measuring ", 18, 0 },
		/* a second of other kinds that add up to none of them goes on changing */
		{ steady_mix, 2, 28, "measuring ", 18, 0 },
		/* and one that adds up to a kind is said by a window of it */
		{ steady_pipe, 2, 30, "measuring ", 18, 0 }, { steady_pipe, 2, 32, "pipe fpu0", 32, 0 },
	};
	static const struct window leads[] = {
		{ steady_pipe, 2, 2, "pipe fpu0", 2, 0 }, { other_leads, 2, 4, "pipe send", 2, 0 },	/* by 6 points: at once */
		{ steady_pipe, 2, 6, "pipe fpu0", 2, 0 },	/* what was said is not full any more */
		/* by 2 points: after 5 s */
		{ other_nearly, 9, 15, "pipe fpu0", 2, 0 }, { other_nearly, 9, 24, "pipe fpu0", 2, 0 }, { other_nearly, 9, 33, "pipe fpu0", 2, 0 },
		{ other_nearly, 9, 42, "pipe fpu0", 2, 0 }, { other_nearly, 9, 51, "pipe fpu0", 2, 0 }, { other_nearly, 9, 60, "pipe send", 2, 0 },
	};
	/* Pipes that were said together are not when one of them is behind; the kind holds as it would for one pipe. */
	static const struct window together[] = {
		{ both_full, 2, 2, "pipe fpu", 2, 0 }, { other_nearly, 2, 4, "pipe fpu0", 2, 0 },
		{ both_full, 2, 6, "pipe fpu", 2, 0 }, { steady_pipe, 2, 8, "pipe fpu0", 2, 0 },
		{ even, 2, 10, "pipe fpu", 2, 0 }, { send_nearly, 2, 12, "pipe fpu", 2, 0 },
	};
	static const struct window borders[] = {
		{ border_both, 2, 2, "pipe fpu", 2, 0 }, { below_one, 2, 4, "pipe fpu0", 2, 0 },
		{ above_one, 2, 6, "pipe fpu0", 2, 0 }, { below_one, 2, 8, "pipe fpu0", 2, 0 },
	};
	static const struct window nothing_full[] = { { none_both, 2, 2, "none fpu", 2, 0 }, { none_one, 2, 4, "none fpu0", 2, 0 } };
	struct verdict v;
	char text[120];

	expect_all(set, together, ARRAY_LEN(together), &v);
	expect_all(set, borders, ARRAY_LEN(borders), &v);
	expect_all(set, nothing_full, ARRAY_LEN(nothing_full), &v);
	expect_all(set, longer, ARRAY_LEN(longer), &v);
	expect_all(set, shorter, ARRAY_LEN(shorter), &v);
	is_str(verdict_kind_name(v.before), "bandwidth", "the kind before is remembered");
	is_str(v.before_bound, "dram", "and its word");
	expect_all(set, leads, ARRAY_LEN(leads), &v);
	expect_all(set, shorter, 2, &v);
	is_str(verdict_sentence(&v, true, text, sizeof(text)), "CHANGING: busy 100 %, DRAM 85 %",
		"while the next window is waited for, what is true now is said");
	ok(isnan(v.headroom) && isnan(v.share) && !v.try.fmt && !v.because[0].fmt, "  ... and nothing else");
}

static void fill_half(struct metric_set *set, const struct seen *seen, struct value *v, struct value *c)
{
	see(set, seen);
	memcpy(v, values, sizeof(values));
	memcpy(c, ceilings, sizeof(ceilings));
}

static void test_mixed(struct metric_set *set)
{
	static const struct seen both[] = { S(BUSY, 0.5), EUS(0.5, 0, 0.5), S(FPU0, 0.48), S(FPU1, 0.2), QUIET, END };
	static struct value half[2][METRICS], roofs[2][METRICS];
	struct verdict_memory m = { .has_said = false };
	struct verdict v;

	fill_half(set, steady_idle, half[0], roofs[0]);
	fill_half(set, steady_pipe, half[1], roofs[1]);
	see(set, both);
	for (int k = 0; k < 2; k++) {
		snap.half_values[k] = half[k];
		snap.half_ceilings[k] = roofs[k];
	}
	snap.has_halves = true;
	verdict_make(&snap, &m, &v);
	is_int(v.kind, VERDICT_PARTLY_IDLE, "idle, then a full pipe, in one window: the answer is that of the sums");
	is_int(v.flags, VERDICT_MIXED, "and the window is mixed");
	snap.half_values[0] = half[1];
	snap.half_ceilings[0] = roofs[1];
	verdict_make(&snap, &m, &v);
	is_int(v.flags, 0, "halves that agree are not");
}

/* A window without values says nothing, whatever was said before it. */
static void test_hole(struct metric_set *set)
{
	static const struct window first = { steady_pipe, 10, 10, "pipe fpu0", 10, 0 };
	struct verdict_memory m = { .has_said = false };
	struct verdict v;

	expect(set, &m, &first, &v);
	snap.why = WHY_LOST;
	snap.mono_ns += NS_PER_S;
	verdict_make(&snap, &m, &v);
	is_str(verdict_kind_name(v.kind), "measuring", "a window without values: kind");
	ok(isnan(v.share) && isnan(v.headroom) && !v.because[0].fmt, "  ... no number of the one before");
}

/* Half of the time without work, and the process that uses the device most. */
static void test_host(struct metric_set *set)
{
	static const struct seen half[] = { S(BUSY, 0.5), EUS(0.2, 0.3, 0.5), S(FPU0, 0.2), END };
	static const struct { float first_cpu_pct; enum verdict_kind want; const char *what; } hosts[] = {
		{ 99, VERDICT_HOST, "the first process keeps a CPU core busy" },
		{ 12, VERDICT_PARTLY_IDLE, "it does not" },
		{ NAN, VERDICT_PARTLY_IDLE, "nobody knows what it does" },
	};

	for (size_t i = 0; i < ARRAY_LEN(hosts); i++) {
		struct client_row processes[] = {
			{ .pid = 1, .name = "idle", .busy_pct = { 1 }, .cpu_pct = 100 },
			{ .pid = 2, .name = "train", .busy_pct = { 30 }, .cpu_pct = hosts[i].first_cpu_pct },
			{ .pid = 2, .name = "train", .busy_pct = { 20 }, .cpu_pct = hosts[i].first_cpu_pct },
		};
		struct client_table users = { .n_engines = 1, .rows = processes, .n_rows = ARRAY_LEN(processes) };
		struct verdict v;
		char text[80];

		see(set, half);
		snap.users = &users;
		verdict_make(&snap, NULL, &v);
		is_int(v.kind, hosts[i].want, "%s", hosts[i].what);
		if (v.kind == VERDICT_HOST)
			is_str(verdict_because(&v, 0, true, text, sizeof(text)),
				"train uses a whole CPU core", "and is named");
	}
}

/* Reasons by metric files: only those of the resource that is full, the strongest first, with the
 * step that helps. [AR]: queues whose shares add up to the whole work one after the other. */
static void test_causes(struct metric_set *set)
{
	static const struct {
		const char *what;
		struct seen seen[8];
		const char *cause, *because, *try;
	} causes[] = {
		{ "culling makes a full tiler", { S(BUSY, 1), S(TILER, 0.95), S(CULLS, 0.46), S(OVERDRAW, 9), END },
			"facing", "46 % culled", "cull earlier" },
		{ "and nothing else", { S(BUSY, 1), S(FPU0, 0.95), S(CULLS, 0.46), END }, "", "", NULL },
		{ "overdraw makes a full pipe", { S(BUSY, 1), S(FPU0, 0.95), S(CULLS, 0.46), S(OVERDRAW, 3.6), END },
			"overdraw", "3.6 shaded", "sort" },
		{ "a value below what counts is no cause", { S(BUSY, 1), S(FPU0, 0.95), S(OVERDRAW, 1.9), END }, "", "", NULL },
		{ "what is only the nearest, and far from full, has no cause",
			{ S(BUSY, 1), S(FPU0, 0.11), SHEET(DRAM, 9e9, 100e9), S(OVERDRAW, 3.6), END }, "", NULL, NULL },
		{ "queues that take turns", { S(BUSY, 1), S(FPU0, 0.5), S(QUEUE_A, 0.52), S(QUEUE_B, 0.45), END },
			"turns", "nearest is fpu0 at 50 %", NULL },
		{ "queues that work side by side", { S(BUSY, 1), S(FPU0, 0.5), S(QUEUE_A, 0.95), S(QUEUE_B, 0.9), SHEET(DRAM, 5e9, 34e9), END },
			"", "queue_a: busy 95 % of the time", NULL },
	};

	for (size_t i = 0; i < ARRAY_LEN(causes); i++) {
		struct verdict v;
		char text[120];

		see(set, causes[i].seen);
		/* files give values in the unit of the metric */
		values[CULLS].v *= 100;
		verdict_make(&snap, NULL, &v);
		is_str(v.causes[0], causes[i].cause, "%s", causes[i].what);
		if (causes[i].because)
			is_str(verdict_because(&v, 0, true, text, sizeof(text)), causes[i].because, "  ... in words");
		if (!strcmp(causes[i].cause, "turns"))
			is_str(verdict_line(&v, false, true, text, sizeof(text)),
				"queue_a 52 %, queue_b 45 % of the time",
				"  ... which stands first where nothing is near its roof");
		if (causes[i].try)
			is_str(verdict_try(&v, true, text, sizeof(text)), causes[i].try, "  ... and what helps");
	}
}

/* The clock stands still while the device sleeps: its share of clocks is not one of all time. */
static void test_asleep(struct metric_set *set)
{
	static const struct seen mostly[] = { S(BUSY, 1), S(ASLEEP, 0.6), EUS(0.5, 0.5, 0), S(FPU0, 0.3), END };
	static const struct seen nearly[] = { S(BUSY, 1), S(ASLEEP, 0.97), EUS(0.5, 0.5, 0), S(FPU0, 0.3), END };
	static const struct seen slept[] = { S(ASLEEP, 1), END };
	struct verdict v;
	char text[120];

	see(set, mostly);
	verdict_make(&snap, NULL, &v);
	is_str(verdict_line(&v, false, true, text, sizeof(text)), "there is work 40 % of the time, asleep 60 %",
		"why clocks that were all busy are idle time");
	is_str(verdict_line(&v, true, true, text, sizeof(text)), "there is work 40 % of the time", "  ... in brief");
	is_near(snapshot_of_all_time(&snap, BUSY).v, 0.4, 1e-9, "a share of all time");
	is_near(snapshot_of_all_time(&snap, WORK).v, 0.5, 1e-9, "nothing is taken from what is no share of clocks");
	see(set, nearly);
	verdict_make(&snap, NULL, &v);
	is_str(verdict_line(&v, false, true, text, sizeof(text)), "busy 3.0 % of the time, asleep 97 %", "an idle device says it too");
	set->metrics[BUSY].limit.while_awake = false;
	see(set, (struct seen[]){ S(BUSY, -0.004), EUS(0, 0, 1), S(FPU0, 0), END });
	verdict_make(&snap, NULL, &v);
	is_str(verdict_line(&v, false, true, text, sizeof(text)), "busy 0 % of the time", "a share a little below 0 is none");
	see(set, mostly);
	verdict_make(&snap, NULL, &v);
	ok(v.kind != VERDICT_PARTLY_IDLE && v.kind != VERDICT_IDLE, "a share of all time stays what it is");
	is_near(snapshot_of_all_time(&snap, BUSY).v, 1, 1e-9, "  ... also for whoever asks");
	set->metrics[BUSY].limit.while_awake = true;
	values[BUSY] = value_none(WHY_OUT_OF_RANGE);
	ok(snapshot_of_all_time(&snap, BUSY).why == WHY_OUT_OF_RANGE, "no number is no share");
	see(set, slept);
	values[BUSY] = value_none(WHY_DIV_ZERO);
	verdict_make(&snap, NULL, &v);
	is_str(verdict_line(&v, false, true, text, sizeof(text)), "busy 0 % of the time, asleep 100 %",
		"a share of no clock at all is no time, where all of it was sleep");
	ok(snapshot_of_all_time(&snap, BUSY).why == WHY_OK && snapshot_of_all_time(&snap, BUSY).v == 0, "  ... also for whoever asks");
	values[ASLEEP] = value_ok(0);
	verdict_make(&snap, NULL, &v);
	ok(v.kind != VERDICT_IDLE && snapshot_of_all_time(&snap, BUSY).why == WHY_DIV_ZERO, "where nobody slept, a clock that stands still is unexplained");
}

/* The same window, counted of busy time alone. */
static void tell_of_busy(struct metric_set *set, const double share[4], double busy, double asleep, bool of_busy, struct verdict *v)
{
	static const int metrics[] = { WORK, WAIT, EMPTY, FPU0 };
	double f = of_busy ? 1 : busy, rest = of_busy ? 0 : 1 - busy;

	for (size_t i = 0; i < ARRAY_LEN(metrics); i++)
		set->metrics[metrics[i]].limit.while_busy = of_busy;
	see(set, (struct seen[]){ S(BUSY, busy), S(ASLEEP, asleep), S(WORK, f * share[0]), S(WAIT, f * share[1]),
		S(EMPTY, rest + f * share[2]), S(FPU0, f * share[3]), QUIET, END });
	verdict_make(&snap, NULL, v);
	for (size_t i = 0; i < ARRAY_LEN(metrics); i++)
		set->metrics[metrics[i]].limit.while_busy = false;
}

/* Whether shares are counted of busy time alone or of all time makes no difference to the answer, for every load. */
static void test_of_busy(struct metric_set *set)
{
	static const double sleeps[] = { 0, 0.09, 0.31, 0.83 }, fulls[] = { 0.07, 0.43, 0.93 };
	int tried = 0, same = 0;

	for (double busy = 0.013; busy <= 1; busy += 0.047)
		for (double work = 0; work < 1; work += 0.131)
			for (double empty = 0; empty < 1 - work; empty += 0.217)
				for (size_t i = 0; i < ARRAY_LEN(sleeps) * ARRAY_LEN(fulls); i++) {
					double share[] = { work, 1 - work - empty, empty, fulls[i % ARRAY_LEN(fulls)] };
					double asleep = sleeps[i / ARRAY_LEN(fulls)];
					struct verdict a, b;

					tell_of_busy(set, share, busy, asleep, false, &a);
					tell_of_busy(set, share, busy, asleep, true, &b);
					tried++;
					same += a.kind == b.kind && !strcmp(a.bound, b.bound) && a.flags == b.flags &&
						(fabs(a.headroom - b.headroom) < 1e-9 || (isnan(a.headroom) && isnan(b.headroom)));
				}
	is_int(same, tried, "shares of busy time and of all time give one answer");
}

/* A share far beyond the whole has no number; nothing is concluded from the rest. */
static void test_no_share(struct metric_set *set)
{
	static const struct seen seen[] = { S(BUSY, 1), EUS(0.1, 0.9, 0), S(FPU0, 0.1), END };
	struct verdict v;
	char text[80];

	see(set, seen);
	values[BUSY] = value_none(WHY_OUT_OF_RANGE);
	verdict_make(&snap, NULL, &v);
	is_int(v.flags, VERDICT_CONTRADICTION, "a busy share that is none is a contradiction");
	is_str(verdict_line(&v, false, true, text, sizeof(text)), "the counters of busy give no share", "  ... which has a name");
}

/* Why the first source has no sample. */
static void test_states(struct metric_set *set)
{
	static const struct seen nothing[] = { END };
	static const struct { enum why why; enum verdict_kind want; } states[] = {
		{ WHY_GONE, VERDICT_LOST }, { WHY_NOT_YET, VERDICT_MEASURING }, { WHY_ASLEEP, VERDICT_ASLEEP },
		{ WHY_PERMISSION, VERDICT_PERMISSION }, { WHY_LOST, VERDICT_MEASURING }, { WHY_BUSY, VERDICT_NO_COUNTERS },
	};

	for (size_t i = 0; i < ARRAY_LEN(states); i++) {
		struct verdict v;

		see(set, nothing);
		snap.why = states[i].why;
		verdict_make(&snap, NULL, &v);
		is_int(v.kind, states[i].want, "without a sample: %s", why_name(states[i].why));
		is_str(v.bound, "", "no resource is named");
	}
}

/* Threads by subslice, where the set counts them: the reason is k / (S ceil(k / S)) of the thesis. */
static void test_dealt(struct metric_set *set)
{
	static const struct seen rest[] = { S(BUSY, 1), EUS(0.82, 0.01, 0.17), S(FPU0, 0.5),
		S(FPU1, 0.5), SHEET(DRAM, 1e9, 34e9), END };
	static const struct seen blind[] = { S(BUSY, 1), EUS(0.82, 0.01, 0.17), S(FPU0, 0.5),
		S(FPU1, 0.5), END };
	static const struct seen full[] = { S(BUSY, 1), EUS(0.9, 0, 0.1), S(FPU0, 0.95), S(FPU1, 0.5), END };
	static const struct seen loaded[] = { S(BUSY, 1), EUS(0.99, 0, 0.01), S(FPU0, 0.5), S(FPU1, 0.5),
		SHEET(DRAM, 1e9, 34e9), END };
	static const struct {
		const struct seen *seen;
		double cells[3];
		uint64_t groups;
		enum verdict_kind want;
		const char *because, *try;
	} cases[] = {
		{ rest, { 2, 2, 1 }, 5, VERDICT_PARALLELISM, "2 of 3 cells have 2 times the work of the others",
			"5 work-groups on 3 subslices; a multiple of 3 is up to 1.2 times faster" },
		{ rest, { 2, 2, 1 }, 0, VERDICT_PARALLELISM, "2 of 3 cells have 2 times the work of the others",
			"more and smaller work-groups, less local memory for each" },
		{ rest, { 1, 1, 1 }, 0, VERDICT_NONE, NULL, NULL },	/* they rest for another reason */
		{ rest, { 2, 2, NAN }, 5, VERDICT_NONE, NULL, NULL },	/* one is not known */
		{ blind, { 2, 2, 1 }, 5, VERDICT_UNKNOWN, NULL, NULL },	/* memory may be full beside two pipes */
		{ full, { 2, 2, 1 }, 5, VERDICT_PIPE, NULL, NULL },
		{ loaded, { 2, 2, 1 }, 5, VERDICT_NONE, NULL, NULL },	/* none rests */
	};
	static const char names[3][CELL_NAME_SIZE] = { "S0SS0", "S0SS1", "S0SS2" };

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		static const int metrics[] = { DEALT };
		struct value cells[3 * METRICS];
		int64_t t_ns[3] = { 1, 1, 1 };
		char text[120];
		struct verdict v;

		see(set, cases[i].seen);
		snap.n_maps = 1;
		snap.maps[0] = (struct cell_map){ .scope = "subslice", .n = 3, .names = names, .stride = METRICS,
			.metrics = metrics, .n_metrics = 1, .values = cells, .t_ns = t_ns };
		for (int c = 0; c < 3; c++)
			cells[c * METRICS + DEALT] = isnan(cases[i].cells[c]) ? value_none(WHY_LOST)
									      : value_ok(cases[i].cells[c]);
		snap.job.phase = cases[i].groups ? JOB_RUNNING : JOB_IDLE;
		snap.job.job.groups = cases[i].groups;
		device.topology.subslices = 3;
		verdict_make(&snap, NULL, &v);
		is_str(verdict_kind_name(v.kind), verdict_kind_name(cases[i].want), "dealt %zu: kind", i);
		if (!cases[i].because)
			continue;
		is_str(v.bound, "groups", "dealt %zu: bound", i);
		is_str(verdict_because(&v, 0, true, text, sizeof(text)), cases[i].because, "because");
		is_str(verdict_try(&v, true, text, sizeof(text)), cases[i].try, "try");
	}
}

/* Where nothing counts what waits, and all that is counted has room, waiting is said by exclusion;
 * the nearest roof promises nothing then. */
static void test_exclusion(struct metric_set *set)
{
	static const struct seen chase[] = { S(BUSY, 1), S(SLOTS, 1), S(FPU0, 0.03), SHEET(DRAM, 5e9, 34e9),
		S(HEAT, 0), END };
	static const struct seen near[] = { S(BUSY, 1), S(SLOTS, 1), S(FPU0, 0.03), SHEET(DRAM, 22e9, 34e9), END };
	static const struct seen map[] = { S(BUSY, 1), S(WORK, 0.44), OF(SLM, 0, 1), END };
	struct verdict v;
	char text[200];

	set->metrics[WAIT].limit.role = set->metrics[WORK].limit.role = LIMIT_NONE;
	see(set, chase);
	verdict_make(&snap, NULL, &v);
	is_str(verdict_kind_name(v.kind), "none", "nobody counts waiting: the kind is not latency");
	ok(isnan(v.headroom), "and no headroom is claimed");
	ok(strstr(verdict_because(&v, 0, true, text, sizeof(text)), "perhaps latency: ") == text,
		"but waiting is what remains");
	see(set, near);
	verdict_make(&snap, NULL, &v);
	is_str(verdict_kind_name(v.kind), "unknown", "65 %% of a data sheet may be all that a memory delivers");
	ok(!strstr(verdict_because(&v, 0, true, text, sizeof(text)), "waiting"), "and waiting is not told");
	const char *line = verdict_line(&v, false, true, text, sizeof(text));
	bool whole = strstr(line, "too high");
	for (int w = 20; w < (int)strlen(line); w++) {
		size_t len = format_clause(line, w);
		whole = whole && !(len && strstr(line, "too high") > line + len);
	}
	ok(whole, "no width cuts one half of it off: %s", line);
	set->metrics[WORK].limit.role = LIMIT_WORKING;
	see(set, map);
	verdict_make(&snap, NULL, &v);
	is_str(verdict_line(&v, false, true, text, sizeof(text)),
		"the EUs work 44 % of the time, the set s does not count DRAM",
		"a set of a map says what it counts, and not that nothing is in use");
	set->metrics[WAIT].limit.role = LIMIT_WAITING;
}

/* What is full is not what a step needs: a table of what may not be said, for each resource. */
static void test_advice(void)
{
	static const struct { const char *bound, *text; bool may; } steps[] = {
		{ "slm", "move fewer bytes per FLOP: tiles, fused kernels, local memory", false },
		{ "l3", "fewer cache accesses: local memory", false },
		{ "slm", "fewer SLM accesses: keep values in registers, avoid bank conflicts", true },
		{ "send", "fewer, cheaper instructions: multiply-add, half types, no division", false },
		{ "integer", "fewer, cheaper instructions: multiply-add, half types, no division", false },
		{ "fpu", "fewer, cheaper instructions: multiply-add, half types, no division", true },
		{ "external_read", "write fewer bytes", false }, { "anything", "anything", true },
	};

	for (size_t i = 0; i < ARRAY_LEN(steps); i++)
		is_int(verdict_advice_may_say(steps[i].bound, steps[i].text), steps[i].may, "%s: %s", steps[i].bound, steps[i].text);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct verdict v;
		char text[160];
		bool full = rows[i].kind == VERDICT_PIPE || rows[i].kind == VERDICT_BANDWIDTH;

		see(lib.sets[0], rows[i].seen);
		verdict_make(&snap, NULL, &v);
		verdict_try(&v, true, text, sizeof(text));
		if (full)
			ok(*text && verdict_advice_may_say(v.bound, text), "%s: %s", v.bound, text);
	}
}

/* Answers fit the lines of a screen of 80 columns, and their short forms one of 40. */
static bool fits(const struct verdict *v)
{
	char text[400], brief[200], room[64];
	int end;

	verdict_line(v, false, true, text, sizeof(text));
	verdict_line(v, true, true, brief, sizeof(brief));
	verdict_headroom(v, true, room, sizeof(room));
	end = 78 - 16 - 1 - format_columns(room);
	bool fit = format_columns(brief) <= 39 &&
		(format_columns(text) <= end || format_columns(brief) <= end);
	for (int i = 0; i < VERDICT_BECAUSE; i++)
		fit = fit && format_columns(verdict_because(v, i, true, text, sizeof(text))) <= 69;
	fit = fit && format_columns(verdict_try(v, true, text, sizeof(text))) <= 69;
	if (!fit)
		diag("%s: %s, %s", verdict_sentence(v, true, text, sizeof(text)), brief,
			v->try.fmt ? v->try.fmt : "");
	return fit;
}

static void test_fits(struct metric_set *set)
{
	static const enum verdict_kind states[] = { VERDICT_LOST, VERDICT_MEASURING, VERDICT_ASLEEP,
		VERDICT_PERMISSION };
	int bad = 0;
	struct verdict v;

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		see(set, rows[i].seen);
		verdict_make(&snap, NULL, &v);
		bad += !fits(&v);
	}
	for (size_t i = 0; i < ARRAY_LEN(states); i++) {
		verdict_state(&v, states[i]);
		bad += !fits(&v);
	}
	is_int(bad, 0, "sentences fit 80 columns, and their short forms 40");
}

int main(void)
{
	metric_lib_load(&lib, "verdict", file, NULL, NULL, report, NULL);
	is_int(lib.sets[0]->n_metrics, METRICS, "every metric is read");
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct verdict v;

		see(lib.sets[0], rows[i].seen);
		verdict_make(&snap, NULL, &v);
		is_str(verdict_kind_name(v.kind), verdict_kind_name(rows[i].kind), "%s: kind", rows[i].what);
		is_str(v.bound, rows[i].bound, "%s: bound", rows[i].what);
		is_near(v.headroom, rows[i].headroom, 1e-9, "%s: headroom", rows[i].what);
		is_int(v.flags, rows[i].flags, "%s: flags", rows[i].what);
		ok(v.missing != VERDICT_MISSING_SET || v.kind != VERDICT_UNKNOWN || isnan(v.value), "%s: what is not counted has no number", rows[i].what);
	}
	test_exclusion(lib.sets[0]);
	test_fits(lib.sets[0]);
	test_advice();
	test_host(lib.sets[0]);
	test_causes(lib.sets[0]);
	test_asleep(lib.sets[0]);
	test_of_busy(lib.sets[0]);
	test_no_share(lib.sets[0]);
	test_states(lib.sets[0]);
	test_steadiness(lib.sets[0]);
	test_border(lib.sets[0]);
	test_mixed(lib.sets[0]);
	test_hole(lib.sets[0]);
	test_dealt(lib.sets[0]);
	metric_lib_release(&lib);
	return done_testing();
}
