/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints a verdict with its rule, candidates, counters and thresholds. */
#include "config.h"

#include "cmd/tell/tell.h"

#include "out/lines/output.h"
#include "out/lines/parts.h"
#include "base/json.h"
#include "core/verdict/verdict.h"

static void add_json(struct strbuf *out, const struct session *ses, const struct snapshot *s)
{
	strbuf_addc(out, '{');
	json_integer(out, "v", 1);
	json_string(out, "device", ses->opened.name);
	json_string(out, "set", ses->now->set->name);
	json_bool(out, "sim", ses->dev->device.simulated);
	json_verdict(out, &s->verdict, s->mono_ns);
	json_string(out, "rule", verdict_rule_text(&s->verdict));
	json_candidates(out, &s->verdict);
	json_evidence(out, s);
	json_thresholds(out);
	strbuf_add(out, "}\n");
}

enum status explain_limit_cmd(struct session *ses, enum output_form form)
{
	struct strbuf text = { 0 };
	struct output file = { .fd = -1 };
	struct err err = { 0 };

	if (!window_wait_open(ses, &err))
		return session_fail(&err);
	const struct snapshot *s = window_wait_last(ses);
	bool good = output_open(&file, ses->opt->output, OUTPUT_TRUNCATE, &err);

	if (!s)
		good = err_set(
			&err, ERR_UNSUPPORTED, "'%s' has no complete window", ses->opened.name);
	else if (form == OUTPUT_JSON)
		add_json(&text, ses, s);
	else
		verdict_explain(&s->verdict, s, &text);
	good = good && output_write(&file, &text, &err);
	good = output_close(&file, good, &err) && good;
	strbuf_release(&text);
	return good || err.code == ERR_END ? STATUS_GOOD : session_fail(&err);
}
