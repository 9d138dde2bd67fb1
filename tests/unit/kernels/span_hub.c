/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The reader of spans against makers that are honest, half dead, and lie: whatever stands in their
 * memory, each span is told, counted as lost, or counted as nonsense. */
#include "config.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "kernels/layer/span_proto.h"
#include "kernels/spans/span_hub.h"
#include "tests/tap.h"

struct heard {
	int queues, spans;
	uint64_t lost, nonsense, last_index;
	size_t longest_name;
	bool plain;
};

static void on_queue(void *ctx, const struct span_place *p)
{
	struct heard *h = ctx;

	(void)p;
	h->queues++;
}

static void on_span(void *ctx, const struct span *s)
{
	struct heard *h = ctx;

	h->spans++;
	h->last_index = s->index;
	if (strlen(s->name) > h->longest_name)
		h->longest_name = strlen(s->name);
	for (const char *c = s->name; *c; c++)
		h->plain = h->plain && *c >= ' ' && *c <= '~';
}

static void on_lost(void *ctx, uint64_t n)
{
	((struct heard *)ctx)->lost += n;
}

static void on_nonsense(void *ctx, uint64_t n)
{
	((struct heard *)ctx)->nonsense += n;
}

static int new_memory(struct span_memory **m, int seals)
{
	int fd = memfd_create("spans", MFD_CLOEXEC | MFD_ALLOW_SEALING);

	if (fd < 0 || ftruncate(fd, sizeof(**m)) < 0 || fcntl(fd, F_ADD_SEALS, seals) < 0)
		exit(1);
	*m = mmap(NULL, sizeof(**m), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	memcpy((*m)->head.magic, SPAN_MAGIC, 8);
	(*m)->head.version = SPAN_VERSION;
	(*m)->head.bytes = sizeof(**m);
	memcpy((*m)->head.maker, "test", 5);
	memcpy((*m)->text, "kernel", 6);
	(*m)->names[0] = (*m)->names[1] = (struct span_name){ 0, 6 };
	(*m)->head.n_names = (*m)->head.n_queues = 2;
	return fd;
}

static void put(struct span_memory *m, uint64_t n)
{
	struct span_slot *s = &m->ring[n % SPAN_RING];

	s->queued = 1000 * n + 1;
	s->start = s->queued + 10;
	s->end = s->start + 100;
	s->before = s->queued + 5000;
	s->after = s->before + 5;
	s->seen = s->after + 500;
	s->index = n + 1;
	s->name = s->queue = 1;
	s->kind = SPAN_KERNEL;
	atomic_store(&s->seq, n + 1);
	atomic_store(&m->head.head, n + 1);
}

struct trial {
	struct heard heard;
	struct span_hub *hub;
	struct span_memory *m;
	int fd;
};

static void begin(struct trial *t)
{
	struct err err = { 0 };

	memset(t, 0, sizeof(*t));
	t->heard.plain = true;
	const struct span_sink sink = { .queue = on_queue, .span = on_span, .lost = on_lost, .nonsense = on_nonsense, .ctx = &t->heard };
	t->hub = span_hub_open(&sink, false, &err);
	t->fd = new_memory(&t->m, F_SEAL_SHRINK);
	if (!t->hub || !span_hub_take(t->hub, t->fd, 1, &err))
		exit(1);
}

static void end(struct trial *t)
{
	span_hub_close(t->hub);
	munmap(t->m, sizeof(*t->m));
	close(t->fd);
}

static void test_honest(void)
{
	struct trial t;

	begin(&t);
	for (uint64_t i = 0; i < 1000; i++)
		put(t.m, i);
	span_hub_read(t.hub, 1);
	is_int(t.heard.spans, 1000, "each span is told");
	is_int((long)(t.heard.lost + t.heard.nonsense), 0, "  ... and none is lost");
	for (uint64_t i = 1000; i < 1000 + 3 * SPAN_RING; i++)
		put(t.m, i);
	span_hub_read(t.hub, 1);
	is_int((long)t.heard.lost, 2 * SPAN_RING, "a reader that is late knows how many it has missed");
	is_int(t.heard.spans, 1000 + SPAN_RING, "  ... and has the newest");
	is_int((long)t.heard.last_index, 1000 + 3 * SPAN_RING, "  ... up to the last one");
	end(&t);
}

/* A program that died in the middle of a span. */
static void test_half(void)
{
	struct trial t;

	begin(&t);
	put(t.m, 0);
	put(t.m, 1);
	put(t.m, 2);
	atomic_store(&t.m->ring[1].seq, 0);
	span_hub_read(t.hub, 1);
	is_int(t.heard.spans, 1, "a span that is half written is waited for");
	span_hub_read(t.hub, 2);
	is_int(t.heard.spans, 1, "  ... also at a look right behind: its writer may have lost the processor");
	is_int((long)t.heard.lost, 0, "  ... and is not lost");
	span_hub_read(t.hub, 1 + NS_PER_S);
	is_int(t.heard.spans, 2, "  ... for a second");
	is_int((long)t.heard.lost, 1, "  ... and then it is lost");
	end(&t);
}

/* A command that takes minutes. */
static void test_long(void)
{
	struct trial t;

	begin(&t);
	put(t.m, 0);
	t.m->queues[1].submitted = 2;
	t.m->queues[1].done = 1;
	is_int(span_hub_read(t.hub, NS_PER_S) < 10000, 1, "what is under way is waited for");
	is_int((long)(span_hub_read(t.hub, 100 * NS_PER_S) / NS_PER_S), 90, "  ... for ten seconds, as far as time is shared");
	is_int(span_hub_told_ns(t.hub) < 10000, 1, "  ... and longer, as far as counters are told");
	put(t.m, 1);
	t.m->queues[1].done = 2;
	is_int((long)(span_hub_read(t.hub, 101 * NS_PER_S) / NS_PER_S), 101, "  ... until it ends");
	is_int((long)(span_hub_told_ns(t.hub) / NS_PER_S), 101, "  ... for both");
	end(&t);
}

/* What may stand in a slot or in the head; each is one lie. */
static void lie(struct span_memory *m, int which)
{
	struct span_slot *s = &m->ring[0];

	switch (which) {
	case 0: s->name = 4000000000u; break;
	case 1: s->queue = 2; break;
	case 2: s->queue = UINT32_MAX; break;
	case 3: s->kind = 7; break;
	case 4: s->start = UINT64_MAX; break;
	case 5: s->end = UINT64_MAX / 2; break;
	case 6: s->seen = UINT64_MAX; break;
	case 7: m->head.n_names = UINT32_MAX; break;
	case 8: m->head.n_queues = SPAN_QUEUES_MAX + 1; break;
	case 9: m->head.n_queues = 0; break;
	case 10: m->names[1] = (struct span_name){ UINT32_MAX, UINT32_MAX }; break;
	case 11: m->names[1] = (struct span_name){ SPAN_NAME_BYTES, SPAN_NAME_MAX - 1 }; break;
	case 12: m->names[1] = (struct span_name){ 0, SPAN_NAME_BYTES }; break;
	case 13: memset(m->text, 0x1b, sizeof(m->text)); m->names[1].bytes = SPAN_NAME_MAX - 1; break;
	case 14: memset(m->queues[1].device, 'x', sizeof(m->queues[1].device)); break;
	case 15: memset(m->queues[1].pci_address, 0xff, sizeof(m->queues[1].pci_address)); break;
	case 16: m->head.dropped = UINT64_MAX; break;
	case 17: m->queues[1].submitted = UINT64_MAX; break;
	case 18: m->head.head = UINT64_MAX; break;
	case 19: s->seq = UINT64_MAX; break;
	case 20: s->seq = 0; m->head.head = SPAN_RING; break;
	}
}

static void test_lies(void)
{
	for (int i = 0; i <= 20; i++) {
		struct trial t;

		begin(&t);
		put(t.m, 0);
		lie(t.m, i);
		for (int k = 0; k < 3; k++)
			span_hub_read(t.hub, 1 + k * NS_PER_S);
		ok(t.heard.spans + (int)(t.heard.lost > 0) + (int)(t.heard.nonsense > 0) >= 1,
			"lie %d: the span is told, lost or nonsense", i);
		ok((int64_t)span_hub_unended(t.hub) >= 0, "  ... and what has not ended is a number");
		ok(t.heard.plain && t.heard.longest_name < SPAN_NAME_MAX,
			"  ... and no name of it acts on a terminal or is too long");
		/* It goes on lying behind that. */
		atomic_store(&t.m->head.head, 0);
		t.m->head.n_names = 1;
		for (int k = 0; k < 3; k++)
			span_hub_read(t.hub, 1);
		end(&t);
	}
}

static void test_memory(void)
{
	struct trial t;
	struct span_memory *m;
	struct err err = { 0 };

	begin(&t);
	int open_end = new_memory(&m, F_SEAL_GROW);
	ok(!span_hub_take(t.hub, open_end, 1, &err), "memory that can be cut is refused");
	munmap(m, sizeof(*m));
	close(open_end);
	int other = new_memory(&m, F_SEAL_SHRINK);
	m->head.version = 2;
	ok(!span_hub_take(t.hub, other, 1, &err), "  ... and so is that of another version");
	m->head.version = 1;
	m->head.bytes--;
	ok(!span_hub_take(t.hub, other, 1, &err), "  ... or of another size");
	munmap(m, sizeof(*m));
	close(other);
	ok(!span_hub_take(t.hub, STDIN_FILENO, 1, &err), "  ... and what is no memory");
	int half = memfd_create("half", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	ok(ftruncate(half, sizeof(*m) / 2) == 0 && fcntl(half, F_ADD_SEALS, F_SEAL_SHRINK) == 0 && !span_hub_take(t.hub, half, 1, &err),
		"  ... and half a memory, though it is sealed");
	close(half);
	for (int i = 0; i < SPAN_PROGRAMS_MAX - 1; i++)
		span_hub_take(t.hub, t.fd, 1, &err);
	ok(!span_hub_take(t.hub, t.fd, 1, &err), "one program too many is refused");
	end(&t);
}

/* A process that has ended; how says whether its parent has asked for it. */
static pid_t gone(int how)
{
	pid_t pid = fork();
	siginfo_t end;

	if (pid == 0)
		_exit(0);
	waitid(P_PID, (id_t)pid, &end, WEXITED | how);
	return pid;
}

static void test_many(void)
{
	struct trial t;
	struct span_memory *m;
	struct err err = { 0 };
	int fd = new_memory(&m, F_SEAL_SHRINK), refused, taken = 0, waited = 0;
	pid_t pids[] = { gone(0), gone(WNOWAIT) };

	begin(&t);
	memcpy(m->text + SPAN_NAME_BYTES - 6, "at end", 6);
	m->names[1] = (struct span_name){ SPAN_NAME_BYTES - 6, 6 };
	put(m, 0);
	m->queues[1].submitted = 3;
	m->queues[1].done = 1;
	for (int i = 0; i < 3 * SPAN_PROGRAMS_MAX; i++) {
		taken += span_hub_take(t.hub, fd, pids[i % 2], &err);
		waited += span_hub_read(t.hub, 1000) != 1000;
	}
	is_int(taken, 3 * SPAN_PROGRAMS_MAX, "programs that have ended make room for others, whether or not their parents know it");
	is_int(waited, 0, "  ... are not waited for");
	is_int(span_hub_programs(t.hub, &refused), 1 + taken, "  ... are counted");
	is_int(t.heard.spans, taken, "  ... have told what they did");
	is_int((long)t.heard.longest_name, 6, "  ... with a name at the end of the text");
	is_int((long)span_hub_unended(t.hub), 2 * taken, "  ... and left what they had not done");
	munmap(m, sizeof(*m));
	close(fd);
	end(&t);
}

static int greet(const char *path, const void *message, size_t len)
{
	struct sockaddr_un to = { .sun_family = AF_UNIX };
	int s = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

	snprintf(to.sun_path, sizeof(to.sun_path), "%s", path);
	if (connect(s, (struct sockaddr *)&to, sizeof(to)) < 0)
		exit(1);
	if (len)
		send(s, message, len, MSG_NOSIGNAL);
	return s;
}

static const struct span_hello hello = { SPAN_MAGIC, SPAN_VERSION, sizeof(struct span_memory) };

static void send_memory(int s, int fd)
{
	struct iovec part = { (void *)&hello, sizeof(hello) };
	union {
		char bytes[CMSG_SPACE(sizeof(int))];
		struct cmsghdr align;
	} control = { { 0 } };
	struct msghdr m = { .msg_iov = &part,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = sizeof(control) };
	struct cmsghdr *c = CMSG_FIRSTHDR(&m);

	c->cmsg_level = SOL_SOCKET;
	c->cmsg_type = SCM_RIGHTS;
	c->cmsg_len = CMSG_LEN(sizeof(fd));
	memcpy(CMSG_DATA(c), &fd, sizeof(fd));
	if (sendmsg(s, &m, MSG_NOSIGNAL) != (ssize_t)sizeof(hello))
		exit(1);
}

static void test_socket(void)
{
	struct trial t;
	int refused;

	begin(&t);
	int silent = greet(span_hub_path(t.hub), NULL, 0);
	int empty = greet(span_hub_path(t.hub), &hello, sizeof(hello));
	int wrong = greet(span_hub_path(t.hub), "hello", 5);
	span_hub_read(t.hub, 1);
	is_int(span_hub_programs(t.hub, &refused), 1, "who sends no memory is no program");
	is_int(refused, 2, "  ... and is refused");
	close(silent);
	span_hub_read(t.hub, 1);
	span_hub_programs(t.hub, &refused);
	is_int(refused, 3, "  ... as is who goes without a word");
	close(empty);
	close(wrong);
	end(&t);
}

static void test_slow(void)
{
	struct trial t;
	int refused, sockets[SPAN_PROGRAMS_MAX];

	begin(&t);
	int slow = greet(span_hub_path(t.hub), NULL, 0);
	for (int i = 0; i < 3; i++)
		span_hub_read(t.hub, 1);
	send_memory(slow, t.fd);
	span_hub_read(t.hub, 1);
	is_int(span_hub_programs(t.hub, &refused), 2, "a program that greets long after it has called is taken");
	is_int(refused, 0, "  ... and not refused before");
	close(slow);
	slow = greet(span_hub_path(t.hub), NULL, 0);
	span_hub_read(t.hub, 1);
	for (int i = 0; i < SPAN_PROGRAMS_MAX; i++)
		sockets[i] = greet(span_hub_path(t.hub), NULL, 0);
	span_hub_read(t.hub, 1);
	span_hub_programs(t.hub, &refused);
	is_int(refused, 1, "of too many who say nothing the oldest is refused");
	for (int i = 0; i < SPAN_PROGRAMS_MAX; i++)
		close(sockets[i]);
	close(slow);
	end(&t);
}

/* Without descriptors nobody can be taken, and poll() would return all the time. */
static void test_no_descriptors(void)
{
	struct rlimit before, none;
	struct trial t;

	begin(&t);
	int s = greet(span_hub_path(t.hub), NULL, 0);
	getrlimit(RLIMIT_NOFILE, &before);
	none = before;
	none.rlim_cur = (rlim_t)s + 1;
	setrlimit(RLIMIT_NOFILE, &none);
	span_hub_read(t.hub, 1);
	is_int(span_hub_fd(t.hub), -1, "who cannot be taken is not polled for");
	setrlimit(RLIMIT_NOFILE, &before);
	send_memory(s, t.fd);
	span_hub_read(t.hub, 1);
	int refused;
	is_int(span_hub_programs(t.hub, &refused), 2, "  ... and is taken when there are descriptors again");
	ok(span_hub_fd(t.hub) >= 0, "  ... and polled for");
	close(s);
	end(&t);
}

/* Programs are told of screens that listen, and not of what screens that were killed have left. */
static void test_screens(void)
{
	const struct span_sink sink = { .queue = on_queue, .span = on_span, .lost = on_lost, .nonsense = on_nonsense };
	struct span_hub *run, *screens[3];
	char below[] = "/tmp/span_hub-XXXXXX", folder[64];
	struct sockaddr_un at = { .sun_family = AF_UNIX };
	int refused, left = 0, n = 1;

	setenv("XDG_RUNTIME_DIR", mkdtemp(below), 1);
	for (int i = 0; i < 10; i++) {
		int s = socket(AF_UNIX, SOCK_SEQPACKET, 0);

		snprintf(folder, sizeof(folder), "%s/rooftop-kill%d", below, i);
		mkdir(folder, 0700);
		snprintf(at.sun_path, sizeof(at.sun_path), "%s/%s", folder, i % 2 ? "live" : "spans");
		left += bind(s, (struct sockaddr *)&at, sizeof(at)) == 0 && listen(s, 1) == 0;
		close(s);
	}
	is_int(left, 10, "five screens and five runs were killed");
	/* Folders that others may enter, or that lead elsewhere, are not looked into. */
	char real[80], other[80];
	snprintf(real, sizeof(real), "%s/elsewhere", below);
	snprintf(other, sizeof(other), "%s/rooftop-other", below);
	ok(rename(folder, real) == 0 && symlink(real, folder) == 0, "one of their folders is a link");
	ok(mkdir(other, 0777) == 0 && chmod(other, 0777) == 0, "another one is everybody's");
	snprintf(at.sun_path, sizeof(at.sun_path), "%s/live", other);
	int open_to_all = socket(AF_UNIX, SOCK_SEQPACKET, 0);
	ok(bind(open_to_all, (struct sockaddr *)&at, sizeof(at)) == 0 && listen(open_to_all, 1) == 0,
		"  ... in which somebody listens");
	for (int i = 0; i < 3; i++)
		screens[i] = span_hub_open(&sink, true, NULL);
	run = span_hub_open(&sink, false, NULL);
	char *paths = span_hub_paths(run);
	for (int i = 0; i < 3; i++)
		ok(strstr(paths, span_hub_path(screens[i])), "a screen that listens is told of");
	for (const char *c = paths; *c; c++)
		n += *c == ':';
	is_int(n, 4, "  ... and what listened once is not");
	ok(!strncmp(paths, span_hub_path(run), strlen(span_hub_path(run))), "  ... whoever asks comes first");
	free(paths);
	span_hub_read(screens[0], 1);
	span_hub_programs(screens[0], &refused);
	is_int(refused, 0, "  ... and no screen takes the look for a call");
	for (int i = 0; i < 3; i++)
		span_hub_close(screens[i]);
	span_hub_close(run);
	ok(unlink(at.sun_path) == 0 && rmdir(other) == 0, "  ... but what was everybody's");
	snprintf(at.sun_path, sizeof(at.sun_path), "%s/live", real);
	ok(unlink(at.sun_path) == 0 && rmdir(real) == 0 && unlink(folder) == 0, "  ... and what the link led to");
	close(open_to_all);
	is_int(rmdir(below), 0, "  ... and nothing else is left");
}

int main(void)
{
	test_honest();
	test_half();
	test_long();
	test_lies();
	test_memory();
	test_many();
	test_socket();
	test_slow();
	test_no_descriptors();
	test_screens();
	return done_testing();
}
