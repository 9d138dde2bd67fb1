/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of chips and of words in the names of rails. */
#include "config.h"

#include "backends/power/energy.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"

/* What the names of such chips begin with (Linux Documentation/hwmon: ina2xx, ina3221, ina238;
 * drivers/hwmon/scmi-hwmon.c, scpi-hwmon.c, vexpress-hwmon.c, acpi_power_meter.c, macsmc-hwmon.c,
 * xgene-hwmon.c). */
static const char *const chips[] = { "ina2", "ina3221", "sq52206", "scmi_sensors", "scpi_sensors", "vexpress",
	"power_meter", "macsmc_hwmon", "apm_xgene" };

/* A row fits where each of its words is one of the name's. NULL: there is no second one. chip NULL:
 * any. The first row that fits tells the plane. */
static const struct rail_row {
	const char *chip, *words[2];
	enum energy_plane plane;
	const char *source;
} rows[] = {
	{ "power_meter", { "module" }, ENERGY_PSYS, "NVIDIA Grace Performance Tuning Guide, Power Telemetry: with GPU and HBM" },
	{ "power_meter", { "grace" }, ENERGY_PACKAGE, "the same: socket with memory and regulators" },
	{ "power_meter", { "sysio" }, ENERGY_PLANES, "the same: the SoC rail" },
	{ "power_meter", { "cpu" }, ENERGY_CORES, "the same: the CPU rail" },
	{ "power_meter", { NULL }, ENERGY_PSYS, "ACPI 10.4: a meter without a name is the platform's" },
	{ "macsmc_hwmon", { "total", "system" }, ENERGY_PSYS, "macsmc-hwmon: Total System Power" },
	{ NULL, { "cpu", "gpu" }, ENERGY_PACKAGE, "Jetson Linux Developer Guide: VDD_CPU_GPU_CV" },
	{ NULL, { "gpu" }, ENERGY_GPU, "Jetson: GPU, VDD_GPU_SOC, VDD_SYS_GPU, POM_5V_GPU" },
	{ NULL, { "mali" }, ENERGY_GPU, "Arm" },
	{ NULL, { "cpu" }, ENERGY_CORES, "Jetson: CPU, VDD_CPU_CV, VDD_SYS_CPU, POM_5V_CPU; xgene-hwmon.c: CPU power, the processor modules" },
	{ NULL, { "vdd", "arm" }, ENERGY_CORES, "Samsung's rails, exynos5422-odroidxu3.dts" },
	{ NULL, { "vdd", "kfc" }, ENERGY_CORES, "the same, LITTLE cores" },
	{ NULL, { "vdd", "g3d" }, ENERGY_GPU, "the same" },
	{ NULL, { "vdd", "mem" }, ENERGY_DRAM, "the same" },
	{ NULL, { "a#" }, ENERGY_CORES, "Versatile Express and Juno: A15 Jcore, A53" },
	{ NULL, { "big" }, ENERGY_CORES, "Juno" },
	{ NULL, { "little" }, ENERGY_CORES, "Juno" },
	{ NULL, { "ddr" }, ENERGY_DRAM, "Jetson: VDD_SYS_DDR" },
	{ NULL, { "dram" }, ENERGY_DRAM, "general" },
	{ NULL, { "vddrq" }, ENERGY_DRAM, "Jetson AGX Xavier" },
	{ NULL, { "vddq" }, ENERGY_DRAM, "Jetson AGX Orin: VDDQ_VDD2_1V8AO" },
	{ NULL, { "in" }, ENERGY_PSYS, "Jetson: VDD_IN, POM_5V_IN" },
};

bool rail_chip_is_known(const char *chip)
{
	for (size_t i = 0; i < ARRAY_LEN(chips); i++)
		if (!strncmp(chip, chips[i], strlen(chips[i])))
			return true;
	return false;
}

/* "a#" stands for an a and a number. */
static bool word_is(const char *word, size_t len, const char *want)
{
	if (!strcmp(want, "a#"))
		return len > 1 && tolower((unsigned char)*word) == 'a' &&
			strspn(word + 1, "0123456789") >= len - 1;
	return len == strlen(want) && !strncasecmp(word, want, len);
}

static bool has_word(const char *name, const char *want)
{
	while (*name) {
		size_t len = 0;

		while (isalnum((unsigned char)name[len]))
			len++;
		if (word_is(name, len, want))
			return true;
		name += len + (name[len] != '\0');
	}
	return false;
}

static bool fits(const struct rail_row *row, const char *chip, const char *name)
{
	if (row->chip && strcmp(row->chip, chip) != 0)
		return false;
	if (!row->words[0])
		return !*name;
	for (size_t i = 0; i < ARRAY_LEN(row->words); i++)
		if (row->words[i] && !has_word(name, row->words[i]))
			return false;
	return true;
}

/* Sensors that nothing names, by the board, as its device tree calls it, and the address on its I2C
 * bus. */
static const struct place_row {
	const char *board, *address, *name, *source;
} places[] = {
	{ "hardkernel,odroid-xu3", "0040", "VDD_ARM", "Linux arch/arm/boot/dts/samsung/exynos5422-odroidxu3.dts" },
	{ "hardkernel,odroid-xu3", "0041", "VDD_MEM", "exynos5422-odroidxu3.dts" },
	{ "hardkernel,odroid-xu3", "0044", "VDD_G3D", "exynos5422-odroidxu3.dts" },
	{ "hardkernel,odroid-xu3", "0045", "VDD_KFC", "exynos5422-odroidxu3.dts" },
};

const char *rail_name_at(const char *boards, size_t size, const char *device)
{
	const char *address = strchr(device, '-');

	for (size_t at = 0; address && at < size; at += strnlen(boards + at, size - at) + 1)
		for (size_t i = 0; i < ARRAY_LEN(places); i++)
			if (!strncmp(boards + at, places[i].board, size - at) &&
				!strcmp(address + 1, places[i].address))
				return places[i].name;
	return NULL;
}

enum energy_plane rail_plane(const char *chip, const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (fits(&rows[i], chip, name))
			return rows[i].plane;
	return ENERGY_PLANES;
}
