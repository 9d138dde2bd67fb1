/* SPDX-License-Identifier: GPL-3.0-or-later */
/* /proc/cpuinfo, and rows of microarchitectures. */
#include "config.h"

#include "backends/cpu/cpu_info.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/cpu/sources.h"
#include "base/mem.h"

/* --- cores of Arm by their part numbers --- */

#define ARM 0x41
#define CAVIUM 0x43
#define FUJITSU 0x46
#define NVIDIA 0x4e
#define QUALCOMM 0x51
#define APPLE 0x61
#define AMPERE 0xc0
#define PART(implementer, part) ((uint32_t)(implementer) << 16 | (part))

/* Parts: Linux arch/arm64/include/asm/cputype.h and tools/perf/pmu-events/arch/arm64/mapfile.csv.
 * counts_flops: their lists of events have FP_SCALE_OPS_SPEC and FP_FIXED_OPS_SPEC (the same folder).
 * vector_bits: of SVE, which FP_SCALE_OPS_SPEC counts by 128; 0: it has none, or nobody says. */
static const struct arm_core {
	uint32_t part;
	const char *name;
	bool counts_flops;
	int vector_bits;
} cores[] = {
	{ PART(ARM, 0xd03), "Cortex-A53", false, 0 },
	{ PART(ARM, 0xd04), "Cortex-A35", false, 0 },
	{ PART(ARM, 0xd05), "Cortex-A55", false, 0 },
	{ PART(ARM, 0xd07), "Cortex-A57", false, 0 },
	{ PART(ARM, 0xd08), "Cortex-A72", false, 0 },
	{ PART(ARM, 0xd09), "Cortex-A73", false, 0 },
	{ PART(ARM, 0xd0a), "Cortex-A75", false, 0 },
	{ PART(ARM, 0xd0b), "Cortex-A76", false, 0 },
	{ PART(ARM, 0xd0c), "Neoverse-N1", false, 0 },
	{ PART(ARM, 0xd0d), "Cortex-A77", false, 0 },
	{ PART(ARM, 0xd40), "Neoverse-V1", true, 256 },
	{ PART(ARM, 0xd41), "Cortex-A78", false, 0 },
	{ PART(ARM, 0xd44), "Cortex-X1", false, 0 },
	{ PART(ARM, 0xd46), "Cortex-A510", false, 128 },
	{ PART(ARM, 0xd47), "Cortex-A710", true, 128 },
	{ PART(ARM, 0xd48), "Cortex-X2", true, 128 },
	{ PART(ARM, 0xd49), "Neoverse-N2", true, 128 },
	{ PART(ARM, 0xd4a), "Neoverse-E1", false, 0 },
	{ PART(ARM, 0xd4d), "Cortex-A715", false, 128 },
	{ PART(ARM, 0xd4e), "Cortex-X3", false, 128 },
	{ PART(ARM, 0xd4f), "Neoverse-V2", true, 128 },
	{ PART(ARM, 0xd83), "Neoverse-V3", true, 128 },
	{ PART(ARM, 0xd8e), "Neoverse-N3", true, 128 },
	{ PART(CAVIUM, 0x0af), "ThunderX2", false, 0 },
	{ PART(FUJITSU, 0x001), "A64FX", true, 512 },
	{ PART(QUALCOMM, 0x001), "Oryon", false, 0 },
	{ PART(APPLE, 0x022), "Icestorm", false, 0 },
	{ PART(APPLE, 0x023), "Firestorm", false, 0 },
	{ PART(AMPERE, 0xac3), "AmpereOne", false, 0 },
};

/* Rows by what can be counted; a processor whose kinds of cores differ in it counts no operations. */
static const struct cpu_family plain = { .name = "Armv8", .platform = "cpu-arm", .source = "arm64 mapfile.csv" };
static const struct cpu_family flops[] = {
	{ .name = "Armv8, SVE 128", .platform = "cpu-arm-sve128", .source = "arm64 mapfile.csv" },
	{ .name = "Armv8, SVE 256", .platform = "cpu-arm-sve256", .source = "arm64 mapfile.csv" },
	{ .name = "Armv8, SVE 512", .platform = "cpu-arm-sve512", .source = "arm64 mapfile.csv" },
};

static const struct arm_core *core_of(uint32_t part)
{
	for (size_t i = 0; i < ARRAY_LEN(cores); i++)
		if (cores[i].part == part)
			return &cores[i];
	return NULL;
}

static void add_name(uint32_t part, int count, char *name, size_t size)
{
	const struct arm_core *core = core_of(part);
	size_t len = strlen(name);

	if (len)
		len += (size_t)snprintf(name + len, size - len, ", ");
	if (len >= size)
		return;
	if (core)
		snprintf(name + len, size - len, "%d x %s", count, core->name);
	else
		snprintf(name + len, size - len, "%d x Arm core 0x%x:0x%x", count, part >> 16,
			part & 0xffff);
}

/* Names the processor by its cores ("4 x Cortex-A76, 4 x Cortex-A55") and returns the row that says
 * what their events mean. parts: [n] implementer << 16 | part. Cores that are not in the table are
 * named by their numbers. Never NULL. */
static const struct cpu_family *arm_cores_row(const uint32_t *parts, int n, char *name, size_t size)
{
	int bits = -1;

	name[0] = '\0';
	for (int i = 0; i < n; i++) {
		const struct arm_core *core = core_of(parts[i]);
		int own = core && core->counts_flops ? core->vector_bits : 0, count = 0;
		bool is_new = true;

		if (bits >= 0 && own != bits)
			own = 0;
		bits = bits == 0 ? 0 : own;
		for (int k = 0; k < i; k++)
			is_new &= parts[k] != parts[i];
		for (int k = i; k < n && is_new; k++)
			count += parts[k] == parts[i];
		if (is_new)
			add_name(parts[i], count, name, size);
	}
	for (int i = 0; i < 3; i++)
		if (bits == 128 << i)
			return &flops[i];
	return &plain;
}

#define FILE_MAX_BYTES (8u << 20)
#define INTEL "GenuineIntel"
#define AMD "AuthenticAMD"
#define HYGON "HygonGenuine"
/* Units for multiply-adds per core: ports 0, 1 and 5 with their widths. */
#define SDM "Intel Optimization Reference Manual, chapters of the microarchitectures"
/* Where no figure for the multiply-adds of these cores was found, their peak is unknown. */
#define PERFMON "github.com/intel/perfmon, mapfile.csv and SRF, GRR, CWF, PTL, NVL/events"
#define SOG "AMD Software Optimization Guide of the family, floating-point unit"

/* Efficient cores, measured: github.com/pigirons/cpufp, benchmark_result/x64. A Skymont has 140.3
 * GFLOP/s at 4.4 GHz, a Crestmont 39.8 at 2.5 (Ultra 7 255H); others whose operations are counted
 * are not known. */
#define CRESTMONT 16
#define SKYMONT 32

/* Of models of Intel's family 6: single precision operations in a clock of the cores of the kernel's
 * PMU cpu_atom, and of those of cpu_lowpower. */
static const struct efficient_width {
	int first_model, last_model, atom, lowpower;
} efficient_widths[] = {
	{ 0xaa, 0xac, CRESTMONT, CRESTMONT }, { 0xb5, 0xb5, CRESTMONT, CRESTMONT },
	{ 0xc5, 0xc6, SKYMONT, CRESTMONT }, { 0xbd, 0xbd, SKYMONT, SKYMONT },
};

/* Models: Linux arch/x86/include/asm/intel-family.h and arch/x86/kernel/cpu/amd.c. Parts that
 * differ in their number of 512-bit units have that of the bigger one. Mobile parts of Zen 5 have
 * half of its width, so its peak is unknown by model. From Ice Lake on (-td) a counter of their own
 * tells where the slots of the pipeline go (Linux arch/x86/events/intel/core.c, PERF_METRICS). */
static const struct cpu_family families[] = {
	{ INTEL, 6, 0x2a, 0x2a, "Sandy Bridge", "cpu", 16, SDM },
	{ INTEL, 6, 0x2d, 0x2d, "Sandy Bridge-EP", "cpu", 16, SDM },
	{ INTEL, 6, 0x3a, 0x3a, "Ivy Bridge", "cpu", 16, SDM },
	{ INTEL, 6, 0x3e, 0x3e, "Ivy Bridge-EP", "cpu", 16, SDM },
	{ INTEL, 6, 0x3c, 0x3c, "Haswell", "cpu", 32, SDM },
	{ INTEL, 6, 0x3f, 0x3f, "Haswell-EP", "cpu", 32, SDM },
	{ INTEL, 6, 0x45, 0x46, "Haswell", "cpu", 32, SDM },
	{ INTEL, 6, 0x3d, 0x3d, "Broadwell", "cpu-arith", 32, SDM },
	{ INTEL, 6, 0x47, 0x47, "Broadwell", "cpu-arith", 32, SDM },
	{ INTEL, 6, 0x4f, 0x4f, "Broadwell-EP", "cpu-arith", 32, SDM },
	{ INTEL, 6, 0x56, 0x56, "Broadwell-DE", "cpu-arith", 32, SDM },
	{ INTEL, 6, 0x4e, 0x4e, "Skylake", "cpu-arith", 32, SDM },
	{ INTEL, 6, 0x5e, 0x5e, "Skylake", "cpu-arith", 32, SDM },
	{ INTEL, 6, 0x55, 0x55, "Skylake-SP", "cpu-arith512", 64, SDM },
	{ INTEL, 6, 0x8e, 0x8e, "Kaby Lake", "cpu-arith", 32, SDM },
	{ INTEL, 6, 0x9e, 0x9e, "Kaby Lake", "cpu-arith", 32, SDM },
	{ INTEL, 6, 0xa5, 0xa6, "Comet Lake", "cpu-arith", 32, SDM },
	{ INTEL, 6, 0x66, 0x66, "Cannon Lake", "cpu-arith512", 32, SDM },
	{ INTEL, 6, 0x6a, 0x6c, "Ice Lake-SP", "cpu-arith512-td", 64, SDM },
	{ INTEL, 6, 0x7d, 0x7e, "Ice Lake", "cpu-arith512-td", 32, SDM },
	{ INTEL, 6, 0x8c, 0x8d, "Tiger Lake", "cpu-arith512-td", 32, SDM },
	{ INTEL, 6, 0xa7, 0xa7, "Rocket Lake", "cpu-arith512-td", 32, SDM },
	{ INTEL, 6, 0x97, 0x97, "Alder Lake", "cpu-hybrid-td", 32, SDM },
	{ INTEL, 6, 0x9a, 0x9a, "Alder Lake", "cpu-hybrid-td", 32, SDM },
	{ INTEL, 6, 0xb7, 0xb7, "Raptor Lake", "cpu-hybrid-td", 32, SDM },
	{ INTEL, 6, 0xba, 0xba, "Raptor Lake", "cpu-hybrid-td", 32, SDM },
	{ INTEL, 6, 0xbf, 0xbf, "Raptor Lake", "cpu-hybrid-td", 32, SDM },
	{ INTEL, 6, 0xaa, 0xaa, "Meteor Lake", "cpu-hybrid-flops-td", 32, SDM },
	{ INTEL, 6, 0xac, 0xac, "Meteor Lake", "cpu-hybrid-flops-td", 32, SDM },
	{ INTEL, 6, 0xb5, 0xb5, "Arrow Lake U", "cpu-hybrid-flops-td", 32, SDM },
	{ INTEL, 6, 0xc5, 0xc6, "Arrow Lake", "cpu-hybrid-flops-td", 32, SDM },
	{ INTEL, 6, 0xbd, 0xbd, "Lunar Lake", "cpu-hybrid-flops-td", 32, SDM },
	{ INTEL, 6, 0xcc, 0xcc, "Panther Lake", "cpu-hybrid-flops-td", 32, SDM },
	{ INTEL, 6, 0xd5, 0xd5, "Panther Lake", "cpu-hybrid-flops-td", 32, SDM },
	{ INTEL, 6, 0xe5, 0xe5, "Panther Lake", "cpu-hybrid-flops-td", 32, PERFMON },
	{ INTEL, 18, 0x01, 0x01, "Nova Lake", "cpu-hybrid512-td", 0, PERFMON },
	{ INTEL, 18, 0x03, 0x03, "Nova Lake", "cpu-hybrid512-td", 0, PERFMON },
	{ INTEL, 6, 0x8f, 0x8f, "Sapphire Rapids", "cpu-arith512-td", 64, SDM },
	{ INTEL, 6, 0xcf, 0xcf, "Emerald Rapids", "cpu-arith512-td", 64, SDM },
	{ INTEL, 6, 0xad, 0xae, "Granite Rapids", "cpu-arith512-td", 64, SDM },
	{ INTEL, 6, 0xaf, 0xaf, "Sierra Forest", "cpu-atom", CRESTMONT, PERFMON },
	{ INTEL, 6, 0xb6, 0xb6, "Grand Ridge", "cpu-atom", CRESTMONT, PERFMON },
	{ INTEL, 6, 0xdd, 0xdd, "Clearwater Forest", "cpu-atom", 0, PERFMON },
	{ AMD, 0x17, 0x00, 0x2f, "Zen", "cpu-zen1", 16, SOG },
	{ AMD, 0x17, 0x30, 0xff, "Zen 2", "cpu-zen2", 32, SOG },
	{ AMD, 0x19, 0x00, 0x0f, "Zen 3", "cpu-zen2", 32, SOG },
	{ AMD, 0x19, 0x20, 0x5f, "Zen 3", "cpu-zen2", 32, SOG },
	{ AMD, 0x19, 0x10, 0x1f, "Zen 4", "cpu-zen4", 32, SOG },
	{ AMD, 0x19, 0x60, 0xaf, "Zen 4", "cpu-zen4", 32, SOG },
	{ AMD, 0x1a, 0x00, 0x1f, "Zen 5", "cpu-zen5", 64, SOG },
	{ AMD, 0x1a, 0x40, 0x4f, "Zen 5", "cpu-zen5", 64, SOG },
	{ AMD, 0x1a, 0x20, 0x2f, "Zen 5", "cpu-zen5", 0, SOG },
	{ AMD, 0x1a, 0x60, 0x7f, "Zen 5", "cpu-zen5", 0, SOG },
	{ AMD, 0x1a, 0xd0, 0xd7, "Zen 5", "cpu-zen5", 0, SOG },
	{ AMD, 0x1a, 0x50, 0x5f, "Zen 6", "cpu-zen5", 0, SOG },
	{ AMD, 0x1a, 0x80, 0xaf, "Zen 6", "cpu-zen5", 0, SOG },
	{ AMD, 0x1a, 0xc0, 0xcf, "Zen 6", "cpu-zen5", 0, SOG },
	{ AMD, 0x1a, 0xd8, 0xef, "Zen 6", "cpu-zen5", 0, SOG },
	{ HYGON, 0x18, 0x00, 0x03, "Dhyana", "cpu-zen1", 16,
		"Linux Documentation/arch/x86: a Zen core of AMD's family 17h" },
};

/* Linux tools/perf/pmu-events/arch/x86: FP_ARITH_INST_RETIRED counts instructions, AMD's event
 * 0x003 and FP_FLOPS_RETIRED of efficient cores operations. */
static const struct cpu_loop_event loop_events[] = {
	{ "cpu-arith", "event=0xc7,umask=0x20", 1 }, { "cpu-arith512", "event=0xc7,umask=0x20", 1 },
	{ "cpu-hybrid-td", "event=0xc7,umask=0x20", 1 }, { "cpu-hybrid-flops-td", "event=0xc7,umask=0x20", 1 },
	{ "cpu-arith512-td", "event=0xc7,umask=0x20", 1 }, { "cpu-hybrid512-td", "event=0xc7,umask=0x20", 1 },
	{ "cpu-atom", "event=0xc8,umask=0x03", 8 }, { "cpu-zen1", "event=0x03,umask=0xff", 8 },
	{ "cpu-zen2", "event=0x03,umask=0x0f", 8 },
	{ "cpu-zen4", "event=0x03,umask=0x1f", 8 }, { "cpu-zen5", "event=0x03,umask=0x0f", 8 },
#ifdef __aarch64__	/* the loop has vectors of four floats there */
	{ "cpu-arm-sve128", "event=0x80c1", 4 }, { "cpu-arm-sve256", "event=0x80c1", 4 },
	{ "cpu-arm-sve512", "event=0x80c1", 4 },
#endif
};

const struct cpu_family *cpu_family_find(const char *vendor, int family, int model)
{
	for (size_t i = 0; i < ARRAY_LEN(families); i++) {
		const struct cpu_family *f = &families[i];

		if (!strcmp(f->vendor, vendor) && f->family == family && model >= f->first_model &&
			model <= f->last_model)
			return f;
	}
	return NULL;
}

const struct cpu_loop_event *cpu_loop_event(const char *platform)
{
	for (size_t i = 0; i < ARRAY_LEN(loop_events); i++) {
		if (!strcmp(loop_events[i].platform, platform))
			return &loop_events[i];
	}
	return NULL;
}

/* --- /proc/cpuinfo --- */

/* The value of "key\t: value", or NULL when the line is another one. */
static const char *value_of(const char *line, const char *key)
{
	size_t len = strlen(key);

	if (strncmp(line, key, len) != 0)
		return NULL;
	line += len + strspn(line + len, " \t");
	if (*line != ':')
		return NULL;
	return line + 1 + strspn(line + 1, " \t");
}

/* Where the processor of the lines before is; core -1: these lines do not say. */
struct place {
	int package, core;
};

static void note_core(struct cpu_info *info, const struct place *p)
{
	int i = 0;

	if (!info->n_cpus)
		return;
	info->core_of[info->n_cpus - 1] = -1;
	if (p->core < 0)
		return;
	while (i < info->n_cores && (info->cores[i][0] != p->package || info->cores[i][1] != p->core))
		i++;
	info->core_of[info->n_cpus - 1] = i;
	if (i < info->n_cores)
		return;
	info->cores[info->n_cores][0] = p->package;
	info->cores[info->n_cores++][1] = p->core;
}

static void copy_line(char *buf, size_t size, const char *line)
{
	snprintf(buf, size, "%.*s", (int)strcspn(line, "\n"), line);
}

static void read_line(struct cpu_info *info, struct place *place, const char *line)
{
	const char *v;

	if ((v = value_of(line, "processor")) && info->n_cpus < CPU_MAX) {
		note_core(info, place);
		*place = (struct place){ .core = -1 };
		info->cpus[info->n_cpus++] = atoi(v);
	} else if ((v = value_of(line, "CPU implementer")) && info->n_cpus > 0) {
		info->parts[info->n_cpus - 1] = (uint32_t)(strtoul(v, NULL, 16) & 0xff) << 16;
	} else if ((v = value_of(line, "CPU part")) && info->n_cpus > 0) {
		info->parts[info->n_cpus - 1] |= (uint32_t)(strtoul(v, NULL, 16) & 0xffff);
	} else if ((v = value_of(line, "vendor_id"))) {
		copy_line(info->vendor, sizeof(info->vendor), v);
	} else if ((v = value_of(line, "model name"))) {
		copy_line(info->name, sizeof(info->name), v);
	} else if ((v = value_of(line, "cpu family"))) {
		info->family = atoi(v);
	} else if ((v = value_of(line, "model"))) {
		info->model = atoi(v);
	} else if ((v = value_of(line, "physical id"))) {
		place->package = atoi(v);
	} else if ((v = value_of(line, "core id"))) {
		place->core = atoi(v);
	} else if ((v = value_of(line, "cpu MHz")) && info->n_cpus > 0) {
		info->mhz[info->n_cpus - 1] = strtod(v, NULL);
	}
}

void cpu_info_parse(const char *text, struct cpu_info *out)
{
	struct place place = { .core = -1 };

	memset(out, 0, sizeof(*out));
	for (; *text; text += *text == '\n') {
		read_line(out, &place, text);
		text += strcspn(text, "\n");
	}
	note_core(out, &place);
	out->row = cpu_family_find(out->vendor, out->family, out->model);
	if (out->n_cpus > 0 && out->parts[0])
		out->row = arm_cores_row(out->parts, out->n_cpus, out->name, sizeof(out->name));
	if (!out->name[0])
		snprintf(out->name, sizeof(out->name), "%s", "processor");
}

bool cpu_info_read(const struct fsroot *fs, struct cpu_info *out, struct err *err)
{
	char path[300];
	char *text = NULL;
	size_t len;

	memset(out, 0, sizeof(*out));
	if (fsroot_path(fs, path, sizeof(path), "/proc/cpuinfo"))
		text = file_read_all(path, FILE_MAX_BYTES, &len, err);
	if (!text)
		return false;
	cpu_info_parse(text, out);
	core_kinds_find(fs, &out->kinds, NULL);
	free(text);
	return out->n_cpus > 0 || err_set(err, ERR_UNSUPPORTED, "'%s' lists no processor", path);
}

static int efficient_width(const struct cpu_info *info, const char *kind)
{
	for (size_t i = 0; i < ARRAY_LEN(efficient_widths); i++) {
		const struct efficient_width *w = &efficient_widths[i];

		if (!strcmp(info->vendor, INTEL) && info->family == 6 &&
			info->model >= w->first_model && info->model <= w->last_model)
			return strcmp(kind, "lowpower") != 0 ? w->atom : w->lowpower;
	}
	return 0;
}

/* Efficient cores count no operations before Meteor Lake (cpu-hybrid-td). */
bool cpu_info_width(const struct cpu_info *info, int place, int *flop_per_cycle)
{
	int kind = info->kinds.n < 2 ? 0 : core_kind_of(&info->kinds, info->cpus[place]);
	bool is_small = kind != 0 || core_kind_is_small(&info->kinds.kinds[0]);

	*flop_per_cycle = 0;
	if (!info->row)
		return false;
	if (!is_small)
		*flop_per_cycle = info->row->sp_flop_per_cycle;
	else if (kind >= 0)
		*flop_per_cycle = efficient_width(info, info->kinds.kinds[kind].name);
	return *flop_per_cycle || (kind != 0 && !strcmp(info->row->platform, "cpu-hybrid-td"));
}

/* --- the device --- */

static uint64_t limit_khz(const struct fsroot *fs, int cpu, const char *file)
{
	uint64_t khz = 0;

	fsroot_number(fs, &khz, "/sys/devices/system/cpu/cpu%d/cpufreq/%s", cpu, file);
	return khz;
}

/* The range of all CPUs: the first one may be of the slowest kind. */
static void set_clocks(const struct fsroot *fs, const struct cpu_info *info, struct device *d)
{
	for (int i = 0; i < info->n_cpus; i++) {
		uint64_t least_hz = 1000 * limit_khz(fs, info->cpus[i], "cpuinfo_min_freq"),
			 most_hz = 1000 * limit_khz(fs, info->cpus[i], "cpuinfo_max_freq");

		if (least_hz && (!d->min_hz || least_hz < d->min_hz))
			d->min_hz = least_hz;
		if (most_hz > d->max_hz)
			d->max_hz = most_hz;
	}
	if (d->min_hz)
		device_set_const(d, "min_clock_hz", (double)d->min_hz);
	if (d->max_hz)
		device_set_const(d, "max_clock_hz", (double)d->max_hz);
}

/* Operations that a core of Arm can take in a clock (arm_pmuv3.c, caps/slots); 0: the core does not
 * say. */
static void set_slots(const struct fsroot *fs, const struct cpu_info *info, struct device *d)
{
	char path[128];
	uint64_t slots;

	if (!info->kinds.n)
		return;
	snprintf(path, sizeof(path), "/sys/bus/event_source/devices/%s/caps/slots",
		info->kinds.kinds[0].pmu.name);
	if (fsroot_read_u64(fs, path, &slots, NULL) && slots > 0)
		device_set_const(d, "slots_per_cycle", (double)slots);
}

void cpu_info_fill(const struct fsroot *fs, const struct cpu_info *info, struct device *d)
{
	static const struct cpu_family unknown = { .platform = "cpu", .name = "" };
	const struct cpu_family *row = info->row ? info->row : &unknown;

	*d = (struct device){ 0 };
	snprintf(d->id, sizeof(d->id), "cpu0");
	snprintf(d->name, sizeof(d->name), "%s", info->name);
	snprintf(d->driver, sizeof(d->driver), "cpu");
	d->is_processor = true;
	snprintf(d->counters, sizeof(d->counters), "events");
	snprintf(d->platform, sizeof(d->platform), "%s", row->platform);
	snprintf(d->generation, sizeof(d->generation), "%s", row->name);
	set_clocks(fs, info, d);
	device_set_const(d, "cpu_count", info->n_cpus);
	if (info->n_cores)
		device_set_const(d, "core_count", info->n_cores);
	set_slots(fs, info, d);
	int flop;

	/* Cores of other widths have no width in common. */
	for (int i = 0; i < info->n_cpus; i++)
		if (!cpu_info_width(info, i, &flop) || (flop && flop != row->sp_flop_per_cycle))
			return;
	device_set_const(d, "sp_flop_per_cycle_core", row->sp_flop_per_cycle);
	device_set_const(d, "dp_flop_per_cycle_core", row->sp_flop_per_cycle / 2);
}

bool cpu_core_pmu(const struct fsroot *fs, struct perf_pmu *pmu, struct err *err)
{
	struct core_kinds kinds;

	if (!core_kinds_find(fs, &kinds, err))
		return false;
	*pmu = kinds.kinds[0].pmu;
	return true;
}

/* --- who made the processor, without reading all of its CPUs --- */

#define CPUINFO_LINES 8		/* in which x86 has the vendor */

void cpu_vendor(const struct fsroot *fs, char *buf, size_t size)
{
	char line[128], path[300];
	FILE *f = NULL;

	*buf = '\0';
	if (fsroot_path(fs, path, sizeof(path), "/proc/cpuinfo"))
		f = fopen(path, "re");
	for (int i = 0; f && i < CPUINFO_LINES && fgets(line, sizeof(line), f); i++) {
		const char *colon = strchr(line, ':');

		if (strncmp(line, "vendor_id", strlen("vendor_id")) != 0 || !colon)
			continue;
		colon += 1 + strspn(colon + 1, " \t");
		snprintf(buf, size, "%.*s", (int)strcspn(colon, "\n"), colon);
		break;
	}
	if (f)
		fclose(f);
}

bool cpu_vendor_is_amd(const char *vendor)
{
	return !strcmp(vendor, "AuthenticAMD") || !strcmp(vendor, "HygonGenuine");
}

bool cpu_is_amd(const struct fsroot *fs)
{
	char vendor[32];

	cpu_vendor(fs, vendor, sizeof(vendor));
	return cpu_vendor_is_amd(vendor);
}

int cpu_package(const struct fsroot *fs, int cpu)
{
	uint64_t package;
	bool good = fsroot_number(
		fs, &package, "/sys/devices/system/cpu/cpu%d/topology/physical_package_id", cpu);

	return good ? (int)package : -1;
}

bool cpu_is_x86(const struct fsroot *fs)
{
	char vendor[32];

	if (fsroot_exists(fs, "/proc/cpuinfo")) {
		cpu_vendor(fs, vendor, sizeof(vendor));
		return *vendor != '\0';
	}
#if defined(__x86_64__) || defined(__i386__)
	return true;
#else
	return false;
#endif
}
