/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rooftop-worker loads an OpenCL device for the rooftop that started it. It takes orders from a
 * socket, its descriptor 3, and never outlives rooftop. */
#include "config.h"

#include "kernels/worker/worker.h"

#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/parse.h"

#define WORKER_FD 3
#define FIRST_WAIT_MS 10000

struct arguments {
	uint64_t parent;
	const char *cache, *state;
};

static bool read_arguments(int argc, char **argv, struct arguments *a)
{
	for (int i = 1; i + 1 < argc; i += 2) {
		if (!strcmp(argv[i], "--parent") && parse_u64(argv[i + 1], &a->parent))
			continue;
		if (!strcmp(argv[i], "--cache"))
			a->cache = argv[i + 1];
		else if (!strcmp(argv[i], "--state"))
			a->state = argv[i + 1];
		else
			return false;
	}
	return argc % 2 == 1 && a->parent;
}

/* The one question or order that this process is started for; false when none comes. */
static bool first_message(struct worker_session *s, struct proto_message *m)
{
	struct pollfd p = { .fd = s->fd, .events = POLLIN };
	const char *line;

	while (poll(&p, 1, FIRST_WAIT_MS) > 0) {
		enum proto_got got = proto_next(&s->reader, s->fd, &line, NULL);

		if (got == PROTO_GOT_LINE)
			return proto_decode(line, m, NULL) &&
				(m->verb == PROTO_QUERY || m->verb == PROTO_RUN);
		if (got != PROTO_GOT_NOTHING)
			return false;
	}
	return false;
}

static bool say_device(const struct worker_session *s, struct err *err)
{
	const struct device_facts *d = &s->device;
	struct proto_message m = { .verb = PROTO_DEVICE,
		.device = { .cpu = d->cpu,
			.other = d->other,
			.dp = d->has[TYPE_DP],
			.hp = d->has[TYPE_HP],
			.matrix = d->has[TYPE_MATRIX],
			.compute_units = d->compute_units,
			.max_group_size = d->max_group_size,
			.local_bytes = d->local_bytes,
			.max_alloc_bytes = d->max_alloc_bytes } };

	snprintf(m.device.name, sizeof(m.device.name), "%.79s, %.44s", d->name, d->driver);
	snprintf(m.device.pci, sizeof(m.device.pci), "%s", d->pci);
	return proto_send(s->fd, &m, err);
}

static bool say_one(void *ctx, const struct device_facts *d, const char *place, struct err *err)
{
	const struct worker_session *s = ctx;
	struct proto_message m = { .verb = PROTO_DEVICE, .device.cpu = d->cpu };

	snprintf(m.device.name, sizeof(m.device.name), "%s  %.64s, %.40s", place, d->name,
		d->driver);
	snprintf(m.device.pci, sizeof(m.device.pci), "%s", d->pci);
	return proto_send(s->fd, &m, err);
}

static bool serve(struct worker_session *s, const struct proto_message *m, struct err *err)
{
	struct proto_message done = { .verb = PROTO_DONE };

	s->job = m->run.job;
	if (m->verb == PROTO_QUERY && !strcmp(s->job.device, PROTO_EVERY_DEVICE))
		return device_each(say_one, s, err) && proto_send(s->fd, &done, err);
	if (!device_open(&s->device, s->job.device, m->run.pci, err))
		return false;
	bool good = say_device(s, err);
	if (good && m->verb == PROTO_RUN)
		good = session_run(s, err);
	else if (good)
		good = proto_send(s->fd, &done, err);
	device_close(&s->device);
	return good;
}

int main(int argc, char **argv)
{
	struct worker_session s = { .fd = WORKER_FD };
	struct proto_message m = { .verb = PROTO_HELLO, .hello.version = PROTO_VERSION };
	struct arguments a = { .cache = "", .state = "" };
	struct err err = { 0 };
	struct stat st;

	setlocale(LC_ALL, "");
	setlocale(LC_NUMERIC, "C");
	if (!read_arguments(argc, argv, &a) || fstat(WORKER_FD, &st) < 0 || !S_ISSOCK(st.st_mode)) {
		fprintf(stderr, "%s\n",
			"rooftop-worker is started by rooftop: see 'rooftop stress --help'");
		return 2;
	}
	/* The worker dies with its parent, also with one that is gone already, and can gain no
	 * rights. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if ((uint64_t)getppid() != a.parent)
		return EXIT_FAILURE;
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
	s.tuned.folder = a.state;
	if (!proto_send(s.fd, &m, NULL) || !first_message(&s, &m))
		return EXIT_FAILURE;
	if (!cache_open(&s.cache, a.cache, &err))
		fprintf(stderr, "%s\n", err.msg);
	if (serve(&s, &m, &err))
		return EXIT_SUCCESS;
	m = (struct proto_message){ .verb = PROTO_FAIL, .fail.code = err.code };
	snprintf(m.fail.msg, sizeof(m.fail.msg), "%s", err.msg);
	snprintf(m.fail.hint, sizeof(m.fail.hint), "%s", err.hint);
	proto_send(s.fd, &m, NULL);
	return EXIT_FAILURE;
}
