/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The roof of the memory: what udev, the firmware's table and EDAC tell, nonsense that is refused by
 * name, the table of cards, the cards' own word. */
#include "config.h"

#include <string.h>

#include "backends/intel/memory_roof.h"
#include "backends/intel/platform/platform.h"
#include "backends/memory/machine_memory.h"
#include "base/mem.h"
#include "base/strbuf.h"
#include "tests/fstree.h"
#include "tests/tap.h"

struct module_row {
	unsigned mts, bits;
	const char *type, *locator, *bank;
};

#define MAX_ROWS 16
#define DDR5(locator) { 4800, 64, "DDR5", locator, "" }
#define LP(channel) { 8533, 32, "LPDDR5", "Channel" channel, "" }
#define EIGHT(socket) DDR5(socket "CHANNEL A"), DDR5(socket "CHANNEL B"), DDR5(socket "CHANNEL C"), DDR5(socket "CHANNEL D"), \
	DDR5(socket "CHANNEL E"), DDR5(socket "CHANNEL F"), DDR5(socket "CHANNEL G"), DDR5(socket "CHANNEL H")

/* Modules without speed, width and type are empty slots. */
static const struct {
	const char *name;
	struct module_row modules[MAX_ROWS];
	double gb_per_s;	/* 0: refused */
	const char *why;
} machines[] = {
	{ "two modules on two channels", { { 2133, 64, "DDR4", "ChannelA-DIMM0", "BANK 0" }, { 2133, 64, "DDR4", "ChannelB-DIMM0", "BANK 2" } },
		34.128, NULL },
	{ "one module, the other slot is empty", { { 2400, 64, "DDR4", "ChannelA-DIMM0", "BANK 0" }, { 0, 0, "", "ChannelB-DIMM0", "BANK 2" } },
		19.2, NULL },
	{ "two modules on one channel share it", { { 3200, 64, "DDR4", "ChannelA-DIMM0", "" }, { 3200, 64, "DDR4", "ChannelA-DIMM1", "" } },
		25.6, NULL },
	{ "the slowest module sets the pace", { { 3200, 64, "DDR4", "ChannelA-DIMM0", "" }, { 2666, 64, "DDR4", "ChannelB-DIMM0", "" } },
		42.656, NULL },
	{ "two controllers, each with a channel A", { { 4800, 64, "DDR5", "Controller0-ChannelA-DIMM0", "BANK 0" },
		{ 4800, 64, "DDR5", "Controller1-ChannelA-DIMM0", "BANK 0" } }, 76.8, NULL },
	{ "channels in the bank's name", { { 3200, 64, "DDR4", "DIMM 0", "P0 CHANNEL A" }, { 3200, 64, "DDR4", "DIMM 0", "P0 CHANNEL B" } },
		51.2, NULL },
	{ "slots that are named by letters", { { 3200, 64, "DDR4", "DIMM_A1", "BANK 0" }, { 3200, 64, "DDR4", "DIMM_A2", "BANK 1" },
		{ 3200, 64, "DDR4", "DIMM_B1", "BANK 2" }, { 3200, 64, "DDR4", "DIMM_B2", "BANK 3" } }, 51.2, NULL },
	{ "eight soldered packages of 16 bits", { { 8533, 16, "LPDDR5", "Controller0-ChannelA", "" }, { 8533, 16, "LPDDR5", "Controller0-ChannelB", "" },
		{ 8533, 16, "LPDDR5", "Controller0-ChannelC", "" }, { 8533, 16, "LPDDR5", "Controller0-ChannelD", "" },
		{ 8533, 16, "LPDDR5", "Controller1-ChannelA", "" }, { 8533, 16, "LPDDR5", "Controller1-ChannelB", "" },
		{ 8533, 16, "LPDDR5", "Controller1-ChannelC", "" }, { 8533, 16, "LPDDR5", "Controller1-ChannelD", "" } }, 136.528, NULL },
	{ "four soldered packages without a name", { { 4267, 32, "LPDDR4", "Motherboard", "" }, { 4267, 32, "LPDDR4", "Motherboard", "" },
		{ 4267, 32, "LPDDR4", "Motherboard", "" }, { 4267, 32, "LPDDR4", "Motherboard", "" } }, 68.272, NULL },
	{ "modules whose channels have no names", { { 2400, 64, "DDR4", "Slot 0", "" }, { 2400, 64, "DDR4", "Slot 1", "" },
		{ 2400, 64, "DDR4", "Slot 2", "" }, { 2400, 64, "DDR4", "Slot 3", "" } }, 0, "does not say which of 4 memory modules share a channel" },
	{ "a sum that no LPDDR has", { { 6400, 64, "LPDDR5", "ChannelA", "" }, { 6400, 64, "LPDDR5", "ChannelB", "" },
		{ 6400, 64, "LPDDR5", "ChannelC", "" } }, 0, "192 data bits on 3 memory channels" },
	{ "eight times 64 bits, which firmware claims of LPDDR", { { 6400, 64, "LPDDR5", "ChannelA", "" }, { 6400, 64, "LPDDR5", "ChannelB", "" },
		{ 6400, 64, "LPDDR5", "ChannelC", "" }, { 6400, 64, "LPDDR5", "ChannelD", "" }, { 6400, 64, "LPDDR5", "ChannelE", "" },
		{ 6400, 64, "LPDDR5", "ChannelF", "" }, { 6400, 64, "LPDDR5", "ChannelG", "" }, { 6400, 64, "LPDDR5", "ChannelH", "" } },
		0, "512 data bits on 8 memory channels" },
	{ "as many bits as are believed", { { 3200, 64, "DDR4", "ChannelA", "" }, { 3200, 64, "DDR4", "ChannelB", "" },
		{ 3200, 64, "DDR4", "ChannelC", "" }, { 3200, 64, "DDR4", "ChannelD", "" }, { 3200, 64, "DDR4", "ChannelE", "" },
		{ 3200, 64, "DDR4", "ChannelF", "" }, { 3200, 64, "DDR4", "ChannelG", "" }, { 3200, 64, "DDR4", "ChannelH", "" } }, 204.8, NULL },
	{ "a server of twelve channels", { EIGHT("P0 "), DDR5("P0 CHANNEL I"), DDR5("P0 CHANNEL J"), DDR5("P0 CHANNEL K"), DDR5("P0 CHANNEL L") },
		460.8, NULL },
	{ "two sockets of eight channels", { EIGHT("P0 "), EIGHT("P1 ") }, 614.4, NULL },
	{ "sixteen soldered channels of 32 bits", { LP("A"), LP("B"), LP("C"), LP("D"), LP("E"), LP("F"), LP("G"), LP("H"), LP("I"),
		LP("J"), LP("K"), LP("L"), LP("M"), LP("N"), LP("O"), LP("P") }, 546.112, NULL },
	{ "more bits than a socket has", { EIGHT("P0 "), DDR5("P0 CHANNEL I"), DDR5("P0 CHANNEL J"), DDR5("P0 CHANNEL K"),
		DDR5("P0 CHANNEL L"), DDR5("P0 CHANNEL M") }, 0, "832 data bits on 13 memory channels of 1 sockets" },
	{ "two widths on one channel", { { 3200, 64, "DDR4", "ChannelA-DIMM0", "" }, { 3200, 32, "DDR4", "ChannelA-DIMM1", "" } }, 25.6, NULL },
	{ "a clock of the 1990s", { { 133, 64, "DDR4", "ChannelA-DIMM0", "" } }, 0, "claims 133 MT/s" },
	{ "a clock of the future", { { 25600, 64, "DDR5", "ChannelA-DIMM0", "" } }, 0, "claims 25600 MT/s" },
	{ "eight bits of memory", { { 2400, 8, "DDR4", "ChannelA-DIMM0", "" } }, 0, "8 data bits on 1 memory channels" },
	{ "no configured speed", { { 0, 64, "DDR4", "DIMM 0", "" } }, 0, "no configured speed or width of memory module 'DIMM 0'" },
	{ "empty slots only", { { 0, 0, "", "DIMM 0", "" } }, 0, "shows only empty slots" },
};

static bool is_empty(const struct module_row *d)
{
	return !d->mts && !d->bits;
}

static void add_udev(struct strbuf *out, const struct module_row *d, int i)
{
	strbuf_addf(out, "E:MEMORY_DEVICE_%d_LOCATOR=%s\nE:MEMORY_DEVICE_%d_BANK_LOCATOR=%s\n", i, d->locator, i, d->bank);
	if (is_empty(d))
		strbuf_addf(out, "E:MEMORY_DEVICE_%d_PRESENT=0\n", i);
	else
		strbuf_addf(out, "E:MEMORY_DEVICE_%d_TYPE=%s\nE:MEMORY_DEVICE_%d_DATA_WIDTH=%u\n", i, d->type, i, d->bits);
	if (d->mts)
		strbuf_addf(out, "E:MEMORY_DEVICE_%d_CONFIGURED_SPEED_MTS=%u\n", i, d->mts);
}

static uint8_t type_code(const char *type)
{
	static const struct { const char *type; uint8_t code; } codes[] = {
		{ "DDR4", 0x1a }, { "LPDDR4", 0x1e }, { "DDR5", 0x22 }, { "LPDDR5", 0x23 } };

	for (size_t i = 0; i < ARRAY_LEN(codes); i++)
		if (!strcmp(codes[i].type, type))
			return codes[i].code;
	return 2;
}

/* A structure of type 17 with its two strings. */
static size_t add_smbios(uint8_t *out, const struct module_row *d)
{
	uint8_t *s = out + 0x28;

	memset(out, 0, 0x28);
	out[0] = 17;
	out[1] = 0x28;
	out[0x0a] = (uint8_t)d->bits;
	out[0x0c] = is_empty(d) ? 0 : 0x20;
	out[0x10] = 1;
	out[0x11] = d->bank[0] ? 2 : 0;
	out[0x12] = type_code(d->type);
	out[0x20] = (uint8_t)d->mts;
	out[0x21] = (uint8_t)(d->mts >> 8);
	s = (uint8_t *)stpcpy((char *)s, d->locator) + 1;
	if (d->bank[0])
		s = (uint8_t *)stpcpy((char *)s, d->bank) + 1;
	*s++ = 0;
	return (size_t)(s - out);
}

static void check_peak(struct machine_memory *m, size_t i, const char *by)
{
	struct err why = { 0 };
	double peak;

	m->source = by;
	peak = machine_memory_peak(m, &why);
	is_near(peak / 1e9, machines[i].gb_per_s, 1e-6, "%s: %s", by, machines[i].name);
	if (machines[i].why)
		ok(strstr(why.msg, machines[i].why), "  ... and says why (%s)", why.msg);
}

static void test_machines(void)
{
	for (size_t i = 0; i < ARRAY_LEN(machines); i++) {
		struct machine_memory by_udev = { 0 }, by_firmware = { 0 };
		struct strbuf text = { 0 };
		uint8_t table[2048];
		size_t len = 0;

		strbuf_add(&text, "I:1234567\nE:MEMORY_ARRAY_NUM_DEVICES=4\n");
		/* a structure of another kind comes first, without strings */
		memcpy(table, "\x10\x17\1\0\3\3\3\0\0\0\0\xfe\xff\4\0\0\0\0\0\0\0\0\0\0\0", 25);
		len = 25;
		for (int k = 0; k < MAX_ROWS && machines[i].modules[k].locator; k++) {
			add_udev(&text, &machines[i].modules[k], k);
			len += add_smbios(table + len, &machines[i].modules[k]);
		}
		memory_parse_udev(&by_udev, strbuf_str(&text));
		check_peak(&by_udev, i, "udev");
		memory_parse_smbios(&by_firmware, table, len);
		check_peak(&by_firmware, i, "SMBIOS");
		/* A cut table is read as far as it goes, and never beyond. */
		for (size_t cut = 0; cut < len; cut++) {
			uint8_t *part = xmalloc(cut + 1);
			struct machine_memory m = { 0 };

			memcpy(part, table, cut);
			memory_parse_smbios(&m, part, cut);
			free(part);
		}
		strbuf_release(&text);
	}
}

/* --- where it is looked for --- */

static const char *source_on(const struct fsroot *fs, struct err *why)
{
	struct machine_memory m;

	err_clear(why);
	return machine_memory_read(&m, fs, why) ? m.source : "none";
}

static void test_places(void)
{
	struct fsroot fs = { 0 };
	struct err why = { 0 };
	struct device d = { .platform = "lnl" };
	const struct device_const *c;

	fstree_new(&fs);
	is_str(source_on(&fs, &why), "none", "a machine that tells nothing");
	ok(strstr(why.msg, "/run/udev/data/+dmi:id") && strstr(why.hint, "calibrate"), "  ... names the places and the way out");
	fstree_put(&fs, "/sys/devices/system/edac/mc/mc0/dimm0/dimm_mem_type", "Registered-DDR4");
	is_str(source_on(&fs, &why), "EDAC", "EDAC comes last");
	ok(!dram_roof_of_machine(&d, &fs, 0, &why) && strstr(why.msg, "EDAC tells no configured speed"), "  ... and tells no speed");
	fstree_put(&fs, "/sys/firmware/dmi/tables/DMI", "\x11\x28");
	is_str(source_on(&fs, &why), "EDAC", "a table of no use is passed over");
	fstree_put(&fs, "/run/udev/data/+dmi:id",
		"E:MEMORY_DEVICE_0_DATA_WIDTH=64\nE:MEMORY_DEVICE_0_CONFIGURED_SPEED_MTS=2133\nE:MEMORY_DEVICE_0_LOCATOR=ChannelA-DIMM0");
	is_str(source_on(&fs, &why), "udev", "udev comes first");
	ok(memory_roof_find(&d, &fs, 0, &why), "processor graphics have that roof");
	c = device_const(&d, DRAM_ROOF);
	is_near(c ? c->v : NAN, 2133e6 * 8, 1, "  ... of the machine's memory");
	ok(c && c->source == ROOF_READ && c->uncertain && c->reach > 0.7 && c->reach < 0.72, "  ... read, uncertain, with what such parts reach");
	is_str(c ? c->origin : "", "udev: 2133 MT/s, 64 bits on 1 channels", "  ... and where from");
	fstree_put(&fs, "/proc/cpuinfo", "flags\t\t: fpu vme hypervisor lahf_lm");
	is_str(source_on(&fs, &why), "none", "a virtual machine's tables are fictions");
	fstree_remove(&fs);
}

/* --- cards --- */

static void test_table(void)
{
	static const struct { uint32_t id; uint64_t gib; double gb_per_s; bool uncertain; } rows[] = {
		{ 0x56a0, 16, 560, false }, { 0x56a0, 8, 512, true }, { 0x56a0, 0, 560, true }, { 0x56a0, 12, 560, true },
		{ 0x56a5, 6, 186, false }, { 0xe20b, 12, 456, false }, { 0xe20c, 10, 380, false }, { 0x0bd9, 48, 1228.8, false },
		{ 0x56c0, 16, 576, true },
	};
	const struct fsroot nowhere = { .prefix = "/nonexistent" };
	struct err why = { 0 };

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct device d = { .platform = "bmg", .pci_device = rows[i].id };
		const struct device_const *c;

		/* the firmware takes a little of it */
		memory_roof_find(&d, &nowhere, (rows[i].gib << 30) / 100 * 97, &why);
		c = device_const(&d, DRAM_ROOF);
		is_near(c ? c->v / 1e9 : NAN, rows[i].gb_per_s, 1e-6, "card %04x with %d GiB", rows[i].id, (int)rows[i].gib);
		ok(c && c->source == ROOF_DATA_SHEET && c->uncertain == rows[i].uncertain && c->origin[0], "  ... %s", rows[i].uncertain ? "uncertain" : "certain");
	}
	struct device d = { .platform = "acmgt2", .pci_device = 0x5697 };
	ok(!memory_roof_find(&d, &nowhere, UINT64_C(4) << 30, &why) && strstr(why.msg, "nobody publishes"), "a card without a row (%s)", why.msg);
	ok(!device_const(&d, DRAM_ROOF), "  ... has no roof");
	d = (struct device){ .platform = "bmg", .pci_device = 0xe20b };
	device_set_const(&d, "hwconfig_memory_type", 1);
	ok(!memory_roof_find(&d, &nowhere, UINT64_C(12) << 30, &why) && strstr(why.msg, "firmware says LPDDR5"), "a firmware that contradicts the table (%s)", why.msg);
}

static void test_telemetry(void)
{
	uint8_t telem[64] = { [56] = 1, [57] = 2, [58] = 0x80, [59] = 0x8e };
	struct device d = { .platform = "bmg", .pci_device = 0xe20b, .pci_address = "0000:03:00.0" };
	const struct device_const *c;
	struct fsroot fs = { 0 };
	char path[512], text[61];

	is_near(memory_roof_of_telemetry(telem, sizeof(telem)), 456e9, 1, "a B580's word: 36480 times 100 Mbit/s");
	is_near(memory_roof_of_telemetry(telem, 59), 0, 0, "too short a table says nothing");
	memset(text, 'x', sizeof(text) - 1);
	memcpy(text + 56, "\x01\x02\x10\x27", 4);
	text[60] = '\0';
	fstree_new(&fs);
	fstree_put(&fs, "/sys/devices/pci0000:00/0000:03:00.0/intel_pmt/telem1/guid", "0x1e2f8201");
	fstree_put(&fs, "/sys/devices/pci0000:00/0000:03:00.0/intel_pmt/telem1/telem", text);
	fstree_put(&fs, "/sys/class/intel_pmt/crashlog1/guid", "0x1e2f8201");
	snprintf(path, sizeof(path), "%s/sys/class/intel_pmt/telem1", fs.prefix);
	is_int(symlink("../../devices/pci0000:00/0000:03:00.0/intel_pmt/telem1", path), 0, "a card with telemetry");
	memory_roof_find(&d, &fs, UINT64_C(12) << 30, NULL);
	c = device_const(&d, DRAM_ROOF);
	is_near(c ? c->v : NAN, 10000 * 100e6 / 8, 1, "  ... its own word comes before the table");
	ok(c && c->source == ROOF_READ && !c->uncertain, "  ... read and certain");
	snprintf(d.pci_address, sizeof(d.pci_address), "0000:04:00.0");
	memory_roof_find(&d, &fs, UINT64_C(12) << 30, NULL);
	is_near(device_const(&d, DRAM_ROOF)->v, 456e9, 1, "  ... but not for another card");
	fstree_remove(&fs);
}

int main(void)
{
	test_machines();
	test_places();
	test_table();
	test_telemetry();
	return done_testing();
}
