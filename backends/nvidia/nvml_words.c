/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Turns result codes of NVIDIA's library into sentences. */
#include "config.h"

#include "backends/nvidia/nvml_words.h"

#include "backends/nvidia/nvml_proto.h"
#include "base/mem.h"

static const struct {
	int code;
	enum err_code kind;
	const char *text, *hint;
} sentences[] = {
	{ NVML_NO_PERMISSION, ERR_PERMISSION, "this user may not use the GPU",
		"ls -l /dev/nvidia* tells who may; in a container: --gpus all" },
	{ NVML_NOT_FOUND, ERR_UNSUPPORTED, "NVIDIA's library does not find this GPU",
		"nvidia-smi -L lists those that it finds; in a container: --gpus all" },
	{ NVML_GPU_NOT_FOUND, ERR_UNSUPPORTED, "NVIDIA's library does not find this GPU",
		"nvidia-smi -L lists those that it finds; in a container: --gpus all" },
	{ NVML_DRIVER_NOT_LOADED, ERR_UNSUPPORTED, "NVIDIA's kernel driver is not loaded",
		"sudo modprobe nvidia; sudo dmesg tells why it fails" },
	{ NVML_TIMEOUT, ERR_BUSY, "the GPU did not answer in time",
		"it is asked again; sudo dmesg | grep Xid tells whether it failed" },
	{ NVML_LIBRARY_NOT_FOUND, ERR_UNSUPPORTED, "a part of NVIDIA's library is missing",
		"install the library of the driver's version (Debian: libnvidia-ml1)" },
	{ NVML_GPU_IS_LOST, ERR_NO_DEVICE, "the GPU is lost: it has fallen off the bus, or hangs",
		"sudo dmesg | grep Xid tells more; it comes back with a reboot" },
	{ NVML_RESET_REQUIRED, ERR_NO_DEVICE, "the GPU has to be reset",
		"sudo nvidia-smi --gpu-reset, when no program uses it" },
	{ NVML_OPERATING_SYSTEM, ERR_PERMISSION,
		"the operating system keeps this process from the GPU",
		"a group of processes (cgroup) may forbid /dev/nvidia*; in a container: --gpus "
		   "all" },
	{ NVML_VERSION_MISMATCH, ERR_UNSUPPORTED,
		"the driver was updated, and the old one still runs in the kernel",
		"reboot, or unload and load the module nvidia" },
	{ NVML_NOT_READY, ERR_BUSY, "the GPU was divided anew (MIG)",
		"it is read again in a moment; the screen then shows the instances that there are now, outputs "
		   "keep those from before" },
	{ NVML_FUNCTION_NOT_FOUND, ERR_UNSUPPORTED,
		"this version of NVIDIA's library lacks a function that is needed",
		"use the library of the driver's version, 418 or newer" },
};

bool nvml_refuse(struct err *err, const char *device, int code, const char *words)
{
	if (code == NVML_NO_LIBRARY) {
		err_set(err, ERR_UNSUPPORTED, "%s: NVIDIA's library cannot be loaded: %s", device,
			words);
		return err_hint(err, "%s",
			"install the library of the driver's version (Debian: libnvidia-ml1)");
	}
	for (size_t i = 0; i < ARRAY_LEN(sentences); i++) {
		if (sentences[i].code != code)
			continue;
		err_set(err, sentences[i].kind, "%s: %s", device, sentences[i].text);
		return err_hint(err, "%s", sentences[i].hint);
	}
	err_set(err, ERR_SYS, "%s: NVIDIA's library failed in %s with code %d", device, words, code);
	return err_hint(err, "%s", "nvidia-smi tells whether the driver works");
}

enum why nvml_why(int code)
{
	switch (code) {
	case NVML_OK:
		return WHY_OK;
	case NVML_INVALID_ARGUMENT:
	case NVML_NOT_SUPPORTED:
	case NVML_FUNCTION_NOT_FOUND:
	case NVML_ARGUMENT_VERSION:
	case NVML_DEPRECATED:
		return WHY_UNSUPPORTED;
	case NVML_NO_PERMISSION:
	case NVML_OPERATING_SYSTEM:
		return WHY_PERMISSION;
	case NVML_NO_DATA:
	case NVML_NOT_READY:
		return WHY_NOT_YET;
	case NVML_GPU_IS_LOST:
		return WHY_GONE;
	default:
		return WHY_STALE;
	}
}
