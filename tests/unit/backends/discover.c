/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finding cards in a small sysfs tree made on the spot: names, drivers, backends, refusals, and
 * nothing else than sysfs is touched. */
#include "config.h"

#include "backends/card/drm_card.h"

#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

#include "backends/intel/i915/i915_device.h"
#include "backends/common/backend.h"
#include "base/mem.h"
#include "tests/tap.h"

/* A file with its content, or a link when content begins with "->". */
struct tree_row {
	const char *path;
	const char *content;
};

static const struct tree_row tree[] = {
	{ "/sys/class/drm/version", "drm 1.1.0 20060810\n" },
	{ "/sys/class/drm/card0/device", "->../../../devices/pci0000:00/0000:00:02.0" },
	{ "/sys/devices/pci0000:00/0000:00:02.0/vendor", "0x8086\n" },
	{ "/sys/devices/pci0000:00/0000:00:02.0/device", "0x5916\n" },
	{ "/sys/devices/pci0000:00/0000:00:02.0/revision", "0x02\n" },
	{ "/sys/devices/pci0000:00/0000:00:02.0/power/runtime_status", "active\n" },
	{ "/sys/devices/pci0000:00/0000:00:02.0/driver", "->../../../bus/pci/drivers/i915" },
	{ "/sys/class/drm/card0-eDP-1/status", "connected\n" },
	{ "/sys/class/drm/renderD128/device", "->../../../devices/pci0000:00/0000:00:02.0" },
	{ "/sys/class/drm/card1/device", "->../../../devices/pci0000:00/0000:01:00.0" },
	{ "/sys/devices/pci0000:00/0000:01:00.0/vendor", "0x1002\n" },
	{ "/sys/devices/pci0000:00/0000:01:00.0/device", "0x73ff\n" },
	{ "/sys/devices/pci0000:00/0000:01:00.0/power/runtime_status", "suspended\n" },
	{ "/sys/devices/pci0000:00/0000:01:00.0/driver", "->../../../bus/pci/drivers/amdgpu" },
	{ "/sys/class/drm/card2/device/vendor", "0x8086\n" },
	{ "/sys/class/drm/card2/device/device", "0xe20b\n" },
	{ "/sys/class/drm/card2/device/driver", "->../../../../bus/pci/drivers/xe" },
	{ "/sys/class/drm/card3/device/vendor", "0x8086\n" },
	{ "/sys/class/drm/card3/device/device", "0x5902\n" },
	{ "/sys/class/drm/card3/device/driver", "->../../../../bus/pci/drivers/i915" },
	{ "/sys/class/drm/card4/device/vendor", "0x8086\n" },
	{ "/sys/class/drm/card4/device/device", "0x0043\n" },
	{ "/sys/class/drm/card4/device/driver", "->../../../../bus/pci/drivers/i915" },
	{ "/sys/class/drm/card5/device/driver", "->../../../../bus/platform/drivers/lima" },
	{ "/sys/class/drm/card6/device/vendor", "nonsense\n" },
	{ "/sys/class/drm/card7/device/vendor", "0x8086\n" },
	{ "/sys/class/drm/card7/device/device", "0x5916\n" },
	{ "/sys/class/drm/card8/device/vendor", "0x12345678901\n" },
	{ "/sys/class/drm/card8/device/driver", "->../drivers/a_driver_with_a_name_much_longer_than_the_field_that_holds_it_has_room_for_it" },
	{ "/sys/class/drm/card9/device/vendor", "0x10de\n" },
	{ "/sys/class/drm/card9/device/driver", "->../drivers/nouveau" },
	{ "/sys/class/drm/card10/device/vendor", "" },
	{ "/sys/class/drm/card10/device/device", "0x5916\n" },
	{ "/sys/class/drm/card10/device/driver", "->../drivers/i915" },
	{ "/sys/class/drm/card11/device/vendor", "0x8086\n" },
	{ "/sys/class/drm/card11/device/device", "garbage\n" },
	{ "/sys/class/drm/card11/device/driver", "->../drivers/i915" },
	{ "/sys/class/drm/card90/device/vendor", "0x8086\n" },
	{ "/sys/class/drm/card90/device/device", "0x56a0\n" },
	/* the bus driver is not the DRM driver */
	{ "/sys/class/drm/card12/device", "->../../../devices/pci0000:00/0000:00:04.0/virtio1" },
	{ "/sys/devices/pci0000:00/0000:00:04.0/vendor", "0x1af4\n" },
	{ "/sys/devices/pci0000:00/0000:00:04.0/device", "0x1050\n" },
	{ "/sys/devices/pci0000:00/0000:00:04.0/driver", "->../../../bus/pci/drivers/virtio-pci" },
	{ "/sys/devices/pci0000:00/0000:00:04.0/uevent", "DRIVER=virtio-pci\nPCI_SLOT_NAME=0000:00:04.0\n" },
	{ "/sys/devices/pci0000:00/0000:00:04.0/virtio1/driver", "->../../../../bus/virtio/drivers/virtio_gpu" },
	{ "/sys/devices/pci0000:00/0000:00:04.0/virtio1/vendor", "0x1af4\n" },
	{ "/sys/devices/pci0000:00/0000:00:04.0/virtio1/device", "0x0010\n" },
	{ "/sys/class/drm/card13/device", "->../../../devices/pci0000:00/0000:00:05.0" },
	{ "/sys/devices/pci0000:00/0000:00:05.0/vendor", "0x1af4\n" },
	{ "/sys/devices/pci0000:00/0000:00:05.0/device", "0x1050\n" },
	{ "/sys/devices/pci0000:00/0000:00:05.0/driver", "->../../../bus/pci/drivers/virtio-pci" },
	{ "/sys/devices/pci0000:00/0000:00:05.0/virtio2/driver", "->../../../../bus/virtio/drivers/virtio_gpu" },
	{ "/sys/class/drm/card14/device", "->../../../devices/faux/vkms" },
	{ "/sys/devices/faux/vkms/driver", "->../../../bus/faux/drivers/faux_driver" },
	{ "/sys/class/drm/card15/device", "->../../../devices/platform/soc/soc:gpu" },
	{ "/sys/devices/platform/soc/soc:gpu/driver", "->../../../../bus/platform/drivers/vc4-drm" },
	{ "/sys/devices/platform/soc/soc:gpu/uevent", "DRIVER=vc4-drm\nOF_COMPATIBLE_0=brcm,bcm2711-vc5\nOF_COMPATIBLE_N=1\n" },
	{ "/sys/devices/platform/soc/soc:gpu/hwmon/hwmon4/name", "gpu\n" },
	{ "/sys/devices/platform/soc/soc:gpu/drm/renderD130/dev", "226:130\n" },
	{ "/sys/class/drm/card16/device", "->../../../devices/platform/made-up.gpu" },
	{ "/sys/devices/platform/made-up.gpu/driver", "->../../../bus/platform/drivers/madeup" },
	{ "/sys/devices/platform/made-up.gpu/uevent", "OF_COMPATIBLE_0=acme,gpu-7\n" },
	/* of a driver that some backend claims, but none of those in this test */
	{ "/sys/class/drm/card91/device/driver", "->../../../../bus/platform/drivers/panfrost" },
	{ "/sys/class/drm/card90/device/driver", "->../drivers/i915" },
	{ "/sys/class/drm/cardinal/device/vendor", "0x8086\n" },
	{ "/sys/class/drm/card/device/vendor", "0x8086\n" },
};

struct want_row {
	const char *id, *name, *driver, *platform, *generation, *pci_address;
	uint32_t vendor, device;
	const char *backend;
	const char *refusal;	/* part of the message; NULL: usable */
};

static const struct want_row wants[] = {
	{ "card0", "Intel HD Graphics 620", "i915", "kblgt2", "gen9.5", "0000:00:02.0", 0x8086, 0x5916, "intel", NULL },
	{ "card1", "AMD GPU", "amdgpu", "card", "", "0000:01:00.0", 0x1002, 0x73ff, "drm", "gives no counters to this program (it is asleep and was left so)" },
	{ "card10", "GPU", "i915", "card", "", "", 0, 0x5916, "drm", "sysfs does not say which PCI device it is" },
	{ "card11", "Intel GPU", "i915", "card", "", "", 0x8086, 0, "drm", "sysfs does not say which PCI device it is" },
	{ "card12", "Red Hat virtio GPU", "virtio_gpu", "card", "", "0000:00:04.0", 0x1af4, 0x1050, "drm", "the driver virtio_gpu gives no counters" },
	{ "card13", "Red Hat virtio GPU", "virtio_gpu", "card", "", "0000:00:05.0", 0x1af4, 0x1050, "drm", "the driver virtio_gpu gives no counters" },
	{ "card14", "GPU", "vkms", "card", "", "", 0, 0, "drm", "the driver vkms gives no counters" },
	{ "card15", "GPU", "vc4", "card", "", "", 0, 0, "drm", "the driver vc4 gives no counters" },
	{ "card16", "GPU", "madeup", "", "", "", 0, 0, "made-up", NULL },
	{ "card2", "Intel Arc B580 Graphics", "xe", "bmg", "xe2", "", 0x8086, 0xe20b, "intel", NULL },
	{ "card3", "Intel HD Graphics 610", "i915", "card", "", "", 0x8086, 0x5902, "drm", NULL },
	{ "card4", "Intel GPU", "i915", "card", "", "", 0x8086, 0x0043, "drm", NULL },
	{ "card5", "GPU", "lima", "card", "", "", 0, 0, "drm", "the driver lima gives no counters" },
	{ "card6", "GPU", "", "", "", "", 0, 0, "drm", "no kernel driver is bound" },
	{ "card7", "Intel HD Graphics 620", "", "kblgt2", "gen9.5", "", 0x8086, 0x5916, "intel", "no kernel driver is bound" },
	{ "card8", "GPU", "", "", "", "", 0, 0, "drm", "no kernel driver is bound" },
	{ "card9", "NVIDIA GPU", "nouveau", "card", "", "", 0x10de, 0, "drm", "the driver nouveau gives no counters" },
	{ "card90", "Intel Arc A770 Graphics", "i915", "acmgt3", "gen12.5", "", 0x8086, 0x56a0, "intel", NULL },
	{ "card91", "GPU", "panfrost", "card", "", "", 0, 0, "drm", "the driver panfrost gives no counters" },
};

static void make_parents(char *path)
{
	for (char *p = strchr(path + 1, '/'); p; p = strchr(p + 1, '/')) {
		*p = '\0';
		mkdir(path, 0777);
		*p = '/';
	}
}

static bool make_entry(const char *root, const struct tree_row *row)
{
	char *path = xasprintf("%s%s", root, row->path);
	bool good = false;
	FILE *f;

	make_parents(path);
	if (!strncmp(row->content, "->", 2)) {
		good = symlink(row->content + 2, path) == 0;
	} else if ((f = fopen(path, "we"))) {
		good = fputs(row->content, f) >= 0;
		good &= fclose(f) == 0;
	}
	free(path);
	return good;
}

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st, (void)type, (void)ftw;
	return remove(path);
}

static void identify_made_up(
	struct device_entry *e, const struct drm_card *card, const struct fsroot *fs)
{
	(void)fs;
	e->usable = !strcmp(card->compatible, "acme,gpu-7");
}

static const struct card_claim made_up_cards[] = { { .compatible = "acme,", .pci_vendor = 0x1234 },
	{ .compatible = "acme," } };

static const struct backend made_up_backend = {
	.name = "made-up", .cards = made_up_cards, .n_cards = 2, .identify = identify_made_up
};

static const struct backend *const backends[] = { &intel_backend, &made_up_backend, NULL };

static void test_entry(const struct device_entry *e, const struct want_row *want)
{
	const struct device *d = &e->device;
	const char *id = e->device.id;
	/* A build without libdrm cannot read counters of i915: such a card is one without counters. */
	bool has_none = !strcmp(want->driver, "i915") && !strcmp(want->backend, "intel") &&
		strcmp(want->platform, "intel") != 0 && !i915_is_built_in();
	const char *platform = want->platform, *backend = want->backend;

	if (has_none) {
		platform = "card";
		backend = "drm";
	}

	is_str(d->id, want->id, "%s: id", id);
	is_str(d->name, want->name, "%s: name", id);
	is_str(d->driver, want->driver, "%s: driver", id);
	is_str(d->platform, platform, "%s: platform", id);
	is_str(d->generation, want->generation, "%s: generation", id);
	is_str(d->pci_address, want->pci_address, "%s: PCI address", id);
	is_int(d->pci_vendor, want->vendor, "%s: vendor", id);
	is_int(d->pci_device, want->device, "%s: device", id);
	is_str(e->backend->name, backend, "%s: backend", id);
	is_int(d->topology.eus, 0, "%s: how much is fused off is not known without opening", id);
	/* What sysfs tells is there for every card with a driver, and every build can read it. */
	ok(e->usable == (d->driver[0] != '\0'), "%s: usable or not", id);
	if (!want->refusal)
		return;
	is_int(e->refusal.code, ERR_UNSUPPORTED, "%s: refusal", id);
	ok(strstr(e->refusal.msg, want->refusal), "%s: '%s' says '%s'", id, e->refusal.msg,
		want->refusal);
	if (!d->driver[0] && d->pci_vendor == 0x8086)
		ok(strstr(e->refusal.hint, "modprobe i915"), "%s: the hint names its drivers", id);
	else if (e->usable)
		ok(strstr(e->refusal.hint, "processes"), "%s: the hint says what there is", id);
	else
		ok(strstr(e->refusal.hint, "-r FILE") && strstr(e->refusal.hint, "-D sim:hd620"),
			"%s: the hint says what works", id);
}

static const struct device_entry *entry_of(const struct device_list *list, const char *id)
{
	for (size_t i = 0; i < list->count; i++)
		if (strcmp(list->entries[i].device.id, id) == 0)
			return &list->entries[i];
	return NULL;
}

static void test_probe(const struct fsroot *fs)
{
	struct device_list list = { .count = 0 };
	struct err err = { .code = ERR_NONE };

	ok(drm_cards_list(backends, fs, &list, &err), "probing works");
	is_int(list.count, ARRAY_LEN(wants),
		"cards, without connectors, render nodes and other names");
	for (size_t i = 0; i < ARRAY_LEN(wants); i++) {
		const struct device_entry *e = entry_of(&list, wants[i].id);

		if (ok(e, "%s: is listed", wants[i].id))
			test_entry(e, &wants[i]);
	}
	for (size_t i = 1; i < list.count; i++)
		ok(atoi(list.entries[i - 1].device.id + 4) < atoi(list.entries[i].device.id + 4),
			"%s: comes after %s", list.entries[i].device.id,
			list.entries[i - 1].device.id);
	device_list_release(&list);
}

static void test_open(const struct fsroot *fs)
{
	struct device_list list = { .count = 0 };
	struct open_device dev = { .n_sources = 0 };
	struct metric_set set = { .name = (char *)"nothing" };
	struct open_options o = { .set = &set, .fs = fs };
	struct err err = { .code = ERR_NONE };

	drm_cards_list(backends, fs, &list, NULL);
	ok(!intel_backend.open(entry_of(&list, "card2"), &o, &dev, &err),
		"a card of the xe driver without a node cannot be opened");
	ok(strstr(err.msg, "/dev/dri/card2"), "  ... and names it: %s", err.msg);
	is_int(dev.n_sources, 0, "  ... nothing stays open");
	ok(entry_of(&list, "card1")->backend->open(entry_of(&list, "card1"), &o, &dev, &err),
		"a card of another vendor's driver opens");
	ok(!strcmp(dev.checks[dev.n_checks - 1].status, "--") &&
			strstr(dev.checks[dev.n_checks - 1].reason, "no counters"),
		"with the reason why its counters are not there");
	open_device_close(&dev);
	ok(!entry_of(&list, "card8")->backend->open(entry_of(&list, "card8"), &o, &dev, &err),
		"opening a card without a driver is refused");
	is_int(err.code, ERR_UNSUPPORTED, "as unsupported");
	ok(strstr(err.msg, "card8: no kernel driver"), "with the reason: %s", err.msg);
	ok(strstr(err.hint, "-D sim:hd620"), "and the way out: %s", err.hint);
	is_int(dev.n_sources, 0, "nothing stays open");
	if (entry_of(&list, "card0")->backend == &intel_backend) {
		ok(!intel_backend.open(entry_of(&list, "card0"), &o, &dev, &err),
			"a card without a node cannot be opened");
		ok(strstr(err.msg, "/dev/dri/card0"), "  ... and names it: %s", err.msg);
		is_int(dev.n_sources, 0, "  ... nothing stays open");
	}
	device_list_release(&list);
}

static void test_card(const struct fsroot *fs)
{
	struct drm_card c;

	drm_card_read(&c, fs, "card15");
	is_str(c.compatible, "brcm,bcm2711-vc5", "card15: the device tree's name of it");
	is_str(c.node, "/dev/dri/renderD130", "card15: its render node");
	is_str(c.hwmon, "/sys/class/drm/card15/device/hwmon/hwmon4", "card15: its sensors");
	ok(!c.asleep, "card15: a card without power management is awake");
	drm_card_read(&c, fs, "card1");
	is_str(c.node, "/dev/dri/card1", "card1: has no render node");
	is_str(c.hwmon, "", "card1: has no sensors");
	ok(c.asleep, "card1: is asleep");
}

static void test_nothing(const char *root)
{
	struct device_list list = { .count = 0 };
	struct fsroot fs = { 0 };

	snprintf(fs.prefix, sizeof(fs.prefix), "%s/absent", root);
	ok(drm_cards_list(backends, &fs, &list, NULL), "a machine without graphics is no failure");
	is_int(list.count, 0, "and has no cards");
	device_list_release(&list);
}

int main(void)
{
	char root[] = "discover.XXXXXX";
	struct fsroot fs = { 0 };
	int made = 0;

	if (!mkdtemp(root))
		skip_all("cannot make a folder here");
	snprintf(fs.prefix, sizeof(fs.prefix), "%s", root);
	for (size_t i = 0; i < ARRAY_LEN(tree); i++)
		made += make_entry(root, &tree[i]);
	is_int(made, ARRAY_LEN(tree), "the tree is made");
	test_probe(&fs);
	test_open(&fs);
	test_card(&fs);
	test_nothing(root);
	nftw(root, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
	return done_testing();
}
