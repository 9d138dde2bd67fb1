/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The part of NVIDIA's management library that rooftop calls: structures declared by their public
 * layout, and functions that are looked up by name, because older drivers lack some. */
#pragma once

#include <assert.h>
#include <stdint.h>

struct nvml_device;
struct nvml_sample;
struct nvml_event_set;

/* A versioned structure begins with its size and its version. */
#define NVML_STRUCT_VERSION(type, version) ((uint32_t)(sizeof(type) | (version) << 24))

/* nvmlClockType_t, as far as it is asked for. */
enum nvml_clock { NVML_CLOCK_SM = 1, NVML_CLOCK_MEMORY = 2 };

struct nvml_utilization {
	uint32_t gpu, memory;
};

struct nvml_memory {
	uint64_t total_bytes, free_bytes, used_bytes;
};

struct nvml_memory_v2 {
	uint32_t version;
	uint64_t total_bytes, reserved_bytes, free_bytes, used_bytes;
};

struct nvml_fan_speed {
	uint32_t version, fan, rpm;
};

struct nvml_temperature {
	uint32_t version, sensor;
	int32_t degc;
};

/* Drivers 535.43 to 535.86 have one more element of eight bytes behind it (XuehaiPan/nvitop#79). */
#define NVML_PROCESS_MAX_BYTES 32

struct nvml_process {
	uint32_t pid;
	uint64_t used_bytes;
	uint32_t gpu_instance, compute_instance;
};

/* As drivers before 450 tell it. */
struct nvml_process_v1 {
	uint32_t pid;
	uint64_t used_bytes;
};

struct nvml_process_sample {
	uint32_t pid;
	uint64_t t_us;
	uint32_t sm, memory, encoder, decoder;
};

enum nvml_value_type { NVML_TYPE_DOUBLE, NVML_TYPE_UINT, NVML_TYPE_ULONG, NVML_TYPE_ULLONG,
	NVML_TYPE_LLONG, NVML_TYPE_INT, NVML_TYPE_USHORT };

struct nvml_field {
	uint32_t field, scope;
	int64_t t_us, latency_us;
	int32_t type;		/* enum nvml_value_type */
	int32_t result;
	union {
		double real;
		uint32_t u32;
		uint64_t u64;
		int32_t i32;
		int64_t i64;
		uint16_t u16;
	} value;
};

/* What an instance (MIG) has. */
struct nvml_attributes {
	uint32_t multiprocessors, copy_engines, decoders, encoders, jpeg_engines, optical_flow_engines;
	uint32_t gpu_slices, compute_slices;
	uint64_t memory_mib;
};

struct nvml_gpm_metric {
	uint32_t metric;
	int32_t result;
	double value;
	char *short_name, *long_name, *unit;
};

/* The library's own array has grown from 98 to 333 elements while its version stayed 1, and only
 * the first count are read: the largest one is allocated and few are asked for. */
#define NVML_GPM_MAX 333

struct nvml_gpm_metrics {
	uint32_t version, count;
	struct nvml_sample *before, *now;
	struct nvml_gpm_metric metrics[NVML_GPM_MAX];
};

struct nvml_gpm_support {
	uint32_t version, is_supported;
};

struct nvml_event {
	struct nvml_device *device;
	uint64_t type, data;
	uint32_t gpu_instance, compute_instance;
};

/* The library is for machines of 64 bits. */
#ifdef __LP64__
static_assert(sizeof(struct nvml_memory) == 24, "nvmlMemory_t");
static_assert(sizeof(struct nvml_memory_v2) == 40, "nvmlMemory_v2_t");
static_assert(sizeof(struct nvml_fan_speed) == 12, "nvmlFanSpeedInfo_v1_t");
static_assert(sizeof(struct nvml_process) == 24, "nvmlProcessInfo_t");
static_assert(sizeof(struct nvml_process_v1) == 16, "nvmlProcessInfo_v1_t");
static_assert(sizeof(struct nvml_temperature) == 12, "nvmlTemperature_v1_t");
static_assert(sizeof(struct nvml_field) == 40, "nvmlFieldValue_t");
static_assert(sizeof(struct nvml_gpm_support) == 8, "nvmlGpmSupport_t");
static_assert(sizeof(struct nvml_process_sample) == 32, "nvmlProcessUtilizationSample_t");
static_assert(sizeof(struct nvml_gpm_metric) == 40, "nvmlGpmMetric_t");
static_assert(sizeof(struct nvml_attributes) == 40, "nvmlDeviceAttributes_t");
static_assert(sizeof(struct nvml_event) == 32, "nvmlEventData_t");
#endif

/* Every function: the member, the library's name, and its arguments. All return nvmlReturn_t. */
#define NVML_FUNCTION_LIST(X) \
	X(init, "nvmlInit_v2", (void)) \
	X(shutdown, "nvmlShutdown", (void)) \
	X(driver_version, "nvmlSystemGetDriverVersion", (char *, unsigned)) \
	X(cuda_version, "nvmlSystemGetCudaDriverVersion_v2", (int *)) \
	X(cuda_version_v1, "nvmlSystemGetCudaDriverVersion", (int *)) \
	X(uuid, "nvmlDeviceGetUUID", (struct nvml_device *, char *, unsigned)) \
	X(performance_state, "nvmlDeviceGetPerformanceState", (struct nvml_device *, int *)) \
	X(power_state, "nvmlDeviceGetPowerState", (struct nvml_device *, int *)) \
	X(device_by_address, "nvmlDeviceGetHandleByPciBusId_v2", (const char *, struct nvml_device **)) \
	X(name, "nvmlDeviceGetName", (struct nvml_device *, char *, unsigned)) \
	X(utilization, "nvmlDeviceGetUtilizationRates", (struct nvml_device *, struct nvml_utilization *)) \
	X(encoder, "nvmlDeviceGetEncoderUtilization", (struct nvml_device *, unsigned *, unsigned *)) \
	X(decoder, "nvmlDeviceGetDecoderUtilization", (struct nvml_device *, unsigned *, unsigned *)) \
	X(clock, "nvmlDeviceGetClockInfo", (struct nvml_device *, int, unsigned *)) \
	X(clock_max, "nvmlDeviceGetMaxClockInfo", (struct nvml_device *, int, unsigned *)) \
	X(power, "nvmlDeviceGetPowerUsage", (struct nvml_device *, unsigned *)) \
	X(power_limit, "nvmlDeviceGetEnforcedPowerLimit", (struct nvml_device *, unsigned *)) \
	X(energy, "nvmlDeviceGetTotalEnergyConsumption", (struct nvml_device *, unsigned long long *)) \
	X(temperature, "nvmlDeviceGetTemperature", (struct nvml_device *, int, unsigned *)) \
	X(temperature_v1, "nvmlDeviceGetTemperatureV", (struct nvml_device *, struct nvml_temperature *)) \
	X(temperature_threshold, "nvmlDeviceGetTemperatureThreshold", (struct nvml_device *, int, unsigned *)) \
	X(fan, "nvmlDeviceGetFanSpeed_v2", (struct nvml_device *, unsigned, unsigned *)) \
	X(fan_v1, "nvmlDeviceGetFanSpeed", (struct nvml_device *, unsigned *)) \
	X(fan_speed, "nvmlDeviceGetFanSpeedRPM", (struct nvml_device *, struct nvml_fan_speed *)) \
	X(memory, "nvmlDeviceGetMemoryInfo", (struct nvml_device *, struct nvml_memory *)) \
	X(memory_v2, "nvmlDeviceGetMemoryInfo_v2", (struct nvml_device *, struct nvml_memory_v2 *)) \
	X(link_generation, "nvmlDeviceGetCurrPcieLinkGeneration", (struct nvml_device *, unsigned *)) \
	X(link_lanes, "nvmlDeviceGetCurrPcieLinkWidth", (struct nvml_device *, unsigned *)) \
	X(link_generation_max, "nvmlDeviceGetMaxPcieLinkGeneration", (struct nvml_device *, unsigned *)) \
	X(link_lanes_max, "nvmlDeviceGetMaxPcieLinkWidth", (struct nvml_device *, unsigned *)) \
	X(link_throughput, "nvmlDeviceGetPcieThroughput", (struct nvml_device *, int, unsigned *)) \
	X(event_reasons, "nvmlDeviceGetCurrentClocksEventReasons", (struct nvml_device *, unsigned long long *)) \
	X(throttle_reasons, "nvmlDeviceGetCurrentClocksThrottleReasons", (struct nvml_device *, unsigned long long *)) \
	X(ecc_errors, "nvmlDeviceGetTotalEccErrors", (struct nvml_device *, int, int, unsigned long long *)) \
	X(capability, "nvmlDeviceGetCudaComputeCapability", (struct nvml_device *, int *, int *)) \
	X(cores, "nvmlDeviceGetNumGpuCores", (struct nvml_device *, unsigned *)) \
	X(bus_bits, "nvmlDeviceGetMemoryBusWidth", (struct nvml_device *, unsigned *)) \
	X(mig_mode, "nvmlDeviceGetMigMode", (struct nvml_device *, unsigned *, unsigned *)) \
	X(mig_max, "nvmlDeviceGetMaxMigDeviceCount", (struct nvml_device *, unsigned *)) \
	X(mig_device, "nvmlDeviceGetMigDeviceHandleByIndex", (struct nvml_device *, unsigned, struct nvml_device **)) \
	X(gpu_instance, "nvmlDeviceGetGpuInstanceId", (struct nvml_device *, unsigned *)) \
	X(compute_instance, "nvmlDeviceGetComputeInstanceId", (struct nvml_device *, unsigned *)) \
	X(attributes, "nvmlDeviceGetAttributes_v2", (struct nvml_device *, struct nvml_attributes *)) \
	X(fields, "nvmlDeviceGetFieldValues", (struct nvml_device *, int, struct nvml_field *)) \
	X(compute_processes, "nvmlDeviceGetComputeRunningProcesses_v3", (struct nvml_device *, unsigned *, void *)) \
	X(graphics_processes, "nvmlDeviceGetGraphicsRunningProcesses_v3", (struct nvml_device *, unsigned *, void *)) \
	X(compute_processes_v2, "nvmlDeviceGetComputeRunningProcesses_v2", (struct nvml_device *, unsigned *, void *)) \
	X(graphics_processes_v2, "nvmlDeviceGetGraphicsRunningProcesses_v2", (struct nvml_device *, unsigned *, void *)) \
	X(compute_processes_v1, "nvmlDeviceGetComputeRunningProcesses", (struct nvml_device *, unsigned *, void *)) \
	X(graphics_processes_v1, "nvmlDeviceGetGraphicsRunningProcesses", (struct nvml_device *, unsigned *, void *)) \
	X(process_utilization, "nvmlDeviceGetProcessUtilization", (struct nvml_device *, struct nvml_process_sample *, unsigned *, unsigned long long)) \
	X(events_new, "nvmlEventSetCreate", (struct nvml_event_set **)) \
	X(events_register, "nvmlDeviceRegisterEvents", (struct nvml_device *, unsigned long long, struct nvml_event_set *)) \
	X(events_wait, "nvmlEventSetWait_v2", (struct nvml_event_set *, struct nvml_event *, unsigned)) \
	X(events_wait_v1, "nvmlEventSetWait", (struct nvml_event_set *, struct nvml_event *, unsigned)) \
	X(gpm_support, "nvmlGpmQueryDeviceSupport", (struct nvml_device *, struct nvml_gpm_support *)) \
	X(gpm_alloc, "nvmlGpmSampleAlloc", (struct nvml_sample **)) \
	X(gpm_get, "nvmlGpmSampleGet", (struct nvml_device *, struct nvml_sample *)) \
	X(gpm_get_instance, "nvmlGpmMigSampleGet", (struct nvml_device *, unsigned, struct nvml_sample *)) \
	X(gpm_metrics, "nvmlGpmMetricsGet", (struct nvml_gpm_metrics *))

struct nvml_api {
#define X(member, name, args) int(*member) args;
	NVML_FUNCTION_LIST(X)
#undef X
};
