/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Terminal, ticks, keys and signals around one or two consoles. */
#include "config.h"

#include "screen/monitor.h"

#include <ctype.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "out/export/export.h"
#include "session/devices/devices.h"
#include "session/program.h"
#include "session/window/refresh.h"
#include "screen/split.h"
#include "session/window/session_ticks.h"
#include "base/ending.h"
#include "base/i18n.h"
#include "base/loop.h"
#include "base/mem.h"
#include "ui/draw/term.h"

/* Values on the screen change at most five times a second, however short the windows are. */
#define FRAME_MIN_NS (190 * NS_PER_MS)

struct monitor;

/* A half in the event loop: its ticks, its sources, its worker. */
struct seat {
	struct monitor *monitor;
	struct half *half; /* NULL: the seat is free */
	int64_t drawn_ns;		/* last frame with new values */
	struct session_ticks ticks;
};

/* A session that is open but not in a half: it goes on for exports and for the list of all
 * devices. */
struct feeder {
	struct monitor *monitor;
	struct feeder *next;
	struct session_ticks ticks;
};

struct monitor {
	struct feeder *feeders; /* heap */
	struct split split;
	struct seat seat[SPLIT_HALVES];
	struct loop *loop;
	uint64_t windows;		/* of the first half */
	int signo;
	bool no_more_keys;		/* standard input has ended */
	int broken;			/* why nothing can be drawn any more, errno */
	bool redraw;			/* the next frame paints everything */
	bool quit;
	bool on_devices;		/* the screen with the keys is that of devices */
	struct device_listener listener;
};

/* Draws everything, or only the half that has changed when only is not NULL. */
static void draw(struct monitor *m, const struct half *only)
{
	int w, h;

	if (m->redraw)
		term_redraw();
	m->redraw = false;
	term_size(&w, &h);
	const struct canvas *c = split_draw(&m->split, only, w, h);
	m->broken = term_blit(c, split_focused(&m->split)->view.scheme);
	if (m->broken)
		loop_stop(m->loop);
}

/* The terminal has read the last frame; others may have been passed over meanwhile. */
static void on_terminal_ready(void *ctx)
{
	draw(ctx, NULL);
}

static void on_feeder_tick(void *ctx, struct session *ses)
{
	struct feeder *f = ctx;
	bool is_new = refresh_tick(ses);
	struct err err = { 0 };

	if (!record_service(ses, &err) || !export_service(ses, is_new, &err))
		console_say_err(split_focused(&f->monitor->split), &err);
	devices_look_for(ses);
	if (ses->play.ended)
		session_ticks_stop(&f->ticks);
}

static bool is_in_half(const struct monitor *m, const struct session *ses)
{
	for (int i = 0; i < m->split.n; i++)
		if (m->split.half[i]->session == ses)
			return true;
	return false;
}

static bool is_open(const struct program *p, const struct session *ses)
{
	for (int i = 0; i < p->n_sessions; i++)
		if (p->sessions[i] == ses)
			return true;
	return false;
}

/* Ends the feeders of sessions that are in a half now, or gone; with all of every session. */
static void stop_feeders(struct monitor *m, bool all)
{
	struct feeder **at = &m->feeders;

	while (*at) {
		struct feeder *f = *at;

		if (!all && is_open(m->split.program, f->ticks.session) &&
			!is_in_half(m, f->ticks.session)) {
			at = &f->next;
			continue;
		}
		session_ticks_stop(&f->ticks);
		*at = f->next;
		free(f);
	}
}

/* Gives a feeder to each session that is in no half and has none. */
static void start_feeders(struct monitor *m)
{
	struct program *p = m->split.program;
	struct err err = { 0 };

	for (int i = 0; i < p->n_sessions; i++) {
		struct session *ses = p->sessions[i];
		struct feeder *f = m->feeders;

		while (f && f->ticks.session != ses)
			f = f->next;
		if (f || is_in_half(m, ses))
			continue;
		f = xcalloc(1, sizeof(*f));
		f->monitor = m;
		f->next = m->feeders;
		m->feeders = f;
		if (!session_ticks_start(&f->ticks, ses, m->loop, on_feeder_tick, f, &err))
			session_problem(ses, &err);
	}
}

/* Does what follows a tick; -n counts the windows of the first half. */
static void after_window(struct seat *s, bool is_new)
{
	struct monitor *m = s->monitor;
	const struct session *ses = s->half->session;
	int64_t now_ns = clock_mono_ns(&ses->clock);

	device_changes_follow(m->split.program, now_ns, false);
	console_after_tick(&s->half->console, is_new);
	if (is_new && s == &m->seat[0] && ses->opt->windows && ++m->windows >= ses->opt->windows)
		loop_stop(m->loop);
	if (now_ns - s->drawn_ns >= FRAME_MIN_NS) {
		s->drawn_ns = now_ns;
		draw(m, s->half);
	}
}

static void on_tick(void *ctx, struct session *ses)
{
	after_window(ctx, refresh_tick(ses));
}

/* A new phase of a job gets a frame at once; its progress waits for the tick. */
static void on_phase(void *ctx, struct session *ses)
{
	struct seat *s = ctx;

	(void)ses;
	console_after_tick(&s->half->console, false);
	draw(s->monitor, s->half);
}

/* Lets the seat tick, from the start or as before. */
static void watch_seat(struct seat *s, struct half *half)
{
	struct err err = { 0 };
	bool good;

	if (s->half != half || !half || s->ticks.session != half->session)
		session_ticks_stop(&s->ticks);
	s->half = half;
	if (!half)
		return;
	if (s->ticks.runs)
		good = session_ticks_update(&s->ticks, &err);
	else
		good = session_ticks_start(
			&s->ticks, half->session, s->monitor->loop, on_tick, s, &err);
	s->ticks.load_fn = on_phase;
	if (good)
		return;
	session_problem(half->session, &err);
	loop_stop(s->monitor->loop);
}

/* Gives each half its seat, and adds its open descriptors to the loop. */
static void watch(struct monitor *m)
{
	stop_feeders(m, false);
	for (int i = 0; i < SPLIT_HALVES; i++)
		watch_seat(&m->seat[i], i < m->split.n ? m->split.half[i] : NULL);
	start_feeders(m);
}

static void quit(void *ctx)
{
	struct monitor *m = ctx;

	m->quit = true;
	loop_stop(m->loop);
}

static void suspend(void *ctx)
{
	struct monitor *m = ctx;

	term_suspend();
	m->redraw = true;
}

static void redraw(void *ctx)
{
	struct monitor *m = ctx;

	m->redraw = true;
}

static void switch_mouse(void *ctx, bool on)
{
	(void)ctx;
	term_mouse(on);
}

static const struct screen_driver driver = {
	.quit = quit, .suspend = suspend, .redraw = redraw, .mouse = switch_mouse
};

/* Opening a screen that lists devices looks at the machine once more. */
static void follow_devices(struct monitor *m)
{
	const struct console *c = split_focused(&m->split);
	bool on_devices = c->view.screen == VIEW_DEVICES || c->view.screen == VIEW_ALL;

	if (on_devices && !m->on_devices)
		device_changes_follow(m->split.program, clock_mono_ns(&c->session->clock), true);
	m->on_devices = on_devices;
}

static void on_input(void *ctx, int fd, short revents)
{
	struct monitor *m = ctx;
	struct key_event k;

	(void)fd;
	/* Keys may close what is watched. */
	for (int i = 0; i < SPLIT_HALVES; i++)
		session_ticks_let_go(&m->seat[i].ticks);
	while (!m->quit && term_key(&k)) {
		m->no_more_keys |= k.code == KEY_EOF_;
		dispatch_key(&m->split, &k);
	}
	if (revents & (POLLERR | POLLNVAL))
		quit(m);
	if (m->quit)
		return;
	follow_devices(m);
	watch(m);
	draw(m, NULL);
}

/* A card was plugged or pulled, or got another driver. */
static void on_told(void *ctx)
{
	struct monitor *m = ctx;
	struct session *ses = split_focused(&m->split)->session;

	log_add(&ses->log, clock_wall_ns(&ses->clock), LOG_INFO,
		_("the kernel tells that a device came, went or got another driver"));
	device_changes_told(m->split.program, clock_mono_ns(&ses->clock));
	draw(m, NULL);
}

static void on_signal(void *ctx, int signo)
{
	struct monitor *m = ctx;

	switch (signo) {
	case SIGWINCH:
		term_resized();
		draw(m, NULL);
		break;
	case SIGTSTP:
		suspend(m);
		draw(m, NULL);
		break;
	case SIGCONT:
		m->redraw = true;
		draw(m, NULL);
		break;
	case SIGUSR1:
		for (struct seat *s = m->seat; s < m->seat + m->split.n; s++) {
			after_window(s, refresh_now(s->half->session));
			session_ticks_again(&s->ticks, NULL);
		}
		break;
	default:
		m->signo = signo;
		loop_stop(m->loop);
	}
}

static bool start(struct monitor *m, struct err *err)
{
	static const int signals[] = { SIGWINCH, SIGTSTP, SIGCONT, SIGUSR1, ENDING_SIGNALS, 0 };

	m->loop = loop_new(signals, err);
	if (!m->loop)
		return false;
	for (int i = 0; i < SPLIT_HALVES; i++)
		m->seat[i] = (struct seat){ .monitor = m };
	mem_set_oom_hook(term_close);
	if (!term_open(NULL, stdout, stdin, split_focused(&m->split)->mouse, err))
		return false;
	m->split.program->print_problems = false;
	loop_on_signal(m->loop, on_signal, m);
	term_when_ready(m->loop, on_terminal_ready, m);
	loop_add_fd(m->loop, STDIN_FILENO, POLLIN, on_input, m);
	m->listener = (struct device_listener){
		.program = m->split.program, .loop = m->loop, .told = on_told, .ctx = m
	};
	device_changes_listen(&m->listener);
	export_start(m->split.program, m->loop);
	follow_devices(m);
	draw(m, NULL);
	watch(m);
	mem_forget_start();
	return true;
}

/* Pictures of scripts have no host, so that they are the same everywhere. A name that cannot be
 * drawn is not shown. */
static void find_host(struct program *p)
{
	if (gethostname(p->host, sizeof(p->host)) != 0 ||
		!memchr(p->host, '\0', sizeof(p->host)))
		p->host[0] = '\0';
	p->host[strcspn(p->host, ".")] = '\0';
	for (const char *c = p->host; *c; c++)
		if (!isgraph((unsigned char)*c)) {
			p->host[0] = '\0';
			return;
		}
}

enum status monitor_run(struct program *p, bool ascii, int *signo)
{
	struct monitor m = { .listener.fd = -1 };
	enum status status = STATUS_GOOD;
	struct err err = { 0 };

	find_host(p);
	split_init(&m.split, p, &driver, &m, ascii);
	if (!start(&m, &err) || !loop_run(m.loop, &err))
		status = STATUS_FAILURE;
	term_close();
	p->print_problems = true;
	if (m.broken && !m.signo) {
		errno = m.broken;
		status = STATUS_FAILURE;
		err_sys(&err, "%s", _("cannot draw on the terminal"));
	}
	if (m.no_more_keys) {
		err_set(&err, ERR_END, _("standard input has ended, and with it the keys"));
		err_hint(&err, _("the screen reads keys from a terminal; -b, -J and -c need none"));
	}
	if (status != STATUS_GOOD || m.no_more_keys)
		session_print_err(&err);
	if (!export_close(p, &err)) {
		session_print_err(&err);
		status = STATUS_FAILURE;
	}
	stop_feeders(&m, true);
	device_changes_stop_listening(&m.listener);
	loop_free(m.loop);
	split_release(&m.split);
	*signo = m.signo;
	return status;
}
