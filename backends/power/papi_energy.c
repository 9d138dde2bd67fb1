/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Energy through PAPI, which lives in a process of its own: started at the first reading, which is
 * after the first frame. */
#include "config.h"

#include "backends/power/energy.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "backends/perf/perf_event.h"
#include "backends/power/papi_proto.h"
#include "base/clock.h"
#include "base/i18n.h"
#include "base/mem.h"
#include "base/parse.h"

#ifdef HAVE_PAPI

#define MSR "/dev/cpu/0/msr"
#define PERIOD_MIN_NS (20 * NS_PER_MS)
#define READINGS_PER_WINDOW 4
#define ASK_TURN_MS 20
#define ASK_TURNS 100

extern char **environ;

enum papi_state { PAPI_NEW, PAPI_STARTED, PAPI_ENDED };

struct papi_reader {
	struct energy_reader reader;
	enum papi_state state;
	pid_t pid;
	int input;		/* its standard input: closed, it ends */
	int error;		/* its standard error */
	char cpus[64];
	char line[PAPI_LINE_MAX];
	size_t len;
	enum energy_plane order[ENERGY_PLANES];
	int n_order;
	struct energy_reading last;
	char said[160];		/* what it said before it ended */
	int write_end;		/* of the pipe behind reader.fd, until it is started */
};

/* --- what it writes --- */

static void read_planes(struct papi_reader *r, const char *names)
{
	const char *word;
	size_t len;

	r->n_order = 0;
	while (parse_word(&names, &word, &len)) {
		for (int p = 0; p < ENERGY_PLANES && r->n_order < ENERGY_PLANES; p++) {
			if (strlen(energy_plane_names[p]) == len &&
				!memcmp(energy_plane_names[p], word, len))
				r->order[r->n_order++] = (enum energy_plane)p;
		}
	}
}

static void read_values(struct papi_reader *r, const char *numbers)
{
	char *end;
	struct energy_reading reading = { .t_ns = strtoll(numbers, &end, 10) };

	for (int i = 0; i < r->n_order; i++) {
		const char *from = end;

		reading.uj[r->order[i]] = strtoull(from, &end, 10);
		if (end == from)
			return;
		reading.planes |= 1u << r->order[i];
	}
	r->last = reading;
}

static void take_line(struct papi_reader *r, const char *line)
{
	if (!strncmp(line, "planes ", 7))
		read_planes(r, line + 7);
	else if (!strncmp(line, "at ", 3))
		read_values(r, line + 3);
	else if (!strncmp(line, "error ", 6))
		snprintf(r->said, sizeof(r->said), "%s", line + 6);
}

/* False at the end of its output. A line that is too long is cut and, as no number, passed over. */
static bool drain_output(struct papi_reader *r)
{
	for (;;) {
		ssize_t n = read(r->reader.fd, r->line + r->len, sizeof(r->line) - 1 - r->len);
		char *newline;

		if (n <= 0)
			return n < 0 && (errno == EAGAIN || errno == EINTR);
		r->len += (size_t)n;
		r->line[r->len] = '\0';
		while ((newline = memchr(r->line, '\n', r->len))) {
			*newline = '\0';
			take_line(r, r->line);
			r->len -= (size_t)(newline + 1 - r->line);
			memmove(r->line, newline + 1, r->len + 1);
		}
		if (r->len == sizeof(r->line) - 1)
			r->len = 0;
	}
}

/* Its last line, for the message when it has ended. */
static void drain_error(struct papi_reader *r)
{
	char buf[512];
	ssize_t n;

	while ((n = read(r->error, buf, sizeof(buf) - 1)) > 0) {
		char *end = buf + n, *start = buf, *newline;

		while (end > buf && (end[-1] == '\n' || end[-1] == '\r'))
			end--;
		*end = '\0';
		newline = strrchr(buf, '\n');
		if (newline)
			start = newline + 1;
		if (*buf)
			snprintf(r->said, sizeof(r->said), "%.150s", start);
	}
}

/* --- the process --- */

/* Beside the program (a build folder), or where it is installed. */
static void program_path(char *buf, size_t size)
{
	ssize_t len = readlink("/proc/self/exe", buf, size - 1);

	buf[len > 0 ? len : 0] = '\0';
	char *slash = strrchr(buf, '/');
	if (slash && (size_t)(slash - buf) + sizeof("/" PAPI_PROGRAM) <= size) {
		snprintf(slash, size - (size_t)(slash - buf), "/%s", PAPI_PROGRAM);
		if (access(buf, X_OK) == 0)
			return;
	}
	snprintf(buf, size, "%s/%s", PKGLIBEXECDIR, PAPI_PROGRAM);
}

/* The program runs outside our process group, so that the terminal's signals do not reach it, and
 * with no signal blocked, because our loop blocks some. */
static int spawn(struct papi_reader *r, const char *path, int output, int error, int input)
{
	char period[16];
	char *argv[] = { (char *)PAPI_PROGRAM, period, r->cpus, NULL };
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	sigset_t none;

	snprintf(period, sizeof(period), "%d", (int)(r->reader.update_ns / NS_PER_MS));
	sigemptyset(&none);
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(&files, error, STDERR_FILENO);
	posix_spawnattr_init(&attr);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
	posix_spawnattr_setsigmask(&attr, &none);
	int result = posix_spawn(&r->pid, path, &files, &attr, argv, environ);
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&files);
	return result;
}

static bool start(struct papi_reader *r, struct err *err)
{
	int input[2] = { -1, -1 }, error[2] = { -1, -1 }, result = 0;
	char path[PATH_MAX];

	program_path(path, sizeof(path));
	if (pipe2(input, O_CLOEXEC) != 0 || pipe2(error, O_CLOEXEC) != 0)
		result = errno;
	if (!result)
		result = spawn(r, path, r->write_end, error[1], input[0]);
	close(r->write_end);
	close(input[0]);
	close(error[1]);
	r->write_end = -1;
	r->input = input[1];
	r->error = error[0];
	r->state = PAPI_STARTED;
	if (r->error >= 0)
		fcntl(r->error, F_SETFL, O_NONBLOCK);
	if (!result)
		return true;
	r->state = PAPI_ENDED;
	r->pid = 0;
	err_set(err, ERR_SYS, _("cannot start '%s': %s"), path, strerror(result));
	return err_hint(err, _("install the whole of rooftop, or choose another way with --power"));
}

static bool ended(struct papi_reader *r, struct err *err)
{
	r->state = PAPI_ENDED;
	if (!r->said[0])
		snprintf(r->said, sizeof(r->said), "%s", _("it said nothing"));
	err_set(err, ERR_UNSUPPORTED, _("%s has ended: %s"), PAPI_PROGRAM, r->said);
	return err_hint(err,
		_("choose another way with --power; papi_component_avail tells what this PAPI can "
		  "do"));
}

static bool read_papi(
	struct energy_reader *reader, int64_t now_ns, struct energy_reading *out, struct err *err)
{
	struct papi_reader *r = (struct papi_reader *)reader;

	(void)now_ns;
	if (r->state == PAPI_NEW && !start(r, err))
		return false;
	if (r->state == PAPI_ENDED)
		return ended(r, err);
	drain_error(r);
	if (!drain_output(r)) {
		drain_error(r);
		return ended(r, err);
	}
	if (!r->last.planes)
		return true;	/* it has not answered yet */
	for (int p = 0; p < ENERGY_PLANES; p++) {
		if (r->last.planes >> p & 1)
			out->uj[p] = r->last.uj[p];
	}
	out->planes |= r->last.planes;
	out->t_ns = r->last.t_ns;
	return true;
}

static void close_fd(int fd)
{
	if (fd >= 0)
		close(fd);
}

/* The program only reads, so nothing is lost by ending it at once. */
static void close_papi(struct energy_reader *reader)
{
	struct papi_reader *r = (struct papi_reader *)reader;

	close_fd(r->input);
	close_fd(r->error);
	close_fd(r->write_end);
	close_fd(reader->fd);
	if (r->pid > 0) {
		kill(r->pid, SIGKILL);
		waitpid(r->pid, NULL, 0);
	}
	free(r);
}

static const struct energy_reader_ops ops = { .read = read_papi, .close = close_papi };

/* Lists a CPU of each package as the kernel's PMU does; without that PMU, the first CPU. */
static void package_cpus(const struct fsroot *fs, char *buf, size_t size)
{
	struct perf_pmu pmu;
	size_t len = 0;

	snprintf(buf, size, "0");
	if (!perf_pmu_find(fs, "power", &pmu, NULL))
		return;
	for (int i = 0; i < pmu.n_cpus && len + 8 < size; i++)
		len += (size_t)snprintf(buf + len, size - len, "%s%d", i ? "," : "", pmu.cpus[i]);
}

/* Where the kernel offers nothing, PAPI can still read the registers itself. */
static bool may_help(const struct energy_target *t, struct err *err)
{
	if (t->fs->prefix[0])
		return err_set(err, ERR_UNSUPPORTED, _("PAPI reads this machine, not '%s'"),
			t->fs->prefix);
	if (t->named || access(MSR, R_OK) == 0)
		return true;
	err_set(err, ERR_UNSUPPORTED,
		_("PAPI would have to read %s, which is not there or may not be read"), MSR);
	return err_hint(err, _("--power papi tries it all the same"));
}

static struct energy_reader *open_papi(
	const struct energy_target *t, unsigned wanted, struct err *err)
{
	int output[2];

	if (!may_help(t, err))
		return NULL;
	if (pipe2(output, O_CLOEXEC) != 0) {
		err_sys(err, "%s", PAPI_PROGRAM);
		return NULL;
	}
	fcntl(output[0], F_SETFL, O_NONBLOCK);
	struct papi_reader *r = xcalloc(1, sizeof(*r));
	*r = (struct papi_reader){
		.reader.ops = &ops,
		.reader.fd = output[0],
		.reader.planes = wanted & ~(1u << ENERGY_CARD),
		.reader.update_ns = t->delay_ns / READINGS_PER_WINDOW,
	};
	if (r->reader.update_ns < PERIOD_MIN_NS)
		r->reader.update_ns = PERIOD_MIN_NS;
	snprintf(r->reader.how, sizeof(r->reader.how), "%s", energy_papi.how);
	r->write_end = output[1];
	r->input = r->error = -1;
	package_cpus(t->fs, r->cpus, sizeof(r->cpus));
	return &r->reader;
}

bool energy_papi_ask(const struct fsroot *fs, struct err *err)
{
	const struct energy_target t = { .fs = fs, .delay_ns = NS_PER_S, .named = true };
	struct energy_reader *r = open_papi(&t, (1u << ENERGY_PLANES) - 1, err);
	struct energy_reading reading = { 0 };
	bool good = r != NULL;

	for (int i = 0; good && !reading.planes && i < ASK_TURNS; i++) {
		good = r->ops->read(r, 0, &reading, err);
		if (good && !reading.planes)
			poll(&(struct pollfd){ .fd = r->fd, .events = POLLIN }, 1, ASK_TURN_MS);
	}
	if (good && !reading.planes)
		good = err_set(err, ERR_SYS, _("%s does not answer"), PAPI_PROGRAM);
	if (r)
		r->ops->close(r);
	return good;
}

#else

bool energy_papi_ask(const struct fsroot *fs, struct err *err)
{
	(void)fs;
	return err_set(err, ERR_UNSUPPORTED, _("this rooftop was built without PAPI"));
}

static struct energy_reader *open_papi(
	const struct energy_target *t, unsigned wanted, struct err *err)
{
	(void)t;
	(void)wanted;
	err_set(err, ERR_UNSUPPORTED, _("this rooftop was built without PAPI"));
	return NULL;
}

#endif

const struct energy_route energy_papi = { .name = "papi", .how = "PAPI", .open = open_papi };
