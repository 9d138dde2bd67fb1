/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds and judges descriptions of memory modules. Firmware writes nonsense, so every figure is
 * checked before it counts. */
#include "config.h"

#include "backends/memory/machine_memory.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/parse.h"

#define UDEV_FILE "/run/udev/data/+dmi:id"
#define SMBIOS_FILE "/sys/firmware/dmi/tables/DMI"
#define EDAC_FOLDER "/sys/devices/system/edac/mc"
#define MAX_BYTES (1u << 20)

/* No memory that such machines have is slower or faster, narrower or wider: a socket has at most
 * twelve channels of 64 bits (EPYC 9004, Xeon 6900). */
#define LEAST_MEGA_TRANSFERS 800
#define MOST_MEGA_TRANSFERS 12800
#define LEAST_BITS 32
#define MOST_BITS 768		/* of a socket */

/* --- udev: "E:MEMORY_DEVICE_0_DATA_WIDTH=64" --- */

static void take_property(struct memory_module *d, const char *key, const char *value)
{
	uint64_t n = 0;
	bool is_number = parse_u64_range(value, 0, UINT16_MAX, &n);

	if (!strcmp(key, "PRESENT"))
		d->absent = is_number && n == 0;
	else if (!strcmp(key, "CONFIGURED_SPEED_MTS"))
		d->mega_transfers = (unsigned)n;
	else if (!strcmp(key, "DATA_WIDTH"))
		d->data_bits = (unsigned)n;
	else if (!strcmp(key, "TYPE"))
		snprintf(d->type, sizeof(d->type), "%s", value);
	else if (!strcmp(key, "LOCATOR"))
		snprintf(d->locator, sizeof(d->locator), "%s", value);
	else if (!strcmp(key, "BANK_LOCATOR"))
		snprintf(d->bank, sizeof(d->bank), "%s", value);
}

void memory_parse_udev(struct machine_memory *m, const char *text)
{
	static const char prefix[] = "E:MEMORY_DEVICE_";
	char line[160], *value, *key;

	for (; *text; text += strcspn(text, "\n"), text += *text == '\n') {
		snprintf(line, sizeof(line), "%.*s", (int)strcspn(text, "\n"), text);
		value = strchr(line, '=');
		if (!value || strncmp(line, prefix, sizeof(prefix) - 1) != 0)
			continue;
		*value++ = '\0';
		unsigned long i = strtoul(line + sizeof(prefix) - 1, &key, 10);
		if (i >= MEMORY_MAX_MODULES || *key != '_')
			continue;
		if ((int)i >= m->n)
			m->n = (int)i + 1;
		take_property(&m->modules[i], key + 1, value);
	}
}

/* --- the firmware's table: DMTF's System Management BIOS specification, section 7.18 --- */

#define SMBIOS_MEMORY_DEVICE 17
#define SMBIOS_END 127

static unsigned word_at(const uint8_t *p, size_t at)
{
	return p[at] | (unsigned)p[at + 1] << 8;
}

/* Strings follow the formatted part; they are counted from 1. */
static void copy_string(const uint8_t *p, const uint8_t *end, unsigned number, char *buf, size_t size)
{
	const uint8_t *s = p + p[1];

	buf[0] = '\0';
	for (unsigned i = 1; i < number && s < end; i++)
		s += strnlen((const char *)s, (size_t)(end - s)) + 1;
	if (number > 0 && s < end)
		snprintf(buf, size, "%.*s", (int)(end - s), (const char *)s);
}

static void take_structure(struct machine_memory *m, const uint8_t *p, const uint8_t *end)
{
	static const char *const types[] = { [0x18] = "DDR3", [0x1a] = "DDR4", [0x1b] = "LPDDR",
		[0x1c] = "LPDDR2", [0x1d] = "LPDDR3", [0x1e] = "LPDDR4", [0x20] = "HBM",
		[0x21] = "HBM2", [0x22] = "DDR5", [0x23] = "LPDDR5" };
	struct memory_module *d = &m->modules[m->n];

	if (m->n == MEMORY_MAX_MODULES || p[1] < 0x15)
		return;
	m->n++;
	d->data_bits = word_at(p, 0x0a);
	if (d->data_bits == UINT16_MAX)
		d->data_bits = 0;
	d->absent = word_at(p, 0x0c) == 0;
	copy_string(p, end, p[0x10], d->locator, sizeof(d->locator));
	copy_string(p, end, p[0x11], d->bank, sizeof(d->bank));
	if (p[0x12] < ARRAY_LEN(types) && types[p[0x12]])
		snprintf(d->type, sizeof(d->type), "%s", types[p[0x12]]);
	if (p[1] >= 0x22)
		d->mega_transfers = word_at(p, 0x20);
}

void memory_parse_smbios(struct machine_memory *m, const uint8_t *table, size_t len)
{
	const uint8_t *p = table, *last = table + len;

	while (last - p >= 4 && p[1] >= 4 && last - p > p[1] && p[0] != SMBIOS_END) {
		const uint8_t *end = p + p[1];

		/* two zeros end the strings, also where there are none */
		while (last - end >= 2 && (end[0] || end[1]))
			end++;
		if (last - end < 2)
			return;
		if (p[0] == SMBIOS_MEMORY_DEVICE)
			take_structure(m, p, end + 1);
		p = end + 2;
	}
}

/* --- EDAC: /sys/devices/system/edac/mc/mc0/dimm0 --- */

struct edac_search {
	struct machine_memory *m;
	const struct fsroot *fs;
	char folder[128];
};

/* EDAC knows modules, their kind and their place, but neither speed nor width. */
static bool take_dimm(void *ctx, const char *name)
{
	struct edac_search *s = ctx;
	struct memory_module *d = &s->m->modules[s->m->n];

	if (strncmp(name, "dimm", 4) != 0 || s->m->n == MEMORY_MAX_MODULES)
		return true;
	s->m->n++;
	fsroot_line(s->fs, d->type, sizeof(d->type), "%s/%s/dimm_mem_type", s->folder, name);
	fsroot_line(s->fs, d->locator, sizeof(d->locator), "%s/%s/dimm_location", s->folder, name);
	return true;
}

static bool take_controller(void *ctx, const char *name)
{
	struct edac_search *s = ctx;

	snprintf(s->folder, sizeof(s->folder), EDAC_FOLDER "/%.32s", name);
	if (!strncmp(name, "mc", 2))
		fsroot_each(s->fs, s->folder, take_dimm, s, NULL);
	return true;
}

/* --- finding --- */

static char *read_below(const struct fsroot *fs, const char *path, size_t *len, struct err *err)
{
	char full[512];

	if (!fsroot_path(fs, full, sizeof(full), "%s", path))
		return NULL;
	return file_read_all(full, MAX_BYTES, len, err);
}

static bool is_virtual_machine(const struct fsroot *fs)
{
	size_t len;
	char *text = read_below(fs, "/proc/cpuinfo", &len, NULL);
	bool found = text && strstr(text, " hypervisor");

	free(text);
	return found;
}

bool machine_memory_read(struct machine_memory *m, const struct fsroot *fs, struct err *why)
{
	struct edac_search edac = { .m = m, .fs = fs };
	struct err refusal = { 0 };
	size_t len;
	char *text;

	*m = (struct machine_memory){ 0 };
	if (is_virtual_machine(fs))
		return err_set(why, ERR_UNSUPPORTED,
			"this is a virtual machine, whose firmware describes no real memory");
	text = read_below(fs, UDEV_FILE, &len, NULL);
	if (text)
		memory_parse_udev(m, text);
	free(text);
	m->source = "udev";
	if (m->n)
		return true;
	text = read_below(fs, SMBIOS_FILE, &len, &refusal);
	if (text)
		memory_parse_smbios(m, (const uint8_t *)text, len);
	free(text);
	m->source = "SMBIOS";
	if (m->n)
		return true;
	m->source = "EDAC";
	fsroot_each(fs, EDAC_FOLDER, take_controller, &edac, NULL);
	if (m->n)
		return true;
	err_set(why, refusal.code == ERR_PERMISSION ? ERR_PERMISSION : ERR_UNSUPPORTED,
		"neither udev (%s) nor the firmware's table (%s) tells of memory modules",
		UDEV_FILE, SMBIOS_FILE);
	return err_hint(why,
		"rooftop calibrate measures what the memory reaches; root may read the table");
}

/* --- judging --- */

/* Writes the name that follows a word such as "channel" or "controller" in a locator: "A" of
 * "ChannelA-DIMM0", "0" of "Controller0-ChannelB". Returns false when the word is not there. */
static bool named(const char *text, const char *word, char *out, size_t size)
{
	const char *p = strcasestr(text, word);
	size_t n = 0;

	if (!p)
		return false;
	p += strlen(word);
	p += strspn(p, " _-#");
	while (n + 1 < size && isalnum((unsigned char)p[n])) {
		out[n] = (char)toupper((unsigned char)p[n]);
		n++;
	}
	out[n] = '\0';
	return n > 0;
}

/* Writes which channel a module is on. Two modules on one channel share its wires. */
static bool channel_of(const struct memory_module *d, char *out, size_t size)
{
	const char *const texts[] = { d->locator, d->bank };
	char channel[12] = "", controller[12] = "", socket[12] = "";

	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		if (!channel[0])
			named(texts[i], "channel", channel, sizeof(channel));
		if (!controller[0] && !named(texts[i], "controller", controller, sizeof(controller)))
			named(texts[i], "mc#", controller, sizeof(controller));
		if (!socket[0] && (texts[i][0] == 'P' || texts[i][0] == 'p') &&
			isdigit((unsigned char)texts[i][1]))
			snprintf(socket, sizeof(socket), "%c", texts[i][1]);
	}
	/* boards that write "DIMM_A2" mean the second slot of channel A */
	if (!channel[0] && named(d->locator, "dimm", channel, sizeof(channel)))
		channel[isalpha((unsigned char)channel[0]) ? 1 : 0] = '\0';
	snprintf(out, size, "%s/%s/%s", socket, controller, channel);
	return channel[0] != '\0';
}

static bool is_low_power(const struct memory_module *d)
{
	return !strncasecmp(d->type, "LPDDR", 5) || !strncasecmp(d->type, "Low-Power", 9);
}

/* Adds up the widths of distinct channels. Modules whose channel has no name count as channels of
 * their own: soldered packages always, others as long as there are two at most. */
static bool add_channels(struct machine_memory *m, struct err *why)
{
	char channels[MEMORY_MAX_MODULES][48];
	unsigned widths[MEMORY_MAX_MODULES];
	int nameless = 0;

	for (int i = 0; i < m->n; i++) {
		const struct memory_module *d = &m->modules[i];
		char *name = channels[m->channels];
		int k = 0;

		if (d->absent)
			continue;
		if (!channel_of(d, name, sizeof(channels[0]))) {
			nameless += !is_low_power(d);
			snprintf(name, sizeof(channels[0]), "#%d", i);
		}
		while (strcmp(channels[k], name) != 0)
			k++;
		if (k == m->channels)
			widths[m->channels++] = 0;
		if (d->data_bits > widths[k])
			widths[k] = d->data_bits;
	}
	m->sockets = 0;
	for (int k = 0; k < m->channels; k++) {
		size_t len = strcspn(channels[k], "/") + 1;
		int first = 0;

		m->data_bits += (int)widths[k];
		while (strncmp(channels[first], channels[k], len) != 0)
			first++;
		m->sockets += first == k;
	}
	return nameless <= 2 ||
		err_set(why, ERR_UNSUPPORTED,
			"%s does not say which of %d memory modules share a channel", m->source,
			nameless);
}

static bool check_speeds(struct machine_memory *m, struct err *why)
{
	for (int i = 0; i < m->n; i++) {
		const struct memory_module *d = &m->modules[i];

		if (d->absent)
			continue;
		if (!d->mega_transfers || !d->data_bits)
			return err_set(why, ERR_UNSUPPORTED,
				"%s tells no configured speed or width of memory module '%s'",
				m->source, d->locator);
		if (d->mega_transfers < LEAST_MEGA_TRANSFERS ||
			d->mega_transfers > MOST_MEGA_TRANSFERS)
			return err_set(why, ERR_PARSE,
				"%s claims %u MT/s of memory module '%s', which cannot be",
				m->source, d->mega_transfers, d->locator);
		/* the slowest one sets the pace */
		if (!m->mega_transfers || d->mega_transfers < m->mega_transfers)
			m->mega_transfers = d->mega_transfers;
	}
	return m->mega_transfers > 0 ||
		err_set(why, ERR_PARSE, "%s shows only empty slots", m->source);
}

double machine_memory_peak(struct machine_memory *m, struct err *why)
{
	bool low_power = false, possible;

	m->channels = m->data_bits = 0;
	m->mega_transfers = 0;
	if (!check_speeds(m, why) || !add_channels(m, why))
		return 0;
	for (int i = 0; i < m->n; i++)
		low_power |= !m->modules[i].absent && is_low_power(&m->modules[i]);
	int bits = m->data_bits / (low_power ? 1 : m->sockets);
	possible = bits >= LEAST_BITS && bits <= MOST_BITS;
	/* Soldered packages report widths of 16, 32 or 64 bits; wrong ones give odd sums, or 512
	 * where they call each of eight channels 64 bits wide. Grace has 32 narrow ones. */
	if (low_power)
		possible = bits == 64 || bits == 128 || bits == 256 || (bits == 512 && m->channels >= 16);
	if (!possible) {
		err_set(why, ERR_PARSE,
			"%s claims %d data bits on %d memory channels of %d sockets, which cannot be",
			m->source, m->data_bits, m->channels, low_power ? 1 : m->sockets);
		return 0;
	}
	return m->mega_transfers * 1e6 * m->data_bits / 8;
}

bool dram_roof_of_machine(
	struct device *d, const struct fsroot *fs, double reach, struct err *why)
{
	struct machine_memory m;
	struct device_const *c;
	char origin[sizeof(c->origin)];
	double peak;

	if (!machine_memory_read(&m, fs, why))
		return false;
	peak = machine_memory_peak(&m, why);
	if (!(peak > 0))
		return false;
	snprintf(origin, sizeof(origin), "%s: %u MT/s, %d bits on %d channels", m.source,
		m.mega_transfers, m.data_bits, m.channels);
	/* Firmware may err, and cores, graphics and display share what there is. */
	c = device_set_roof(d, DRAM_ROOF, peak, ROOF_READ, true, origin);
	c->reach = reach;
	return true;
}

void dram_roof_check(struct open_device *dev, const struct err *refusal)
{
	const struct device_const *roof = device_const(&dev->device, DRAM_ROOF);
	struct device_check c;
	char gives[sizeof(c.gives)];

	snprintf(gives, sizeof(gives), "%s", "roof of the memory's bandwidth");
	if (roof)
		snprintf(gives, sizeof(gives), "%s%.1f GB/s: %s", roof->uncertain ? "~" : "",
			roof->v / 1e9, roof->origin);
	c = device_check_of("", "memory roof", gives, roof ? NULL : refusal);
	open_device_check(dev, &c);
}
