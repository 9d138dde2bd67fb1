/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads only what the device needs of the built-in metric files: the heads of its sets, and the
 * bodies of those that are used. */
#include "config.h"

#include "session/window/sets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "session/program.h"
#include "backends/common/counter_family.h"
#include "base/i18n.h"
#include "base/mem.h"
#include "base/parse.h"
#include "base/strbuf.h"
#include "core/metric/metric_extend.h"
#include "data/data.h"

#define MAX_FILE_BYTES (4u << 20)
#define MAX_CHOSEN 16	/* more than a recording of any family of counters has */

/* A device that was opened has read its files before anybody asks for all of them, so problems are
 * counted where they are found. */
static void set_problem(void *session, const struct err *err)
{
	((struct session *)session)->sets.n_problems++;
	session_problem(session, err);
}

/* Finds a file to include, as a metric_include_fn. */
static const char *find_file(void *ctx, const char *name)
{
	(void)ctx;
	return packed_find(metric_files, name, "");
}

/* Loads the heads of a platform's sets (NULL: of all). Most sets are of other platforms, and the
 * first frame must wait for none of them. Returns false when all are loaded already. */
static bool load_embedded(struct session *ses, const char *platform)
{
	char name[32];

	/* Blanks separate the names in loaded; "*" stands for all platforms. */
	snprintf(name, sizeof(name), " %s ", platform ? platform : "*");
	if (strstr(strbuf_str(&ses->sets.loaded), " * ") ||
		strstr(strbuf_str(&ses->sets.loaded), name))
		return false;
	strbuf_add(&ses->sets.loaded, name);
	for (const struct packed_file *f = metric_files; f->name; f++) {
		if (packed_serves(f, platform))
			metric_lib_load_heads(&ses->sets.lib, f->name, packed_text(f), platform,
				set_problem, ses);
	}
	return true;
}

/* Returns a set of the library as one that may be added to. */
static struct metric_set *own_set(struct session *ses, const struct metric_set *set)
{
	for (int i = 0; i < ses->sets.lib.n_sets && set; i++)
		if (ses->sets.lib.sets[i] == set)
			return ses->sets.lib.sets[i];
	return NULL;
}

/* Marks what is an estimate on the device that is open. */
static void estimate(struct session *ses, struct metric_set *set)
{
	const struct feed *feeds[DEVICE_MAX_SOURCES];

	if (!ses->dev || !set || set->is_head)
		return;
	for (int i = 0; i < ses->dev->n_sources; i++)
		feeds[i] = &ses->dev->sources[i]->feed;
	metric_set_estimate(set, feeds, ses->dev->n_sources);
}

const struct metric_set *sets_whole(struct session *ses, const struct metric_set *set)
{
	if (!set || !set->is_head)
		return set;
	metric_lib_load_body(&ses->sets.lib, set, find_file(NULL, set->file), find_file, NULL,
		set_problem, ses);
	packed_forget();
	estimate(ses, own_set(ses, set));
	return set;
}

static const struct metric_set *find_set(
	struct session *ses, const char *name, const char *platform)
{
	return sets_whole(ses, metric_lib_find(&ses->sets.lib, name, platform));
}

void sets_load_bodies(struct session *ses)
{
	for (int i = 0; i < ses->sets.lib.n_sets; i++)
		sets_whole(ses, ses->sets.lib.sets[i]);
}

int sets_load_file(struct metric_lib *lib, const char *path, metric_problem_fn *fn, void *ctx)
{
	struct err err = { 0 };
	size_t len;
	char *text = file_read_all(path, MAX_FILE_BYTES, &len, &err);

	if (text && strlen(text) != len)
		err_set(&err, ERR_PARSE, _("'%s' is not text: it has a NUL byte"), path);
	if (!text || err.code) {
		fn(ctx, &err);
		free(text);
		return 1;
	}
	int n = metric_lib_load(lib, path, text, find_file, NULL, fn, ctx);
	free(text);
	return n;
}

static void no_problem(void *ctx, const struct err *err)
{
	(void)ctx;
	(void)err;
}

/* The user's folder, and the problems with its files. */
struct user_files {
	struct session *session;
	metric_problem_fn *problem;
	char folder[4096];
};

static bool load_user_file(void *ctx, const char *name)
{
	struct user_files *u = ctx;
	size_t len = strlen(name);
	char path[4096 + 256];

	if (len <= 8 || strcmp(name + len - 8, ".metrics") || name[0] == '.')
		return true;
	snprintf(path, sizeof(path), "%s/%.250s", u->folder, name);
	sets_load_file(&u->session->sets.lib, path, u->problem, u->session);
	return true;
}

/* Loads the user's sets. Later sets win, so they follow the built-in ones, and are read again after
 * sets of another platform were added. */
static void load_user(struct session *ses)
{
	struct user_files u = { .session = ses, .problem = set_problem };
	const struct fsroot real = { .prefix = "" };
	struct err err = { 0 };

	if (ses->sets.user_files_loaded)
		u.problem = no_problem;
	if (user_path(u.folder, sizeof(u.folder), "XDG_DATA_HOME", "/.local/share",
		    "/rooftop/metrics") &&
		fsroot_exists(&real, u.folder))
		fsroot_each(&real, u.folder, load_user_file, &u, &err);
	for (int i = 0; i < ses->opt->xml_files.n; i++) {
		if (!counter_sets_load(
			    &ses->sets.lib, ses->opt->xml_files.names[i], u.problem, ses, &err))
			u.problem(ses, &err);
	}
	for (int i = 0; i < ses->opt->metric_files.n; i++)
		sets_load_file(&ses->sets.lib, ses->opt->metric_files.names[i], u.problem, ses);
	ses->sets.user_files_loaded = true;
}

static bool add_custom(
	struct session *ses, const char *file, const struct chosen_events *e, struct err *err)
{
	const struct counter_family *family = counter_family_of(e->device);
	struct strbuf text = { 0 };

	if (!family) {
		err_set(err, ERR_USAGE, _("events cannot be chosen on %s"), e->device->id);
		return err_hint(err, _("-D chooses another device"));
	}
	bool good = family->custom_set(&text, e, err);
	if (good)
		metric_lib_load(&ses->sets.lib, file, strbuf_str(&text), find_file, NULL,
			set_problem, ses);
	struct metric_set *set = own_set(
		ses, metric_lib_find(&ses->sets.lib, CHOSEN_SET, e->device->platform));
	if (good && set && e->in)
		metric_set_direct(set, CHOSEN_IN, xstrdup(e->in), "--eu-events-in", 0);
	strbuf_release(&text);
	return good;
}

/* Loads the set that --counter asks for, once for each platform. Recordings differ one by one, and
 * one that was made with chosen events brings them along. */
static bool load_custom(struct session *ses, const struct device *d, struct err *err)
{
	const struct device_options *o = ses->want;
	char text[sizeof(d->recording.events)], *at = NULL;
	const char *names[MAX_CHOSEN];
	struct chosen_events e = { .fs = &ses->program->fs, .device = d, .names = names };
	struct err bad = { 0 };

	if (!d->recorded) {
		bool known = metric_lib_find(&ses->sets.lib, CHOSEN_SET, d->platform) != NULL;

		e.names = (const char *const *)o->counters;
		e.n = o->n_counters;
		e.in = o->events_in;
		e.note = set_problem;
		e.ctx = ses;
		/* Subslices differ card by card. */
		return !e.n || (known && !e.in) || add_custom(ses, "--counter", &e, err);
	}
	memcpy(text, d->recording.events, sizeof(text));
	for (char *word = strtok_r(text, " ", &at); word && e.n < MAX_CHOSEN;
		word = strtok_r(NULL, " ", &at)) {
		if (!strncmp(word, RECORDED_IN, strlen(RECORDED_IN)))
			e.in = word + strlen(RECORDED_IN);
		else
			names[e.n++] = word;
	}
	/* A file that names no such events still has the counters of fixed meaning. */
	if (e.n > 0 && !add_custom(ses, d->id, &e, &bad))
		session_problem(ses, &bad);
	return true;
}

void sets_fit(struct session *ses, const struct device *d, bool hide)
{
	const struct counter_family *family = counter_family_of(d);

	for (int i = 0; i < ses->sets.lib.n_sets && family && family->fit; i++)
		if (metric_set_has_platform(ses->sets.lib.sets[i], d->platform))
			family->fit(ses->sets.lib.sets[i], d, hide);
}

void sets_estimate(struct session *ses)
{
	for (int i = 0; i < ses->sets.lib.n_sets; i++)
		estimate(ses, ses->sets.lib.sets[i]);
}

void sets_key(const struct device *d, char *key, size_t size)
{
	snprintf(key, size, "set.%s", text_or(d->pci_address, d->id));
	for (char *p = key; *p; p++)
		if (*p == '=' || *p == ' ')
			*p = '_';
}

void sets_load(struct session *ses, const struct device *d)
{
	if (load_embedded(ses, d && *d->platform ? d->platform : NULL) ||
		!ses->sets.user_files_loaded)
		load_user(ses);
	if (d)
		sets_fit(ses, d, true);
}

bool sets_is_visible(const struct session *ses, int i, const char *platform)
{
	const struct metric_set *set = ses->sets.lib.sets[i];

	if (!metric_set_has_platform(set, platform))
		return false;
	for (int k = i + 1; k < ses->sets.lib.n_sets; k++) {
		if (!strcmp(ses->sets.lib.sets[k]->name, set->name) &&
			metric_set_has_platform(ses->sets.lib.sets[k], platform))
			return false;
	}
	return true;
}

/* Returns the set that is shown; of one with a glance at another it is not a merged one. */
static const struct metric_set *current_set(const struct session *ses)
{
	return ses->now->rotation && ses->now->rotation->is_glance ? ses->now->rotation->part[0].set
								   : ses->now->set;
}

static int current_index(const struct session *ses)
{
	for (int i = 0; i < ses->sets.lib.n_sets; i++) {
		if (ses->sets.lib.sets[i] == current_set(ses))
			return i;
	}
	return -1;
}

static bool counts_level(const struct metric_set *set, const char *word)
{
	for (int i = 0; i < set->n_metrics; i++) {
		const struct metric_limit *l = &set->metrics[i].limit;

		if ((l->role == LIMIT_WAITING || l->role == LIMIT_OCCUPANCY) &&
			!strcmp(limit_role_name(l->role), word))
			return true;
		/* What all devices share is counted beside any set, where it is. */
		if ((l->role == LIMIT_LEVEL || l->role == LIMIT_PIPE) && !l->shared &&
			!strcmp(l->word, word))
			return true;
	}
	return false;
}

const struct metric_set *sets_counting(
	struct session *ses, const struct device *d, const char *word)
{
	const struct metric_set *now = ses->now->set;
	const struct metric_set *usual = metric_lib_find(&ses->sets.lib, "memory", d->platform);

	if (counts_level(now, word))
		return now;
	if (usual && counts_level(sets_whole(ses, usual), word))
		return usual;
	for (int i = 0; i < ses->sets.lib.n_sets; i++) {
		const struct metric_set *set = ses->sets.lib.sets[i];

		if (sets_is_visible(ses, i, d->platform) && !sets_is_profile(set) &&
			metric_set_fits(set, d) && counts_level(sets_whole(ses, set), word))
			return set;
	}
	return NULL;
}

bool sets_is_profile(const struct metric_set *set)
{
	int pos = 0;

	return metric_set_directive(set, "turns", &pos) != NULL;
}

const struct metric_set *sets_next(const struct session *ses, const char *platform, bool map)
{
	int at = current_index(ses);

	for (int k = 1; k <= ses->sets.lib.n_sets; k++) {
		int i = (at + k) % ses->sets.lib.n_sets;
		const struct metric_set *set = ses->sets.lib.sets[i];

		if (sets_is_visible(ses, i, platform) && set != current_set(ses) &&
			(!map || set->n_cells) && !sets_is_profile(set))
			return set;
	}
	return NULL;
}

static const struct metric_set *by_guid(const struct session *ses, const struct device *d)
{
	for (int i = ses->sets.lib.n_sets - 1; i >= 0 && *d->recording.guid; i--) {
		const struct metric_set *set = ses->sets.lib.sets[i];
		const struct set_directive *g;
		int pos = 0;

		while (metric_set_has_platform(set, d->platform) &&
			(g = metric_set_directive(set, "guid", &pos))) {
			if (!strcmp(g->args, d->recording.guid))
				return set;
		}
	}
	return NULL;
}

/* Cells of maps may be counters that no equation names. */
static bool has_cell_of(const struct metric_set *set, const char *name)
{
	for (int k = 0; k < set->n_cells; k++) {
		const struct set_cells *c = &set->cells[k];

		for (int i = 0; i < c->n_names * c->n_cells && !c->members; i++)
			if (!strcmp(c->counters[i], name))
				return true;
	}
	return false;
}

static bool reads_counter(const struct metric_set *set, const char *name)
{
	for (int i = 0; i < set->n_inputs; i++) {
		enum metric_input_kind kind = set->inputs[i].kind;

		if ((kind == INPUT_COUNTER || kind == INPUT_RATE) &&
			!strcmp(set->inputs[i].name, name))
			return true;
	}
	return has_cell_of(set, name);
}

const struct metric_set *sets_next_with(struct session *ses, const char *name,
	const char *platform, bool counters, int *at, int *metric)
{
	int other;

	while (++*at < ses->sets.lib.n_sets) {
		const struct metric_set *set = ses->sets.lib.sets[*at];

		if (platform && !sets_is_visible(ses, *at, platform))
			continue;
		sets_whole(ses, set);
		*metric = metric_set_find(set, NULL, name, &other);
		bool fits = *metric >= 0;
		if (counters)
			fits = reads_counter(set, name);
		if (fits)
			return set;
	}
	return NULL;
}

static bool is_listed(const char *names, const char *name)
{
	char word[96];	/* longer than any name */

	while (parse_until(&names, ' ', word, sizeof(word)))
		if (!strcmp(word, name))
			return true;
	return false;
}

int sets_names_ending(
	struct session *ses, const char *platform, const char *word, struct strbuf *names)
{
	int n = 0;

	for (int i = 0; i < ses->sets.lib.n_sets; i++) {
		const struct metric_set *set = ses->sets.lib.sets[i];

		if (platform && !sets_is_visible(ses, i, platform))
			continue;
		sets_whole(ses, set);
		for (int k = 0; k < set->n_metrics; k++) {
			const char *name = set->metrics[k].name, *dot = strrchr(name, '.');

			if (!dot || strcasecmp(dot + 1, word) || is_listed(strbuf_str(names), name))
				continue;
			strbuf_add_word(names, " ", name);
			n++;
		}
	}
	return n;
}

bool sets_exist(struct session *ses, const struct device *d)
{
	sets_load(ses, d);
	for (int i = 0; i < ses->sets.lib.n_sets; i++)
		if (sets_is_visible(ses, i, d->platform))
			return true;
	return false;
}

bool sets_known(struct session *ses, const char *name)
{
	sets_load(ses, NULL);
	for (int i = 0; i < ses->sets.lib.n_sets; i++)
		if (!strcasecmp(ses->sets.lib.sets[i]->name, name))
			return true;
	return false;
}

void sets_none(const struct device *d, struct err *err)
{
	err_set(err, ERR_UNSUPPORTED, _("no metric sets are known for %s (%s)"), d->name,
		text_or(d->platform, d->id));
	err_hint(err,
		_("--metrics-xml oa-%s.xml loads its vendor's sets; --metrics FILE loads your own"),
		d->platform);
}

static const struct metric_set *not_found(
	struct session *ses, const struct device *d, const char *name, struct err *err)
{
	struct strbuf names = { 0 };

	if (!sets_exist(ses, d)) {
		sets_none(d, err);
		return NULL;
	}
	for (int i = 0; i < ses->sets.lib.n_sets; i++)
		if (sets_is_visible(ses, i, d->platform))
			strbuf_add_word(&names, ", ", ses->sets.lib.sets[i]->name);
	err_set(err, ERR_USAGE, _("no metric set '%s' for %s"), name, text_or(d->name, d->id));
	err_hint(err, _("sets of this device: %s"), strbuf_str(&names));
	strbuf_release(&names);
	return NULL;
}

const struct metric_set *sets_of_recording(struct session *ses, const struct device *d)
{
	const struct metric_set *set = find_set(ses, d->recording.set, d->platform);

	if (set)
		return set;
	return sets_whole(ses, by_guid(ses, d));
}

/* Returns the set of a recording. Only that set tells what the programmable counters hold; without
 * it those of fixed meaning are left. */
static const struct metric_set *recorded_set(
	struct session *ses, const struct device *d, struct err *err)
{
	const struct metric_set *set = sets_of_recording(ses, d);
	struct err note = { 0 };

	if (set)
		return set;
	if (*d->recording.turns && ses->opt->task != TASK_RUN && ses->opt->task != TASK_SCRIPT) {
		err_set(err, ERR_USAGE,
			_("'%s' is several sets that take turns; this command needs one set"),
			d->recording.set);
		err_hint(err, _("rooftop -r FILE shows all of them"));
		return NULL;
	}
	set = find_set(ses, "fixed", d->platform);
	if (!set) {
		err_set(err, ERR_USAGE,
			_("the recording was made with metric set '%s', which is not known for %s"),
			d->recording.set, d->platform);
		err_hint(err, _("--metrics-xml oa-%s.xml loads its vendor's sets"), d->platform);
		return NULL;
	}
	err_set(&note, ERR_USAGE,
		_("the recording's metric set '%s' is not known for %s: only counters of fixed "
		  "meaning are shown"),
		d->recording.set, d->platform);
	err_hint(&note, _("--metrics-xml oa-%s.xml loads its vendor's sets"), d->platform);
	session_problem(ses, &note);
	return set;
}

/* Adds wishes to a set that does not have them yet. */
static bool add_wishes(struct session *ses, const struct device *d, struct metric_set *set,
	const struct metric_wish *wishes, int n, struct err *err)
{
	const struct counter_family *family = counter_family_of(d);

	for (int i = 0; i < set->n_directives; i++)
		if (!strcmp(set->directives[i].file, wishes[0].option))
			return true;
	if (family && family->add_wishes)
		return family->add_wishes(set, d, wishes, n, ses->want->access, err);
	return err_set(err, ERR_USAGE, _("%s asks programmable counters, '%s' has none"),
		wishes[0].option, d->id);
}

/* Adds what options ask to the set that the session begins with. */
static bool ask(
	struct session *ses, const struct device *d, struct metric_set *set, struct err *err)
{
	const struct metric_wish *wishes = ses->want->wishes;
	int pos = 0;

	if (ses->want->n_wishes == 0)
		return true;
	if (d->recorded) {
		err_set(err, ERR_USAGE,
			_("%s asks the hardware while it counts, the reports of '%s' are recorded"),
			wishes[0].option, d->id);
		return err_hint(err,
			_("a recording that was made with %s brings its answers along"),
			wishes[0].option);
	}
	if (metric_set_directive(set, "turns", &pos)) {
		err_set(err, ERR_USAGE,
			_("%s asks the hardware within one set, and '%s' is several that take turns"),
			wishes[0].option, set->name);
		return err_hint(err, _("-m chooses one of them; -m help names them"));
	}
	size_t len = 0;
	for (int i = 0; i < ses->want->n_wishes; i++)
		if (!strcmp(wishes[i].option, RECORDED_WISH))
			len += strlen(wishes[i].words) + 1;
	if (len > sizeof(d->recording.booleans))
		return err_set(err, ERR_USAGE,
			_("the questions of %s have %zu bytes, and recordings have room for %zu"),
			RECORDED_WISH, len - 1, sizeof(d->recording.booleans) - 1);
	return add_wishes(ses, d, set, wishes, ses->want->n_wishes, err);
}

/* A recording that was made with --boolean brings the questions along. */
static void ask_again(struct session *ses, const struct device *d, struct metric_set *set)
{
	char text[sizeof(d->recording.booleans)], *at = NULL;
	struct metric_wish wishes[MAX_CHOSEN];
	struct err bad = { 0 };
	int n = 0;

	memcpy(text, d->recording.booleans, sizeof(text));
	for (char *word = strtok_r(text, ";", &at); word && n < MAX_CHOSEN;
		word = strtok_r(NULL, ";", &at))
		wishes[n++] = (struct metric_wish){ RECORDED_WISH, word };
	if (n > 0 && !add_wishes(ses, d, set, wishes, n, &bad))
		session_problem(ses, &bad);
}

/* Completes a set that was chosen; NULL stays NULL. is_first: the session begins with it. */
static const struct metric_set *with_questions(struct session *ses, const struct device *d,
	const struct metric_set *chosen, bool is_first, struct err *err)
{
	const struct counter_family *family = counter_family_of(d);
	struct metric_set *set = own_set(ses, chosen);

	if (!set)
		return chosen;
	if (is_first && !ask(ses, d, set, err))
		return NULL;
	if (d->recorded && !strcasecmp(set->name, d->recording.set))
		ask_again(ses, d, set);
	if (family && family->describe)
		family->describe(set, d);
	return set;
}

/* Whether a set has all metrics that --columns names. What is counted beside any set, where a
 * machine can, is none that a short name stands for. */
static bool has_columns(const struct metric_set *set, const char *words)
{
	char word[64];
	int other;

	while (parse_until(&words, ',', word, sizeof(word))) {
		int i = metric_set_find(set, NULL, word, &other);

		if (i < 0 || (set->metrics[i].limit.shared && strcmp(set->metrics[i].name, word)))
			return false;
	}
	return true;
}

/* Returns the usual set, or the first one that counts what --columns names where that one does not;
 * where none counts all of it, the usual one. */
static const struct metric_set *with_columns(
	struct session *ses, const struct device *d, const struct metric_set *usual)
{
	const char *words = ses->opt->columns;

	if (!words || has_columns(sets_whole(ses, usual), words))
		return usual;
	for (int i = 0; i < ses->sets.lib.n_sets; i++) {
		const struct metric_set *set = ses->sets.lib.sets[i];

		if (sets_is_visible(ses, i, d->platform) && !sets_is_profile(set) &&
			has_columns(sets_whole(ses, set), words) && metric_set_fits(set, d))
			return set;
	}
	return usual;
}

static const struct metric_set *choose(
	struct session *ses, const struct device *d, const char *name, struct err *err)
{
	const char *usual[] = { NULL, "memory", "overview" };
	const struct metric_set *set;
	char key[128];

	sets_load(ses, d);
	if (!load_custom(ses, d, err))
		return NULL;
	if (!name && ses->want->n_counters && !d->recorded)
		name = CHOSEN_SET;
	if (!name)
		name = ses->want->set;
	if (name) {
		set = find_set(ses, name, d->platform);
		return set ? set : not_found(ses, d, name, err);
	}
	if (d->recorded && *d->recording.set)
		return recorded_set(ses, d, err);
	sets_key(d, key, sizeof(key));
	usual[0] = settings_get(&ses->program->settings, key);
	if (!usual[0])
		usual[0] = settings_get(&ses->program->settings, "set");
	for (size_t i = 0; i < ARRAY_LEN(usual); i++) {
		set = usual[i] ? find_set(ses, usual[i], d->platform) : NULL;
		if (set)
			return with_columns(ses, d, set);
	}
	return not_found(ses, d, "overview", err);
}

const struct metric_set *sets_choose(
	struct session *ses, const struct device *d, const char *name, struct err *err)
{
	return with_questions(ses, d, choose(ses, d, name, err), !name, err);
}
