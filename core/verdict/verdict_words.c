/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The names and sentences of a verdict, in the user's language or in English. */
#include "config.h"

#include "core/verdict/verdict.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/format.h"
#include "base/i18n.h"
#include "base/numeric.h"
#include "core/verdict/verdict_priv.h"

static const struct {
	const char *name, *headline;
} kinds[] = {
#define X(id, name, headline) { name, headline },
	VERDICT_KIND_LIST(X)
#undef X
};

const char *verdict_kind_name(enum verdict_kind kind)
{
	assert(kind < VERDICT_KINDS);
	return kinds[kind].name;
}

const char *verdict_missing_name(enum verdict_missing missing)
{
	static const char *const names[] = { NULL, "roof", "set", "window" };

	return names[missing];
}

const char *verdict_flag_name(enum verdict_flag flag)
{
	switch (flag) {
	case VERDICT_ESTIMATED: return "estimated";
	case VERDICT_SIMULATED: return "simulated";
	case VERDICT_MIXED: return "mixed";
	case VERDICT_CONTRADICTION: return "contradiction";
	case VERDICT_AT_MOST: return "at_most";
	}
	return "";
}

static const char *translated(const char *s, bool english)
{
	return english ? s : i18n_optional(s);
}

/* Where text is added until the buffer is full. */
struct room {
	char *buf;
	size_t size, len;
};

static void add(struct room *r, const char *s, size_t n)
{
	for (size_t i = 0; i < n && r->len + 1 < r->size; i++)
		r->buf[r->len++] = s[i];
	if (r->size)
		r->buf[r->len] = '\0';
}

static void add_string(struct room *r, const char *s)
{
	add(r, s, strlen(s));
}

/* Replaces %s by the next argument, %2$s by the second one, and %% by a per cent sign. */
static void add_text(struct room *r, const struct verdict_text *t, bool english)
{
	int next = 0;

	if (!t->fmt)
		return;
	for (const char *p = translated(t->fmt, english); *p; p++) {
		int n = next;

		if (*p != '%' || p[1] == '%') {
			add(r, p, 1);
			p += *p == '%';
			continue;
		}
		p++;
		if (isdigit((unsigned char)*p) && p[1] == '$') {
			n = *p - '1';
			p += 2;
		} else {
			next++;
		}
		if (*p == 's' && n >= 0 && n < VERDICT_MAX_ARGS)
			add_string(r, translated(t->args[n], english));
		if (!*p)
			break;
	}
}

static struct room room_of(char *buf, size_t size)
{
	if (size)
		*buf = '\0';
	return (struct room){ buf, size, 0 };
}

const char *verdict_text(const struct verdict_text *t, bool english, char *buf, size_t size)
{
	struct room r = room_of(buf, size);

	add_text(&r, t, english);
	return buf;
}

static const char *headline(const struct verdict *v)
{
	if (v->kind == VERDICT_BANDWIDTH && !strcmp(v->bound, "dram"))
		return N_("MEMORY-BOUND");
	if (v->kind == VERDICT_UNKNOWN && v->missing == VERDICT_MISSING_SET)
		return N_("NOT COUNTED");
	if (v->kind == VERDICT_UNKNOWN && isfinite(v->share))
		return v->share > 1 ? N_("SHARE NOT KNOWN") : N_("LATENCY?");
	if (v->kind == VERDICT_NONE && !strcmp(v->causes[0], "turns"))
		return N_("QUEUES TAKE TURNS");
	if (v->kind == VERDICT_NONE && v->waits)
		return N_("LATENCY?");
	if (v->kind == VERDICT_NO_COUNTERS && v->is_divided)
		return N_("DIVIDED");
	if (v->is_changing)
		return N_("CHANGING");
	if (v->missing == VERDICT_MISSING_WINDOW)
		return N_("NOT MEASURED");
	return kinds[v->kind].headline;
}

const char *verdict_headline(const struct verdict *v, bool english, char *buf, size_t size)
{
	snprintf(buf, size, "%s", translated(headline(v), english));
	return buf;
}

const char *verdict_line(
	const struct verdict *v, bool brief, bool english, char *buf, size_t size)
{
	return verdict_text(brief ? &v->brief : &v->line, english, buf, size);
}

const char *verdict_headroom(const struct verdict *v, bool english, char *buf, size_t size)
{
	struct verdict_text t = { .fmt = N_("headroom %s") };

	snprintf(t.args[0], sizeof(t.args[0]), "--");
	if (isfinite(v->headroom))
		snprintf(t.args[0], sizeof(t.args[0]), "%s%.2fx",
			v->flags & VERDICT_ESTIMATED ? "~" : "", v->headroom);
	if (isfinite(v->headroom) && (v->flags & VERDICT_AT_MOST))
		t.fmt = N_("at most %s");
	return verdict_text(&t, english, buf, size);
}

const char *verdict_because(const struct verdict *v, int i, bool english, char *buf, size_t size)
{
	static const struct verdict_text none;

	if (i < 0 || i >= VERDICT_BECAUSE)
		return verdict_text(&none, english, buf, size);
	return verdict_text(&v->because[i], english, buf, size);
}

const char *verdict_try(const struct verdict *v, bool english, char *buf, size_t size)
{
	return verdict_text(&v->try, english, buf, size);
}

const char *verdict_sentence(const struct verdict *v, bool english, char *buf, size_t size)
{
	struct room r = room_of(buf, size);
	char room[64];

	add_string(&r, translated(headline(v), english));
	if (v->line.fmt) {
		add_string(&r, ": ");
		add_text(&r, &v->line, english);
	}
	if (isfinite(v->headroom)) {
		add_string(&r, ", ");
		add_string(&r, verdict_headroom(v, english, room, sizeof(room)));
		if (v->flags & VERDICT_AT_MOST)
			add_string(&r, translated(N_(" faster"), english));
	}
	return buf;
}

/* --- parts of sentences --- */

struct number percent(double share)
{
	struct number n;
	double v = share * 100;

	/* Counters of one report may put a share a little below 0, which "-0" says to nobody. */
	if (v > -0.5 && v < 0)
		v = 0;
	numeric_fixed(n.text, sizeof(n.text), v, v >= 0.05 && v < 9.95);
	return n;
}

struct number number_of(double v, int decimals)
{
	struct number n;

	numeric_fixed(n.text, sizeof(n.text), v, decimals);
	return n;
}

struct number short_number(double v, int width)
{
	struct number n;

	format_number(n.text, sizeof(n.text), v, width);
	return n;
}

static struct number marked(struct number n, bool is_inferred)
{
	struct number m;

	if (!is_inferred)
		return n;
	snprintf(m.text, sizeof(m.text), "~%.20s", n.text);
	return m;
}

struct number inferred(double v, bool is_inferred)
{
	return marked(short_number(v, fabs(v) < 1e4 ? 4 : 6), is_inferred);
}

struct number role_percent(const struct evidence *e, enum limit_role role, double share)
{
	return marked(percent(share), e->inferred & ROLE_BIT(role));
}

struct number resource_percent(const struct resource *r)
{
	return marked(percent(r->share), r->estimated || r->uncertain);
}

void tell(struct verdict_text *t, const char *fmt, ...)
{
	const char *arg;
	va_list ap;

	*t = (struct verdict_text){ .fmt = fmt };
	va_start(ap, fmt);
	for (int i = 0; i < VERDICT_MAX_ARGS && (arg = va_arg(ap, const char *)); i++)
		snprintf(t->args[i], sizeof(t->args[i]), "%s", arg);
	va_end(ap);
}

const char *verdict_source_text(enum roof_source source)
{
	static const char *const words[] = { "", N_("data sheet"), N_("measured"), N_("computed"),
		N_("read"), N_("assumed") };

	return words[source];
}

void verdict_state(struct verdict *out, enum verdict_kind kind)
{
	*out = (struct verdict){ .kind = kind,
		.rule = -1,
		.metric = -1,
		.value = NAN,
		.roof = NAN,
		.share = NAN,
		.headroom = NAN };
	switch (kind) {
	case VERDICT_LOST:
		out->line.fmt = N_("the device went away");
		out->try.fmt = N_("nothing to do: it is opened again when it comes back");
		break;
	case VERDICT_MEASURING:
		out->line.fmt = N_("the first result comes in a moment");
		break;
	case VERDICT_ASLEEP:
		out->line.fmt = N_("the device sleeps and is left asleep");
		out->try.fmt = N_("a program that uses it wakes it");
		break;
	case VERDICT_PERMISSION:
		out->line.fmt = N_("its counters are closed to you");
		out->try.fmt = N_("\"rooftop doctor\" says which permission is missing");
		break;
	default:
		break;
	}
	out->brief = out->line;
}

void verdict_name_set(struct verdict *v, const char *set, bool is_same)
{
	char name[sizeof(v->try.args[0])];

	memcpy(name, v->try.args[0], sizeof(name));
	/* What is counted next needs nobody's help. */
	if (!v->try.fmt)
		return;
	if (is_same)
		tell(&v->try, N_("\"rooftop doctor\" says why %s is not counted"), name, NULL);
	else if (set)
		tell(&v->try, N_("the set %s counts %s"), set, name, NULL);
	else
		tell(&v->try, N_("no set of this device counts %s"), name, NULL);
}

void verdict_too_short(struct verdict *out)
{
	verdict_state(out, VERDICT_MEASURING);
	out->missing = VERDICT_MISSING_WINDOW;
	out->line.fmt = N_("too short, it ended before its counters gave a value");
	out->brief.fmt = N_("too short for its counters");
	out->try.fmt = N_("something that runs longer");
}
