/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loading of metric files: lines, names, drafts of metrics and the building of a set. Private to
 * metric*.c. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "core/metric/expr.h"
#include "core/metric/metric.h"

#define METRIC_MAX_DEPTH 8		/* files that include each other */
#define METRIC_MAX_LINES 100000		/* statements of one load; includes of includes multiply */
#define METRIC_MAX_CODE 1000000		/* instructions of one load, for the same reason */
#define METRIC_MAX_PER_SET 1000
#define METRIC_MAX_CYCLES 16		/* of one set, reported one by one */
#define METRIC_MAX_REPORTED 200		/* problems reported one by one */
#define METRIC_NAME_SIZE 64

/* --- metric_lex.c: statements --- */

/* One statement with its continuation lines joined. A newline in text marks where a line went on;
 * comments are left out. */
struct metric_line {
	const char *file;
	int number;		/* of its first line */
	struct strbuf text;
	const char *p;		/* reading position in text */
};

/* Reads the next statement that is not blank from *text; returns false at the end. *bad is the
 * place of a control character, or NULL. */
bool metric_next_line(const char **text, int *number, struct metric_line *line, const char **bad);
/* Finds line and column of a place in the statement. */
void metric_place(const struct metric_line *line, const char *at, int *number, int *column);
/* Takes the next word between blanks, which may not start with a quote; returns false when there is
 * none. */
bool metric_word(struct metric_line *line, const char **word, size_t *len);
/* Takes the next string in double quotes, unescaped, into a new heap string. Returns NULL when
 * there is none or its end is missing. */
char *metric_string(struct metric_line *line);
/* Skips blanks and returns the place after them, "" at the end. That text is not read yet. */
const char *metric_next(struct metric_line *line);
/* Returns the first character of that place, '\0' at the end. */
char metric_peek(struct metric_line *line);
/* Returns the rest of the statement without blanks at its ends; newlines are kept. */
char *metric_rest(struct metric_line *line, const char **at);
/* Returns an equation as a new string in which continuation lines and runs of blanks are single
 * blanks. */
char *metric_squeezed(const char *s);
bool metric_is_name(const char *s, size_t len);

/* --- metric_names.c: names and what they mean --- */

enum name_kind { NAME_RAW, NAME_LET, NAME_METRIC, NAME_CELL };

struct name_entry {
	const char *name;	/* the caller's */
	size_t len;
	enum name_kind kind;
	int index;
};

/* A hash table with open addressing; a zero-initialised struct is empty. */
struct name_table {
	struct name_entry *slots;
	size_t n_slots, count;
};

const struct name_entry *name_find(const struct name_table *t, const char *name, size_t len);
/* The name must not be in it yet. */
void name_add(struct name_table *t, const char *name, enum name_kind kind, int index);
void name_clear(struct name_table *t);
/* Updates *best with the name of the table that is nearest to the one given and nearer than
 * *distance. */
void name_nearest(
	const struct name_table *t, const char *name, size_t len, const char **best, int *distance);

/* --- drafts --- */

struct text_place {
	const char *file;
	int line, column;
};

/* A declared counter, gauge or constant. */
struct raw_name {
	char *name;
	enum metric_input_kind kind;	/* INPUT_COUNTER or INPUT_CONST */
	bool gauge;
	char *unit_text;
	struct unit unit;
	char *text;
	char *block;		/* or NULL */
	char *only;		/* platforms that have it, with blanks around each; NULL: not told */
	struct text_place place;
	/* its inputs in the set being built: plain, rate; -1: none */
	int input[2];
};

enum draft_state { DRAFT_NEW, DRAFT_BUSY, DRAFT_GOOD, DRAFT_BAD };

struct let_draft {
	char *name;
	struct expr_part part;		/* text is the draft's own */
	struct text_place place;
	enum draft_state state;
};

struct metric_draft {
	struct metric m;
	char *value;			/* as written, newlines kept */
	char *ceiling;
	char *old_name;			/* what the metric was called before, or NULL */
	struct text_place place, value_place, ceiling_place, group_place, roof_place;
	enum draft_state state;
	unsigned seen;			/* attributes that were given, a bit each */
	int input;			/* the input that hands it to others, -1 none */
};

struct set_draft {
	struct metric_set *set;		/* without metrics and inputs until it is built */
	bool dropped;			/* its first line was wrong: checked, then thrown away */
	struct text_place place;
	struct metric_draft *metrics;
	size_t n_metrics, cap_metrics;
	struct let_draft *lets;
	size_t n_lets, cap_lets;
	struct text_place *group_places;
	char **order;			/* names of metrics, the most important first */
	size_t n_order, cap_order;
	struct text_place cell_places[SET_MAX_CELLS];
	struct raw_name *cell_names;	/* what equations call the counters of cells */
	size_t n_cell_names, cap_cell_names;
	struct name_table names;
	size_t cap_inputs;
};

/* What the next attribute line describes. */
enum metric_context { CONTEXT_TOP, CONTEXT_SET, CONTEXT_METRIC, CONTEXT_CELLS, CONTEXT_OTHER };

/* Which statements of a file are read. */
enum metric_reading {
	READ_ALL,
	READ_HEADS,	/* of sets, and nothing else */
	READ_BODY,	/* of the set at body_line, and what stands before the first set */
};

struct metric_parser {
	struct metric_lib *lib;
	int first_set;		/* of this file in the library */
	enum metric_reading reading;
	/* READ_HEADS: only sets of this platform are kept; NULL: all */
	const char *platform;
	int body_line;
	/* READ_BODY: the lines that are skipped now belong to another set */
	bool passing;
	metric_include_fn *include;
	void *include_ctx;
	metric_problem_fn *problem;
	void *problem_ctx;
	int problems;
	struct metric_line line;
	/* the first word of the statement, and where it stands in line */
	const char *keyword, *at;
	const char *chain[METRIC_MAX_DEPTH + 1];	/* files being read */
	int depth;
	char **files;					/* their names, kept for messages */
	size_t n_files, cap_files, lines, code;
	struct raw_name *raw;
	size_t n_raw, cap_raw;
	struct name_table raw_names;
	char *block;		/* of the counters that follow; NULL: not told */
	char *only;		/* the platforms that have them, as in raw_name; NULL: not told */
	struct set_draft *set;				/* NULL before the first one */
	enum metric_context context;
	/* CONTEXT_METRIC: the metric that attributes belong to */
	size_t current;
	int let_depth;
};

/* --- metric_take.c: pieces of statements --- */

/* These report a problem. Its position is a place in the current statement (at may be NULL: its
 * start), or one that was remembered. All return false. */
bool metric_problem(struct metric_parser *p, const char *at, const char *hint, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
bool metric_problem_at(struct metric_parser *p, const struct text_place *place, const char *hint,
	const char *fmt, ...) __attribute__((format(printf, 4, 5)));
void metric_report(struct metric_parser *p, const struct err *err);
struct text_place metric_here(struct metric_parser *p, const char *at);

/* These take pieces of the current statement. They report what is missing or wrong, and return new
 * strings. */
/* Returns NULL after reporting "what is missing here". */
char *metric_take_word(struct metric_parser *p, const char *what);
/* Takes a name that fits with its NUL, or returns NULL. */
char *metric_take_name(struct metric_parser *p, size_t size);
/* Takes a string in double quotes, or returns NULL. */
char *metric_take_string(struct metric_parser *p);
bool metric_take_unit(struct metric_parser *p, char **text, struct unit *unit);
/* Whether the line has no more words. */
bool metric_at_end(struct metric_parser *p);
/* Whether a set has begun. */
bool metric_in_set(struct metric_parser *p);
bool metric_name_is_free(struct metric_parser *p, const char *at, const char *name);
/* Whether the definition at place replaces an earlier one of the same name: that one is in another
 * file, or the same line is read again because its file was included twice. */
bool metric_replaces(const struct text_place *place, const struct text_place *old);

/* --- metric_parse_cells.c: statements about cells --- */

void metric_read_cells(struct metric_parser *p);
void metric_read_cell(struct metric_parser *p);
/* Reports cells that are empty. */
void metric_check_cells(struct metric_parser *p);

/* --- metric_attrs.c: statements about metrics --- */

void metric_read_metric(struct metric_parser *p);
void metric_read_attribute(struct metric_parser *p);
char *metric_take_scope(struct metric_parser *p);	/* or NULL */
void metric_read_text(struct metric_parser *p);

/* Whether the metric's unit fits its role in the roofline; reports it when not. */
/* Reads the attribute "limit". */
void metric_read_limit(struct metric_parser *p, struct metric_draft *d);
bool metric_check_roof(struct metric_parser *p, const struct metric_draft *d);

/* --- metric_build.c: from drafts to a set --- */

/* Compiles the equations, leaves out what is wrong, and adds the set to the library. It takes over
 * the draft. */
void metric_build_set(struct metric_parser *p);

/* --- metric.c: what these hold, not the structs --- */

void metric_free_raw(struct raw_name *r);
void metric_free_let(struct let_draft *l);
void metric_free_draft(struct metric_draft *d);
void metric_set_free_inputs(struct metric_set *set);
