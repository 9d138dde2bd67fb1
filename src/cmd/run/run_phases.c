/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What run keeps beside sums: values of windows, and phases between markers. */
#include "config.h"

#include "cmd/run/gathered.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "session/window/refresh.h"
#include "base/ending.h"
#include "base/fsroot.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "cmd/run/run_options.h"

#define WINDOWS_MAX 4096
#define FIFO_BYTES 65536	/* that it holds */
/* The word of --markers that asks for signals; a FIFO of that name is ./signal. */
#define BY_SIGNAL "signal"

const struct metric_set *run_set(const struct around *r)
{
	static const struct metric_set nothing = { .n_metrics = 0 };

	return r->counts ? r->session->now->set : &nothing;
}

/* --- windows --- */

/* Keeps every second one of those that are there, and from now on half as many. */
static void thin_out(struct run_windows *w)
{
	for (int i = 0; i < w->n / 2; i++)
		memcpy(&w->v[i * w->n_metrics], &w->v[2 * i * w->n_metrics],
			(size_t)w->n_metrics * sizeof(*w->v));
	w->n /= 2;
	w->stride *= 2;
}

void run_window(struct around *r)
{
	struct run_windows *w = &r->kept;
	const struct snapshot *s = refresh_snapshot(r->session);

	window_sum_add(&r->phase_sum, r->session->got.samples);
	if (!w->v) {
		w->n_metrics = r->session->now->set->n_metrics;
		w->stride = 1;
	}
	/* Windows that a marker or the end has cut short say little, and would count as much as
	 * whole ones. */
	if (s->window_ns < r->session->window.length_ns / 2 || w->seen++ % w->stride != 0)
		return;
	if (w->n == WINDOWS_MAX)
		thin_out(w);
	if (w->n == w->cap) {
		w->cap = w->cap ? 2 * w->cap : 64;
		w->v = xreallocarray(w->v, (size_t)w->cap * (size_t)w->n_metrics, sizeof(*w->v));
	}
	for (int i = 0; i < w->n_metrics; i++)
		w->v[w->n * w->n_metrics + i] = (float)s->values[i].v;
	w->n++;
}

static int compare(const void *a, const void *b)
{
	float x = *(const float *)a, y = *(const float *)b;

	return (x > y) - (x < y);
}

double run_percentile(const struct around *r, int metric, double share)
{
	const struct run_windows *w = &r->kept;
	float *v = xcalloc((size_t)w->n + 1, sizeof(*v));
	double found = NAN;
	int n = 0;

	for (int i = 0; i < w->n; i++)
		if (isfinite(w->v[i * w->n_metrics + metric]))
			v[n++] = w->v[i * w->n_metrics + metric];
	qsort(v, (size_t)n, sizeof(*v), compare);
	/* Of fewer a twentieth is less than one. Between two of them the value lies on the line. */
	if (n >= PERCENTILE_WINDOWS) {
		double at = share * (n - 1);
		int i = (int)at;

		found = (double)v[i] + (at - i) * (double)(v[i + (i + 1 < n)] - v[i]);
	}
	free(v);
	return found;
}

struct spread run_spread(const struct around *r, int metric)
{
	const struct run_windows *w = &r->kept;
	struct series s = { 0 };

	/* Between two runs the neighbours are none, which does not matter for many windows. */
	for (int i = 0; i < w->n; i++)
		series_add(&s, (double)w->v[i * w->n_metrics + metric]);
	return series_spread(&s);
}

/* --- phases --- */

void run_phase_change(struct around *r, int64_t now_ns, const char *name)
{
	struct session *ses = r->session;
	size_t size = (size_t)run_set(r)->n_metrics * sizeof(struct value);

	r->phases_left_out += *r->phase_name && r->n_phases == RUN_PHASES_MAX;
	if (*r->phase_name && r->n_phases < RUN_PHASES_MAX) {
		r->phases = array_grow(r->phases, r->n_phases, &r->cap_phases, sizeof(*r->phases));
		struct run_phase *p = &r->phases[r->n_phases++];

		*p = (struct run_phase){ .run = r->n_runs + 1,
			.start_s = (double)(r->phase_ns - r->command_ns) / NS_PER_S,
			.seconds = (double)(now_ns - r->phase_ns) / NS_PER_S,
			.values = xmalloc(size + 1) };
		snprintf(p->name, sizeof(p->name), "%s", r->phase_name);
		if (r->counts) {
			window_sum_eval(&r->phase_sum,
				&rotation_active(ses->now->rotation)->binding);
			window_sum_verdict(&r->phase_sum,
				rotation_active(ses->now->rotation)->set, &p->verdict);
			memcpy(p->values, r->phase_sum.values, size);
		} else {
			verdict_state(&p->verdict, VERDICT_NO_COUNTERS);
		}
	}
	if (r->counts)
		window_sum_clear(&r->phase_sum, now_ns);
	r->phase_ns = now_ns;
	snprintf(r->phase_name, sizeof(r->phase_name), "%s", name);
}

void run_phase(struct around *r, const char *name)
{
	struct session *ses = r->session;
	/* The next phase has the time of this reading, as its windows have. */
	struct rec_mark mark = { .kind = REC_MARK_PHASE, .t_ns = clock_mono_ns(&ses->clock) };
	bool is_new = r->counts && refresh_now(ses);

	if (is_new)
		run_window(r);
	keeper_tick(&r->keeper, is_new);
	snprintf(mark.text, sizeof(mark.text), "%s", name);
	if (*name || *r->phase_name)
		record_mark(ses, &mark);
	run_phase_change(r, mark.t_ns, name);
}

/* A line is the name of what begins now; an empty one ends a phase. */
static void take_marker(struct around *r)
{
	r->line[r->line_len] = '\0';
	r->line_len = 0;
	utf8_make_plain(r->line, "");
	run_phase(r, r->line);
}

void run_markers_read(struct around *r, int64_t limit_ns)
{
	int64_t until_ns = clock_machine_ns() + limit_ns;
	char c;

	for (int n = 0; r->markers >= 0 && n < FIFO_BYTES && clock_machine_ns() < until_ns &&
		read(r->markers, &c, 1) == 1; n++) {
		if (c == '\n') {
			take_marker(r);
			/* A signal behind the command's end means that nobody waits for more. */
			if (r->pid <= 0 && ending_signal())
				break;
		} else if (r->line_len < sizeof(r->line) - 1) {
			r->line[r->line_len++] = c;
		}
	}
}

unsigned run_markers_drop(struct around *r)
{
	unsigned lines = 0;
	char c;

	for (int i = 0; i < FIFO_BYTES && r->markers >= 0 && read(r->markers, &c, 1) == 1; i++)
		lines += c == '\n';
	r->line_len = 0;
	return lines;
}

void run_markers_signal(struct around *r, int signo)
{
	char name[16] = "";

	if (signo == SIGUSR1)
		snprintf(name, sizeof(name), "%u", ++r->signalled);
	run_phase(r, name);
}

bool run_markers_open(struct around *r, struct err *err)
{
	const char *path = r->session->opt->run->markers;
	char pid[16];
	struct stat st;

	if (!path)
		return true;
	r->by_signal = !strcmp(path, BY_SIGNAL);
	if (r->by_signal) {
		/* The parent of a shell's child is the shell. */
		snprintf(pid, sizeof(pid), "%ld", (long)getpid());
		setenv("ROOFTOP_MARKERS_PID", pid, 1);
		return true;
	}
	bool is_found = place_find(&r->fifo, path, PLACE_FOLLOWS);
	r->made_fifo = is_found && mkfifo(r->fifo.path, 0600) == 0;
	if (!is_found || (!r->made_fifo && errno != EEXIST))
		return file_cannot_write(err, path);
	/* With a writer of our own it never ends. */
	r->markers = place_open(&r->fifo, O_RDWR | O_NONBLOCK | O_CLOEXEC);
	if (r->markers < 0 || fstat(r->markers, &st) < 0)
		return file_cannot_write(err, path);
	if (!S_ISFIFO(st.st_mode)) {
		err_set(err, ERR_USAGE, "'%s' exists and is no FIFO", path);
		return err_hint(err, "mkfifo makes one, and so does rooftop where there is nothing");
	}
	/* The command may change its folder. */
	char *whole = realpath(path, NULL);
	setenv("ROOFTOP_MARKERS", whole ? whole : path, 1);
	free(whole);
	return true;
}

void run_windows_release(struct around *r)
{
	for (size_t i = 0; i < r->n_phases; i++)
		free(r->phases[i].values);
	free(r->phases);
	free(r->kept.v);
	run_clients_release(&r->clients);
	if (r->phase_sum.dev)
		window_sum_release(&r->phase_sum);
	if (r->markers >= 0)
		close(r->markers);
	if (r->made_fifo)
		unlink(r->fifo.path);
	place_leave(&r->fifo);
}
