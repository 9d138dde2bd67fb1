/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rooftop doctor --bundle: what a machine is, in a file that its owner can send. */
#include "config.h"

#include "cmd/tell/bundle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "cmd/tell/tell.h"
#include "session/devices/devices.h"
#include "session/program.h"
#include "session/window/refresh.h"
#include "session/window/stream_out.h"
#include "base/fsroot.h"
#include "base/outlet.h"
#include "base/mem.h"
#include "core/record/record_file.h"
#include "cmd/tell/tell_options.h"

#define WINDOWS 5
#define RECORDING_MAX_BYTES (256 << 20)

static void add_text(struct bundle *b, const char *path, const char *text)
{
	bundle_add(b, path, xstrdup(text), strlen(text), false);
}

/* Which program and which kernel; nothing of who has built them. */
static void add_versions(struct bundle *b)
{
	struct utsname u;
	struct strbuf text = { 0 };

	strbuf_add(&text, "rooftop " PACKAGE_VERSION "\n");
	if (uname(&u) == 0)
		strbuf_addf(&text, "%s %s %s\n", u.sysname, u.release, u.machine);
	add_text(b, "versions.txt", strbuf_str(&text));
	strbuf_release(&text);
}

/* Opens what can be opened. Its constants and topology, which the driver's answers are in, go into
 * the recording. What cannot be opened has its line in the report. */
static int open_devices(struct session *first, const struct device_options *want)
{
	struct program *p = first->program;
	int n = 0;

	for (size_t i = 0; i < p->devices.count; i++) {
		const struct device_entry *e = &p->devices.entries[i];
		struct err err = { 0 };

		if (!e->usable || e->device.simulated || e->device.recorded)
			continue;
		struct session *ses = program_add_session(p, want);
		if (devices_open(ses, (int)i, NULL, &err)) {
			n++;
			continue;
		}
		session_problem(first, &err);
		program_close_session(p, ses);
	}
	return n;
}

/* Lets all devices pass a window each; several of them wait together. */
static bool pass_window(struct program *p, struct err *err)
{
	int64_t ns = refresh_period_ns(p->sessions[1]);
	const struct timespec pause = { .tv_sec = ns / NS_PER_S, .tv_nsec = ns % NS_PER_S };

	nanosleep(&pause, NULL);
	for (int i = 1; i < p->n_sessions; i++) {
		refresh_tick(p->sessions[i]);
		if (!record_service(p->sessions[i], err))
			return false;
	}
	return true;
}

static bool record(struct program *p, const char *path, int n, struct err *err)
{
	struct stream_out *stream = stream_out_open(path, true, n, err);
	bool good = stream;

	for (int i = 1; good && i < p->n_sessions; i++)
		good = record_into(p->sessions[i], stream, err);
	/* The first window is one that nobody sees. */
	for (uint64_t i = 0; good && i < (p->opt->windows ? p->opt->windows : WINDOWS) + 1; i++)
		good = pass_window(p, err);
	for (int i = 1; i < p->n_sessions; i++)
		good = record_stop(p->sessions[i], err) && good;
	return stream_out_close(stream, err) && good;
}

/* Leaves out who used the devices. Returns the length of what is left. */
static size_t without_clients(char *data, size_t len)
{
	struct rec_header h;
	size_t to = 0;

	for (size_t at = 0; at + sizeof(h) <= len; at += h.size) {
		memcpy(&h, data + at, sizeof(h));
		if (h.size < sizeof(h) || h.size > len - at)
			break;
		if (h.type == REC_CLIENTS)
			continue;
		memmove(data + to, data + at, h.size);
		to += h.size;
	}
	return to;
}

static bool add_recording(struct session *first, struct bundle *b, struct err *err)
{
	struct device_options want = *first->want;
	struct program *p = first->program;
	int n = open_devices(first, &want);
	bool good = true;
	size_t len;

	if (n > 0) {
		/* In memory: nothing is left of it when we are killed, and the bundle may be a
		 * device, beside which there is no room. */
		int fd = memfd_create("rooftop-bundle", MFD_CLOEXEC);
		if (fd < 0)
			good = err_sys(err, "cannot keep a recording in memory");
		char *path = xasprintf("/proc/self/fd/%d", fd);
		good = good && record(p, path, n, err);
		char *data = good ? file_read_all(path, RECORDING_MAX_BYTES, &len, err) : NULL;
		if (fd >= 0)
			close(fd);
		free(path);
		good = data;
		if (data)
			bundle_add(b, "devices.rec", data, without_clients(data, len), false);
	}
	while (p->n_sessions > 1)
		program_close_session(p, p->sessions[1]);
	return good;
}

/* Says what will be written, before it is. */
static void print_list(const struct bundle *b)
{
	size_t bytes = 0;

	for (size_t i = 0; i < b->n; i++) {
		const struct bundle_entry *e = &b->entries[i];

		bytes += e->len;
		if (e->is_link)
			continue;
		printf("%8zu  %s", e->len, e->path);
		if (e->redacted)
			printf(e->redacted == 1 ? "  (%zu byte made x)"
			: "  (%zu bytes made x)",
				e->redacted);
		putchar('\n');
	}
	printf("%zu files and links, %zu bytes. Names of this machine and of its users, serial "
		 "numbers, UUIDs, MAC and IP addresses, and words where drivers write numbers are made "
		 "x; processes and the kernel's command line are not in it.\n",
		b->n, bytes);
	if (b->passed_over)
		printf("left out, because their names hold such a word: %zu\n", b->passed_over);
	if (b->too_long)
		printf("left out, because their names are too long for an archive: %zu\n",
			b->too_long);
	fflush(stdout);
}

/* Asks whoever can answer. */
static bool is_wanted(const char *path)
{
	char answer[16];

	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		return true;
	printf("Write this to '%s'? [y/N] ", path);
	fflush(stdout);
	return fgets(answer, sizeof(answer), stdin) && (answer[0] == 'y' || answer[0] == 'Y');
}

enum status bundle_cmd(struct session *ses, struct bundle *b, struct strbuf *report)
{
	const char *path = ses->opt->tell->bundle;
	struct strbuf text = { 0 };
	struct err err = { 0 };

	add_versions(b);
	add_text(b, "doctor.txt", strbuf_str(report));
	strbuf_clear(report);
	list_devices(ses, &text);
	add_text(b, "devices.txt", strbuf_str(&text));
	strbuf_clear(&text);
	bool good = file_has_place(path, &err) && add_recording(ses, b, &err);
	if (good) {
		bundle_answers_add(b);
		bundle_collect(b, &ses->program->fs);
		print_list(b);
		if (is_wanted(path)) {
			bundle_write(b, &text);
			good = file_replace(path, strbuf_str(&text), text.len, &err);
			if (good)
				outlet_say(
					"rooftop: wrote %s, %zu files, %zu bytes; send it to %s\n",
					path, b->n, text.len, CONTACT);
		}
	}
	strbuf_release(&text);
	if (good)
		return STATUS_GOOD;
	err_of_file(&err);
	return session_fail(&err);
}
