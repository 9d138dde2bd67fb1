/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads Intel's XML metric sets: elements and attributes with expat, files through zlib. */
#include "config.h"

#include "backends/intel/oa/oa_xml.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <expat.h>
#include <zlib.h>

#include "base/fsroot.h"
#include "base/mem.h"
#include "base/parse.h"
#include "base/place.h"
#include "core/metric/metric.h"

#define MAX_TEXT_BYTES (64u << 20)	/* unpacked; Intel's largest file has 10 MB */
#define MAX_DEPTH 16
#define MAX_SETS 4096

/* The state of one import. The library gets the finished sets only when the whole file is good. */
struct import {
	XML_Parser parser;
	const char *text;
	size_t len;
	struct xml_problems problems;
	uint32_t told_corrections;
	struct err *err;
	bool failed;
	int depth;
	bool in_set, in_block;
	struct xml_set set;
	struct metric_set **sets;
	size_t n_sets, cap_sets;
};

/* expat 2.9 has the same with 64 in their names, and warns of the old ones. */
#if HAVE_DECL_XML_GETCURRENTBYTEINDEX64
#define XML_GetCurrentLineNumber XML_GetCurrentLineNumber64
#define XML_GetCurrentColumnNumber XML_GetCurrentColumnNumber64
#define XML_GetCurrentByteIndex XML_GetCurrentByteIndex64
#define XML_GetCurrentByteCount XML_GetCurrentByteCount64
#endif

static struct xml_place here(const struct import *in)
{
	return (struct xml_place){
		.line = (int)XML_GetCurrentLineNumber(in->parser),
		.column = (int)XML_GetCurrentColumnNumber(in->parser) + 1,
	};
}

static void fail(struct import *in, const char *what)
{
	struct xml_place at = here(in);

	err_set(in->err, ERR_PARSE, "%s:%d:%d: %s", in->problems.file, at.line, at.column, what);
	in->failed = true;
	XML_StopParser(in->parser, XML_FALSE);
}

/* Finds where the value of an attribute starts: expat only tells where the element starts. */
static struct xml_place attribute_place(const struct import *in, const char *name)
{
	struct xml_place at = here(in), start = at;
	int64_t index = XML_GetCurrentByteIndex(in->parser);
	int64_t count = (int64_t)XML_GetCurrentByteCount(in->parser);
	size_t name_len = strlen(name);
	char quote = 0;

	if (index < 0 || count <= 0 || (size_t)index + (size_t)count > in->len)
		return start;
	for (const char *p = in->text + index, *end = p + count; p < end; p++) {
		at.column++;
		if (*p == '\n')
			at = (struct xml_place){ .line = at.line + 1, .column = 1 };
		if (quote && *p == quote)
			quote = 0;
		else if (quote)
			continue;
		else if (*p == '"' || *p == '\'')
			quote = *p;
		else if (isspace((unsigned char)*p) && (size_t)(end - p) > name_len + 2 &&
			!memcmp(p + 1, name, name_len) && p[1 + name_len] == '=')
			return (struct xml_place){ .line = at.line,
				.column = at.column + (int)name_len + 2 };
	}
	return start;
}

static const char *attribute(const XML_Char **atts, const char *name)
{
	for (; *atts; atts += 2)
		if (!strcmp(atts[0], name))
			return atts[1];
	return NULL;
}

static char *attribute_copy(const XML_Char **atts, const char *name)
{
	return xstrdup_or_null(attribute(atts, name));
}

static void start_set(struct import *in, const XML_Char **atts)
{
	struct xml_place at = here(in);

	in->set = (struct xml_set){
		.symbol = attribute_copy(atts, "symbol_name"),
		.label = attribute_copy(atts, "name"),
		.chipset = attribute_copy(atts, "chipset"),
		.guid = attribute_copy(atts, "hw_config_guid"),
		.at = at,
	};
	in->in_set = in->set.symbol && *in->set.symbol && strlen(in->set.symbol) < SET_NAME_SIZE &&
		in->set.chipset && *in->set.chipset;
	if (in->in_set)
		return;
	xml_problem(&in->problems, &at,
		"a set without chipset or symbol_name of at most %d bytes is left out",
		SET_NAME_SIZE - 1);
	xml_set_release(&in->set);
}

static void add_counter(struct import *in, const XML_Char **atts)
{
	const char *symbol = attribute(atts, "symbol_name"), *type = attribute(atts, "data_type");
	struct xml_set *set = &in->set;
	struct xml_place at = here(in);

	if (!symbol || !*symbol || !attribute(atts, "equation")) {
		xml_problem(&in->problems, &at,
			"a counter without symbol_name or equation is left out");
		return;
	}
	if (set->n_counters >= XML_MAX_COUNTERS) {
		fail(in, "too many counters in one set");
		return;
	}
	set->counters = array_grow(
		set->counters, set->n_counters, &set->cap_counters, sizeof(*set->counters));
	set->counters[set->n_counters++] = (struct xml_counter){
		.symbol = xstrdup(symbol),
		.label = attribute_copy(atts, "name"),
		.text = attribute_copy(atts, "description"),
		.unit = attribute_copy(atts, "units"),
		.semantic = attribute_copy(atts, "semantic_type"),
		.hw_unit = attribute_copy(atts, "mdapi_hw_unit_type"),
		.equation = attribute_copy(atts, "equation"),
		.max = attribute_copy(atts, "max_equation"),
		.availability = attribute_copy(atts, "availability"),
		.is_float = type && (!strcmp(type, "float") || !strcmp(type, "double")),
		.at = at,
		.equation_at = attribute_place(in, "equation"),
		.max_at = attribute_place(in, "max_equation"),
		.availability_at = attribute_place(in, "availability"),
	};
}

static void start_block(struct import *in, const XML_Char **atts)
{
	const char *type = attribute(atts, "type");
	struct xml_set *set = &in->set;
	struct xml_place at = here(in);

	in->in_block = false;
	for (size_t i = 0; type && i < OA_REG_KINDS; i++) {
		if (strcmp(type, oa_reg_kind_names[i]) != 0)
			continue;
		set->blocks = array_grow(
			set->blocks, set->n_blocks, &set->cap_blocks, sizeof(*set->blocks));
		set->blocks[set->n_blocks++] = (struct xml_block){
			.kind = (enum oa_reg_kind)i,
			.availability = attribute_copy(atts, "availability"),
			.availability_at = attribute_place(in, "availability"),
			.first = set->n_regs,
		};
		in->in_block = true;
	}
	if (!in->in_block)
		xml_problem(&in->problems, &at, "registers of unknown type '%.40s' are left out",
			text_or(type, ""));
	else if (set->n_blocks >= XML_MAX_REGS)
		fail(in, "too many register blocks in one set");
}

static void add_register(struct import *in, const XML_Char **atts)
{
	const char *address = attribute(atts, "address"), *value = attribute(atts, "value");
	struct xml_set *set = &in->set;
	struct xml_place at = here(in);
	uint64_t a, v;

	if (!address || !value || !parse_hex(address, &a) || !parse_hex(value, &v) ||
		a > UINT32_MAX || v > UINT32_MAX) {
		xml_problem(&in->problems, &at,
			"a register without a 32-bit address and value is left out");
		return;
	}
	if (set->n_regs >= XML_MAX_REGS) {
		fail(in, "too many registers in one set");
		return;
	}
	set->regs = array_grow(set->regs, set->n_regs, &set->cap_regs, sizeof(*set->regs));
	set->regs[set->n_regs++] = (struct oa_reg){
		.kind = set->blocks[set->n_blocks - 1].kind,
		.address = (uint32_t)a,
		.value = (uint32_t)v,
	};
	set->blocks[set->n_blocks - 1].count++;
}

static void XMLCALL on_start(void *ctx, const XML_Char *name, const XML_Char **atts)
{
	struct import *in = ctx;

	in->depth++;
	if (in->failed)
		return;
	if (in->depth > MAX_DEPTH)
		fail(in, "elements are nested too deeply");
	else if (in->depth == 1 && strcmp(name, "metrics") != 0)
		fail(in, "not a file of metric sets: its first element is not <metrics>");
	else if (in->depth == 2 && !strcmp(name, "set"))
		start_set(in, atts);
	else if (in->depth == 3 && in->in_set && !strcmp(name, "counter"))
		add_counter(in, atts);
	else if (in->depth == 3 && in->in_set && !strcmp(name, "register_config"))
		start_block(in, atts);
	else if (in->depth == 4 && in->in_block && !strcmp(name, "register"))
		add_register(in, atts);
}

static void XMLCALL on_end(void *ctx, const XML_Char *name)
{
	struct import *in = ctx;

	(void)name;
	in->depth--;
	if (in->failed)
		return;
	if (in->depth == 2)
		in->in_block = false;
	if (in->depth != 1 || !in->in_set)
		return;
	in->in_set = false;
	in->sets = array_grow(in->sets, in->n_sets, &in->cap_sets, sizeof(struct metric_set *));
	xml_check_corrections(&in->set, &in->problems, &in->told_corrections);
	in->sets[in->n_sets++] = xml_set_build(&in->set, &in->problems);
	xml_set_release(&in->set);
	if (in->n_sets >= MAX_SETS)
		fail(in, "too many sets");
}

/* Entities that expand into each other need such a declaration. Intel's files have none. */
static void XMLCALL on_doctype(void *ctx, const XML_Char *name, const XML_Char *system,
	const XML_Char *public, int internal)
{
	(void)name;
	(void)system;
	(void)public;
	(void)internal;
	fail(ctx, "a document type declaration is not accepted");
}

bool oa_xml_load_text(struct metric_lib *lib, const char *name, const char *text, size_t len,
	metric_problem_fn *problem, void *ctx, struct err *err)
{
	struct import in = {
		.text = text,
		.len = len,
		.err = err,
		.problems = { .fn = problem, .ctx = ctx, .file = name },
	};

	if (len > MAX_TEXT_BYTES)
		return err_set(
			err, ERR_PARSE, "'%s' is larger than %u MB", name, MAX_TEXT_BYTES >> 20);
	in.parser = XML_ParserCreate(NULL);
	if (!in.parser)
		return err_set(err, ERR_SYS, "no memory for an XML parser");
	XML_SetUserData(in.parser, &in);
	XML_SetElementHandler(in.parser, on_start, on_end);
	XML_SetStartDoctypeDeclHandler(in.parser, on_doctype);
	bool good = XML_Parse(in.parser, text, (int)len, XML_TRUE) == XML_STATUS_OK;
	if (!good && !in.failed)
		fail(&in, XML_ErrorString(XML_GetErrorCode(in.parser)));
	for (size_t i = 0; i < in.n_sets; i++) {
		if (good)
			metric_lib_add(lib, in.sets[i]);
		else
			metric_set_free(in.sets[i]);
	}
	free(in.sets);
	xml_set_release(&in.set);
	XML_ParserFree(in.parser);
	return good;
}

static bool gz_fail(gzFile f, const char *path, struct err *err)
{
	int code;
	const char *text = gzerror(f, &code);

	if (code == Z_ERRNO)
		return err_sys(err, "cannot read '%s'", path);
	return err_set(err, ERR_PARSE, "cannot unpack '%s': %s", path,
		text_or(text, "unknown error"));
}

/* Returns the unpacked text; plain files pass through zlib as they are. */
static char *read_text(const char *path, size_t *len, struct err *err)
{
	int fd = file_open_input(path, err);
	gzFile f = fd >= 0 ? gzdopen(fd, "rb") : NULL;
	char *text = NULL;
	size_t cap = 0, used = 0;
	bool good = false;
	int got = 1;

	if (!f) {
		if (fd >= 0) {
			close(fd);
			err_sys(err, "cannot open '%s'", path);
		}
		return NULL;
	}
	while (got > 0 && used <= MAX_TEXT_BYTES) {
		if (used == cap) {
			cap = cap ? 2 * cap : 1 << 16;
			text = xreallocarray(text, cap, 1);
		}
		got = gzread(f, text + used, (unsigned)(cap - used));
		if (got > 0)
			used += (size_t)got;
	}
	if (got < 0)
		gz_fail(f, path, err);
	else if (used > MAX_TEXT_BYTES)
		err_set(err, ERR_PARSE, "'%s' unpacks to more than %u MB", path,
			MAX_TEXT_BYTES >> 20);
	else
		good = true;
	if (gzclose(f) == Z_BUF_ERROR && good)
		good = err_set(
			err, ERR_PARSE, "'%s' ends in the middle of its compressed data", path);
	if (good) {
		*len = used;
		return text;
	}
	free(text);
	return NULL;
}

bool oa_xml_load(struct metric_lib *lib, const char *path, metric_problem_fn *problem, void *ctx,
	struct err *err)
{
	size_t len = 0;
	char *text = read_text(path, &len, err);
	bool good = text && oa_xml_load_text(lib, place_last(path), text, len, problem, ctx, err);

	free(text);
	return good;
}

void oa_xml_fit(struct metric_set *set, const struct device *dev, bool hide)
{
	for (int i = 0; set->from_xml && dev->topology.eus && i < set->n_metrics; i++) {
		struct metric *m = &set->metrics[i];
		bool has = !m->available || xml_test_passes(m->available, dev);

		m->flags &= ~(unsigned)METRIC_ABSENT;
		if (!has)
			m->flags |= METRIC_ABSENT;
		if (!hide)
			continue;
		m->flags &= ~(unsigned)METRIC_HIDDEN;
		if (!has)
			m->flags |= METRIC_HIDDEN;
	}
}
