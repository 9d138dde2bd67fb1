/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Between the source "nvml" and the program that loads NVIDIA's management library: lines of text on
 * the program's standard output.
 *
 * "rooftop-nvml LIBRARY PCI_ADDRESS PERIOD_MS": the file of the library, the GPU, and how often it is
 * read. The program ends at the end of its standard input. Lines, in this order:
 *   "device KEY VALUE"	a fact of the GPU: name, driver, cuda, uuid, or a number of NVML_FACT_LIST
 *   "no INDEX CODE"	value INDEX of NVML_VALUE_LIST has no number, by nvmlReturn_t CODE; may come
 *			again later
 *   "instance I SLICES SMS PROFILE"	the GPU is divided (MIG), and this is one of its instances
 *   "ready"		all facts were told
 *   "at T_NS INDEX:VALUE ..."	the values that have a number (CLOCK_MONOTONIC; sums count from the
 *			program's start or from what the library says)
 *   "of I T_NS INDEX:VALUE ..."	the same of instance I
 *   "process PID BYTES SM MEMORY ENCODER DECODER INSTANCE"	who uses the GPU: bytes and per cents,
 *			and the instance, "-" where they are not known
 *   "processes CODE"	the list is complete, or nobody may see it
 *   "error CODE WORDS"	the call that failed; the program ends. CODE is nvmlReturn_t, or -1: the
 *			library cannot be loaded, and WORDS say why */
#pragma once

#define NVML_PROGRAM "rooftop-nvml"
#define NVML_NO_LIBRARY (-1)
#define NVML_PARTS_MAX 8	/* NVIDIA divides into seven */

/* What is read again and again: an id, the counter's name, its unit, its bits and its kind. Per
 * cents are in thousandths. */
#define NVML_VALUE_LIST(X) \
	X(BUSY, "nv_busy", "number", 32, GAUGE) \
	X(MEMORY_BUSY, "nv_memory_busy", "number", 32, GAUGE) \
	X(ENCODER, "nv_encoder", "number", 32, GAUGE) \
	X(DECODER, "nv_decoder", "number", 32, GAUGE) \
	X(SM_CLOCK, "nv_sm_mhz", "MHz", 32, GAUGE) \
	X(MEMORY_CLOCK, "nv_memory_mhz", "MHz", 32, GAUGE) \
	X(PSTATE, "nv_pstate", "number", 8, TOTAL) \
	X(POWER, "nv_power_mw", "mW", 32, GAUGE) \
	X(POWER_LIMIT, "nv_power_limit_mw", "mW", 32, GAUGE) \
	X(ENERGY, "nv_energy_uj", "uJ", 64, CUMULATIVE) \
	X(TEMPERATURE, "nv_temperature_mdegc", "mdegC", 32, GAUGE) \
	X(MEMORY_TEMPERATURE, "nv_memory_mdegc", "mdegC", 32, GAUGE) \
	X(FAN, "nv_fan", "number", 32, GAUGE) \
	X(FAN_SPEED, "nv_fan_rpm", "number", 32, GAUGE) \
	X(MEMORY, "nv_memory_bytes", "B", 64, GAUGE) \
	X(MEMORY_USED, "nv_memory_used_bytes", "B", 64, GAUGE) \
	X(LINK_TRANSFERS, "link_mtransfers", "number", 32, GAUGE) \
	X(LINK_LANES, "link_lanes", "number", 16, GAUGE) \
	X(LINK_SPEED, "nv_link_bytes_per_s", "B/s", 64, GAUGE) \
	X(PCIE_SENT, "nv_pcie_sent_bytes", "B", 64, CUMULATIVE) \
	X(PCIE_RECEIVED, "nv_pcie_received_bytes", "B", 64, CUMULATIVE) \
	X(PCIE_SENT_RATE, "nv_pcie_sent_bytes_per_s", "B/s", 64, GAUGE) \
	X(PCIE_RECEIVED_RATE, "nv_pcie_received_bytes_per_s", "B/s", 64, GAUGE) \
	X(NVLINK_SENT, "nv_nvlink_sent_bytes", "B", 64, CUMULATIVE) \
	X(NVLINK_RECEIVED, "nv_nvlink_received_bytes", "B", 64, CUMULATIVE) \
	X(NVLINK_SPEED, "nv_nvlink_bytes_per_s", "B/s", 64, GAUGE) \
	X(HELD_SETTING, "nv_held_setting", "number", 32, GAUGE) \
	X(HELD_POWER, "nv_held_power", "number", 32, GAUGE) \
	X(HELD_HEAT, "nv_held_heat", "number", 32, GAUGE) \
	X(HELD_HARDWARE, "nv_held_hardware", "number", 32, GAUGE) \
	X(POLICY_POWER, "nv_policy_power_ns", "ns", 64, CUMULATIVE) \
	X(POLICY_HEAT, "nv_policy_heat_ns", "ns", 64, CUMULATIVE) \
	X(POLICY_BOARD, "nv_policy_board_ns", "ns", 64, CUMULATIVE) \
	X(ECC_CORRECTED, "nv_ecc_corrected", "number", 64, TOTAL) \
	X(ECC_UNCORRECTED, "nv_ecc_uncorrected", "number", 64, TOTAL) \
	X(XIDS, "nv_xids", "number", 64, TOTAL) \
	X(GPM_GRAPHICS, "nv_gpm_graphics", "number", 32, GAUGE) \
	X(GPM_SM, "nv_gpm_sm", "number", 32, GAUGE) \
	X(GPM_OCCUPANCY, "nv_gpm_occupancy", "number", 32, GAUGE) \
	X(GPM_INTEGER, "nv_gpm_integer", "number", 32, GAUGE) \
	X(GPM_FP64, "nv_gpm_fp64", "number", 32, GAUGE) \
	X(GPM_FP32, "nv_gpm_fp32", "number", 32, GAUGE) \
	X(GPM_FP16, "nv_gpm_fp16", "number", 32, GAUGE) \
	X(GPM_TENSOR, "nv_gpm_tensor", "number", 32, GAUGE) \
	X(GPM_TENSOR_FP64, "nv_gpm_tensor_fp64", "number", 32, GAUGE) \
	X(GPM_TENSOR_HALF, "nv_gpm_tensor_half", "number", 32, GAUGE) \
	X(GPM_TENSOR_INTEGER, "nv_gpm_tensor_integer", "number", 32, GAUGE) \
	X(GPM_DRAM, "nv_gpm_dram", "number", 32, GAUGE)

enum nvml_value {
#define X(id, name, unit, bits, kind) NVML_##id,
	NVML_VALUE_LIST(X)
#undef X
	NVML_VALUES
};

/* What a GPU says of itself once: an id and the key. */
#define NVML_FACT_LIST(X) \
	X(CC_MAJOR, "cc_major") \
	X(CC_MINOR, "cc_minor") \
	X(CORES, "cores") \
	X(BUS_BITS, "bus_bits") \
	X(SM_CLOCK_MAX, "sm_clock_max_mhz") \
	X(MEMORY_CLOCK_MAX, "memory_clock_max_mhz") \
	X(LINK_GENERATION_MAX, "link_generation_max") \
	X(LINK_LANES_MAX, "link_lanes_max") \
	X(SLOWDOWN_DEGC, "slowdown_degc") \
	X(MIG_INSTANCES, "mig_instances") \
	X(GPM, "gpm")	/* 1: it has the performance monitor */

enum nvml_fact {
#define X(id, key) NVML_FACT_##id,
	NVML_FACT_LIST(X)
#undef X
	NVML_FACTS
};

/* Transfers of a lane of PCIe in a microsecond, by generation (PCI-SIG); 0: not known. */
static inline unsigned nvml_link_mtransfers(unsigned generation)
{
	static const unsigned rates[] = { 0, 2500, 5000, 8000, 16000, 32000, 64000 };

	return generation < sizeof(rates) / sizeof(rates[0]) ? rates[generation] : 0;
}

/* nvmlReturn_t, as far as it is told apart (facts of the library's public interface). */
enum nvml_code {
	NVML_OK = 0,
	NVML_INVALID_ARGUMENT = 2,
	NVML_NOT_SUPPORTED = 3,
	NVML_NO_PERMISSION = 4,
	NVML_NOT_FOUND = 6,
	NVML_INSUFFICIENT_SIZE = 7,
	NVML_DRIVER_NOT_LOADED = 9,
	NVML_TIMEOUT = 10,
	NVML_LIBRARY_NOT_FOUND = 12,
	NVML_FUNCTION_NOT_FOUND = 13,
	NVML_GPU_IS_LOST = 15,
	NVML_RESET_REQUIRED = 16,
	NVML_OPERATING_SYSTEM = 17,
	NVML_VERSION_MISMATCH = 18,
	NVML_NO_DATA = 21,
	NVML_ARGUMENT_VERSION = 25,
	NVML_DEPRECATED = 26,
	NVML_NOT_READY = 27,
	NVML_GPU_NOT_FOUND = 28,
};
