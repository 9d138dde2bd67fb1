/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads questions to blocks of B0 to B7, such as "any(B0, !B1)". */
#include "config.h"

#include "backends/intel/oa/oa_ask.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/parse.h"

#define WORD_SIZE 64
#define LANES 16
#define INPUTS_MAX 64

bool oa_ask_is_b_or_c(const char *name)
{
	return (name[0] == 'B' || name[0] == 'C') && name[1] >= '0' && name[1] <= '7' && !name[2];
}

const char *oa_ask_counter_of(const struct metric_set *set, const struct metric *m)
{
	int list[INPUTS_MAX], n = m->value ? expr_inputs(m->value, list, INPUTS_MAX) : 0;
	const char *found = NULL;

	for (int i = 0; i < n && i < INPUTS_MAX; i++) {
		const char *name = set->inputs[list[i]].name;

		if (!oa_ask_is_b_or_c(name))
			continue;
		if (found && strcmp(found, name) != 0)
			return NULL;
		found = name;
	}
	return found;
}

const struct metric *oa_ask_reader(
	const struct metric_set *set, const char *counter, const char *but_file)
{
	int list[INPUTS_MAX];

	for (int k = 0; k < set->n_metrics; k++) {
		const struct metric *m = &set->metrics[k];
		int n = m->value ? expr_inputs(m->value, list, INPUTS_MAX) : 0;

		if (but_file && !strcmp(m->file, but_file))
			continue;
		for (int i = 0; i < n && i < INPUTS_MAX; i++)
			if (metric_input_is(set, set->inputs[list[i]].name, counter))
				return m;
	}
	return NULL;
}

static const struct metric *metric_of(const struct metric_set *set, const char *name)
{
	for (int i = 0; i < set->n_metrics; i++)
		if (!strcmp(set->metrics[i].name, name))
			return &set->metrics[i];
	return NULL;
}

struct signal {
	enum oa_boolean_input input;
	int bit;
	bool inferred;
};

static void skip_blanks(const char **s)
{
	while (**s == ' ' || **s == '\t' || **s == '\n')
		(*s)++;
}

static bool take_char(const char **s, char c)
{
	skip_blanks(s);
	if (**s != c)
		return false;
	(*s)++;
	return true;
}

/* Takes letters, digits, points and underscores. Returns false when there are none, or too many. */
static bool take_word(const char **s, char *word)
{
	size_t n = 0;

	skip_blanks(s);
	while (isalnum((unsigned char)(*s)[n]) || (*s)[n] == '_' || (*s)[n] == '.')
		n++;
	if (n == 0 || n >= WORD_SIZE)
		return false;
	memcpy(word, *s, n);
	word[n] = '\0';
	*s += n;
	return true;
}

/* Takes any number of "!" and "not". Returns whether the sense is turned. */
static bool take_not(const char **s)
{
	bool turned = false;

	for (;;) {
		skip_blanks(s);
		if (take_char(s, '!'))
			turned = !turned;
		else if (!strncmp(*s, "not", 3) && ((*s)[3] == ' ' || (*s)[3] == '\t')) {
			*s += 3;
			turned = !turned;
		} else {
			return turned;
		}
	}
}

static bool take_lane(const char *word, struct signal *out, struct err *err)
{
	uint64_t n;

	if (!parse_u64_range(word + 1, 0, LANES - 1, &n))
		return err_set(err, ERR_USAGE, "there is no lane %s: a block has L0 to L%d",
			word, LANES - 1);
	*out = (struct signal){ .input = OA_INPUT_LANES, .bit = (int)n };
	return true;
}

/* Bn is the output of its block, or where the counter belongs to no block, as C counters never do,
 * the lane that it counts. */
static bool take_counter(
	const struct oa_asker *a, const char *counter, struct signal *out, struct err *err)
{
	int n = counter[1] - '0';

	if (counter[0] == 'B' && (a->asked | a->blocks->booleans.programmed) >> n & 1) {
		*out = (struct signal){ .input = OA_INPUT_OUTPUTS, .bit = n };
		return true;
	}
	if (!a->blocks->has_lanes || !oa_ask_reader(a->set, counter, NULL))
		return err_set(err, ERR_USAGE,
			"nothing is known of %s in set %s: no block, and no lane that a metric "
			"reads",
			counter, a->set->name);
	*out = (struct signal){
		.input = OA_INPUT_LANES, .bit = counter[0] == 'C' ? 8 + n : n, .inferred = true
	};
	return true;
}

static bool resolve(const struct oa_asker *a, const char *word, struct signal *out, struct err *err)
{
	const struct metric *m;
	const char *counter;

	*out = (struct signal){ .input = OA_INPUT_OUTPUTS };
	if (word[0] == 'L' && isdigit((unsigned char)word[1])) {
		if (a->set && !a->blocks->has_lanes)
			return err_set(err, ERR_USAGE,
				"%s: set %s brings no signals to the lanes", word, a->set->name);
		return take_lane(word, out, err);
	}
	if (!a->set)
		return true;
	if (oa_ask_is_b_or_c(word))
		return take_counter(a, word, out, err);
	m = metric_of(a->set, word);
	if (!m) {
		err_set(err, ERR_USAGE, "'%s' is no signal of set %s", word, a->set->name);
		return err_hint(err,
			"signals are B0 to B7, lanes L0 to L15, and metrics that read one B or C "
			"counter");
	}
	counter = oa_ask_counter_of(a->set, m);
	if (!counter)
		return err_set(err, ERR_USAGE,
			"'%s' is not one signal: it does not read exactly one B or C counter",
			word);
	return take_counter(a, counter, out, err);
}

static const char *const verbs[VERBS] = { "any", "all", "number" };

static bool add_signal(
	const struct oa_asker *a, const char **s, struct oa_question *q, struct err *err)
{
	bool turned = take_not(s);
	struct signal signal;
	char word[WORD_SIZE];

	if (q->n == LANES)
		return err_set(err, ERR_USAGE, "a block compares at most %d signals", LANES);
	if (!take_word(s, word))
		return err_set(err, ERR_USAGE, "a signal is missing before '%.40s'", *s);
	if (!resolve(a, word, &signal, err))
		return false;
	/* Without a set, what a name stands for is not known yet. */
	if (!a->set)
		signal.bit = q->n;
	else if (q->n > 0 && signal.input != q->words.input) {
		err_set(err, ERR_USAGE,
			"a block compares either lanes or outputs of blocks, and "
			"'%s' is not of the kind of those before",
			word);
		return err_hint(
			err, "let one free block compare the lanes, and another one its output");
	} else if (q->kept >> signal.bit & 1) {
		return err_set(
			err, ERR_USAGE, "'%s' stands for a signal that is there twice", word);
	}
	if (a->set && q->verb == VERB_NUMBER && (turned || q->kept >> signal.bit))
		return err_set(err, ERR_USAGE,
			"a number is read from signals as they are, the lowest bit first, in the "
			"order of their own numbers: '%s' breaks it",
			word);
	q->words.input = (uint8_t)signal.input;
	q->kept |= (uint16_t)(1u << signal.bit);
	if (!turned)
		q->high |= (uint16_t)(1u << signal.bit);
	q->inferred |= signal.inferred;
	q->n++;
	return true;
}

/* Spreads the bits of a number over the signals, the lowest one first. The order of numbers stays
 * as it was. */
static uint16_t spread(uint64_t number, uint16_t kept)
{
	uint16_t out = 0;

	for (int bit = 0; bit < LANES; bit++) {
		if (!(kept >> bit & 1))
			continue;
		out |= (uint16_t)((number & 1) << bit);
		number >>= 1;
	}
	return out;
}

static bool take_comparison(const char **s, struct oa_question *q, struct err *err)
{
	static const struct {
		const char *sign;
		enum oa_compare compare;
	} signs[] = {
		{ ">=", OA_GREATER_EQUAL },
		{ "<=", OA_LESS_EQUAL },
		{ "!=", OA_NOT_EQUAL },
		{ "==", OA_EQUAL },
		{ ">", OA_GREATER },
		{ "<", OA_LESS },
		{ "=", OA_EQUAL },
	};
	uint64_t number, max = (UINT64_C(1) << q->n) - 1;
	char word[WORD_SIZE];
	size_t i = 0;

	skip_blanks(s);
	while (i < ARRAY_LEN(signs) && strncmp(*s, signs[i].sign, strlen(signs[i].sign)) != 0)
		i++;
	if (i == ARRAY_LEN(signs))
		return err_set(err, ERR_USAGE,
			"number(...) is compared: one of > >= < <= == != is missing before '%.40s'",
			*s);
	*s += strlen(signs[i].sign);
	if (!take_word(s, word) || !parse_u64_range(word, 0, max, &number))
		return err_set(err, ERR_USAGE,
			"%d signals make numbers from 0 to %llu, one of these is missing", q->n,
			(unsigned long long)max);
	q->words.compare = (uint8_t)signs[i].compare;
	q->words.value = spread(number, q->kept);
	return true;
}

/* Takes "N," of at_least(N, ...): a block cannot count signals, so only two numbers are possible,
 * and they are told when all signals are known. */
static bool take_least(const char **s, uint64_t *least, struct err *err)
{
	char word[WORD_SIZE];

	if (take_word(s, word) && parse_u64_range(word, 1, LANES, least) && take_char(s, ','))
		return true;
	return err_set(
		err, ERR_USAGE, "at_least begins with a number from 1 to %d and a comma", LANES);
}

static bool finish_least(struct oa_question *q, uint64_t least, struct err *err)
{
	if (least == 1)
		q->verb = VERB_ANY;
	else if (least == (uint64_t)q->n)
		q->verb = VERB_ALL;
	else {
		err_set(err, ERR_USAGE,
			"a block cannot count signals: at_least knows 1 (any) and %d (all) of %d",
			q->n, q->n);
		return err_hint(err,
			"several free blocks can: all(...) of each choice, and any(...) of those");
	}
	return true;
}

static bool take_signals(
	const struct oa_asker *a, const char **s, struct oa_question *q, struct err *err)
{
	do {
		if (!add_signal(a, s, q, err))
			return false;
	} while (take_char(s, ','));
	return take_char(s, ')') ||
		err_set(err, ERR_USAGE, "',' or ')' is missing before '%.40s'", *s);
}

/* any: one bit is as it should be; all: every bit is. The opposite of each is the other one with
 * all bits the other way. */
static void finish_bits(struct oa_question *q, bool turned)
{
	bool any = q->verb == VERB_ANY;

	if (turned) {
		any = !any;
		q->high = q->kept & (uint16_t)~q->high;
	}
	q->words.compare = OA_EQUAL;
	if (any && q->n > 1)
		q->words.compare = OA_ANY_EQUAL;
	q->words.value = q->high;
}

static bool take_call(const struct oa_asker *a, const char **s, const char *verb,
	struct oa_question *q, struct err *err)
{
	uint64_t least = 0;

	while (q->verb < VERBS && strcmp(verbs[q->verb], verb) != 0)
		q->verb++;
	if (q->verb == VERBS && strcmp(verb, "at_least") != 0)
		return err_set(err, ERR_USAGE,
			"any, all, at_least or number expected, not '%.40s'", verb);
	if (q->verb == VERBS && !take_least(s, &least, err))
		return false;
	if (!take_signals(a, s, q, err))
		return false;
	return !least || finish_least(q, least, err);
}

bool oa_ask_parse(const struct oa_asker *a, const char *s, struct oa_question *q, struct err *err)
{
	bool turned = take_not(&s);
	const char *start = s;
	char verb[WORD_SIZE];

	*q = (struct oa_question){ .verb = VERB_ANY };
	if (take_word(&s, verb) && take_char(&s, '(')) {
		if (!take_call(a, &s, verb, q, err))
			return false;
	} else {
		s = start;
		q->verb = VERB_ALL;
		if (!add_signal(a, &s, q, err))
			return false;
	}
	if (q->verb != VERB_NUMBER)
		finish_bits(q, turned);
	else if (turned)
		return err_set(err, ERR_USAGE, "number(...) has its opposite in its comparison");
	else if (!take_comparison(&s, q, err))
		return false;
	skip_blanks(&s);
	if (*s)
		return err_set(err, ERR_USAGE, "unexpected '%.40s'", s);
	q->words.ignored = (uint16_t)~q->kept;
	return true;
}

bool oa_ask_option(const char *text, char *words, size_t size, struct err *err)
{
	struct oa_question q;

	if (text[0] != 'B' || text[1] < '0' || text[1] >= '0' + OA_BOOLEANS || text[2] != '=')
		return err_set(err, ERR_USAGE, "a block, B0 to B7, and '=' come first");
	if ((size_t)snprintf(words, size, "B%c %s", text[1], text + 3) >= size)
		return err_set(err, ERR_USAGE, "longer than %zu characters", size - 1);
	if (strpbrk(text, "\n\t"))
		return err_set(err, ERR_USAGE, "it is one line, with blanks only");
	return oa_ask_parse(&(struct oa_asker){ .set = NULL }, text + 3, &q, err);
}
