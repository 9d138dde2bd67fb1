/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Turns what options ask of triggers into the words of their registers. */
#include "config.h"

#include "backends/intel/oa/oa_ask.h"

#include <stdio.h>
#include <string.h>

#include "backends/intel/oa/oa_trigger.h"
#include "backends/intel/platform/platform.h"
#include "base/parse.h"

#define REPORT "report "
#define START "start "
/* Start triggers 2 and 6 also say which B counters belong to their block. */
#define BY_BLOCK 0xf0000000u

/* Takes "N:" */
static bool take_threshold(const char **s, uint16_t *threshold, struct err *err)
{
	const char *colon = strchr(*s, ':');
	char digits[16];
	uint64_t n;

	if (colon && colon - *s < (ptrdiff_t)sizeof(digits)) {
		snprintf(digits, sizeof(digits), "%.*s", (int)(colon - *s), *s);
		if (parse_u64_range(digits, 1, OA_TRIGGER_MAX_THRESHOLD, &n)) {
			*threshold = (uint16_t)n;
			*s = colon + 1;
			return true;
		}
	}
	return err_set(err, ERR_USAGE, "a number of clocks from 1 to %d and ':' come first",
		OA_TRIGGER_MAX_THRESHOLD);
}

static bool check_gates(const struct oa_question *q, struct err *err)
{
	if (q->verb == VERB_NUMBER)
		return err_set(err, ERR_USAGE,
			"a trigger has no comparison: a signal, any(...) or all(...)");
	return q->n <= OA_TRIGGER_HALF ||
		err_set(err, ERR_USAGE, "a trigger joins at most %d signals", OA_TRIGGER_HALF);
}

bool oa_trigger_option(bool is_report, const char *text, char *words, size_t size, struct err *err)
{
	const char *s = text;
	struct oa_question q;
	uint16_t threshold;

	if ((size_t)snprintf(words, size, "%s%s", is_report ? REPORT : START, text) >= size)
		return err_set(err, ERR_USAGE, "longer than %zu characters", size - 1);
	return take_threshold(&s, &threshold, err) &&
		oa_ask_parse(&(struct oa_asker){ .set = NULL }, s, &q, err) && check_gates(&q, err);
}

static const struct oa_asking asks_triggers = {
	"for triggers, and nothing is published of those of Xe2 and later",
	"for triggers, and the reports of Haswell do not say why they were made",
	"for triggers, which are known of Intel GPUs from Gen8 to Gen12",
};

/* What a trigger of the set itself compares must stay: counters may count it. */
static bool check_unused(
	const struct metric_set *set, const struct oa_trigger *t, int n, struct err *err)
{
	if (!oa_trigger_is_used(t))
		return true;
	err_set(err, ERR_USAGE,
		"set %s uses trigger %d of that kind: its registers choose signals for it",
		set->name, n + 1);
	return err_hint(err, "-m chooses another set; -m help names them");
}

static bool parse(const struct oa_asker *a, const char *s, struct oa_trigger *t, struct err *err)
{
	struct oa_question q;

	if (!take_threshold(&s, &t->threshold, err) || !oa_ask_parse(a, s, &q, err) ||
		!check_gates(&q, err))
		return false;
	if (q.words.input != OA_INPUT_LANES)
		return err_set(err, ERR_USAGE,
			"a trigger looks at lanes, and not at outputs of blocks");
	t->has_threshold = true;
	/* Any is high: not all are low. */
	if (q.words.compare == OA_ANY_EQUAL)
		oa_trigger_look_at(t, q.kept, q.kept & (uint16_t)~q.words.value, true);
	else
		oa_trigger_look_at(t, q.kept, q.words.value, false);
	return true;
}

/* Writes a register of the set anew, but for the bits that stay. */
static bool put(
	struct oa_profile *p, uint32_t address, uint32_t stays, uint32_t value, struct err *err)
{
	for (size_t i = p->n_regs; i > 0; i--)
		if (p->regs[i - 1].kind == OA_REG_OA && p->regs[i - 1].address == address) {
			p->regs[i - 1].value = (p->regs[i - 1].value & stays) | value;
			return true;
		}
	return oa_profile_add(p, OA_REG_OA, address, value) ||
		err_set(err, ERR_PARSE, "the set has too many registers");
}

static bool put_trigger(struct oa_profile *p, const struct oa_trigger *t, bool is_report,
	uint32_t address, struct err *err)
{
	uint32_t words[OA_TRIGGER_WORDS];
	bool good = true;

	oa_trigger_encode(t, words);
	for (uint32_t i = 0; i < OA_TRIGGER_WORDS && good; i++) {
		bool keeps = i == OA_TRIGGER_CONTROL && !is_report;

		good = put(p, address + 4 * i, keeps ? BY_BLOCK : 0, words[i], err);
	}
	return good;
}

/* What is asked so far, and what the set has by itself. */
struct asked {
	struct oa_triggers before;
	int n_reports, n_starts;
	int graphics_ver;
};

static bool add_report(struct oa_profile *p, const struct metric_set *set, struct asked *all,
	const struct oa_trigger *t, struct err *err)
{
	int n = all->n_reports++;

	if (n == 2)
		return err_set(err, ERR_USAGE, "the unit has two report triggers");
	return check_unused(set, &all->before.report[n], n, err) &&
		put_trigger(p, t, true, oa_trigger_address(true, n, all->graphics_ver), err);
}

/* Either of the two start triggers begins to count, so both are made alike. */
static bool add_start(struct oa_profile *p, const struct metric_set *set, struct asked *all,
	const struct oa_trigger *t, struct err *err)
{
	bool good = true;

	if (all->n_starts++)
		return err_set(err, ERR_USAGE, "counting begins once");
	for (int n = 0; n < 2 && good; n++)
		good = check_unused(set, &all->before.start[n], n, err) &&
			put_trigger(
				p, t, false, oa_trigger_address(false, n, all->graphics_ver), err);
	return good;
}

static bool take(struct oa_profile *p, const struct oa_asker *a, const char *words,
	struct asked *all, struct err *err)
{
	bool is_report = !strncmp(words, REPORT, strlen(REPORT));
	struct oa_trigger t = { .is_enabled = is_report };

	if (!parse(a, words + strlen(is_report ? REPORT : START), &t, err))
		return false;
	if (is_report)
		return add_report(p, a->set, all, &t, err);
	return add_start(p, a->set, all, &t, err);
}

static bool take_all(struct oa_profile *p, const struct metric_set *set,
	const struct intel_platform *platform, struct err *err)
{
	const struct oa_blocks blocks = oa_blocks_of(p, platform->graphics_ver);
	const struct oa_asker asker = { .set = set, .blocks = &blocks };
	struct asked all = { .graphics_ver = platform->graphics_ver };
	struct err why = { 0 };

	all.before = oa_triggers_of(p->regs, p->n_regs, platform->graphics_ver);
	for (int i = 0; i < set->n_directives; i++) {
		const struct set_directive *d = &set->directives[i];

		if (strcmp(d->key, OA_TRIGGER_KEY) != 0 || take(p, &asker, d->args, &all, &why))
			continue;
		err_set(err, why.code, "%s=%.60s: %s", d->file, strchr(d->args, ' ') + 1, why.msg);
		return *why.hint ? err_hint(err, "%s", why.hint) : false;
	}
	return true;
}

bool oa_trigger_program(struct oa_profile *p, const struct metric_set *set,
	const struct intel_platform *platform, struct err *err)
{
	bool asks = false;

	for (int i = 0; i < set->n_directives; i++)
		asks |= !strcmp(set->directives[i].key, OA_TRIGGER_KEY);
	return !asks || (oa_ask_check_platform(set, platform, &asks_triggers, err) &&
		take_all(p, set, platform, err));
}
