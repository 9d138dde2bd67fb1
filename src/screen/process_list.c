/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sorts, filters and signals the processes of the processes screen. */
#include "config.h"

#include "screen/console.h"

#include <signal.h>
#include <string.h>

#include "base/i18n.h"

void process_list_update(struct process_list *p, const struct session *ses,
	const struct client_choice *choice, struct view_model *m)
{
	static const struct client_choice by_process = { .by_process = true };
	const struct client_table *t = &ses->clients.table;

	m->tracks = &p->tracks;
	if (!ses->dev || !ses->dev->clients)
		return;
	m->clients_how = ses->dev->clients->how;
	if (!ses->clients.wanted)
		return;
	/* The newest scan may be younger than the last window. */
	m->clients = t;
	/* The past is kept by process, busiest first, whatever the screen shows. */
	if (t->why == WHY_OK && t->t_ns != p->pushed_ns) {
		client_select(t, &by_process, &p->all);
		client_tracks_push(&p->tracks, &p->all, t->n_engines);
		p->pushed_ns = t->t_ns;
	}
	client_select(t, choice, &p->list);
	m->client_list = &p->list;
}

static const char *const sort_names[CLIENT_SORTS] = { "use", "memory", "time", "cpu", "pid", "user",
	"command" };

static void load_switch(const struct settings *s, const char *key, bool *on)
{
	const char *value = settings_get(s, key);

	if (value)
		*on = !strcmp(value, "on");
}

static void save_switch(struct settings *s, const char *key, bool on)
{
	settings_set(s, key, on ? "on" : "off");
}

bool process_list_load(const struct settings *s, struct client_choice *choice)
{
	const char *sort = settings_get(s, "processes-sort");
	bool good = !sort;

	for (int i = 0; sort && i < CLIENT_SORTS; i++)
		if (!strcmp(sort, sort_names[i])) {
			choice->sort = (enum client_sort)i;
			good = true;
		}
	load_switch(s, "processes-inverted", &choice->invert);
	load_switch(s, "processes-hide-idle", &choice->hide_idle);
	load_switch(s, "processes-grouped", &choice->by_process);
	return good;
}

void process_list_save(struct settings *s, const struct client_choice *choice)
{
	settings_set(s, "processes-sort", sort_names[choice->sort]);
	save_switch(s, "processes-inverted", choice->invert);
	save_switch(s, "processes-hide-idle", choice->hide_idle);
	save_switch(s, "processes-grouped", choice->by_process);
}

static int signal_of(enum command cmd)
{
	switch (cmd) {
	case CMD_SIGNAL_KILL: return SIGKILL;
	case CMD_SIGNAL_INT: return SIGINT;
	case CMD_SIGNAL_STOP: return SIGSTOP;
	case CMD_SIGNAL_CONT: return SIGCONT;
	default: return SIGTERM;
	}
}

bool process_list_signal(const struct session *ses, enum command cmd, int64_t pid, struct err *err)
{
	if (ses->dev && ses->dev->device.simulated)
		return err_set(err, ERR_UNSUPPORTED,
			_("process %lld is simulated, like its GPU: no signal was sent"),
			(long long)pid);
	/* A number of another machine, or of another time, may be anybody's here. */
	if ((ses->dev && ses->dev->device.recorded) || ses->program->fs.prefix[0])
		return err_set(err, ERR_UNSUPPORTED,
			_("process %lld is of a recording or of another machine: no signal was sent"),
			(long long)pid);
	/* 0 and negative numbers would mean groups of processes. */
	if (pid <= 0)
		return err_set(err, ERR_USAGE, _("%lld is no process"), (long long)pid);
	if (!kill((pid_t)pid, signal_of(cmd)))
		return true;
	return err_sys(err, _("no signal to process %lld"), (long long)pid);
}

void process_list_release(struct process_list *p)
{
	client_list_release(&p->list);
	client_list_release(&p->all);
	client_tracks_release(&p->tracks);
	*p = (struct process_list){ 0 };
}
