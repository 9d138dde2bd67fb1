/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the memories of makers of spans. Every number in them may change while it is looked at, so
 * each is copied once and checked before it is used. */
#include "config.h"

#include "kernels/spans/span_hub.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/minmax.h"
#include "base/strbuf.h"
#include "base/utf8.h"
#include "kernels/layer/span_proto.h"

#define FOLDER "rooftop-XXXXXX"
#define SOCKET "spans"
#define LIVE_SOCKET "live" /* of a screen, at which programs that others start greet, too */
#define SCREENS_MAX 3
/* Queues of ended programs keep their numbers, of which a recording tells 65,536 apart. */
#define QUEUES_MOST (65536 - SPAN_QUEUES_MAX)
/* What is not told for so long is not waited for. */
#define PATIENCE_NS (10 * NS_PER_S)
/* A writer that lost its processor within a span writes on later than that only when it is stopped. */
#define HALF_NS NS_PER_S
/* Commands that overtake each other are told up to so much late. */
#define OVERTAKING_NS NS_PER_S

struct program {
	const struct span_memory *memory; /* mapped, read-only */
	pid_t pid;
	int process; /* descriptor; -1: the kernel gives none */
	char maker[16];
	uint64_t next; /* number of the span that comes next */
	uint64_t stuck; /* number + 1 of the span that was half written last time; 0 */
	int64_t stuck_ns; /* since when */
	uint64_t dropped; /* as it was told last */
	char **names; /* heap, [n_names]; NULL: not read yet */
	uint32_t n_names, n_queues;
	int queues[SPAN_QUEUES_MAX]; /* numbers in the sink */
	bool out_of_order[SPAN_QUEUES_MAX];
	int64_t last_seen_ns[SPAN_QUEUES_MAX]; /* when its last command was seen to end */
	bool broken;
};

struct span_hub {
	struct span_sink sink;
	char folder[80], path[108];
	int fd;
	bool stuck; /* who calls cannot be taken: there are no descriptors */
	int waiting
		[SPAN_PROGRAMS_MAX]; /* sockets that have not said anything yet, the oldest first */
	int n_waiting;
	struct program *programs[SPAN_PROGRAMS_MAX];
	int n, greeted, refused, n_queues;
	int64_t told_ns; /* up to then everything was told, however long ago that is */
	uint64_t left_unended; /* commands that programs left behind which are gone */
};

/* --- opening --- */

static const char *folder_below(void)
{
	const char *below = getenv("XDG_RUNTIME_DIR");

	/* Colons are between paths. */
	if (!below || !*below || strchr(below, ':') || access(below, W_OK) < 0)
		below = getenv("TMPDIR");
	return below && *below && !strchr(below, ':') ? below : "/tmp";
}

static bool make_folder(struct span_hub *h, struct err *err)
{
	const char *below = folder_below();

	if (snprintf(h->folder, sizeof(h->folder), "%s/" FOLDER, below) >= (int)sizeof(h->folder)) {
		h->folder[0] = '\0';
		return err_set(err, ERR_SYS, "the path '%.200s' is too long for a socket", below);
	}
	/* Nobody else may enter it: mkdtemp() makes it 0700. */
	if (mkdtemp(h->folder))
		return true;
	h->folder[0] = '\0';
	return err_sys(err, "cannot make a folder below '%s'", below);
}

struct span_hub *span_hub_open(const struct span_sink *sink, bool is_live, struct err *err)
{
	struct span_hub *h = xcalloc(1, sizeof(*h));
	struct sockaddr_un at = { .sun_family = AF_UNIX };

	h->sink = *sink;
	h->fd = -1;
	if (!make_folder(h, err))
		goto fail;
	snprintf(h->path, sizeof(h->path), "%s/%s", h->folder, is_live ? LIVE_SOCKET : SOCKET);
	memcpy(at.sun_path, h->path, strlen(h->path) + 1);
	h->fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (h->fd >= 0 && bind(h->fd, (struct sockaddr *)&at, sizeof(at)) == 0 &&
		listen(h->fd, SPAN_PROGRAMS_MAX) == 0)
		return h;
	err_sys(err, "cannot listen at '%s'", h->path);
fail:
	span_hub_close(h);
	return NULL;
}

const char *span_hub_path(const struct span_hub *h)
{
	return h->path;
}

/* Whether a screen of this user listens at a path, in a folder that nobody else can enter. It is
 * not called: a socket of another type is refused without its knowing. What one that was killed has
 * left is removed. */
static bool is_live(const char *path)
{
	struct sockaddr_un at = { .sun_family = AF_UNIX };
	struct stat st;
	char folder[sizeof(at.sun_path)];

	if (strlen(path) >= sizeof(at.sun_path))
		return false;
	snprintf(folder, sizeof(folder), "%.*s", (int)(strrchr(path, '/') - path), path);
	if (lstat(folder, &st) < 0 || !S_ISDIR(st.st_mode) || st.st_uid != geteuid() || st.st_mode & 077 ||
		lstat(path, &st) < 0 || !S_ISSOCK(st.st_mode))
		return false;
	memcpy(at.sun_path, path, strlen(path) + 1);
	int s = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	bool good = s >= 0 && connect(s, (struct sockaddr *)&at, sizeof(at)) < 0;
	int why = errno;
	if (s >= 0)
		close(s);
	if (good && why == ECONNREFUSED) {
		unlink(path);
		rmdir(folder);
	}
	return good && why == EPROTOTYPE;
}

char *span_hub_paths(const struct span_hub *h)
{
	struct strbuf paths = { 0 };
	glob_t found = { 0 };
	char *pattern = xasprintf("%s/rooftop-*/*", folder_below());
	int n = 0;

	strbuf_add(&paths, h->path);
	if (glob(pattern, GLOB_NOSORT, NULL, &found) == 0)
		for (size_t i = 0; i < found.gl_pathc; i++) {
			const char *name = strrchr(found.gl_pathv[i], '/') + 1;
			bool screen = !strcmp(name, LIVE_SOCKET);

			if (!screen && strcmp(name, SOCKET) != 0)
				continue;
			/* What a run that was killed has left is removed, too. */
			if (!is_live(found.gl_pathv[i]) || !screen ||
				!strcmp(found.gl_pathv[i], h->path))
				continue;
			if (n++ < SCREENS_MAX)
				strbuf_addf(&paths, ":%s", found.gl_pathv[i]);
		}
	globfree(&found);
	free(pattern);
	return paths.s;
}

const char *span_hub_variable(void)
{
	return SPAN_ENV;
}

int span_hub_fd(const struct span_hub *h)
{
	return h->stuck ? -1 : h->fd;
}

int span_hub_programs(const struct span_hub *h, int *refused)
{
	*refused = h->refused;
	return h->greeted;
}

static void free_program(struct program *p)
{
	if (p->memory)
		munmap((void *)p->memory, sizeof(*p->memory));
	for (uint32_t i = 0; i < p->n_names; i++)
		free(p->names[i]);
	free(p->names);
	if (p->process >= 0)
		close(p->process);
	free(p);
}

void span_hub_close(struct span_hub *h)
{
	if (!h)
		return;
	for (int i = 0; i < h->n; i++)
		free_program(h->programs[i]);
	for (int i = 0; i < h->n_waiting; i++)
		close(h->waiting[i]);
	if (h->fd >= 0) {
		close(h->fd);
		unlink(h->path);
	}
	if (*h->folder)
		rmdir(h->folder);
	free(h);
}

/* --- programs --- */

/* Without the seal a program could cut its memory and kill whoever reads it. */
static bool check_memory(int fd, struct err *err)
{
	int seals = fcntl(fd, F_GET_SEALS);
	struct stat st;

	if (seals < 0 || !(seals & F_SEAL_SHRINK))
		return err_set(err, ERR_PARSE, "its memory is not sealed");
	if (fstat(fd, &st) < 0 || st.st_size != (off_t)sizeof(struct span_memory))
		return err_set(err, ERR_PARSE, "its memory has another size");
	return true;
}

bool span_hub_take(struct span_hub *h, int memory, pid_t pid, struct err *err)
{
	struct span_head head;

	if (h->n == SPAN_PROGRAMS_MAX || h->n_queues > QUEUES_MOST)
		return err_set(err, ERR_BUSY, "there are too many programs");
	if (!check_memory(memory, err))
		return false;
	void *at = mmap(NULL, sizeof(struct span_memory), PROT_READ, MAP_SHARED, memory, 0);
	if (at == MAP_FAILED)
		return err_sys(err, "cannot map the memory of process %ld", (long)pid);
	memcpy(&head, at, sizeof(head));
	if (memcmp(head.magic, SPAN_MAGIC, sizeof(head.magic)) != 0 ||
		head.version != SPAN_VERSION || head.bytes != sizeof(struct span_memory)) {
		munmap(at, sizeof(struct span_memory));
		return err_set(err, ERR_PARSE, "its memory is of another version");
	}
	struct program *p = xcalloc(1, sizeof(*p));
	p->memory = at;
	p->pid = pid;
	p->process = pid > 0 ? (int)syscall(SYS_pidfd_open, pid, 0) : -1;
	utf8_copy_plain(p->maker, sizeof(p->maker), head.maker, sizeof(head.maker));
	h->programs[h->n++] = p;
	h->greeted++;
	return true;
}

#define NOTHING_YET (-2)

/* Takes the descriptor of a message that greets; -1: it does not, NOTHING_YET: no message has come. */
static int take_hello(int s)
{
	struct span_hello hello = { .version = 0 };
	struct iovec part = { &hello, sizeof(hello) };
	union {
		char bytes[CMSG_SPACE(4 * sizeof(int))];
		struct cmsghdr align;
	} control;
	struct msghdr m = { .msg_iov = &part,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = sizeof(control) };
	ssize_t n = recvmsg(s, &m, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
	int fd = -1, count = 0;

	if (n < 0)
		return errno == EAGAIN || errno == EINTR ? NOTHING_YET : -1;
	for (struct cmsghdr *c = CMSG_FIRSTHDR(&m); c; c = CMSG_NXTHDR(&m, c)) {
		if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
			continue;
		for (size_t i = 0; i < (c->cmsg_len - CMSG_LEN(0)) / sizeof(int); i++) {
			int got;

			memcpy(&got, CMSG_DATA(c) + i * sizeof(int), sizeof(got));
			/* One is asked for; no other one may stay open. */
			if (count++ == 0)
				fd = got;
			else
				close(got);
		}
	}
	if (n == (ssize_t)sizeof(hello) && count == 1 &&
		!memcmp(hello.magic, SPAN_MAGIC, sizeof(hello.magic)) &&
		hello.version == SPAN_VERSION)
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

/* Takes those who connect. More than may wait at once are refused, the oldest first. */
static void accept_makers(struct span_hub *h)
{
	struct ucred peer;
	socklen_t len = sizeof(peer);
	int s;

	for (int i = 0; i < SPAN_PROGRAMS_MAX; i++) {
		s = accept4(h->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
		if (s < 0) {
			h->stuck = errno == EMFILE || errno == ENFILE || errno == ENOMEM;
			return;
		}
		if (getsockopt(s, SOL_SOCKET, SO_PEERCRED, &peer, &len) < 0 ||
			peer.uid != geteuid()) {
			close(s);
			h->refused++;
			continue;
		}
		if (h->n_waiting == SPAN_PROGRAMS_MAX) {
			close(h->waiting[0]);
			h->refused++;
			memmove(h->waiting, h->waiting + 1, (size_t)--h->n_waiting * sizeof(int));
		}
		h->waiting[h->n_waiting++] = s;
	}
}

/* Takes the programs that greet. On a busy machine some time may lie between a maker's call and its
 * message. */
static void greet(struct span_hub *h)
{
	int left = 0;

	accept_makers(h);
	for (int i = 0; i < h->n_waiting; i++) {
		struct ucred peer = { .pid = 0 };
		socklen_t len = sizeof(peer);
		int s = h->waiting[i], fd = take_hello(s);

		if (fd == NOTHING_YET) {
			h->waiting[left++] = s;
			continue;
		}
		getsockopt(s, SOL_SOCKET, SO_PEERCRED, &peer, &len);
		if (fd < 0 || !span_hub_take(h, fd, peer.pid, NULL))
			h->refused++;
		if (fd >= 0)
			close(fd);
		close(s);
	}
	h->n_waiting = left;
}

/* --- what they say --- */

static void lose(struct span_hub *h, uint64_t n)
{
	if (n)
		h->sink.lost(h->sink.ctx, n);
}

/* A program whose numbers go back or beyond their bounds is not listened to any more. */
static void give_up(struct span_hub *h, struct program *p)
{
	p->broken = true;
	h->sink.nonsense(h->sink.ctx, 1);
}

static void read_names(struct span_hub *h, struct program *p)
{
	uint32_t n = atomic_load(&p->memory->head.n_names);

	if (n > SPAN_NAMES_MAX || n < p->n_names) {
		give_up(h, p);
		return;
	}
	if (n == p->n_names)
		return;
	p->names = xreallocarray(p->names, n, sizeof(*p->names));
	for (; p->n_names < n; p->n_names++) {
		struct span_name name;
		char text[SPAN_NAME_MAX];

		memcpy(&name, &p->memory->names[p->n_names], sizeof(name));
		if (name.bytes >= SPAN_NAME_MAX || name.at > SPAN_NAME_BYTES - name.bytes)
			name = (struct span_name){ 0, 0 };
		utf8_copy_plain(text, sizeof(text), p->memory->text + name.at, name.bytes);
		p->names[p->n_names] = xstrdup(text_or(text, "?"));
	}
}

static void read_queues(struct span_hub *h, struct program *p)
{
	uint32_t n = atomic_load(&p->memory->head.n_queues);

	if (n > SPAN_QUEUES_MAX || n < p->n_queues) {
		give_up(h, p);
		return;
	}
	for (; p->n_queues < n; p->n_queues++) {
		const struct span_queue *q = &p->memory->queues[p->n_queues];
		struct span_place place = { .number = h->n_queues,
			.pid = (uint32_t)p->pid,
			/* Number 0 stands for several. */
			.out_of_order = q->flags & SPAN_OUT_OF_ORDER || p->n_queues == 0,
			.by_reports = q->flags & SPAN_REPORT_CLOCK };

		utf8_copy_plain(place.device, sizeof(place.device), q->device, sizeof(q->device));
		utf8_copy_plain(place.pci_address, sizeof(place.pci_address), q->pci_address,
			sizeof(q->pci_address));
		memcpy(place.maker, p->maker, sizeof(place.maker));
		p->out_of_order[p->n_queues] = place.out_of_order;
		p->queues[p->n_queues] = h->n_queues++;
		h->sink.queue(h->sink.ctx, &place);
	}
}

static bool is_time(uint64_t ns)
{
	return ns < (uint64_t)INT64_MAX / 4;
}

static void tell(struct span_hub *h, struct program *p, const struct span_slot *s)
{
	if (s->queue >= p->n_queues || s->name >= p->n_names ||
		(s->kind != SPAN_KERNEL && s->kind != SPAN_OTHER) || !is_time(s->queued) ||
		!is_time(s->start) || !is_time(s->end) || !is_time(s->before) ||
		!is_time(s->after) || !is_time(s->seen)) {
		h->sink.nonsense(h->sink.ctx, 1);
		return;
	}
	const struct span span = { .queue = p->queues[s->queue],
		.name = p->names[s->name],
		.is_kernel = s->kind == SPAN_KERNEL,
		.index = s->index,
		.items = s->items,
		.queued = (int64_t)s->queued,
		.start = (int64_t)s->start,
		.end = (int64_t)s->end,
		.before = (int64_t)s->before,
		.after = (int64_t)s->after,
		.seen = (int64_t)s->seen };
	p->last_seen_ns[s->queue] = (int64_t)s->seen;
	h->sink.span(h->sink.ctx, &span);
}

/* Copies a slot. Returns false when it is not, or no longer, the span of that number. */
static bool copy_slot(const struct span_memory *m, uint64_t n, struct span_slot *out)
{
	const struct span_slot *slot = &m->ring[n % SPAN_RING];

	if (atomic_load(&slot->seq) != n + 1)
		return false;
	memcpy(out, slot, sizeof(*out));
	atomic_thread_fence(memory_order_acquire);
	return atomic_load(&slot->seq) == n + 1;
}

/* Whether a span that is half written is waited for: its program may have died there. */
static bool waits_for_half(struct program *p, int64_t now_ns, bool gone)
{
	if (p->stuck != p->next + 1) {
		p->stuck = p->next + 1;
		p->stuck_ns = now_ns;
	}
	return !gone && now_ns - p->stuck_ns < HALF_NS;
}

/* Reads at most a ring. */
static void read_spans(struct span_hub *h, struct program *p, int64_t now_ns, bool gone)
{
	/* Spans before this one name nothing that is made later. */
	uint64_t head = atomic_load(&p->memory->head.head);
	struct span_slot slot;

	if (head < p->next) {
		give_up(h, p);
		return;
	}
	read_names(h, p);
	read_queues(h, p);
	if (p->broken)
		return;
	if (head - p->next > SPAN_RING) {
		lose(h, head - p->next - SPAN_RING);
		p->next = head - SPAN_RING;
	}
	for (; p->next < head; p->next++) {
		if (copy_slot(p->memory, p->next, &slot)) {
			tell(h, p, &slot);
			continue;
		}
		if (head - p->next < SPAN_RING / 2 && waits_for_half(p, now_ns, gone))
			return;
		lose(h, 1);
	}
}

static uint64_t under_way(const struct program *p, uint32_t queue)
{
	uint64_t submitted = atomic_load(&p->memory->queues[queue].submitted);
	uint64_t done = atomic_load(&p->memory->queues[queue].done);

	/* What is more than memory holds is a lie, of which sums shall not overflow. */
	return submitted > done ? min_u64(submitted - done, UINT32_MAX) : 0;
}

/* Returns up to when the program has told everything that had ended. */
static int64_t told_until(const struct program *p, int64_t now_ns)
{
	int64_t until_ns = now_ns;

	for (uint32_t q = 0; q < p->n_queues; q++) {
		int64_t last_ns = p->last_seen_ns[q] - (p->out_of_order[q] ? OVERTAKING_NS : 0);

		if (under_way(p, q) > 0)
			until_ns = min_i64(until_ns, last_ns);
	}
	return p->next < atomic_load(&p->memory->head.head) ? now_ns - PATIENCE_NS : until_ns;
}

static uint64_t unended(const struct program *p)
{
	uint64_t n = 0;

	for (uint32_t q = 0; q < p->n_queues; q++)
		n += under_way(p, q);
	return n;
}

/* Whether a program writes nothing any more. One whose process is not known here is believed. Its
 * pid lasts until its parent has asked how it ended. */
static bool is_gone(const struct program *p)
{
	struct pollfd end = { .fd = p->process, .events = POLLIN };

	if (p->process >= 0)
		return poll(&end, 1, 0) > 0;
	if (p->pid <= 0)
		return atomic_load(&p->memory->head.ended);
	return kill(p->pid, 0) < 0 && errno == ESRCH;
}

/* Reads what a program has written. Returns up to when it has told everything. */
static int64_t read_program(struct span_hub *h, struct program *p, int64_t now_ns, bool gone)
{
	uint64_t dropped = atomic_load(&p->memory->head.dropped);

	read_spans(h, p, now_ns, gone);
	if (dropped > p->dropped)
		lose(h, dropped - p->dropped);
	p->dropped = dropped;
	if (p->broken || atomic_load(&p->memory->head.ended))
		return now_ns;
	return told_until(p, now_ns);
}

int64_t span_hub_read(struct span_hub *h, int64_t now_ns)
{
	int64_t until_ns = now_ns;
	int left = 0;

	greet(h);
	for (int i = 0; i < h->n; i++) {
		struct program *p = h->programs[i];
		/* Before it is read: nothing is written behind that. */
		bool gone = is_gone(p);
		int64_t told_ns = p->broken ? now_ns : read_program(h, p, now_ns, gone);

		if (!p->broken && (!gone || p->next < atomic_load(&p->memory->head.head))) {
			until_ns = min_i64(until_ns, told_ns);
			h->programs[left++] = p;
			continue;
		}
		h->left_unended += unended(p);
		free_program(p);
	}
	h->n = left;
	h->told_ns = until_ns;
	return max_i64(until_ns, now_ns - PATIENCE_NS);
}

int64_t span_hub_told_ns(const struct span_hub *h)
{
	return h->told_ns;
}

uint64_t span_hub_unended(const struct span_hub *h)
{
	uint64_t n = h->left_unended;

	for (int i = 0; i < h->n; i++)
		n += unended(h->programs[i]);
	return n;
}
