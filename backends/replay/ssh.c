/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Starts rooftop on another machine over ssh, and takes its stream as devices. What ssh asks is
 * between ssh and the user: it has the terminal until the stream begins. */
#include "config.h"

#include "backends/replay/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "backends/replay/stream_hub.h"
#include "base/clock.h"
#include "base/helper.h"

#define HOST_MAX 128

/* The shell of the other machine reads these words, so nothing in them may mean something to it. */
static bool is_plain(const char *word)
{
	return *word && *word != '-' &&
		!word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				   "@:._,=+/-%")];
}

static void close_pair(int pair[2])
{
	for (int i = 0; i < 2; i++)
		if (pair[i] >= 0)
			close(pair[i]);
}

/* device: NULL leaves the choice to the other machine. window_ns: 0 leaves it the length of windows. */
static struct stream_hub *connect_to(
	const char *host, const char *device, int64_t window_ns, struct err *err)
{
	const char *argv[] = { "ssh", host, "rooftop", "-w", "-", NULL, NULL, NULL, NULL, NULL };
	char seconds[32];
	int n = 5;

	/* By whole numbers, because the other machine may have another decimal point. */
	snprintf(seconds, sizeof(seconds), "%lld.%09lld", (long long)(window_ns / NS_PER_S),
		(long long)(window_ns % NS_PER_S));
	if (window_ns > 0) {
		argv[n++] = "-d";
		argv[n++] = seconds;
	}
	if (device) {
		argv[n++] = "-D";
		argv[n++] = device;
	}
	int output[2] = { -1, -1 }, error[2] = { -1, -1 }, result = 0;
	pid_t pid = 0;

	if (pipe2(output, O_CLOEXEC) != 0 || pipe2(error, O_CLOEXEC) != 0)
		result = errno;
	/* Signals are as in a fresh program. */
	struct spawn how = { .fd = { SPAWN_NULL, output[1], error[1], SPAWN_SAME } };
	sigfillset(&how.defaults);
	if (!result)
		result = spawn_program(&how, argv[0], (char *const *)argv, &pid);
	if (result) {
		close_pair(output);
		close_pair(error);
		err_set(err, ERR_SYS, "cannot start ssh: %s", strerror(result));
		return NULL;
	}
	close(output[1]);
	close(error[1]);
	struct stream_hub *h = stream_hub_new(output[0], pid, error[0], host, err);
	if (!h && err && !err->hint[0])
		err_hint(err, "rooftop has to be there: ssh %s rooftop --version", host);
	return h;
}

static bool ssh_resolve(
	const struct fsroot *fs, const char *spec, struct device_list *out, struct err *err)
{
	const char *slash = strchr(spec, '/');
	char host[HOST_MAX], device[200], prefix[HOST_MAX + 8];

	(void)fs;
	snprintf(host, sizeof(host), "%.*s", slash ? (int)(slash - spec) : (int)strlen(spec), spec);
	snprintf(device, sizeof(device), "%s", slash ? slash + 1 : "");
	if (!is_plain(host) || (slash && !is_plain(device))) {
		err_set(err, ERR_USAGE, "'%s' is no ssh:HOST or ssh:HOST/DEVICE", spec);
		return err_hint(err,
			"letters, digits and @ : . _ , = + - %% / may be in it, and no - at the start");
	}
	struct stream_hub *h = connect_to(host, slash ? device : NULL, out->window_ns, err);
	if (!h)
		return false;
	snprintf(prefix, sizeof(prefix), "ssh:%s", host);
	stream_add_entries(h, prefix, spec, &ssh_backend, out);
	device_shared_drop(&h->shared);
	return true;
}

const struct backend ssh_backend = {
	.name = "ssh",
	.description = "other machines, over ssh: ssh:HOST or ssh:HOST/DEVICE",
	.never_by_default = true,
	.resolve = ssh_resolve,
	.open = stream_open,
};
