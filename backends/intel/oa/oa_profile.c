/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the registers that let the OA unit count a metric set, from the set's directives. */
#include "config.h"

#include "backends/intel/oa/oa_profile.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/intel/oa/oa_ask.h"
#include "backends/intel/oa/oa_xml.h"
#include "backends/intel/platform/platform.h"
#include "base/mem.h"
#include "base/minmax.h"
#include "base/parse.h"

const char *const oa_reg_kind_names[OA_REG_KINDS] = {
	[OA_REG_NOA] = "NOA", [OA_REG_OA] = "OA", [OA_REG_FLEX] = "FLEX"
};

bool oa_profile_add(
	struct oa_profile *p, enum oa_reg_kind kind, uint32_t address, uint32_t value)
{
	if (p->n_regs >= OA_MAX_REGS)
		return false;
	p->regs = array_grow(p->regs, p->n_regs, &p->cap_regs, sizeof(*p->regs));
	p->regs[p->n_regs++] = (struct oa_reg){ .kind = kind, .address = address, .value = value };
	return true;
}

void oa_profile_release(struct oa_profile *p)
{
	free(p->regs);
	*p = (struct oa_profile){ 0 };
}

/* Where a register line stands, for messages. */
struct place {
	const char *file;
	int line;
	const char *text;	/* start of the line, from which columns count */
};

static bool fail_at(
	const struct place *place, const char *at, const char *what, size_t len, struct err *err)
{
	return err_set(err, ERR_PARSE, "%s:%d:%d: %s '%.*s'", place->file, place->line,
		(int)(at - place->text) + 1, what, (int)min_u64(len, 40), at);
}

/* Finds the next word of this line. Returns false at its end or at a comment. */
static bool line_word(const char **s, const char **word, size_t *len)
{
	const char *p = *s;

	while (*p == ' ' || *p == '\t' || *p == '\r')
		p++;
	*word = p;
	while (*p && !isspace((unsigned char)*p) && *p != '#')
		p++;
	*len = (size_t)(p - *word);
	*s = p;
	return *len > 0;
}

static bool word_hex32(const char *word, size_t len, uint32_t *out)
{
	char buf[16];
	uint64_t v;

	if (len >= sizeof(buf))
		return false;
	memcpy(buf, word, len);
	buf[len] = '\0';
	if (!parse_hex(buf, &v) || v > UINT32_MAX)
		return false;
	*out = (uint32_t)v;
	return true;
}

static bool word_kind(const char *word, size_t len, enum oa_reg_kind *out)
{
	for (size_t i = 0; i < OA_REG_KINDS; i++) {
		if (strlen(oa_reg_kind_names[i]) == len &&
			!memcmp(oa_reg_kind_names[i], word, len)) {
			*out = (enum oa_reg_kind)i;
			return true;
		}
	}
	return false;
}

/* Parses "KIND ADDRESS VALUE...": the values are written to that address one after the other. Blank
 * lines and comment lines are fine. */
static bool parse_register_line(struct oa_profile *p, const struct place *place, struct err *err)
{
	const char *s = place->text, *word;
	enum oa_reg_kind kind;
	uint32_t address, value;
	size_t len, values = 0;

	if (!line_word(&s, &word, &len))
		return true;
	if (!word_kind(word, len, &kind))
		return fail_at(place, word, "NOA, OA or FLEX expected, not", len, err);
	if (!line_word(&s, &word, &len) || !word_hex32(word, len, &address))
		return fail_at(
			place, word, "register address in hexadecimal expected, not", len, err);
	for (; line_word(&s, &word, &len); values++) {
		if (!word_hex32(word, len, &value))
			return fail_at(place, word, "32-bit value in hexadecimal expected, not",
				len, err);
		if (!oa_profile_add(p, kind, address, value))
			return fail_at(place, word, "too many registers at", len, err);
	}
	return values > 0 || fail_at(place, word, "register value expected, not", len, err);
}

static bool load_config(struct oa_profile *p, const struct set_directive *d, oa_config_fn *config,
	struct err *err)
{
	char file[64];
	struct place place = { .file = file, .line = 1 };

	if (strlen(d->args) == 0 || strlen(d->args) >= sizeof(p->config))
		return err_set(err, ERR_PARSE, "%s:%d: bad name of a register file '%.60s'",
			d->file, d->line, d->args);
	snprintf(p->config, sizeof(p->config), "%s", d->args);
	if (config)
		place.text = config(p->config);
	if (!place.text) {
		err_set(err, ERR_PARSE, "%s:%d: no register file '%s.oacfg'", d->file, d->line,
			p->config);
		return err_hint(err,
			"choose a set without a config line, or put the file beside the metric "
			"files");
	}
	snprintf(file, sizeof(file), "%s.oacfg", p->config);
	for (;; place.line++) {
		const char *end = strchr(place.text, '\n');

		if (!parse_register_line(p, &place, err))
			return false;
		if (!end)
			return true;
		place.text = end + 1;
	}
}

/* Splits "A7" or "P31" into the bank and the number. Returns false when it is no counter that can
 * be programmed. */
static bool programmable(const char *word, size_t len, char *bank, int *number)
{
	char digits[8];
	uint64_t n;

	if (len < 2 || len > 3)
		return false;
	snprintf(digits, sizeof(digits), "%.*s", (int)len - 1, word + 1);
	*bank = word[0];
	if (!(*bank == 'A' && parse_u64_range(digits, 7, 20, &n)) &&
		!(*bank == 'P' && parse_u64_range(digits, 0, OA_PES_COUNTERS - 1, &n)))
		return false;
	*number = (int)n;
	return true;
}

/* Takes a directive like "A7 active" or "P4 xve_active". */
static bool program(struct oa_profile *p, const struct set_directive *d, struct err *err)
{
	const char *s = d->args, *word;
	char event[48], bank;
	struct err why = { .code = ERR_NONE };
	size_t len;
	bool good;
	int n;

	if (!parse_word(&s, &word, &len) || !programmable(word, len, &bank, &n))
		return err_set(err, ERR_PARSE,
			"%s:%d: A7 to A20, B0 to B7 or P0 to P63 expected after program, not "
			"'%.40s'",
			d->file, d->line, d->args);
	if (!parse_word(&s, &word, &len) || len >= sizeof(event))
		return err_set(err, ERR_PARSE, "%s:%d: event expected after %c%d", d->file,
			d->line, bank, n);
	snprintf(event, sizeof(event), "%.*s", (int)len, word);
	if (parse_word(&s, &word, &len))
		return err_set(err, ERR_PARSE, "%s:%d: unexpected text after the event: '%.40s'",
			d->file, d->line, word);
	if (bank == 'A')
		good = oa_event_parse(event, &p->events[n - 7], &why);
	else
		good = oa_pes_parse(event, n, &p->pes[n], &why);
	return good || err_set(err, ERR_PARSE, "%s:%d: %s", d->file, d->line, why.msg);
}

/* A set may be for another generation than that of the device. */
static bool check_banks(
	const struct oa_profile *p, const struct metric_set *set, int graphics_ver, struct err *err)
{
	bool has_pes = false;

	for (int i = 0; i < OA_PES_COUNTERS; i++)
		has_pes |= p->pes[i].code != 0;
	if (has_pes && graphics_ver < 20)
		return err_set(err, ERR_PARSE,
			"set %s programs P0 to P63, which only Xe2 and later have", set->name);
	if (!has_pes && graphics_ver >= 20)
		return err_set(err, ERR_PARSE,
			"set %s programs A7 to A20, which Xe2 and later do not have",
			set->name);
	return true;
}

/* Adds the registers of the events of P counters. */
static bool add_pes(struct oa_profile *p, struct err *err)
{
	struct oa_reg regs[4 * 2 * OA_PES_COUNTERS];
	int n = oa_pes_registers(p->pes, regs, (int)ARRAY_LEN(regs));

	for (int i = 0; i < n; i++)
		if (!oa_profile_add(p, regs[i].kind, regs[i].address, regs[i].value))
			return err_set(err, ERR_PARSE, "more than %d registers", OA_MAX_REGS);
	return true;
}

/* Registers of event counters that came from a file give way to those of the events. */
static bool flex_from_events(struct oa_profile *p, int graphics_ver, struct err *err)
{
	size_t kept = 0;

	for (size_t i = 0; i < p->n_regs; i++)
		if (p->regs[i].kind != OA_REG_FLEX)
			p->regs[kept++] = p->regs[i];
	p->n_regs = kept;
	for (int i = 0; i < OA_FLEX_REGS; i++) {
		uint32_t value = oa_flex_value(
			&p->events[2 * i], &p->events[2 * i + 1], graphics_ver);

		if (!oa_profile_add(p, OA_REG_FLEX, oa_flex_addresses[i], value))
			return err_set(err, ERR_PARSE, "more than %d registers", OA_MAX_REGS);
	}
	return true;
}

static void events_from_flex(struct oa_profile *p, int graphics_ver)
{
	for (size_t r = 0; r < p->n_regs; r++)
		for (int i = 0; p->regs[r].kind == OA_REG_FLEX && i < OA_FLEX_REGS; i++)
			if (p->regs[r].address == oa_flex_addresses[i])
				oa_flex_events(p->regs[r].value, graphics_ver, &p->events[2 * i],
					&p->events[2 * i + 1]);
}

static uint64_t mix64(uint64_t h, uint64_t v)
{
	h = (h ^ v) * UINT64_C(0x9e3779b97f4a7c15);
	h ^= h >> 29;
	h *= UINT64_C(0xbf58476d1ce4e5b9);
	return h ^ h >> 32;
}

/* Makes a uuid of RFC 9562 version 8 ("custom") from two independent hashes of the registers in
 * order. It is in lower case, because the kernel compares letters. */
static void make_uuid(struct oa_profile *p)
{
	uint64_t hi = UINT64_C(0x726f6f66746f7001), lo = UINT64_C(0x6f612d6366670002);

	for (size_t i = 0; i < p->n_regs; i++) {
		uint64_t v = (uint64_t)p->regs[i].address << 32 | p->regs[i].value;

		hi = mix64(mix64(hi, v), p->regs[i].kind + 1);
		lo = mix64(mix64(lo, ~v), p->regs[i].kind + 11);
	}
	hi = (hi & ~UINT64_C(0xf000)) | 0x8000;
	lo = (lo & ~(UINT64_C(3) << 62)) | UINT64_C(2) << 62;
	snprintf(p->uuid, sizeof(p->uuid),
		"%08" PRIx64 "-%04" PRIx64 "-%04" PRIx64 "-%04" PRIx64 "-%012" PRIx64, hi >> 32,
		hi >> 16 & 0xffff, hi & 0xffff, lo >> 48, lo & UINT64_C(0xffffffffffff));
}

/* Reads the directive "block KIND [TEST]", and whether the device passes its test. */
static bool read_block(const struct set_directive *s, const struct device *d,
	enum oa_reg_kind *kind, bool *fits, struct err *err)
{
	const char *at = s->args, *word;
	size_t len;

	if (!parse_word(&at, &word, &len) || !word_kind(word, len, kind))
		return err_set(err, ERR_PARSE,
			"%s:%d: NOA, OA or FLEX expected after block, not '%.40s'", s->file,
			s->line, s->args);
	*fits = !at[strspn(at, " ")] || xml_test_passes(at, d);
	return true;
}

/* A device that passes no test of the blocks of a kind is refused. */
static bool check_blocks(const struct metric_set *set, const struct device *d, struct err *err)
{
	int n[OA_REG_KINDS] = { 0 }, fitting[OA_REG_KINDS] = { 0 };
	enum oa_reg_kind k;
	bool fits;

	for (int i = 0; i < set->n_directives; i++) {
		if (strcmp(set->directives[i].key, "block") != 0)
			continue;
		if (!read_block(&set->directives[i], d, &k, &fits, err))
			return false;
		n[k]++;
		fitting[k] += fits;
	}
	for (int kind = 0; kind < OA_REG_KINDS; kind++) {
		if (!n[kind] || fitting[kind])
			continue;
		err_set(err, ERR_USAGE,
			"set %s has registers of kind %s for other devices only (slices 0x%llx, "
			"subslices 0x%llx, revision %u here)",
			set->name, oa_reg_kind_names[kind],
			(unsigned long long)d->topology.slice_mask,
			(unsigned long long)d->topology.subslice_mask, d->pci_revision);
		return err_hint(err, "-m chooses another set; -m help names them");
	}
	return true;
}

/* Carries out all directives. programmed tells whether the set chooses events itself. */
static bool read_directives(struct oa_profile *p, const struct metric_set *set,
	const struct device *device, oa_config_fn *config, bool *programmed, struct err *err)
{
	bool good = true, fits = true;
	enum oa_reg_kind kind;

	for (int i = 0; good && i < set->n_directives; i++) {
		const struct set_directive *d = &set->directives[i];
		struct place place = { .file = d->file, .line = d->line, .text = d->args };

		if (!strcmp(d->key, "config")) {
			good = load_config(p, d, config, err);
		} else if (!strcmp(d->key, "block")) {
			good = read_block(d, device, &kind, &fits, err);
		} else if (!strcmp(d->key, "registers") && fits) {
			good = parse_register_line(p, &place, err);
		} else if (!strcmp(d->key, "program") && !oa_ask_is(d)) {
			*programmed = true;
			good = program(p, d, err);
		}
	}
	return good;
}

bool oa_profile_build(struct oa_profile *p, const struct metric_set *set, const struct device *d,
	oa_config_fn *config, struct err *err)
{
	const struct intel_platform *platform = intel_platform_by_name(d->platform);
	int graphics_ver = platform ? platform->graphics_ver : 0;
	bool programmed = false;

	*p = (struct oa_profile){ 0 };
	for (int i = 0; i < OA_FLEX_COUNTERS; i++)
		p->events[i].increment = OA_EVENT_OFF;
	bool good = check_blocks(set, d, err) &&
		read_directives(p, set, d, config, &programmed, err);
	if (good && programmed && !check_banks(p, set, graphics_ver, err))
		good = false;
	else if (good && programmed && graphics_ver >= 20)
		good = add_pes(p, err);
	else if (good && programmed)
		good = flex_from_events(p, graphics_ver, err);
	else if (good && graphics_ver >= 20)
		oa_pes_events(p->regs, (int)p->n_regs, p->pes);
	else if (good)
		events_from_flex(p, graphics_ver);
	good = good && oa_ask_program(p, set, platform, err) &&
		oa_trigger_program(p, set, platform, err);
	/* The kernel refuses a programming without any register (Linux i915_perf.c "No OA registers
	 * given", xe_oa.c), so one flexible counter that nobody reads is switched off. */
	p->asks_nothing = p->n_regs == 0;
	if (good && p->asks_nothing && graphics_ver >= 8)
		good = oa_profile_add(p, OA_REG_FLEX, oa_flex_addresses[0],
			oa_flex_value(&p->events[0], &p->events[1], graphics_ver));
	if (good)
		make_uuid(p);
	else
		oa_profile_release(p);
	return good;
}
