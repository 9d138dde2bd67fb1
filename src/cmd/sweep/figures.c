/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads files of figures: a directive a line, texts in quotes. */
#include "config.h"

#include "cmd/sweep/figures.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fsroot.h"
#include "base/mem.h"
#include "base/parse.h"
#include "data/data.h"

#define SUFFIX ".figures"
#define MAX_BYTES (1 << 20)
#define MAX_WORDS 16

struct reader {
	struct paper *p;
	const char *file;
	int line;
	char *words[MAX_WORDS];
	int n;
	struct err *err;
};

/* Says what is wrong with the line; text has the reason. */
static bool wrong(struct reader *r, const char *text)
{
	err_set(r->err, ERR_PARSE, "%.200s:%d: %s", r->file, r->line, text);
	return err_hint(r->err, "doc/REPRODUCE.md describes files of figures");
}

/* Splits a line into words, in place. A # begins a comment; quotes hold blanks together. */
static bool split(struct reader *r, char *line)
{
	r->n = 0;
	while (*(line += strspn(line, " \t")) && *line != '#') {
		char *end = line + strcspn(line, " \t");

		if (r->n == MAX_WORDS)
			return wrong(r, "too many words");
		if (*line == '"') {
			end = strchr(++line, '"');
			if (!end)
				return wrong(r, "a quote is not closed");
		}
		r->words[r->n++] = line;
		if (!*end)
			break;
		*end = '\0';
		line = end + 1;
	}
	return true;
}

static bool copy(struct reader *r, char *to, size_t size, const char *text)
{
	if (strlen(text) >= size)
		return wrong(r, "a text is too long");
	snprintf(to, size, "%s", text);
	return true;
}

/* Joins the words from first on with blanks. */
static bool join(struct reader *r, char *to, size_t size, int first)
{
	to[0] = '\0';
	for (int i = first; i < r->n; i++) {
		size_t len = strlen(to);

		if (len + strlen(r->words[i]) + 2 > size)
			return wrong(r, "a text is too long");
		snprintf(to + len, size - len, "%s%s", i > first ? " " : "", r->words[i]);
	}
	return *to || wrong(r, "something is missing behind the first word");
}

static bool number(struct reader *r, const char *text, double *out)
{
	return parse_double(text, out) || wrong(r, "this is not a number");
}

static bool count(struct reader *r, const char *text, uint64_t *out)
{
	return parse_u64_range(text, 1, 1 << 20, out) || wrong(r, "this is not a number");
}

static struct figure *figure(struct reader *r)
{
	return r->p->n_figures ? &r->p->figures[r->p->n_figures - 1] : NULL;
}

static struct figure_check *check(struct reader *r)
{
	return r->p->n_checks ? &r->p->checks[r->p->n_checks - 1] : NULL;
}

static bool do_paper(struct reader *r)
{
	return copy(r, r->p->name, sizeof(r->p->name), r->words[1]) &&
		copy(r, r->p->title, sizeof(r->p->title), r->words[2]);
}

static bool do_machine(struct reader *r)
{
	return copy(r, r->p->machine, sizeof(r->p->machine), r->words[1]);
}

static bool do_plane(struct reader *r)
{
	return copy(r, r->p->plane, sizeof(r->p->plane), r->words[1]);
}

static bool do_rounds(struct reader *r)
{
	return number(r, r->words[1], &r->p->rounds);
}

static bool do_size(struct reader *r)
{
	return count(r, r->words[1], &r->p->group_size);
}

static bool do_loop(struct reader *r)
{
	return count(r, r->words[1], figure(r) ? &figure(r)->loop : &r->p->loop);
}

static bool do_figure(struct reader *r)
{
	struct paper *p = r->p;

	p->figures = array_grow(p->figures, p->n_figures, &p->figures_cap, sizeof(*p->figures));
	p->figures[p->n_figures++] = (struct figure){ .style = FIGURE_LINES };
	if (strchr(r->words[1], '/'))
		return wrong(r, "the number becomes the name of a file");
	return copy(r, figure(r)->number, sizeof(figure(r)->number), r->words[1]) &&
		copy(r, figure(r)->title, sizeof(figure(r)->title), r->words[2]);
}

static bool do_kernels(struct reader *r)
{
	return join(r, figure(r)->kernels, sizeof(figure(r)->kernels), 1);
}

static bool do_x(struct reader *r)
{
	return copy(r, figure(r)->x, sizeof(figure(r)->x), r->words[1]);
}

static bool do_y(struct reader *r)
{
	struct figure *f = figure(r);

	if (r->n - 1 > FIGURE_MAX_Y)
		return wrong(r, "too many words");
	for (f->n_y = 0; f->n_y < r->n - 1; f->n_y++)
		if (!copy(r, f->y[f->n_y], sizeof(f->y[0]), r->words[f->n_y + 1]))
			return false;
	return true;
}

static bool do_style(struct reader *r)
{
	if (!strcmp(r->words[1], "bars"))
		figure(r)->style = FIGURE_BARS;
	else if (strcmp(r->words[1], "lines"))
		return wrong(r, "the style is lines or bars");
	return true;
}

static bool do_log(struct reader *r)
{
	if (strspn(r->words[1], "xy") != strlen(r->words[1]))
		return wrong(r, "axes are x, y or xy");
	figure(r)->log_x = strchr(r->words[1], 'x') != NULL;
	figure(r)->log_y = strchr(r->words[1], 'y') != NULL;
	return true;
}

static bool do_collapse(struct reader *r)
{
	figure(r)->collapse = true;
	return true;
}

static bool do_check(struct reader *r)
{
	struct paper *p = r->p;

	p->checks = array_grow(p->checks, p->n_checks, &p->checks_cap, sizeof(*p->checks));
	p->checks[p->n_checks++] = (struct figure_check){ .text = "" };
	return copy(r, check(r)->text, sizeof(check(r)->text), r->words[1]) &&
		copy(r, check(r)->where, sizeof(check(r)->where), r->words[2]);
}

static bool do_value(struct reader *r)
{
	struct figure_check *c = check(r);

	return number(r, r->words[1], &c->value) &&
		copy(r, c->unit, sizeof(c->unit), r->words[2]) &&
		number(r, r->words[3], &c->within_pct);
}

/* Reads "above V UNIT". */
static bool do_above(struct reader *r)
{
	struct figure_check *c = check(r);

	c->above = true;
	return number(r, r->words[1], &c->value) && copy(r, c->unit, sizeof(c->unit), r->words[2]);
}

/* Reads "max|mean|teeth|spread [loop N] COLUMN PATTERN..." or "at GROUPS ...". */
static bool read_take(struct reader *r, struct take *t)
{
	static const char *const hows[] = {
		[TAKE_MAX] = "max", [TAKE_MEAN] = "mean", [TAKE_AT] = "at", [TAKE_TEETH] = "teeth",
		[TAKE_SPREAD] = "spread"
	};
	int at = 2;

	for (size_t i = TAKE_MAX; i < ARRAY_LEN(hows); i++)
		if (!strcmp(hows[i], r->words[1]))
			t->how = (enum take_how)i;
	if (t->how == TAKE_NONE)
		return wrong(r, "numbers are taken by max, mean, at, teeth or spread");
	if (t->how == TAKE_AT && !number(r, r->words[at++], &t->groups))
		return false;
	if (r->n > at + 1 && !strcmp(r->words[at], "loop")) {
		if (!count(r, r->words[at + 1], &t->loop))
			return false;
		at += 2;
	}
	return (r->n > at || wrong(r, "something is missing behind the first word")) &&
		copy(r, t->column, sizeof(t->column), r->words[at]) &&
		join(r, t->kernels, sizeof(t->kernels), at + 1);
}

static bool do_take(struct reader *r)
{
	return read_take(r, &check(r)->take);
}

static bool do_over(struct reader *r)
{
	return read_take(r, &check(r)->over);
}

/* Reads "highest x4 [at GROUPS] COLUMN PATTERN...". */
static bool do_extreme(struct reader *r)
{
	struct figure_check *c = check(r);
	int at = 2;

	c->lowest = !strcmp(r->words[0], "lowest");
	c->take.how = TAKE_MAX;
	if (!strcmp(r->words[at], "at")) {
		if (!number(r, r->words[at + 1], &c->take.groups))
			return false;
		at += 2;
	}
	return (r->n > at || wrong(r, "something is missing behind the first word")) &&
		copy(r, c->width, sizeof(c->width), r->words[1]) &&
		copy(r, c->take.column, sizeof(c->take.column), r->words[at]) &&
		join(r, c->take.kernels, sizeof(c->take.kernels), at + 1);
}

enum part { PART_ANY, PART_FIGURE, PART_CHECK };

static const struct directive {
	const char *name;
	int words;		/* at least, with its own */
	enum part part;		/* what it has to stand behind */
	bool (*run)(struct reader *r);
} directives[] = {
	{ "paper", 3, PART_ANY, do_paper },
	{ "machine", 2, PART_ANY, do_machine },
	{ "plane", 2, PART_ANY, do_plane },
	{ "rounds", 2, PART_ANY, do_rounds },
	{ "size", 2, PART_ANY, do_size },
	{ "loop", 2, PART_ANY, do_loop },
	{ "figure", 3, PART_ANY, do_figure },
	{ "kernels", 2, PART_FIGURE, do_kernels },
	{ "x", 2, PART_FIGURE, do_x },
	{ "y", 2, PART_FIGURE, do_y },
	{ "style", 2, PART_FIGURE, do_style },
	{ "collapse", 1, PART_FIGURE, do_collapse },
	{ "log", 2, PART_FIGURE, do_log },
	{ "check", 3, PART_ANY, do_check },
	{ "value", 4, PART_CHECK, do_value },
	{ "above", 3, PART_CHECK, do_above },
	{ "take", 4, PART_CHECK, do_take },
	{ "over", 4, PART_CHECK, do_over },
	{ "highest", 4, PART_CHECK, do_extreme },
	{ "lowest", 4, PART_CHECK, do_extreme },
};

static bool run_line(struct reader *r, char *line)
{
	if (!split(r, line))
		return false;
	for (size_t i = 0; r->n > 0 && i < ARRAY_LEN(directives); i++) {
		const struct directive *d = &directives[i];

		if (strcmp(d->name, r->words[0]))
			continue;
		if (r->n < d->words)
			return wrong(r, "something is missing behind the first word");
		if ((d->part == PART_FIGURE && !figure(r)) || (d->part == PART_CHECK && !check(r)))
			return wrong(r, "this line belongs behind a figure or a check");
		return d->run(r);
	}
	return r->n == 0 || wrong(r, "the first word is not known");
}

/* Looks for what no line can miss by itself. */
static bool finish(struct reader *r)
{
	struct paper *p = r->p;

	if (!*p->name || !p->n_figures)
		return wrong(r, "there is no paper or no figure");
	for (size_t i = 0; i < p->n_figures; i++) {
		const struct figure *f = &p->figures[i];

		if (*f->kernels && *f->x && f->n_y)
			continue;
		err_set(r->err, ERR_PARSE, "%.200s: figure %s has no kernels, x or y", r->file,
			f->number);
		return false;
	}
	for (size_t i = 0; i < p->n_checks; i++) {
		const struct figure_check *c = &p->checks[i];

		if (c->take.how != TAKE_NONE && (*c->width || c->above || c->within_pct > 0))
			continue;
		err_set(r->err, ERR_PARSE, "%.200s: check '%.100s' takes nothing or has no value",
			r->file, c->text);
		return false;
	}
	return true;
}

static struct paper *read_text(const char *file, char *text, struct err *err)
{
	struct reader r = { .p = xcalloc(1, sizeof(*r.p)), .file = file, .err = err };
	bool good = true;

	r.p->rounds = 6;
	while (good && text) {
		char *next = strchr(text, '\n');

		if (next)
			*next++ = '\0';
		r.line++;
		good = run_line(&r, text);
		text = next;
	}
	if (good && finish(&r))
		return r.p;
	paper_free(r.p);
	return NULL;
}

static bool is_path(const char *name)
{
	size_t len = strlen(name);

	return strchr(name, '/') ||
		(len > strlen(SUFFIX) && !strcmp(name + len - strlen(SUFFIX), SUFFIX));
}

struct paper *paper_read(const char *name, struct err *err)
{
	const char *known = embedded_text(figure_files, name, SUFFIX);
	struct strbuf list = { 0 };
	size_t len;

	if (!known && !is_path(name)) {
		for (const struct embedded *e = figure_files; e->text; e++)
			strbuf_addf(&list, "%s%.*s", e == figure_files ? "" : ", ",
				(int)strcspn(e->name, "."), e->name);
		err_set(err, ERR_USAGE, "no paper is named '%.100s'", name);
		err_hint(err, "papers: %s; a path, such as ./%s%s, is a file of yours",
			strbuf_str(&list), "NAME", SUFFIX);
		strbuf_release(&list);
		return NULL;
	}
	char *text = known ? xstrdup(known) : file_read_all(name, MAX_BYTES, &len, err);
	if (!text) {
		err_of_file(err);
		return NULL;
	}
	struct paper *p = read_text(name, text, err);
	free(text);
	return p;
}

void paper_free(struct paper *p)
{
	if (!p)
		return;
	free(p->figures);
	free(p->checks);
	free(p);
}

void paper_list(struct strbuf *out)
{
	for (const struct embedded *e = figure_files; e->text; e++) {
		char *text = xstrdup(e->text);
		struct err err = { 0 };
		struct paper *p = read_text(e->name, text, &err);

		if (p)
			strbuf_addf(out, "%-16s %s\n", p->name, p->title);
		paper_free(p);
		free(text);
	}
}

bool figure_has(const char *patterns, const char *kernel)
{
	char pattern[FIGURE_PATTERNS];

	while (parse_until(&patterns, ' ', pattern, sizeof(pattern)))
		if (fnmatch(pattern, kernel, 0) == 0)
			return true;
	return false;
}
