/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A thread that looks at the call that the first thread is in. */
#include "config.h"

#include "base/call_watch.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/ending.h"
#include "base/outlet.h"
#include "base/place.h"
#include "base/privilege.h"

#define LOOK_MS 100
#define FIRST_WORD_LOOKS 20	/* a call is named when it has taken 2 s, and again after twice as long */
#define PATIENCE_LOOKS 8	/* a signal that ends the program leaves a call less than a second */
#define REST_S 1	/* how often a poll() is looked at that might be held */
#define OWN_MAX 64	/* more of the loop's own files are not looked at */
#define STACK_BYTES (256u << 10)
/* Interrupts a call that can be. */
#define SIGNAL (SIGRTMIN + 2)

/* The lock is held by the thread while it looks, so the call that it speaks of has not returned
 * then. The kernel knows one first thread, so a process has one of these. */
static struct {
	pthread_mutex_t lock;
	pthread_t first;	/* the thread that makes the calls */
	bool has_thread, tried, rests;
	const struct pollfd *own;	/* while it polls: files of the kernel's own, of own_n */
	size_t own_n;
	int begun;		/* readable when a call begins while the thread rests */
	int ending;		/* readable when a signal waits */
	int depth;
	unsigned number;	/* of the call, which begins when depth becomes 1 */
	const char *name, *path;
	int fd;
	void (*say)(const char *line);
	void (*give_back)(void);
	atomic_int command;	/* a process that does not outlive this one; 0: none */
} watch = { .lock = PTHREAD_MUTEX_INITIALIZER };

static void on_interrupt(int signo)
{
	(void)signo;
}

/* --- what the thread does, with the lock --- */

static void say(const char *before, int looks)
{
	char file[256], line[512];

	if (watch.path)
		snprintf(file, sizeof(file), "%s", watch.path);
	else
		place_name(watch.fd, file, sizeof(file));
	snprintf(line, sizeof(line), "%s %s%s%s for %.1f s", before, watch.name, *file ? " on " : "",
		file, looks * LOOK_MS / 1000.0);
	if (watch.say)
		watch.say(line);
	else
		outlet_say("rooftop: %s\n", line);
}

static void end_during_call(int looks)
{
	if (watch.give_back)
		watch.give_back();
	watch.say = NULL;
	say("ended while waiting for", looks);
	outlet_drain(outlet_of_messages(), 0);
	if (watch.command > 0)
		kill(watch.command, ending_signal());
	ending_finish(ending_signal());
}

/* What the thread has seen. How long a call has lasted is counted in looks, since clocks may be moved. */
struct looker {
	unsigned number;	/* of the call */
	int looks, word_at;	/* at it so far, and when it will be named */
	int asked;		/* looks since a signal came: all calls on the way out share the patience */
};

static void look(struct looker *l)
{
	if (l->number != watch.number)
		*l = (struct looker){
			.number = watch.number, .word_at = FIRST_WORD_LOOKS, .asked = l->asked
		};
	l->looks++;
	if (!ending_signal())
		l->asked = 0;	/* another program got it */
	else if (++l->asked >= PATIENCE_LOOKS)
		end_during_call(l->looks);
	else
		pthread_kill(watch.first, SIGNAL);
	if (l->looks < l->word_at)
		return;
	say("waiting for", l->looks);
	l->word_at *= 2;
}

/* Whether a driver holds poll(), which returns at once when a timer or a signal is ready. One that
 * was taken is no reason: "run" has passed it on, and waits for its command. */
static bool is_held(void)
{
	struct pollfd own[OWN_MAX];
	size_t n = 0;

	for (; watch.own && n < watch.own_n && n < OWN_MAX; n++)
		own[n] = (struct pollfd){ .fd = watch.own[n].fd, .events = POLLIN };
	return n > 0 && ppoll(own, n, &(struct timespec){ 0 }, NULL) > 0;
}

/* Rests until a call begins, a signal waits to be read, or a timer may have been ready for long. */
static void rest(void)
{
	struct pollfd fds[] = { { .fd = watch.begun, .events = POLLIN },
		{ .fd = watch.ending, .events = POLLIN } };
	eventfd_t unused;

	watch.rests = true;
	pthread_mutex_unlock(&watch.lock);
	ppoll(fds, 2, &(struct timespec){ .tv_sec = REST_S }, NULL);
	pthread_mutex_lock(&watch.lock);
	watch.rests = false;
	eventfd_read(watch.begun, &unused);
}

static void *look_on(void *arg)
{
	const struct timespec between = { .tv_nsec = LOOK_MS * NS_PER_MS };
	struct looker l = { .looks = 0 };
	bool held = false;

	(void)arg;
	privilege_forget_thread();
	pthread_mutex_lock(&watch.lock);
	for (;;) {
		unsigned before = watch.number;

		if (!watch.depth && !held)
			rest();
		pthread_mutex_unlock(&watch.lock);
		clock_nanosleep(CLOCK_MONOTONIC, 0, &between, NULL);
		pthread_mutex_lock(&watch.lock);
		held = watch.number == before && is_held();
		if (watch.depth || held)
			look(&l);
	}
	return NULL;
}

/* --- the first thread --- */

static void lock_for_fork(void)
{
	pthread_mutex_lock(&watch.lock);
}

static void unlock_after_fork(void)
{
	pthread_mutex_unlock(&watch.lock);
}

/* The thread is the other process's, and so are the files by which it is told. */
static void forget_after_fork(void)
{
	watch.rests = false;
	unlock_after_fork();
}

/* Without a thread calls take as long as they take, as in a process that was forked off: it has the
 * first thread alone, and must not get a lock that the other one holds. */
static void start(void)
{
	struct sigaction action = { .sa_handler = on_interrupt };	/* no SA_RESTART */
	sigset_t all, before, ending;
	pthread_attr_t attr;
	pthread_t thread;

	watch.tried = true;
	watch.first = pthread_self();
	pthread_atfork(lock_for_fork, unlock_after_fork, forget_after_fork);
	sigaction(SIGNAL, &action, NULL);
	sigfillset(&all);
	ending_set(&ending);
	watch.begun = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	watch.ending = signalfd(-1, &ending, SFD_CLOEXEC | SFD_NONBLOCK);
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK_BYTES);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	watch.has_thread = watch.begun >= 0 && watch.ending >= 0 &&
		!pthread_create(&thread, &attr, look_on, NULL);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attr);
}

static bool is_watched(void)
{
	if (!watch.tried)
		start();
	return pthread_equal(pthread_self(), watch.first);
}

void call_begin(const char *name, const char *path, int fd)
{
	int error = errno;

	if (!is_watched())
		return;
	pthread_mutex_lock(&watch.lock);
	if (++watch.depth == 1) {
		watch.number++;
		watch.name = name;
		watch.path = path;
		watch.fd = fd;
		if (watch.rests)
			eventfd_write(watch.begun, 1);
	}
	pthread_mutex_unlock(&watch.lock);
	errno = error;
}

void call_end(void)
{
	int error = errno;

	if (!is_watched())
		return;
	pthread_mutex_lock(&watch.lock);
	watch.depth--;
	pthread_mutex_unlock(&watch.lock);
	errno = error;
}

int call_poll(struct pollfd *fds, size_t own, size_t n, int timeout_ms)
{
	pthread_mutex_lock(&watch.lock);
	watch.number++;
	watch.name = "poll";
	watch.path = "";
	watch.own = fds;
	watch.own_n = own;
	pthread_mutex_unlock(&watch.lock);
	int ready = poll(fds, n, timeout_ms), error = errno;
	pthread_mutex_lock(&watch.lock);
	watch.own = NULL;
	pthread_mutex_unlock(&watch.lock);
	errno = error;
	return ready;
}

int driver_poll(struct pollfd *file)
{
	call_begin("poll", NULL, file->fd);
	int ready = poll(file, 1, 0);
	call_end();
	return ready;
}

int driver_open(const char *path, int flags)
{
	call_begin("open", path, -1);
	int fd = open(path, flags | O_CLOEXEC);
	call_end();
	return fd;
}

ssize_t driver_read(int fd, void *buf, size_t size)
{
	call_begin("read", NULL, fd);
	ssize_t n = read(fd, buf, size);
	call_end();
	return n;
}

/* --- memory that is taken away with its device --- */

#define MAX_MAPS 16	/* a fault in one more ends the program, as it did in each */

static struct {
	char *at;
	size_t size;
} maps[MAX_MAPS];
static struct sigaction before_faults;
static size_t page_bytes;

void driver_mapped(void *map, size_t size)
{
	for (size_t i = 0; i < MAX_MAPS; i++)
		if (!maps[i].at || maps[i].at == map) {
			maps[i].size = size;
			maps[i].at = map;
			return;
		}
}

void driver_unmapped(const void *map)
{
	for (size_t i = 0; i < MAX_MAPS; i++)
		if (maps[i].at == map)
			maps[i].at = NULL;
}

bool driver_mend_fault(const siginfo_t *info)
{
	char *page = (char *)((uintptr_t)info->si_addr & ~(page_bytes - 1));

	/* One that somebody sent has no address. */
	for (size_t i = 0; i < MAX_MAPS && info->si_code > 0; i++) {
		if (!maps[i].at || page < maps[i].at || page >= maps[i].at + maps[i].size ||
			mmap(page, page_bytes, PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
			continue;
		memset(page, 0xff, page_bytes);
		return true;
	}
	return false;
}

/* What is no memory of a driver faults again, by the handler from before; what somebody sent is
 * sent again. */
static void on_fault(int signo, siginfo_t *info, void *context)
{
	(void)context;
	if (driver_mend_fault(info))
		return;
	sigaction(signo, &before_faults, NULL);
	if (info->si_code <= 0)
		raise(signo);
}

void driver_watch_faults(void)
{
	struct sigaction action = { .sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK };

	page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	sigaction(SIGBUS, &action, &before_faults);
}

void *driver_map(int fd, size_t size, int prot, int flags, int64_t offset)
{
	call_begin("mmap", NULL, fd);
	void *map = mmap(NULL, size, prot, flags, fd, (off_t)offset);
	call_end();
	if (map == MAP_FAILED)
		return NULL;
	driver_mapped(map, size);
	return map;
}

void driver_unmap(void *map, size_t size, const char *path)
{
	driver_unmapped(map);
	call_begin("munmap", path, -1);
	munmap(map, size);
	call_end();
}

/* The kernel takes a descriptor out of the table before it closes its file, so the name is read first. */
void driver_close(int fd)
{
	char name[256];

	if (fd < 0)
		return;
	place_name(fd, name, sizeof(name));
	call_begin("close", name, -1);
	close(fd);
	call_end();
}

void call_watch_command(pid_t pid)
{
	watch.command = pid;
}

void call_watch_terminal(void (*say_there)(const char *line), void (*give_back)(void))
{
	pthread_mutex_lock(&watch.lock);
	watch.say = say_there;
	watch.give_back = give_back;
	pthread_mutex_unlock(&watch.lock);
}
