/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes a verdict as JSON: names, base units and English sentences. */
#include "config.h"

#include "out/lines/parts.h"

#include "out/lines/writer.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/mem.h"
#include "core/verdict/verdict.h"

#define SENTENCE_SIZE 240

/* Adds a name, or null where there is none. */
static void add_name(struct strbuf *out, const char *key, const char *name)
{
	json_string(out, key, text_or(name, NULL));
}

static const char *source_name(enum roof_source source)
{
	return source == ROOF_SOURCE_NONE ? NULL : roof_source_name(source);
}

static void add_because(struct strbuf *out, const struct verdict *v)
{
	char text[SENTENCE_SIZE];

	json_open(out, "because", '[');
	for (int i = 0; i < VERDICT_BECAUSE; i++) {
		if (*verdict_because(v, i, true, text, sizeof(text)))
			json_string(out, NULL, text);
	}
	strbuf_addc(out, ']');
}

static void add_causes(struct strbuf *out, const struct verdict *v)
{
	json_open(out, "causes", '[');
	for (int i = 0; i < VERDICT_CAUSES && *v->causes[i]; i++)
		json_string(out, NULL, v->causes[i]);
	strbuf_addc(out, ']');
}

static void add_flags(struct strbuf *out, unsigned flags)
{
	json_open(out, "flags", '[');
	for (unsigned bit = 1; bit <= flags; bit <<= 1) {
		if (flags & bit)
			json_string(out, NULL, verdict_flag_name((enum verdict_flag)bit));
	}
	strbuf_addc(out, ']');
}

void json_verdict(struct strbuf *out, const struct verdict *v, int64_t now_ns)
{
	char text[SENTENCE_SIZE];

	json_open(out, "verdict", '{');
	json_string(out, "kind", verdict_kind_name(v->kind));
	add_name(out, "bound", v->bound);
	json_number(out, "value", v->value);
	json_number(out, "roof", v->roof);
	add_name(out, "source", source_name(v->source));
	json_number(out, "share", v->share);
	json_number(out, "headroom", v->headroom);
	json_string(out, "sentence", verdict_sentence(v, true, text, sizeof(text)));
	add_because(out, v);
	add_causes(out, v);
	add_name(out, "try", verdict_try(v, true, text, sizeof(text)));
	json_number(out, "since_s", (double)(now_ns - v->since_ns) / NS_PER_S);
	add_flags(out, v->flags);
	add_name(out, "missing", verdict_missing_name(v->missing));
	add_name(out, "unit", v->unit);
	strbuf_addc(out, '}');
}

void json_candidates(struct strbuf *out, const struct verdict *v)
{
	char text[SENTENCE_SIZE];

	json_open(out, "candidates", '[');
	for (int i = 0; i < v->n_candidates; i++) {
		const struct verdict_candidate *c = &v->candidates[i];

		json_open(out, NULL, '{');
		json_string(out, "resource", c->resource);
		json_number(out, "value", c->value);
		json_number(out, "roof", c->roof);
		add_name(out, "source", source_name(c->source));
		json_bool(out, "uncertain", c->uncertain);
		json_bool(out, "estimated", c->estimated);
		json_number(out, "share", c->share);
		add_name(out, "why_not", verdict_text(&c->why_not, true, text, sizeof(text)));
		strbuf_addc(out, '}');
	}
	strbuf_addc(out, ']');
}

void json_evidence(struct strbuf *out, const struct snapshot *s)
{
	json_open(out, "evidence", '[');
	for (int i = 0; i < s->set->n_metrics; i++) {
		const struct metric *m = &s->set->metrics[i];
		const char *why = writer_why(s->values[i]);

		if (m->limit.role == LIMIT_NONE)
			continue;
		json_open(out, NULL, '{');
		json_string(out, "role", limit_role_name(m->limit.role));
		add_name(out, "word", m->limit.word);
		json_string(out, "metric", m->name);
		json_number(out, "value", writer_number(s->values[i]));
		json_string(out, "unit", writer_unit(m));
		if (why)
			json_string(out, "why", why);
		strbuf_addc(out, '}');
	}
	strbuf_addc(out, ']');
}

void json_thresholds(struct strbuf *out)
{
	json_open(out, "thresholds", '{');
	for (int i = 0; i < VERDICT_THRESHOLDS; i++)
		json_number(out, verdict_threshold_name((enum verdict_threshold)i),
			verdict_threshold((enum verdict_threshold)i));
	strbuf_addc(out, '}');
}
