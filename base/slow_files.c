/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Times reads of a device's files, and hands them to a thread when the device is slow. */
#include "config.h"

#include "base/slow_files.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/clock.h"
#include "base/fsroot.h"
#include "base/i18n.h"
#include "base/mem.h"

#define SLOW_NS (100 * NS_PER_MS)	/* a read that waits as long spoils a refresh */
#define ANSWER_MAX_AGE_NS (5 * NS_PER_S)
#define LINE_SIZE 160

/* One file and its last answer. */
struct slow_file {
	char *path;
	char line[LINE_SIZE];
	struct err *err;	/* NULL: line is the answer */
	int64_t read_ns;	/* when the answer came; 0: there is none yet */
	bool wanted;		/* the thread shall read it */
};

/* The thread and the owner share all of it under the lock, and the last of them frees it. */
struct slow_files {
	pthread_mutex_t lock;
	pthread_cond_t work;
	struct slow_file *files;
	size_t n, cap;
	size_t next;	/* where the file after the last one stands: they are read in one order */
	bool watching, is_slow;
	bool suspect;		/* a slow read may have been a busy processor's fault */
	bool has_thread, released;
	int64_t answer_ns;	/* the owner's: when the last answer was read */
};

struct slow_files *slow_files_new(void)
{
	struct slow_files *s = xcalloc(1, sizeof(*s));

	pthread_mutex_init(&s->lock, NULL);
	pthread_cond_init(&s->work, NULL);
	return s;
}

static void destroy(struct slow_files *s)
{
	for (size_t i = 0; i < s->n; i++) {
		free(s->files[i].path);
		free(s->files[i].err);
	}
	free(s->files);
	pthread_cond_destroy(&s->work);
	pthread_mutex_destroy(&s->lock);
	free(s);
}

void slow_files_release(struct slow_files *s)
{
	if (!s)
		return;
	pthread_mutex_lock(&s->lock);
	s->released = true;
	bool has_thread = s->has_thread;
	pthread_cond_signal(&s->work);
	pthread_mutex_unlock(&s->lock);
	if (!has_thread)
		destroy(s);
}

void slow_files_watch(struct slow_files *s)
{
	s->watching = true;
}

int64_t slow_files_answer_ns(const struct slow_files *s)
{
	return s->answer_ns;
}

static struct slow_file *file_of(struct slow_files *s, const char *path)
{
	for (size_t i = 0; i < s->n; i++) {
		size_t at = (s->next + i) % s->n;

		if (strcmp(s->files[at].path, path) != 0)
			continue;
		s->next = at + 1;
		return &s->files[at];
	}
	s->files = array_grow(s->files, s->n, &s->cap, sizeof(*s->files));
	s->files[s->n] = (struct slow_file){ .path = xstrdup(path) };
	return &s->files[s->n++];
}

static void keep(struct slow_file *f, const char *line, const struct err *err, int64_t now_ns)
{
	struct err wrong = *err;

	f->read_ns = now_ns;
	if (wrong.code == ERR_NONE && strlen(line) >= sizeof(f->line))
		err_set(&wrong, ERR_PARSE, _("the first line of '%s' is longer than %zu bytes"),
			f->path, sizeof(f->line) - 1);
	if (wrong.code == ERR_NONE) {
		free(f->err);
		f->err = NULL;
		memcpy(f->line, line, strlen(line) + 1);
		return;
	}
	if (!f->err)
		f->err = xcalloc(1, sizeof(*f->err));
	*f->err = wrong;
}

static struct slow_file *next_wanted(struct slow_files *s)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->files[i].wanted)
			return &s->files[i];
	return NULL;
}

/* Reads what is wanted. Files may be added meanwhile, so the place of one is looked up anew. */
static void *read_on(void *arg)
{
	struct slow_files *s = arg;

	pthread_mutex_lock(&s->lock);
	while (!s->released) {
		struct slow_file *f = next_wanted(s);

		if (!f) {
			pthread_cond_wait(&s->work, &s->lock);
			continue;
		}
		size_t at = (size_t)(f - s->files);
		const char *path = f->path;
		char line[LINE_SIZE] = "";
		struct err err = { 0 };
		f->wanted = false;
		pthread_mutex_unlock(&s->lock);
		fsroot_read_line(NULL, path, line, sizeof(line), &err);
		pthread_mutex_lock(&s->lock);
		keep(&s->files[at], line, &err, clock_machine_ns());
	}
	pthread_mutex_unlock(&s->lock);
	destroy(s);
	return NULL;
}

/* The program's signals are not for the thread. Without a thread the reads go on as they are. */
static void start_thread(struct slow_files *s)
{
	sigset_t all, before;
	pthread_t thread;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	s->has_thread = !pthread_create(&thread, NULL, read_on, s);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (s->has_thread)
		pthread_detach(thread);
	s->is_slow = s->has_thread;
}

/* Returns how often this thread gave up the processor by itself: because it waited. */
static long waits(void)
{
	struct rusage u = { 0 };

	getrusage(RUSAGE_THREAD, &u);
	return u.ru_nvcsw;
}

static bool read_now(
	struct slow_files *s, const char *path, char *buf, size_t size, struct err *err)
{
	struct err wrong = { 0 };
	long waited = 0;

	if (s->suspect)
		waited = waits();
	int64_t start_ns = clock_machine_ns();
	bool good = fsroot_read_line(NULL, path, buf, size, &wrong);
	int64_t now_ns = clock_machine_ns();

	keep(file_of(s, path), buf, &wrong, now_ns);
	if (!good && err)
		*err = wrong;
	bool slow = now_ns - start_ns > SLOW_NS;
	if (slow && s->suspect && waits() > waited)
		start_thread(s);
	s->suspect |= slow;
	return good;
}

static bool read_kept(
	struct slow_files *s, const char *path, char *buf, size_t size, struct err *err)
{
	pthread_mutex_lock(&s->lock);
	struct slow_file *f = file_of(s, path);
	int64_t age_ns = clock_machine_ns() - f->read_ns;
	bool good = !f->err && strlen(f->line) < size;

	s->answer_ns = f->read_ns;
	f->wanted = true;
	pthread_cond_signal(&s->work);
	if (!f->read_ns)
		good = err_set(err, ERR_BUSY,
			_("'%s' has not been read yet, because the device is slow to answer"),
			path);
	else if (age_ns > ANSWER_MAX_AGE_NS)
		good = err_set(err, ERR_BUSY, _("'%s' has not answered for %lld s"), path,
			(long long)(age_ns / NS_PER_S));
	else if (f->err && err)
		*err = *f->err;
	else if (!f->err && !good)
		err_set(err, ERR_PARSE, _("the first line of '%s' is longer than %zu bytes"), path,
			size - 1);
	if (good)
		memcpy(buf, f->line, strlen(f->line) + 1);
	pthread_mutex_unlock(&s->lock);
	return good;
}

bool slow_files_read_line(
	struct slow_files *s, const char *path, char *buf, size_t size, struct err *err)
{
	if (s->is_slow)
		return read_kept(s, path, buf, size, err);
	if (s->watching)
		return read_now(s, path, buf, size, err);
	return fsroot_read_line(NULL, path, buf, size, err);
}
