/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A program may map the buffer of a stream of xe, whole, private, to be read only, with the right to observe, and a child does not
 * inherit it (Linux 6.12 xe_oa.c, xe_oa_mmap(), in whose order things are refused). The unit writes into it whatever the program does, so
 * a thread lets the units of mapped streams catch up with the clock. */
#include "config.h"

#include "tests/fakekernel/intel/xe_oa_map.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "tests/fakekernel/fake.h"
#include "tests/fakekernel/intel/intel.h"
#include "tests/fakekernel/intel/xe.h"

#define CATCH_UP_NS NS_PER_MS

/* One stream of each unit; memory is that of the buffer. */
static struct mapped {
	struct fake_oa *oa;
	int memory;
} streams[2];
static bool is_filling;
static pthread_mutex_t units = PTHREAD_MUTEX_INITIALIZER;

void fake_units_hold(void)
{
	pthread_mutex_lock(&units);
}

void fake_units_release(void)
{
	pthread_mutex_unlock(&units);
}

/* A child has the streams, and nobody who fills their buffers. */
static void begin_as_child(void)
{
	is_filling = false;
	fake_units_release();
}

/* Until no mapped stream is left. */
static void *fill(void *nobody)
{
	bool is_needed = true;

	(void)nobody;
	while (is_needed) {
		nanosleep(&(struct timespec){ .tv_nsec = CATCH_UP_NS }, NULL);
		fake_units_hold();
		is_needed = false;
		for (size_t i = 0; i < ARRAY_LEN(streams); i++) {
			if (!streams[i].oa)
				continue;
			oa_unit_advance(&streams[i].oa->unit, fake_model_ns());
			is_needed = true;
		}
		is_filling = is_needed;
		fake_units_release();
	}
	return NULL;
}

/* Signals are for the program's own threads. */
static void begin_to_fill(void)
{
	static bool is_told;
	sigset_t all, before;
	pthread_t thread;

	if (is_filling)
		return;
	if (!is_told)
		pthread_atfork(fake_units_hold, fake_units_release, begin_as_child);
	is_told = true;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	is_filling = pthread_create(&thread, NULL, fill, NULL) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (is_filling)
		pthread_detach(thread);
}

/* The buffer goes on in memory that can be mapped twice; its descriptor, -1 with errno. */
static int move_buffer(struct oa_unit *u)
{
	const size_t bytes = u->c.buffer_bytes;
	int memory = memfd_create("oa-buffer", MFD_CLOEXEC);

	if (memory < 0)
		return -1;
	if (ftruncate(memory, (off_t)bytes) == 0 &&
		pwrite(memory, u->ring, bytes, 0) == (ssize_t)bytes &&
		syscall(SYS_mmap, u->ring, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
			memory, 0L) != -1)
		return memory;
	real_close(memory);
	errno = ENOMEM;
	return -1;
}

static struct mapped *mapped_stream(const struct fake_oa *s)
{
	for (size_t i = 0; i < ARRAY_LEN(streams); i++)
		if (streams[i].oa == s)
			return &streams[i];
	return NULL;
}

/* Through a descriptor that cannot write, so that mprotect() cannot make the mapping so later. */
static void *map_to_read(int memory, size_t bytes, int prot)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", memory);
	fd = real_open(path, O_RDONLY | O_CLOEXEC, 0);
	if (fd < 0)
		return MAP_FAILED;
	void *p = (void *)syscall(SYS_mmap, NULL, bytes, prot, MAP_SHARED, fd, 0L);
	real_close(fd);
	if (p != MAP_FAILED)
		madvise(p, bytes, MADV_DONTFORK);
	return p;
}

void *fake_oa_map(struct fake_oa *s, size_t length, int prot, int flags)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE), bytes = s->unit.c.buffer_bytes;
	const size_t pages_bytes = (length + page - 1) / page * page;
	struct mapped *m = mapped_stream(s);

	fake_log("MMAP %zu bytes, protection %d, flags %#x\n", length, prot, (unsigned)flags);
	if (!fake_xe_may_observe())
		errno = EACCES;
	else if (pages_bytes != bytes || prot & (PROT_WRITE | PROT_EXEC) ||
		(flags & MAP_TYPE) != MAP_PRIVATE)
		errno = EINVAL;
	else
		errno = 0;
	if (errno)
		return MAP_FAILED;
	if (!m) {
		m = mapped_stream(NULL);
		m->memory = move_buffer(&s->unit);
		if (m->memory < 0)
			return MAP_FAILED;
		m->oa = s;
	}
	begin_to_fill();
	return map_to_read(m->memory, bytes, prot);
}

void fake_oa_map_close(const struct fake_oa *s)
{
	struct mapped *m = mapped_stream(s);

	if (!m)
		return;
	real_close(m->memory);
	*m = (struct mapped){ .oa = NULL };
}
