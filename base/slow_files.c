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
#include "base/mem.h"
#include "base/privilege.h"

#define SLOW_NS (100 * NS_PER_MS)	/* a read that waits as long spoils a refresh */
#define ANSWER_MAX_AGE_NS (5 * NS_PER_S)
#define OPENING_NS (2 * NS_PER_S)	/* so long may slow reads of a device last while it is opened */
#define LINE_SIZE 160

/* One file and its last answer. */
struct slow_file {
	char *path;
	bool whole;		/* all of its bytes are wanted, else its first line with a NUL */
	char *data;		/* [room] */
	size_t room, len;
	struct err *err;	/* NULL: data is the answer */
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
	int64_t opening_ns;	/* that slow reads have taken before it watches */
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
		free(s->files[i].data);
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

static struct slow_file *file_of(struct slow_files *s, const char *path, bool whole)
{
	for (size_t i = 0; i < s->n; i++) {
		size_t at = (s->next + i) % s->n;

		if (s->files[at].whole != whole || strcmp(s->files[at].path, path) != 0)
			continue;
		s->next = at + 1;
		return &s->files[at];
	}
	s->files = array_grow(s->files, s->n, &s->cap, sizeof(*s->files));
	struct slow_file *f = &s->files[s->n++];
	*f = (struct slow_file){ .path = xstrdup(path),
		.whole = whole,
		.room = whole ? SLOW_FILE_MAX : LINE_SIZE };
	f->data = xcalloc(1, f->room);
	return f;
}

/* Reads the bytes or the first line of a file, of which *len counts the NUL, too. */
static bool read_file(
	const char *path, bool whole, char *buf, size_t size, size_t *len, struct err *err)
{
	*len = 0;
	if (whole)
		return fsroot_read_bytes(NULL, path, buf, size, len, err);
	if (!fsroot_read_line(NULL, path, buf, size, err))
		return false;
	*len = strlen(buf) + 1;
	return true;
}

static bool too_long(const struct slow_file *f, size_t size, struct err *err)
{
	if (f->whole)
		return err_set(err, ERR_PARSE, "'%s' has more than %zu bytes", f->path, size);
	return err_set(err, ERR_PARSE, "the first line of '%s' is longer than %zu bytes", f->path,
		size - 1);
}

static void keep(struct slow_file *f, const char *data, size_t len, const struct err *err)
{
	struct err wrong = *err;

	f->read_ns = clock_machine_ns();
	if (wrong.code == ERR_NONE && len > f->room)
		too_long(f, f->room, &wrong);
	if (wrong.code == ERR_NONE) {
		free(f->err);
		f->err = NULL;
		memcpy(f->data, data, len);
		f->len = len;
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

	privilege_forget_thread();
	pthread_mutex_lock(&s->lock);
	while (!s->released) {
		struct slow_file *f = next_wanted(s);

		if (!f) {
			pthread_cond_wait(&s->work, &s->lock);
			continue;
		}
		size_t at = (size_t)(f - s->files);
		const char *path = f->path;
		size_t room = f->room, len;
		bool whole = f->whole;
		char data[SLOW_FILE_MAX];
		struct err err = { 0 };
		f->wanted = false;
		pthread_mutex_unlock(&s->lock);
		read_file(path, whole, data, room, &len, &err);
		pthread_mutex_lock(&s->lock);
		keep(&s->files[at], data, len, &err);
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

/* Where an answer goes. */
struct answer {
	bool whole;
	char *buf;
	size_t size;
	size_t *len;
};

static bool read_now(
	struct slow_files *s, const char *path, const struct answer *to, struct err *err)
{
	struct err wrong = { 0 };
	long waited = 0;

	if (s->suspect)
		waited = waits();
	int64_t start_ns = clock_machine_ns();
	bool good = read_file(path, to->whole, to->buf, to->size, to->len, &wrong);
	int64_t now_ns = clock_machine_ns();

	keep(file_of(s, path, to->whole), to->buf, *to->len, &wrong);
	if (!good && err)
		*err = wrong;
	bool slow = now_ns - start_ns > SLOW_NS;
	if (slow && s->suspect && waits() > waited)
		start_thread(s);
	s->suspect |= slow;
	return good;
}

static bool read_kept(
	struct slow_files *s, const char *path, const struct answer *to, struct err *err)
{
	pthread_mutex_lock(&s->lock);
	struct slow_file *f = file_of(s, path, to->whole);
	int64_t age_ns = clock_machine_ns() - f->read_ns;
	bool good = !f->err && f->len <= to->size;

	s->answer_ns = f->read_ns;
	f->wanted = true;
	pthread_cond_signal(&s->work);
	if (!f->read_ns)
		good = err_set(err, ERR_BUSY,
			"'%s' has not been read yet, because the device is slow to answer",
			path);
	else if (age_ns > ANSWER_MAX_AGE_NS)
		good = err_set(err, ERR_BUSY, "'%s' has not answered for %lld s", path,
			(long long)(age_ns / NS_PER_S));
	else if (f->err && err)
		*err = *f->err;
	else if (!f->err && !good)
		too_long(f, to->size, err);
	if (good) {
		memcpy(to->buf, f->data, f->len);
		*to->len = f->len;
	}
	pthread_mutex_unlock(&s->lock);
	return good;
}

/* While a device is opened, its answers are worth some waiting. */
static bool read_first(
	struct slow_files *s, const char *path, const struct answer *to, struct err *err)
{
	int64_t start_ns = clock_machine_ns();
	bool good = read_file(path, to->whole, to->buf, to->size, to->len, err);
	int64_t took_ns = clock_machine_ns() - start_ns;

	if (took_ns > SLOW_NS)
		s->opening_ns += took_ns;
	if (s->opening_ns > OPENING_NS)
		start_thread(s);
	return good;
}

static bool read_any(
	struct slow_files *s, const char *path, const struct answer *to, struct err *err)
{
	if (s->is_slow)
		return read_kept(s, path, to, err);
	if (s->watching)
		return read_now(s, path, to, err);
	return read_first(s, path, to, err);
}

bool slow_files_read_line(
	struct slow_files *s, const char *path, char *buf, size_t size, struct err *err)
{
	size_t len;

	return read_any(s, path, &(struct answer){ .buf = buf, .size = size, .len = &len }, err);
}

bool slow_files_read_bytes(struct slow_files *s, const char *path, void *buf, size_t size,
	size_t *len, struct err *err)
{
	return read_any(s, path,
		&(struct answer){ .whole = true, .buf = buf, .size = size, .len = len }, err);
}
