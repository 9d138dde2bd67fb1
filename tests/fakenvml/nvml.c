/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A libnvidia-ml.so.1 for tests: the model of a card behind the public interface of NVIDIA's library.
 *
 * It knows one card, which the environment names: ROOFTOP_FAKE_GPU ("h100,load=gemm"), at the PCI address
 * 0000:01:00.0. Time is CLOCK_MONOTONIC since ROOFTOP_FAKE_SINCE_NS (or since it was loaded), so that
 * several programs see the same card. ROOFTOP_FAKE_FAULT is a list of "function=code" ("*" for every
 * function), where the code is nvmlReturn_t, "hang" (for ever) or "exit". ROOFTOP_FAKE_REASONS and
 * ROOFTOP_FAKE_MHZ are said in place of the model's clock event reasons and clock, ROOFTOP_FAKE_VIDEO is how
 * busy encoder and decoder are (per cent).
 *
 * ROOFTOP_FAKE_BUSY is said in place of the model's busy share; processes say the model's.
 * ROOFTOP_FAKE_JOULES: the energy is in another unit than the library's text says.
 * ROOFTOP_FAKE_LINK is what the PCIe link moves each way in a second, in GB; both counters have 32 bits then, or
 * 64 with ROOFTOP_FAKE_WIDE.
 * ROOFTOP_FAKE_GPM are shares in place of the model's ("5=77,8=77"), all others of the pipes are 0.
 * ROOFTOP_FAKE_PROCESSES is how many processes there are, from 1000 on, and ROOFTOP_FAKE_ROW the bytes of a row of
 * version 3 (32: drivers 535.43 to 535.86).
 *
 * "h100,mig=421,load=fma" is a card that is divided as the model's. ROOFTOP_FAKE_WHOLE: the performance monitor
 * tells means over all SMs of a divided card, too.
 *
 * ROOFTOP_FAKE_CARD is a file of what nvidia-smi said of a real card (recorded, files .card): then these are the
 * answers, and what the file says nothing of is not supported. ROOFTOP_FAKE_MIG divides the card: instances
 * between commas, each "GPU-INSTANCE:SLICES:SMS:MIB:USED-MIB:PROFILE"; the instance with number n does
 * 1/n of the model's work. A path is that of a file with such a list, which may change. ROOFTOP_FAKE_MIG_MS takes the last one away after that time.
 *
 * Structures and numbers are those of the public header (API 12.4; GPM's counters of API 13), declared here
 * once more, and not those of the reader. With -DFAKE_NVML_OLD it is a library of driver 418: no GPM, no
 * newer versions of calls. */
#include "config.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "backends/sim/model/nvidia_gpu.h"
#include "tests/fakenvml/nvml.h"
#include "tests/fakenvml/recorded.h"

#define ADDRESS "00000000:01:00.0"
#define ADDRESS_SHORT "0000:01:00.0"

struct nvidia_gpu *gpu;
static int64_t since_ns;

static int64_t clock_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

int64_t now_ns(void)
{
	int64_t t_ns = clock_ns() - since_ns;

	return t_ns > 0 ? t_ns : 0;
}

/* --- faults --- */

/* What the function is told to return; SUCCESS: what it does. */
int fault_of(const char *function)
{
	const char *list = getenv("ROOFTOP_FAKE_FAULT");

	while (list && *list) {
		size_t name = strcspn(list, "="), len = strcspn(list, ",");
		const char *code = list + name + 1;

		if (name < len && ((name == 1 && *list == '*') ||
			(name == strlen(function) && !strncmp(list, function, name)))) {
			if (!strncmp(code, "exit", 4))
				exit(3);
			while (!strncmp(code, "hang", 4))
				pause();
			return atoi(code);
		}
		list += len + (list[len] == ',');
	}
	return SUCCESS;
}

/* --- what the card does --- */

static struct nvidia_totals totals(void)
{
	struct nvidia_totals t;

	nvidia_gpu_totals(gpu, now_ns(), &t);
	return t;
}

static struct nvidia_state state(void)
{
	struct nvidia_state s;

	nvidia_gpu_state(gpu, now_ns(), &s);
	return s;
}

/* Whole per cent over the last sixth of a second, as NVIDIA's driver has them. */
static unsigned percent_of(double (*sum)(const struct nvidia_totals *))
{
	const int64_t span_ns = 1000000000 / 6;
	int64_t t_ns = now_ns();
	struct nvidia_totals before, now;

	nvidia_gpu_totals(gpu, t_ns > span_ns ? t_ns - span_ns : 0, &before);
	nvidia_gpu_totals(gpu, t_ns, &now);
	double length = (double)(t_ns > span_ns ? span_ns : t_ns);
	return length > 0 ? (unsigned)(100 * (sum(&now) - sum(&before)) / length + 0.5) : 0;
}

static double busy_ns(const struct nvidia_totals *t)
{
	return t->busy_ns;
}

static double memory_busy_ns(const struct nvidia_totals *t)
{
	return t->memory_busy_ns;
}

/* --- the library --- */

EXPORT nvmlReturn_t nvmlInit_v2(void);
EXPORT nvmlReturn_t nvmlInit_v2(void)
{
	const char *spec = getenv("ROOFTOP_FAKE_GPU"), *since = getenv("ROOFTOP_FAKE_SINCE_NS");
	char name[16], load[32] = "tour";

	BEGIN;
	if (gpu)
		return SUCCESS;
	if (!spec)
		spec = "h100";
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(spec, ","), spec);
	if (strstr(spec, ",load="))
		snprintf(load, sizeof(load), "%.*s", (int)strcspn(strstr(spec, ",load=") + 6, ","), strstr(spec, ",load=") + 6);
	since_ns = since ? strtoll(since, NULL, 10) : clock_ns();
	const struct nvidia_machine *m = nvidia_machine_by_name(name);
	struct nvidia_machine divided = *(m ? m : &nvidia_machines[0]);
	if (strstr(spec, ",mig=")) {
		divided.mig = (unsigned)strtoul(strstr(spec, ",mig=") + 5, NULL, 10);
		divided.nvlink_bytes_per_s = 0;
	}
	gpu = m ? nvidia_gpu_new(&divided, load, NULL) : NULL;
	return gpu ? SUCCESS : 9;
}

EXPORT nvmlReturn_t nvmlInit(void);
EXPORT nvmlReturn_t nvmlInit(void)
{
	return nvmlInit_v2();
}

EXPORT nvmlReturn_t nvmlInitWithFlags(unsigned flags);
EXPORT nvmlReturn_t nvmlInitWithFlags(unsigned flags)
{
	(void)flags;
	return nvmlInit_v2();
}

EXPORT nvmlReturn_t nvmlShutdown(void);
EXPORT nvmlReturn_t nvmlShutdown(void)
{
	BEGIN;
	nvidia_gpu_free(gpu);
	gpu = NULL;
	return SUCCESS;
}

EXPORT const char *nvmlErrorString(nvmlReturn_t code);
EXPORT const char *nvmlErrorString(nvmlReturn_t code)
{
	return code == SUCCESS ? "Success" : "Failure of a test library";
}

EXPORT nvmlReturn_t nvmlSystemGetDriverVersion(char *text, unsigned size);
EXPORT nvmlReturn_t nvmlSystemGetDriverVersion(char *text, unsigned size)
{
	BEGIN;
	snprintf(text, size, "550.0.fake");
	return SUCCESS;
}

EXPORT nvmlReturn_t nvmlDeviceGetCount_v2(unsigned *n);
EXPORT nvmlReturn_t nvmlDeviceGetCount_v2(unsigned *n)
{
	BEGIN;
	*n = 1;
	return gpu ? SUCCESS : UNINITIALIZED;
}

EXPORT nvmlReturn_t nvmlDeviceGetHandleByIndex_v2(unsigned i, nvmlDevice_t *d);
EXPORT nvmlReturn_t nvmlDeviceGetHandleByIndex_v2(unsigned i, nvmlDevice_t *d)
{
	BEGIN;
	*d = gpu;
	return i == 0 ? SUCCESS : NOT_FOUND;
}

/* Under their first names, which programs still look up. */
EXPORT nvmlReturn_t nvmlDeviceGetCount(unsigned *n);
EXPORT nvmlReturn_t nvmlDeviceGetCount(unsigned *n)
{
	return nvmlDeviceGetCount_v2(n);
}

EXPORT nvmlReturn_t nvmlDeviceGetHandleByIndex(unsigned i, nvmlDevice_t *d);
EXPORT nvmlReturn_t nvmlDeviceGetHandleByIndex(unsigned i, nvmlDevice_t *d)
{
	return nvmlDeviceGetHandleByIndex_v2(i, d);
}

EXPORT nvmlReturn_t nvmlDeviceGetPowerState(nvmlDevice_t d, int *state_number);
EXPORT nvmlReturn_t nvmlDeviceGetPowerState(nvmlDevice_t d, int *state_number)
{
	BEGIN_DEVICE(d);
	RECORDED("performance_state", state_number, 1);
	struct nvidia_state s = state();
	*state_number = nvidia_pstate(&s);
	return SUCCESS;
}

#ifndef FAKE_NVML_OLD
EXPORT nvmlReturn_t nvmlDeviceGetPerformanceState(nvmlDevice_t d, int *state_number);
EXPORT nvmlReturn_t nvmlDeviceGetPerformanceState(nvmlDevice_t d, int *state_number)
{
	BEGIN_DEVICE(d);
	return nvmlDeviceGetPowerState(d, state_number);
}
#endif

EXPORT nvmlReturn_t nvmlSystemGetCudaDriverVersion(int *version);
EXPORT nvmlReturn_t nvmlSystemGetCudaDriverVersion(int *version)
{
	BEGIN;
	*version = 12040;
	return SUCCESS;
}

EXPORT nvmlReturn_t nvmlDeviceGetHandleByPciBusId_v2(const char *address, nvmlDevice_t *d);
EXPORT nvmlReturn_t nvmlDeviceGetHandleByPciBusId_v2(const char *address, nvmlDevice_t *d)
{
	BEGIN;
	*d = gpu;
	return strcmp(address, ADDRESS) && strcmp(address, ADDRESS_SHORT) ? NOT_FOUND : SUCCESS;
}

EXPORT nvmlReturn_t nvmlDeviceGetIndex(nvmlDevice_t d, unsigned *i);
EXPORT nvmlReturn_t nvmlDeviceGetIndex(nvmlDevice_t d, unsigned *i)
{
	BEGIN_DEVICE(d);
	*i = 0;
	return SUCCESS;
}

typedef struct {
	char busIdLegacy[16];
	unsigned domain, bus, device, pciDeviceId, pciSubSystemId;
	char busId[32];
} nvmlPciInfo_t;

EXPORT nvmlReturn_t nvmlDeviceGetPciInfo_v3(nvmlDevice_t d, nvmlPciInfo_t *p);
EXPORT nvmlReturn_t nvmlDeviceGetPciInfo_v3(nvmlDevice_t d, nvmlPciInfo_t *p)
{
	BEGIN_DEVICE(d);
	*p = (nvmlPciInfo_t){ .bus = 1,
		.pciDeviceId = (unsigned)nvidia_gpu_machine(gpu)->pci_device << 16 | 0x10de };
	snprintf(p->busIdLegacy, sizeof(p->busIdLegacy), ADDRESS_SHORT);
	snprintf(p->busId, sizeof(p->busId), ADDRESS);
	return SUCCESS;
}

EXPORT nvmlReturn_t nvmlDeviceGetName(nvmlDevice_t d, char *text, unsigned size);
EXPORT nvmlReturn_t nvmlDeviceGetName(nvmlDevice_t d, char *text, unsigned size)
{
	BEGIN_DEVICE(d);
	const struct fake_instance *part = fake_instance_of(d);
	const char *whole = fake_recorded("product_name");
	if (part && whole)
		snprintf(text, size, "%.*s MIG %s", (int)strcspn(whole, "\n"), whole, part->profile);
	else if (part)
		snprintf(text, size, "%s MIG %s", nvidia_gpu_machine(gpu)->model, part->profile);
	if (part)
		return SUCCESS;
	RECORDED_TEXT("product_name", text, size);
	snprintf(text, size, "%s", nvidia_gpu_machine(gpu)->model);
	return SUCCESS;
}

EXPORT nvmlReturn_t nvmlDeviceGetUUID(nvmlDevice_t d, char *text, unsigned size);
EXPORT nvmlReturn_t nvmlDeviceGetUUID(nvmlDevice_t d, char *text, unsigned size)
{
	BEGIN_DEVICE(d);
	RECORDED_TEXT("uuid", text, size);
	snprintf(text, size, "GPU-00000000-0000-0000-0000-000000000001");
	return SUCCESS;
}

typedef struct {
	unsigned gpu, memory;
} nvmlUtilization_t;

EXPORT nvmlReturn_t nvmlDeviceGetUtilizationRates(nvmlDevice_t d, nvmlUtilization_t *u);
EXPORT nvmlReturn_t nvmlDeviceGetUtilizationRates(nvmlDevice_t d, nvmlUtilization_t *u)
{
	BEGIN_DEVICE(d);
	if (fake_instances() > 0)
		return NOT_SUPPORTED;
	if (fake_recording()) {
		const char *busy = fake_recorded("gpu_util"), *memory = fake_recorded("memory_util");

		if (busy && memory)
			*u = (nvmlUtilization_t){ (unsigned)atoi(busy), (unsigned)atoi(memory) };
		return busy && memory ? SUCCESS : NOT_SUPPORTED;
	}
	const char *said = getenv("ROOFTOP_FAKE_BUSY");
	u->gpu = said ? (unsigned)atoi(said) : percent_of(busy_ns);
	u->memory = percent_of(memory_busy_ns);
	return SUCCESS;
}

static nvmlReturn_t no_video(nvmlDevice_t d, unsigned *percent, unsigned *period_us)
{
	const char *said = getenv("ROOFTOP_FAKE_VIDEO");

	(void)d;
	*percent = said ? (unsigned)atoi(said) : 0;
	*period_us = 167000;
	return SUCCESS;
}

EXPORT nvmlReturn_t nvmlDeviceGetEncoderUtilization(nvmlDevice_t d, unsigned *v, unsigned *us);
EXPORT nvmlReturn_t nvmlDeviceGetEncoderUtilization(nvmlDevice_t d, unsigned *v, unsigned *us)
{
	BEGIN_DEVICE(d);
	if (fake_instances() > 0)
		return NOT_SUPPORTED;
	RECORDED("encoder_util", v, 1);
	return no_video(d, v, us);
}

EXPORT nvmlReturn_t nvmlDeviceGetDecoderUtilization(nvmlDevice_t d, unsigned *v, unsigned *us);
EXPORT nvmlReturn_t nvmlDeviceGetDecoderUtilization(nvmlDevice_t d, unsigned *v, unsigned *us)
{
	BEGIN_DEVICE(d);
	if (fake_instances() > 0)
		return NOT_SUPPORTED;
	RECORDED("decoder_util", v, 1);
	return no_video(d, v, us);
}

EXPORT nvmlReturn_t nvmlDeviceGetClockInfo(nvmlDevice_t d, int type, unsigned *mhz);
EXPORT nvmlReturn_t nvmlDeviceGetClockInfo(nvmlDevice_t d, int type, unsigned *mhz)
{
	BEGIN_DEVICE(d);
	RECORDED(type == 2 ? "mem_clock" : "sm_clock", mhz, 1);
	const char *said = getenv("ROOFTOP_FAKE_MHZ");
	*mhz = type == 2 ? (unsigned)nvidia_gpu_machine(gpu)->memory_mhz : (unsigned)state().mhz;
	if (said && type != 2)
		*mhz = (unsigned)atoi(said);
	return type <= 3 ? SUCCESS : INVALID_ARGUMENT;
}

EXPORT nvmlReturn_t nvmlDeviceGetMaxClockInfo(nvmlDevice_t d, int type, unsigned *mhz);
EXPORT nvmlReturn_t nvmlDeviceGetMaxClockInfo(nvmlDevice_t d, int type, unsigned *mhz)
{
	const struct nvidia_machine *m;

	BEGIN_DEVICE(d);
	RECORDED(type == 2 ? "max_mem_clock" : "max_sm_clock", mhz, 1);
	m = nvidia_gpu_machine(gpu);
	*mhz = (unsigned)(type == 2 ? m->memory_mhz : m->max_mhz);
	return type <= 3 ? SUCCESS : INVALID_ARGUMENT;
}

EXPORT nvmlReturn_t nvmlDeviceGetPowerUsage(nvmlDevice_t d, unsigned *mw);
EXPORT nvmlReturn_t nvmlDeviceGetPowerUsage(nvmlDevice_t d, unsigned *mw)
{
	BEGIN_DEVICE(d);
	RECORDED("power_draw", mw, 1000);
	*mw = (unsigned)(state().watt * 1000 + 0.5);
	return SUCCESS;
}

EXPORT nvmlReturn_t nvmlDeviceGetEnforcedPowerLimit(nvmlDevice_t d, unsigned *mw);
EXPORT nvmlReturn_t nvmlDeviceGetEnforcedPowerLimit(nvmlDevice_t d, unsigned *mw)
{
	BEGIN_DEVICE(d);
	RECORDED("power_limit", mw, 1000);
	*mw = (unsigned)(nvidia_gpu_machine(gpu)->limit_w * 1000);
	return SUCCESS;
}

EXPORT nvmlReturn_t nvmlDeviceGetPowerManagementLimit(nvmlDevice_t d, unsigned *mw);
EXPORT nvmlReturn_t nvmlDeviceGetPowerManagementLimit(nvmlDevice_t d, unsigned *mw)
{
	return nvmlDeviceGetEnforcedPowerLimit(d, mw);
}

EXPORT nvmlReturn_t nvmlDeviceGetTotalEnergyConsumption(nvmlDevice_t d, unsigned long long *mj);
EXPORT nvmlReturn_t nvmlDeviceGetTotalEnergyConsumption(nvmlDevice_t d, unsigned long long *mj)
{
	BEGIN_DEVICE(d);
	RECORDED("energy", mj, 1);
	*mj = (unsigned long long)(totals().energy_j * 1000 / (getenv("ROOFTOP_FAKE_JOULES") ? 1000 : 1));
	return SUCCESS;
}

EXPORT nvmlReturn_t nvmlDeviceGetTemperature(nvmlDevice_t d, int sensor, unsigned *degc);
EXPORT nvmlReturn_t nvmlDeviceGetTemperature(nvmlDevice_t d, int sensor, unsigned *degc)
{
	BEGIN_DEVICE(d);
	RECORDED("gpu_temp", degc, 1);
	*degc = (unsigned)(state().temperature_degc + 0.5);
	return sensor == 0 ? SUCCESS : INVALID_ARGUMENT;
}

EXPORT nvmlReturn_t nvmlDeviceGetTemperatureThreshold(nvmlDevice_t d, int which, unsigned *degc);
EXPORT nvmlReturn_t nvmlDeviceGetTemperatureThreshold(nvmlDevice_t d, int which, unsigned *degc)
{
	BEGIN_DEVICE(d);
	RECORDED(which == 0 ? "gpu_temp_max_threshold" : "gpu_temp_slow_threshold", degc, 1);
	*degc = (unsigned)nvidia_gpu_machine(gpu)->slowdown_degc + (which == 0 ? 5 : 0);
	return which <= 1 ? SUCCESS : NOT_SUPPORTED;
}

/* Modules have no fan. */
EXPORT nvmlReturn_t nvmlDeviceGetFanSpeed_v2(nvmlDevice_t d, unsigned fan, unsigned *percent);
EXPORT nvmlReturn_t nvmlDeviceGetFanSpeed_v2(nvmlDevice_t d, unsigned fan, unsigned *percent)
{
	BEGIN_DEVICE(d);
	RECORDED("fan_speed", percent, 1);
	if (fan > 0 || nvidia_gpu_machine(gpu)->fan_rpm <= 0)
		return NOT_SUPPORTED;
	*percent = (unsigned)(100 * state().watt / nvidia_gpu_machine(gpu)->limit_w);
	return SUCCESS;
}

EXPORT nvmlReturn_t nvmlDeviceGetFanSpeed(nvmlDevice_t d, unsigned *percent);
EXPORT nvmlReturn_t nvmlDeviceGetFanSpeed(nvmlDevice_t d, unsigned *percent)
{
	return nvmlDeviceGetFanSpeed_v2(d, 0, percent);
}

EXPORT nvmlReturn_t nvmlDeviceGetNumFans(nvmlDevice_t d, unsigned *n);
EXPORT nvmlReturn_t nvmlDeviceGetNumFans(nvmlDevice_t d, unsigned *n)
{
	BEGIN_DEVICE(d);
	*n = nvidia_gpu_machine(gpu)->fan_rpm > 0;
	return SUCCESS;
}

typedef struct {
	unsigned long long total, free, used;
} nvmlMemory_t;

#define RESERVED_BYTES 500000000ull

EXPORT nvmlReturn_t nvmlDeviceGetMemoryInfo(nvmlDevice_t d, nvmlMemory_t *m);
EXPORT nvmlReturn_t nvmlDeviceGetMemoryInfo(nvmlDevice_t d, nvmlMemory_t *m)
{
	BEGIN_DEVICE(d);
	const struct fake_instance *part = fake_instance_of(d);
	const char *total = fake_recorded("memory_total"), *used = fake_recorded("memory_used");
	if (part || fake_recording()) {
		m->total = part ? part->mib << 20 : strtoull(total, NULL, 10) << 20;
		m->used = part ? part->used_mib << 20 : strtoull(used, NULL, 10) << 20;
		m->free = m->total - m->used;
		return SUCCESS;
	}
	m->total = (unsigned long long)nvidia_gpu_machine(gpu)->memory_bytes;
	m->used = (unsigned long long)state().memory_used_bytes + RESERVED_BYTES;
	m->free = m->total - m->used;
	return SUCCESS;
}

#ifndef FAKE_NVML_OLD
typedef struct {
	unsigned version;
	unsigned long long total, reserved, free, used;
} nvmlMemory_v2_t;

EXPORT nvmlReturn_t nvmlDeviceGetMemoryInfo_v2(nvmlDevice_t d, nvmlMemory_v2_t *m);
EXPORT nvmlReturn_t nvmlDeviceGetMemoryInfo_v2(nvmlDevice_t d, nvmlMemory_v2_t *m)
{
	BEGIN_DEVICE(d);
	if (m->version != (sizeof(*m) | 2u << 24))
		return ARGUMENT_VERSION_MISMATCH;
	const struct fake_instance *part = fake_instance_of(d);
	const char *total = fake_recorded("memory_total"), *used = fake_recorded("memory_used");
	if (part || fake_recording()) {
		m->total = part ? part->mib << 20 : strtoull(total, NULL, 10) << 20;
		m->used = part ? part->used_mib << 20 : strtoull(used, NULL, 10) << 20;
		m->free = m->total - m->used;
		return SUCCESS;
	}
	m->total = (unsigned long long)nvidia_gpu_machine(gpu)->memory_bytes;
	m->used = (unsigned long long)state().memory_used_bytes;
	m->reserved = RESERVED_BYTES;
	m->free = m->total - m->used - m->reserved;
	return SUCCESS;
}
#endif

static nvmlReturn_t link_of(nvmlDevice_t d, unsigned *v, bool lanes)
{
	(void)d;
	*v = (unsigned)(lanes ? nvidia_gpu_machine(gpu)->link_lanes
			      : nvidia_gpu_machine(gpu)->link_generation);
	return SUCCESS;
}

#define LINK_FUNCTION(name, lanes, key) \
	EXPORT nvmlReturn_t name(nvmlDevice_t d, unsigned *v); \
	EXPORT nvmlReturn_t name(nvmlDevice_t d, unsigned *v) \
	{ \
		BEGIN_DEVICE(d); \
		RECORDED(key, v, 1); \
		return link_of(d, v, lanes); \
	}
LINK_FUNCTION(nvmlDeviceGetCurrPcieLinkGeneration, false, "current_link_gen")
LINK_FUNCTION(nvmlDeviceGetMaxPcieLinkGeneration, false, "max_link_gen")
LINK_FUNCTION(nvmlDeviceGetCurrPcieLinkWidth, true, "current_link_width")
LINK_FUNCTION(nvmlDeviceGetMaxPcieLinkWidth, true, "max_link_width")

/* Over 20 ms, which the call takes, too. */
EXPORT nvmlReturn_t nvmlDeviceGetPcieThroughput(nvmlDevice_t d, int which, unsigned *kb);
EXPORT nvmlReturn_t nvmlDeviceGetPcieThroughput(nvmlDevice_t d, int which, unsigned *kb)
{
	BEGIN_DEVICE(d);
	if (fake_recording())
		return NOT_SUPPORTED;
	struct nvidia_totals a = totals();
	int64_t from_ns = now_ns();
	usleep(20000);
	struct nvidia_totals b = totals();
	double bytes = which ? b.pcie_in_bytes - a.pcie_in_bytes : b.pcie_out_bytes - a.pcie_out_bytes;

	*kb = (unsigned)(bytes / 1e3 / ((double)(now_ns() - from_ns) / 1e9));
	return SUCCESS;
}

static nvmlReturn_t reasons_of(unsigned long long *bits)
{
	struct nvidia_state s = state();
	const char *said = getenv("ROOFTOP_FAKE_REASONS");

	*bits = (s.is_busy ? 0 : 1) | (s.is_held ? 4 : 0);
	RECORDED("reasons", bits, 1);
	if (said)
		*bits = strtoull(said, NULL, 0);
	return SUCCESS;
}

EXPORT nvmlReturn_t nvmlDeviceGetCurrentClocksThrottleReasons(nvmlDevice_t d, unsigned long long *b);
EXPORT nvmlReturn_t nvmlDeviceGetCurrentClocksThrottleReasons(nvmlDevice_t d, unsigned long long *b)
{
	BEGIN_DEVICE(d);
	return reasons_of(b);
}

#ifndef FAKE_NVML_OLD
EXPORT nvmlReturn_t nvmlDeviceGetCurrentClocksEventReasons(nvmlDevice_t d, unsigned long long *b);
EXPORT nvmlReturn_t nvmlDeviceGetCurrentClocksEventReasons(nvmlDevice_t d, unsigned long long *b)
{
	BEGIN_DEVICE(d);
	return reasons_of(b);
}
#endif

EXPORT nvmlReturn_t nvmlDeviceGetTotalEccErrors(
	nvmlDevice_t d, int type, int since, unsigned long long *n);
EXPORT nvmlReturn_t nvmlDeviceGetTotalEccErrors(
	nvmlDevice_t d, int type, int since, unsigned long long *n)
{
	BEGIN_DEVICE(d);
	RECORDED(type == 0 ? "ecc_corrected" : "ecc_uncorrected", n, 1);
	(void)since;
	if (!nvidia_gpu_machine(gpu)->has_ecc)
		return NOT_SUPPORTED;
	*n = 3;
	if (type != 0)
		*n = getenv("ROOFTOP_FAKE_ECC") ? strtoull(getenv("ROOFTOP_FAKE_ECC"), NULL, 10) : 0;
	return SUCCESS;
}

EXPORT nvmlReturn_t nvmlDeviceGetCudaComputeCapability(nvmlDevice_t d, int *major, int *minor);
EXPORT nvmlReturn_t nvmlDeviceGetCudaComputeCapability(nvmlDevice_t d, int *major, int *minor)
{
	BEGIN_DEVICE(d);
	if (fake_recorded("cc"))
		return sscanf(fake_recorded("cc"), "%d.%d", major, minor) == 2 ? SUCCESS : NOT_SUPPORTED;
	*major = nvidia_gpu_machine(gpu)->cc_major;
	*minor = nvidia_gpu_machine(gpu)->cc_minor;
	return SUCCESS;
}

EXPORT nvmlReturn_t nvmlDeviceGetNumGpuCores(nvmlDevice_t d, unsigned *n);
EXPORT nvmlReturn_t nvmlDeviceGetNumGpuCores(nvmlDevice_t d, unsigned *n)
{
	const struct nvidia_machine *m;

	BEGIN_DEVICE(d);
	RECORDED("cores", n, 1);
	m = nvidia_gpu_machine(gpu);
	*n = (unsigned)m->sms * 128;	/* of both cards, by their data sheets */
	return SUCCESS;
}

EXPORT nvmlReturn_t nvmlDeviceGetMemoryBusWidth(nvmlDevice_t d, unsigned *bits);
EXPORT nvmlReturn_t nvmlDeviceGetMemoryBusWidth(nvmlDevice_t d, unsigned *bits)
{
	BEGIN_DEVICE(d);
	RECORDED("bus_bits", bits, 1);
	*bits = (unsigned)nvidia_gpu_machine(gpu)->bus_bits;
	return SUCCESS;
}

EXPORT nvmlReturn_t nvmlDeviceGetMigMode(nvmlDevice_t d, unsigned *now, unsigned *pending);
EXPORT nvmlReturn_t nvmlDeviceGetMigMode(nvmlDevice_t d, unsigned *now, unsigned *pending)
{
	BEGIN_DEVICE(d);
	*now = *pending = fake_instances() > 0;
	return nvidia_gpu_machine(gpu)->has_gpm ? SUCCESS : NOT_SUPPORTED;
}

EXPORT nvmlReturn_t nvmlDeviceGetMaxMigDeviceCount(nvmlDevice_t d, unsigned *n);
EXPORT nvmlReturn_t nvmlDeviceGetMaxMigDeviceCount(nvmlDevice_t d, unsigned *n)
{
	BEGIN_DEVICE(d);
	*n = FAKE_MIG_MAX;
	return SUCCESS;
}

/* The first place is empty, as after an instance was taken away. */
EXPORT nvmlReturn_t nvmlDeviceGetMigDeviceHandleByIndex(nvmlDevice_t d, unsigned i, nvmlDevice_t *part);
EXPORT nvmlReturn_t nvmlDeviceGetMigDeviceHandleByIndex(nvmlDevice_t d, unsigned i, nvmlDevice_t *part)
{
	BEGIN_DEVICE(d);
	if (i == 0 || i > fake_instances())
		return NOT_FOUND;
	*part = (nvmlDevice_t)(void *)&fake_instance[i - 1];
	return SUCCESS;
}

EXPORT nvmlReturn_t nvmlDeviceGetGpuInstanceId(nvmlDevice_t d, unsigned *id);
EXPORT nvmlReturn_t nvmlDeviceGetGpuInstanceId(nvmlDevice_t d, unsigned *id)
{
	BEGIN_DEVICE(d);
	*id = fake_instance_of(d) ? fake_instance_of(d)->gi : ~0u;
	return fake_instance_of(d) ? SUCCESS : INVALID_ARGUMENT;
}

EXPORT nvmlReturn_t nvmlDeviceGetComputeInstanceId(nvmlDevice_t d, unsigned *id);
EXPORT nvmlReturn_t nvmlDeviceGetComputeInstanceId(nvmlDevice_t d, unsigned *id)
{
	BEGIN_DEVICE(d);
	*id = 0;
	return fake_instance_of(d) ? SUCCESS : INVALID_ARGUMENT;
}

typedef struct {
	unsigned multiprocessorCount, sharedCopyEngineCount, sharedDecoderCount, sharedEncoderCount,
		sharedJpegCount, sharedOfaCount, gpuInstanceSliceCount, computeInstanceSliceCount;
	unsigned long long memorySizeMB;
} nvmlDeviceAttributes_t;

EXPORT nvmlReturn_t nvmlDeviceGetAttributes_v2(nvmlDevice_t d, nvmlDeviceAttributes_t *a);
EXPORT nvmlReturn_t nvmlDeviceGetAttributes_v2(nvmlDevice_t d, nvmlDeviceAttributes_t *a)
{
	const struct fake_instance *i = fake_instance_of(d);

	BEGIN_DEVICE(d);
	if (!i)
		return NOT_SUPPORTED;
	*a = (nvmlDeviceAttributes_t){ .multiprocessorCount = i->sms,
		.gpuInstanceSliceCount = i->slices,
		.computeInstanceSliceCount = i->slices,
		.memorySizeMB = i->mib };
	return SUCCESS;
}

/* --- fields --- */

typedef struct {
	unsigned fieldId, scopeId;
	long long timestamp, latencyUsec;
	int valueType;
	nvmlReturn_t nvmlReturn;
	union {
		double dVal;
		int siVal;
		unsigned uiVal;
		unsigned long ulVal;
		unsigned long long ullVal;
		signed long long sllVal;
	} value;
} nvmlFieldValue_t;

/* What a link of that many GB a second has moved. */
static bool moved_bytes(unsigned long long *bytes)
{
	const char *said = getenv("ROOFTOP_FAKE_LINK");

	*bytes = ~0ull;
	if (said && strcmp(said, "none"))
		*bytes = (unsigned long long)(atof(said) * (double)now_ns());
	return said != NULL;
}

static void fill_field(nvmlFieldValue_t *f)
{
	unsigned long long moved;

	const struct nvidia_machine *m = nvidia_gpu_machine(gpu);
	struct nvidia_totals t = totals();
	bool has_links = m->nvlink_bytes_per_s > 0;

	f->timestamp = clock_ns() / 1000;
	f->nvmlReturn = SUCCESS;
	f->valueType = 3;
	if (fake_recording()) {
		const char *said = f->fieldId == 82 ? fake_recorded("memory_temp") : NULL;

		f->valueType = 1;
		f->value.uiVal = said ? (unsigned)atoi(said) : 0;
		f->nvmlReturn = said ? SUCCESS : NOT_SUPPORTED;
		return;
	}
	switch (f->fieldId) {
	case 82:
		f->valueType = 1;
		f->value.uiVal = (unsigned)(state().temperature_degc + m->memory_hotter_degc + 0.5);
		f->nvmlReturn = m->memory_hotter_degc > 0 ? SUCCESS : NOT_SUPPORTED;
		break;
	case 74:
		f->value.ullVal = (unsigned long long)t.held_ns;
		break;
	case 75:
	case 77:
		f->value.ullVal = 0;
		break;
	case 83:
	case 191:
		f->value.ullVal = (unsigned long long)(t.energy_j * 1000);
		break;
	case 90:
	case 91:
		f->valueType = 1;
		f->value.uiVal = f->fieldId == 91 ? 18 : (unsigned)(m->nvlink_bytes_per_s / 18 / 1e6);
		f->nvmlReturn = has_links ? SUCCESS : NOT_SUPPORTED;
		break;
	case 138:
	case 139:
		f->value.ullVal = (unsigned long long)(t.nvlink_bytes / 1024);
		f->nvmlReturn = has_links ? SUCCESS : NOT_SUPPORTED;
		break;
#ifndef FAKE_NVML_OLD
	case 197:	/* 32 bits that wrap */
		f->valueType = 1;
		f->value.uiVal = (unsigned)(unsigned long long)t.pcie_out_bytes;
		break;
	case 198:
		f->value.ullVal = (unsigned long long)t.pcie_in_bytes;
		break;
#endif
	default:
		f->nvmlReturn = INVALID_ARGUMENT;
	}
	if ((f->fieldId == 197 || f->fieldId == 198) && f->nvmlReturn == SUCCESS && moved_bytes(&moved)) {
		bool wide = getenv("ROOFTOP_FAKE_WIDE") != NULL;

		f->valueType = wide ? 3 : 1;
		f->value.ullVal = wide ? moved : (unsigned)moved;
	}
}

EXPORT nvmlReturn_t nvmlDeviceGetFieldValues(nvmlDevice_t d, int n, nvmlFieldValue_t *f);
EXPORT nvmlReturn_t nvmlDeviceGetFieldValues(nvmlDevice_t d, int n, nvmlFieldValue_t *f)
{
	BEGIN_DEVICE(d);
	for (int i = 0; i < n; i++)
		fill_field(&f[i]);
	return SUCCESS;
}

/* --- processes: the caller itself, and one that nobody knows --- */

typedef struct {
	unsigned pid;
	unsigned long long usedGpuMemory;
	unsigned gpuInstanceId, computeInstanceId;
} nvmlProcessInfo_t;

#define STRANGER_PID 4194303u

static nvmlReturn_t processes(unsigned *n, nvmlProcessInfo_t *p, unsigned have)
{
	bool divided = fake_instances() > 0;
	const char *many = getenv("ROOFTOP_FAKE_PROCESSES"), *row = getenv("ROOFTOP_FAKE_ROW");
	size_t size = row ? (size_t)atoi(row) : sizeof(*p);
	const nvmlProcessInfo_t all[2] = {
		{ (unsigned)getppid(), (unsigned long long)state().memory_used_bytes,
			divided ? fake_instance[0].gi : ~0u, divided ? 0 : ~0u },
		{ STRANGER_PID, 300 << 20, divided ? fake_instance[0].gi : ~0u, divided ? 0 : ~0u },
	};

	if (many && have > 0)
		have = (unsigned)atoi(many);
	if (*n < have) {
		*n = have;
		return INSUFFICIENT_SIZE;
	}
	*n = have;
	for (unsigned i = 0; i < have; i++) {
		nvmlProcessInfo_t one = many ? (nvmlProcessInfo_t){ 1000 + i, (i + 1ull) << 29, ~0u, ~0u } : all[i];
		char *at = (char *)p + i * size;

		memset(at, 0, size);	/* what a longer row has more is "protected memory", none */
		memcpy(at, &one, sizeof(one));
	}
	return SUCCESS;
}

EXPORT nvmlReturn_t nvmlDeviceGetComputeRunningProcesses_v3(
	nvmlDevice_t d, unsigned *n, nvmlProcessInfo_t *p);
EXPORT nvmlReturn_t nvmlDeviceGetComputeRunningProcesses_v3(
	nvmlDevice_t d, unsigned *n, nvmlProcessInfo_t *p)
{
	BEGIN_DEVICE(d);
	return processes(n, p, state().is_busy && !fake_recording() ? 2 : 0);
}

EXPORT nvmlReturn_t nvmlDeviceGetGraphicsRunningProcesses_v3(
	nvmlDevice_t d, unsigned *n, nvmlProcessInfo_t *p);
EXPORT nvmlReturn_t nvmlDeviceGetGraphicsRunningProcesses_v3(
	nvmlDevice_t d, unsigned *n, nvmlProcessInfo_t *p)
{
	BEGIN_DEVICE(d);
	return processes(n, p, 0);
}

typedef struct {
	unsigned pid;
	unsigned long long timeStamp;
	unsigned smUtil, memUtil, encUtil, decUtil;
} nvmlProcessUtilizationSample_t;

EXPORT nvmlReturn_t nvmlDeviceGetProcessUtilization(nvmlDevice_t d,
	nvmlProcessUtilizationSample_t *s, unsigned *n, unsigned long long last_us);
EXPORT nvmlReturn_t nvmlDeviceGetProcessUtilization(nvmlDevice_t d,
	nvmlProcessUtilizationSample_t *s, unsigned *n, unsigned long long last_us)
{
	BEGIN_DEVICE(d);
	(void)last_us;
	if (fake_instances() > 0)
		return NOT_SUPPORTED;
	if (!state().is_busy)
		return NOT_FOUND;
	if (!s || *n < 1) {
		*n = 1;
		return INSUFFICIENT_SIZE;
	}
	*n = 1;
	s[0] = (nvmlProcessUtilizationSample_t){ .pid = (unsigned)getppid(),
		.timeStamp = (unsigned long long)(clock_ns() / 1000),
		.smUtil = percent_of(busy_ns),
		.memUtil = percent_of(memory_busy_ns) };
	return SUCCESS;
}

/* --- events: ROOFTOP_FAKE_XIDS errors at the start, one each time that somebody looks --- */

typedef struct {
	nvmlDevice_t device;
	unsigned long long eventType, eventData;
	unsigned gpuInstanceId, computeInstanceId;
} nvmlEventData_t;

EXPORT nvmlReturn_t nvmlEventSetCreate(int **set);
EXPORT nvmlReturn_t nvmlEventSetCreate(int **set)
{
	BEGIN;
	*set = calloc(1, sizeof(**set));
	return SUCCESS;
}

EXPORT nvmlReturn_t nvmlDeviceRegisterEvents(nvmlDevice_t d, unsigned long long types, int *set);
EXPORT nvmlReturn_t nvmlDeviceRegisterEvents(nvmlDevice_t d, unsigned long long types, int *set)
{
	const char *xids = getenv("ROOFTOP_FAKE_XIDS");

	BEGIN_DEVICE(d);
	*set = types & 8 && xids ? atoi(xids) : 0;
	return SUCCESS;
}

EXPORT nvmlReturn_t nvmlEventSetWait_v2(int *set, nvmlEventData_t *e, unsigned timeout_ms);
EXPORT nvmlReturn_t nvmlEventSetWait_v2(int *set, nvmlEventData_t *e, unsigned timeout_ms)
{
	BEGIN;
	(void)timeout_ms;
	if (*set == 0)
		return TIMEOUT;
	(*set)--;
	*e = (nvmlEventData_t){ .device = gpu, .eventType = 8, .eventData = 79 };
	return SUCCESS;
}
