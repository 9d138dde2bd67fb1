/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Starts, feeds and ends the recording and the trace of a command. */
#include "config.h"

#include "out/export/export.h"

#include "session/window/record.h"

bool keeper_begin(struct keeper *k, struct session *ses, struct loop *loop, struct err *err)
{
	*k = (struct keeper){ 0 };
	if (!ses->want->record && !ses->opt->trace)
		return true;
	if (!ses->dev)
		return err_set(err, ERR_NO_DEVICE, "nothing is counted that could be kept: %s",
			ses->opened.no_device);
	if (ses->want->record && !record_start_named(ses, err)) {
		err_of_file(err);
		return false;
	}
	k->session = ses;
	if (!export_open(ses->program, err))
		return false;
	export_start(ses->program, loop);
	return true;
}

static void fail(struct keeper *k, const struct err *err)
{
	if (!k->failed)
		k->err = *err;
	k->failed = true;
	session_problem(k->session, err);
}

void keeper_tick(struct keeper *k, bool is_new)
{
	struct err err = { 0 };

	if (!k->session)
		return;
	if (!record_service(k->session, &err))
		fail(k, &err);
	err_clear(&err);
	if (!export_service(k->session, is_new, &err))
		fail(k, &err);
}

bool keeper_end(struct keeper *k, bool good, struct err *err)
{
	struct err last = { 0 };

	if (!k->session)
		return good;
	if (!record_stop(k->session, &last))
		fail(k, &last);
	err_clear(&last);
	if (!export_close(k->session->program, &last))
		fail(k, &last);
	k->session = NULL;
	if (!k->failed || !good)
		return good;
	*err = k->err;
	return false;
}
