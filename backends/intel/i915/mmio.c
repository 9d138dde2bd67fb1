/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The only file that knows libpciaccess. */
#include "config.h"

#include "backends/intel/i915/mmio.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/call_watch.h"
#include "base/mem.h"
#include "base/privilege.h"

/* Every register of the render engine and of the OA unit lies below (Linux intel_uncore.c; igt
 * lib/intel_mmio.c). */
#define MMIO_BYTES (2u << 20)
#define MAX_MAPPED 4		/* devices */

struct mmio {
	volatile uint32_t *words;
	int users;
	struct mmio_guard *awake;
	char address[16];
	struct pci_device *device;
};

uint32_t mmio_read(const struct mmio *m, uint32_t address)
{
	assert(address < MMIO_BYTES && address % 4 == 0);
	return m->words[address / 4];
}

uint64_t mmio_read40(const struct mmio *m, uint32_t low, uint32_t high)
{
	uint32_t before, lower, after = mmio_read(m, high);

	/* A second turn of the loop needs 4 G counts between two reads. */
	do {
		before = after;
		lower = mmio_read(m, low);
		after = mmio_read(m, high);
	} while (after != before);
	return (uint64_t)(after & 0xff) << 32 | lower;
}

void mmio_write(struct mmio *m, uint32_t address, uint32_t value)
{
	assert(address < MMIO_BYTES && address % 4 == 0);
	m->words[address / 4] = value;
}

struct mmio_guard *mmio_awake(struct mmio *m, struct err *err)
{
	if (!m->awake && err)
		m->awake = mmio_guard_start(m, -1, err);
	return m->awake;
}

#ifdef HAVE_PCIACCESS

#include <pciaccess.h>

bool mmio_is_built_in(void)
{
	return true;
}

static struct pci_device *find(const char *address, struct err *err)
{
	unsigned domain, bus, slot, function;

	if (sscanf(address, "%x:%x:%x.%u", &domain, &bus, &slot, &function) != 4) {
		err_set(err, ERR_UNSUPPORTED, "'%s' is no address of a PCI device", address);
		return NULL;
	}
	struct pci_device *d = pci_device_find_by_slot(domain, bus, slot, function);
	if (!d || pci_device_probe(d) != 0 || d->regions[0].size < MMIO_BYTES) {
		err_set(err, ERR_UNSUPPORTED, "PCI device %s has no registers to be mapped",
			address);
		return NULL;
	}
	return d;
}

/* Explains the kernel's refusal; error is the errno that libpciaccess returns. */
static bool refuse(int error, const char *address, struct err *err)
{
	switch (error) {
	case EACCES:
	case EPERM:
		err_set(err, ERR_PERMISSION,
			"this process may not map the registers of PCI device %s (resource0)",
			address);
		return err_hint(err,
			"registers need root: sudo rooftop --access mmio; --access perf needs "
			"less");
	case EINVAL:
	case EBUSY:
		err_set(err, ERR_PERMISSION,
			"this kernel keeps the registers of PCI device %s to its driver",
			address);
		return err_hint(err,
			"such a kernel (CONFIG_IO_STRICT_DEVMEM) lets go with the boot option "
			"iomem=relaxed; --access perf does not need it");
	default:
		errno = error;
		return err_sys(err, "cannot map the registers of PCI device %s", address);
	}
}

/* The library maps a range once for a process, and forgets everything with its cleanup. So whoever
 * opens the same registers again gets the mapping that is there, and the last user gives it back. A range that is mapped for
 * reading alone could not be mapped for writing as well, so each mapping is for both. */
static struct mmio *mapped[MAX_MAPPED];

static bool is_any_mapped(void)
{
	for (size_t i = 0; i < MAX_MAPPED; i++)
		if (mapped[i])
			return true;
	return false;
}

/* Returns the place of that device's mapping, or a free one; NULL when there is none. */
static struct mmio **place_of(const char *pci_address)
{
	struct mmio **free_place = NULL;

	for (size_t i = 0; i < MAX_MAPPED; i++) {
		if (mapped[i] && !strcmp(mapped[i]->address, pci_address))
			return &mapped[i];
		if (!mapped[i])
			free_place = &mapped[i];
	}
	return free_place;
}

static struct mmio *open_mapped(const char *pci_address, struct err *err)
{
	struct mmio *m = NULL;
	void *map = NULL;
	int error = is_any_mapped() ? 0 : pci_system_init();

	if (error) {
		refuse(error, pci_address, err);
		return NULL;
	}
	struct pci_device *d = find(pci_address, err);
	if (!d)
		goto out;
	error = pci_device_map_range(d, d->regions[0].base_addr, MMIO_BYTES,
		PCI_DEV_MAP_FLAG_WRITABLE, &map);
	if (error) {
		refuse(error, pci_address, err);
		goto out;
	}
	driver_mapped(map, MMIO_BYTES);
	m = xcalloc(1, sizeof(*m));
	*m = (struct mmio){ .words = map, .device = d, .users = 1 };
	snprintf(m->address, sizeof(m->address), "%s", pci_address);
out:
	if (!m && !is_any_mapped())
		pci_system_cleanup();
	return m;
}

struct mmio *mmio_open(const char *pci_address, struct err *err)
{
	struct mmio **place = place_of(pci_address);

	if (!place) {
		err_set(err, ERR_UNSUPPORTED,
			"registers of more than %d devices cannot be mapped at once",
			MAX_MAPPED);
		return NULL;
	}
	if (*place) {
		(*place)->users++;
		return *place;
	}
	privilege_raise();
	call_begin("mmap", pci_address, -1);
	struct mmio *m = open_mapped(pci_address, err);
	call_end();
	privilege_lower();
	return *place = m;
}

void mmio_close(struct mmio *m)
{
	if (!m || --m->users > 0)
		return;
	mmio_guard_end(m->awake);
	driver_unmapped((const void *)(uintptr_t)m->words);
	call_begin("munmap", m->address, -1);
	pci_device_unmap_range(m->device, (void *)(uintptr_t)m->words, MMIO_BYTES);
	for (size_t i = 0; i < MAX_MAPPED; i++)
		if (mapped[i] == m)
			mapped[i] = NULL;
	if (!is_any_mapped())
		pci_system_cleanup();
	call_end();
	free(m);
}

#else

bool mmio_is_built_in(void)
{
	return false;
}

struct mmio *mmio_open(const char *pci_address, struct err *err)
{
	err_set(err, ERR_UNSUPPORTED,
		"this build cannot map the registers of PCI device %s, for want of libpciaccess",
		pci_address);
	return NULL;
}

void mmio_close(struct mmio *m)
{
	free(m);
}

#endif
