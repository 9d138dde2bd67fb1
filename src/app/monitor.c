/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Terminal, ticks, keys and signals around a console. */
#include "config.h"

#include "app/monitor.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "app/console.h"
#include "app/devices.h"
#include "app/refresh.h"
#include "app/load.h"
#include "app/watch.h"
#include "base/i18n.h"
#include "base/loop.h"
#include "base/mem.h"
#include "ui/term.h"

/* Values on the screen change at most five times a second, however short the windows are. */
#define FRAME_MIN_NS (190 * NS_PER_MS)

struct monitor {
	struct app *app;
	struct console console;
	struct loop *loop;
	int64_t period_ns;		/* of the armed timer */
	int64_t drawn_ns;		/* last frame with new values */
	uint64_t windows;
	int signo;
	struct watch watch;
	int load_fd;			/* of the worker, -1 */
};

static void on_tick(void *ctx, uint64_t missed);

static void draw(struct monitor *m)
{
	int w, h;

	if (m->console.redraw)
		term_redraw();
	m->console.redraw = false;
	term_size(&w, &h);
	console_draw(&m->console, w, h);
	term_blit(&m->console.canvas, m->console.view.scheme);
}

static void on_source(void *ctx, int fd, short revents)
{
	struct monitor *m = ctx;

	(void)revents;
	watch_ready(&m->watch, m->app, fd);
}

static void watch_load(struct monitor *m);

/* A word of the worker. Phases are worth a frame at once, progress is not. */
static void on_load(void *ctx, int fd, short revents)
{
	struct monitor *m = ctx;
	enum job_phase before = m->app->load.state.phase;

	(void)fd;
	(void)revents;
	load_ready(m->app);
	watch_load(m);
	if (m->app->load.state.phase != before) {
		console_after_tick(&m->console, false);
		draw(m);
	}
}

/* The descriptor changes with each run. */
static void watch_load(struct monitor *m)
{
	int fd = load_fd(m->app);

	if (fd == m->load_fd)
		return;
	if (m->load_fd >= 0)
		loop_remove_fd(m->loop, m->load_fd);
	if (fd >= 0)
		loop_add_fd(m->loop, fd, POLLIN, on_load, m);
	m->load_fd = fd;
}

static void arm(struct monitor *m, bool again)
{
	int64_t period_ns = m->app->ended ? NS_PER_S : refresh_period_ns(m->app);
	struct err err = { 0 };

	if (period_ns == m->period_ns && !again)
		return;
	m->period_ns = period_ns;
	if (!loop_set_tick(m->loop, period_ns, on_tick, m, &err)) {
		app_problem(m->app, &err);
		loop_stop(m->loop);
	}
}

static void after_window(struct monitor *m, bool is_new)
{
	struct app *a = m->app;
	int64_t now_ns = clock_mono_ns(&a->clock);

	console_after_tick(&m->console, is_new);
	if (is_new && a->opt->windows && ++m->windows >= a->opt->windows)
		loop_stop(m->loop);
	if (now_ns - m->drawn_ns >= FRAME_MIN_NS) {
		m->drawn_ns = now_ns;
		draw(m);
	}
}

static void on_tick(void *ctx, uint64_t missed)
{
	struct monitor *m = ctx;

	(void)missed;
	after_window(m, refresh_tick(m->app));
	watch_load(m);
	watch_update(&m->watch, m->app);
	arm(m, false);
}

/* Carries out one key; a device that was switched away takes its descriptors with it. */
static bool one_key(struct monitor *m)
{
	struct key_event k;

	if (!term_key(&k))
		return false;
	if (k.code == KEY_RESIZE_) {
		term_resized();
		return true;
	}
	console_key(&m->console, &k);
	return !m->console.quit;
}

static void suspend(struct monitor *m)
{
	m->console.suspend = false;
	term_suspend();
	m->console.redraw = true;
}

static void on_input(void *ctx, int fd, short revents)
{
	struct monitor *m = ctx;
	struct console *c = &m->console;

	(void)fd;
	watch_clear(&m->watch);	/* before a key may close it */
	while (one_key(m)) {
	}
	if (revents & (POLLERR | POLLNVAL))
		c->quit = true;
	if (c->quit) {
		loop_stop(m->loop);
		return;
	}
	watch_update(&m->watch, m->app);
	watch_load(m);
	if (c->remouse)
		term_mouse(c->mouse);
	c->remouse = false;
	if (c->suspend)
		suspend(m);
	if (c->retick)
		arm(m, true);
	c->retick = false;
	draw(m);
}

static void on_signal(void *ctx, int signo)
{
	struct monitor *m = ctx;

	switch (signo) {
	case SIGWINCH:
		term_resized();
		draw(m);
		break;
	case SIGTSTP:
		suspend(m);
		draw(m);
		break;
	case SIGCONT:
		m->console.redraw = true;
		draw(m);
		break;
	case SIGUSR1:
		after_window(m, refresh_now(m->app));
		arm(m, true);
		break;
	default:
		m->signo = signo;
		loop_stop(m->loop);
	}
}

static bool start(struct monitor *m, struct err *err)
{
	static const int signals[] = { SIGWINCH, SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT, SIGUSR1, 0 };
	struct app *a = m->app;

	m->loop = loop_new(signals, err);
	if (!m->loop)
		return false;
	watch_init(&m->watch, m->loop, on_source, m);
	mem_set_oom_hook(term_close);
	if (!term_open(NULL, stdout, stdin, m->console.mouse, err))
		return false;
	a->print_problems = false;
	loop_on_signal(m->loop, on_signal, m);
	loop_add_fd(m->loop, STDIN_FILENO, POLLIN, on_input, m);
	watch_update(&m->watch, m->app);
	export_start(a, m->loop);
	draw(m);
	arm(m, true);
	return true;
}

enum status monitor_run(struct app *a, bool ascii, int *signo)
{
	struct monitor m = { .app = a, .load_fd = -1 };
	enum status status = STATUS_GOOD;
	struct err err = { 0 };

	console_init(&m.console, a, ascii);
	if (!start(&m, &err) || !loop_run(m.loop, &err))
		status = STATUS_FAILURE;
	term_close();
	a->print_problems = true;
	if (status != STATUS_GOOD)
		app_print_err(&err);
	if (!export_close(a, &err)) {
		app_print_err(&err);
		status = STATUS_FAILURE;
	}
	loop_free(m.loop);
	console_release(&m.console);
	*signo = m.signo;
	return status;
}
