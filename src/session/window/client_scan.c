/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keeps the client table of the open device. */
#include "config.h"

#include "session/window/refresh.h"

#include <stdlib.h>

void client_scan_want(struct session *ses, bool wanted)
{
	bool starts = wanted && !ses->clients.wanted;

	ses->clients.wanted = wanted;
	if (starts && ses->dev)
		client_scan_now(ses, clock_mono_ns(&ses->clock), &ses->clients.table);
}

/* Whether the verdict asks what the first process does: a device that waits for work may wait for
 * a busy CPU. It is asked before the first verdict, too. */
static bool verdict_asks(const struct session *ses)
{
	const struct verdict_memory *m = &ses->now->verdicts;

	return ses->dev->clients &&
		(!m->has_said || m->said.kind == VERDICT_HOST || m->said.kind == VERDICT_PARTLY_IDLE);
}

void client_scan_now(struct session *ses, int64_t now_ns, struct client_table *out)
{
	if (!ses->dev->clients) {
		client_table_note(out, WHY_UNSUPPORTED);
		return;
	}
	ses->dev->clients->is_thorough = kernel_watch_asks_clients(ses);
	ses->dev->clients->ops->scan(ses->dev->clients, now_ns, out);
}

const struct client_table *client_scan_run(
	struct session *ses, int64_t now_ns, struct client_table *out)
{
	if (!ses->clients.wanted && !verdict_asks(ses) && !kernel_watch_asks_clients(ses))
		return NULL;
	client_scan_now(ses, now_ns, out);
	return out;
}

void client_scan_restart(struct session *ses)
{
	client_table_note(&ses->clients.table, WHY_NOT_YET);
	client_scan_run(ses, clock_mono_ns(&ses->clock), &ses->clients.table);
}

void client_scan_release(struct session *ses)
{
	free(ses->clients.table.rows);
	free(ses->clients.unseen.rows);
	ses->clients.table = ses->clients.unseen = (struct client_table){ 0 };
}
