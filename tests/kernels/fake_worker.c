/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A worker without a device that misbehaves as the environment variable FAKE_WORKER says. */
#include "config.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/mem.h"
#include "kernels/launch/proto.h"

#define FD 3

static void say(const char *text)
{
	if (write(FD, text, strlen(text)) < 0)
		exit(9);
}

/* Whether the next line is a question rather than an order; it names a device. */
static bool wait_for_line(struct proto_reader *r, struct proto_message *m)
{
	struct pollfd p = { .fd = FD, .events = POLLIN };
	const char *line;
	enum proto_got got;

	while ((got = proto_next(r, FD, &line, NULL)) == PROTO_GOT_NOTHING)
		poll(&p, 1, -1);
	return got == PROTO_GOT_LINE && proto_decode(line, m, NULL) && m->verb == PROTO_QUERY;
}

static void good(struct proto_reader *r, const struct proto_message *first)
{
	struct proto_message device = { .verb = PROTO_DEVICE,
		.device = { .name = "fake device", .other = true, .dp = true, .compute_units = 4,
			.max_group_size = 64, .local_bytes = 1024, .max_alloc_bytes = 1048576 } };
	struct proto_message next;
	struct strbuf line = { 0 };

	if (*first->run.job.device)
		snprintf(device.device.name, sizeof(device.device.name), "%s", first->run.job.device);
	proto_encode(&line, &device);
	say(strbuf_str(&line));
	strbuf_release(&line);
	if (first->verb == PROTO_QUERY) {
		/* No load is meant by these. */
		say("phase phase=4 build_ns=5\nshape kernel=flops.private.mad.sp.x8 groups=7\n");
		say("done\n");
		exit(0);
	}
	say("phase phase=4 build_ns=5\n"
	    "shape kernel=flops.private.mad.sp.x8 text=expression groups=7 group_size=64 repeat=9 "
	    "flop=16 predicted_flop_per_s=1e9\n"
	    "progress flop_per_s=2e9 clock_hz=null launches=3 verified=1\n");
	wait_for_line(r, &next);
	say("done flop_per_s=3e9 launches=5 verified=2 mismatches=1\n");
	exit(0);
}

static void hang(void)
{
	signal(SIGTERM, SIG_IGN);
	say("phase phase=4\n");
	for (;;)
		pause();
}

static void flood(void)
{
	say("phase phase=4\n");
	for (;;) {
		say("progress flop_per_s=1\n");
		fputs("noise noise noise\n", stderr);
	}
}

static void crash(void)
{
	struct rlimit none = { 0 };

	setrlimit(RLIMIT_CORE, &none);
	signal(SIGSEGV, SIG_DFL);
	say("phase phase=2\n");
	raise(SIGSEGV);
}

/* Takes memory until the kernel ends it. */
static void gobble(void)
{
	say("phase phase=4\n");
	for (;;)
		memset(xmalloc(1 << 20), 1, 1 << 20);
}

int main(void)
{
	const char *what = getenv("FAKE_WORKER");
	struct proto_reader r = { 0 };
	struct proto_message first = { 0 };

	fprintf(stderr, "pid %d\n", (int)getpid());
	if (!what || !strcmp(what, "silence"))
		pause();
	wait_for_line(&r, &first);
	if (strcmp(what, "mute") != 0)
		say(!strcmp(what, "version") ? "hello version=99\n" : "hello version=1\n");
	if (!strcmp(what, "good"))
		good(&r, &first);
	if (!strcmp(what, "hang"))
		hang();
	if (!strcmp(what, "compile"))
		say("phase phase=2\n");
	if (!strcmp(what, "flood"))
		flood();
	if (!strcmp(what, "kill"))
		raise(SIGKILL);
	if (!strcmp(what, "gobble"))
		gobble();
	if (!strcmp(what, "crash"))
		crash();
	if (!strcmp(what, "garbage"))
		say("\x80\xff what?\n");
	if (!strcmp(what, "endless"))
		for (;;)
			say("xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx");
	if (!strcmp(what, "idle"))
		say("done\n");
	if (!strcmp(what, "order"))
		say("run kernel=x\n");
	if (!strcmp(what, "fail"))
		say("fail code=6 msg=there%20is%20no%20platform hint=install%20one\n");
	if (!strcmp(what, "exit")) {
		fputs("disk is full\n", stderr);
		return 3;
	}
	pause();
	return 0;
}
