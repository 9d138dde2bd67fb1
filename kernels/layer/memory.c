/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The memory that the layer shares with rooftop. Whatever fails leaves the program as it was, and
 * nothing is told. */
#include "config.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "kernels/layer/layer.h"

#define PCI_EXTENSION "cl_khr_pci_bus_info"
#define PCI_INFO 0x410F /* CL_DEVICE_PCI_BUS_INFO_KHR */
#define DOMAIN_BITS 28	/* Linux counts from 0x10000 on what hangs on a bridge of its own */

cl_icd_dispatch layer_next;

struct pci_info {
	cl_uint domain, bus, device, function;
};

static struct span_memory *memory;
static _Atomic bool tried; /* set behind memory, which threads read without the lock */
static _Atomic unsigned generation;
/* Over names and queues, whose numbers are given once; spans take none. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* Open addressing over the names; 0 is free. */
static uint32_t by_hash[2 * SPAN_NAMES_MAX];

uint64_t memory_now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

unsigned memory_generation(void)
{
	return atomic_load(&generation);
}

static void begin_memory(void)
{
	struct span_head *h = &memory->head;

	memcpy(h->magic, SPAN_MAGIC, sizeof(h->magic));
	h->version = SPAN_VERSION;
	h->bytes = sizeof(*memory);
	memcpy(h->maker, "opencl", sizeof("opencl"));
	memcpy(memory->text, "others", 6);
	memory->names[0] = (struct span_name){ 0, 6 };
	h->text_bytes = 6;
	h->n_names = h->n_queues = 1;
	memset(by_hash, 0, sizeof(by_hash));
}

/* Makes the memory: of fixed size, so that whoever reads it cannot be killed by its end. A program
 * whose files may not become so large would be killed by SIGXFSZ here. */
static int make_memory(void)
{
	struct rlimit largest;

	if (getrlimit(RLIMIT_FSIZE, &largest) < 0 || largest.rlim_cur < sizeof(*memory))
		return -1;
	int fd = memfd_create("rooftop-spans", MFD_CLOEXEC | MFD_ALLOW_SEALING);

	if (fd < 0)
		return -1;
	if (ftruncate(fd, sizeof(*memory)) == 0 &&
		fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0) {
		void *at = mmap(NULL, sizeof(*memory), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

		if (at != MAP_FAILED) {
			memory = at;
			begin_memory();
			return fd;
		}
	}
	close(fd);
	return -1;
}

/* Whether who listens is this user, or root. */
static bool is_trusted(int s)
{
	struct ucred peer;
	socklen_t len = sizeof(peer);

	return getsockopt(s, SOL_SOCKET, SO_PEERCRED, &peer, &len) == 0 &&
		(peer.uid == geteuid() || peer.uid == 0);
}

static bool send_hello(int s, int fd)
{
	struct span_hello hello = { SPAN_MAGIC, SPAN_VERSION, sizeof(*memory) };
	struct iovec part = { &hello, sizeof(hello) };
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
	return sendmsg(s, &m, MSG_NOSIGNAL | MSG_DONTWAIT) == (ssize_t)sizeof(hello);
}

/* Says to who listens at a path where the memory is, which *fd gets when the first one is there. */
static bool greet(const char *path, size_t len, int *fd)
{
	struct sockaddr_un to = { .sun_family = AF_UNIX };

	if (len == 0 || len >= sizeof(to.sun_path))
		return false;
	memcpy(to.sun_path, path, len);
	int s = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (s < 0)
		return false;
	bool good = connect(s, (struct sockaddr *)&to, sizeof(to)) == 0 && is_trusted(s) &&
		(*fd >= 0 || (*fd = make_memory()) >= 0) && send_hello(s, *fd);
	close(s);
	return good;
}

/* Nothing stays open but the mapping: a program may close or use any descriptor. */
static void share(const char *paths)
{
	bool greeted = false;
	int fd = -1;

	while (*paths) {
		size_t len = strcspn(paths, ":");

		greeted |= greet(paths, len, &fd);
		paths += len + (paths[len] == ':');
	}
	if (!greeted && memory) {
		munmap(memory, sizeof(*memory));
		memory = NULL;
	}
	if (fd >= 0)
		close(fd);
}

bool memory_is_open(void)
{
	if (tried)
		return memory;
	const char *path = getenv(SPAN_ENV);

	pthread_mutex_lock(&lock);
	if (!tried && path)
		share(path);
	tried = true;
	pthread_mutex_unlock(&lock);
	return memory;
}

/* The child of a fork() has the parent's memory, and leaves it alone. */
static void in_child(void)
{
	pthread_mutex_init(&lock, NULL);
	pthread_mutex_init(&layer_held_lock, NULL);
	pthread_mutex_init(&layer_queue_lock, NULL);
	memory = NULL;
	tried = false;
	atomic_fetch_add(&generation, 1);
}

__attribute__((constructor)) static void watch_fork(void)
{
	pthread_atfork(NULL, NULL, in_child);
}

__attribute__((destructor)) static void finish(void)
{
	if (memory)
		atomic_store(&memory->head.ended, 1);
}

static bool is_name(uint32_t n, const char *name, size_t len)
{
	const struct span_name *s = &memory->names[n];

	return s->bytes == len && !memcmp(memory->text + s->at, name, len);
}

static uint32_t add_name(const char *name, size_t len)
{
	struct span_head *h = &memory->head;
	uint32_t n = h->n_names, at = h->text_bytes;

	if (n == SPAN_NAMES_MAX || len > sizeof(memory->text) - at)
		return 0;
	memcpy(memory->text + at, name, len);
	memory->names[n] = (struct span_name){ at, (uint32_t)len };
	atomic_store(&h->text_bytes, at + (uint32_t)len);
	atomic_store(&h->n_names, n + 1);
	return n;
}

uint32_t memory_name(const char *name, size_t len)
{
	uint32_t hash = 2166136261u, found = 0;

	if (!memory)
		return 0;
	if (len >= SPAN_NAME_MAX)
		len = SPAN_NAME_MAX - 1;
	for (size_t i = 0; i < len; i++)
		hash = (hash ^ (unsigned char)name[i]) * 16777619u;
	pthread_mutex_lock(&lock);
	uint32_t at = hash % (2 * SPAN_NAMES_MAX);
	while (by_hash[at] && !is_name(by_hash[at], name, len))
		at = (at + 1) % (2 * SPAN_NAMES_MAX);
	found = by_hash[at];
	if (!found)
		found = by_hash[at] = add_name(name, len);
	pthread_mutex_unlock(&lock);
	return found;
}

/* Fills in where the device is, as far as the driver says so. */
static void place_of(cl_device_id d, struct span_queue *q)
{
	char extensions[8192] = "", name[1024] = "";
	struct pci_info pci;
	cl_uint vendor = 0;
	static const char hex[] = "0123456789abcdef";

	/* Drivers give nothing where the name has no room. */
	layer_next.clGetDeviceInfo(d, CL_DEVICE_NAME, sizeof(name) - 1, name, NULL);
	memcpy(q->device, name, sizeof(q->device) - 1);
	if (layer_next.clGetDeviceInfo(d, CL_DEVICE_VENDOR_ID, sizeof(vendor), &vendor, NULL) == 0)
		q->pci_vendor = vendor;
	if (layer_next.clGetDeviceInfo(
		    d, CL_DEVICE_EXTENSIONS, sizeof(extensions) - 1, extensions, NULL) ||
		!strstr(extensions, PCI_EXTENSION) ||
		layer_next.clGetDeviceInfo(d, PCI_INFO, sizeof(pci), &pci, NULL))
		return;
	/* "0000:00:02.0", "10000:e1:00.0"; printf() is not ours to call in every program. */
	char *c = q->pci_address;
	int shift = 12;
	while (shift < DOMAIN_BITS - 4 && pci.domain >> shift > 15)
		shift += 4;
	for (; shift >= 0; shift -= 4)
		*c++ = hex[pci.domain >> shift & 15];
	*c++ = ':';
	*c++ = hex[pci.bus >> 4 & 15];
	*c++ = hex[pci.bus & 15];
	*c++ = ':';
	*c++ = hex[pci.device >> 4 & 15];
	*c++ = hex[pci.device & 15];
	*c++ = '.';
	*c++ = hex[pci.function & 15];
}

uint32_t memory_queue(cl_device_id device, bool out_of_order)
{
	struct span_queue q = { .flags = out_of_order ? SPAN_OUT_OF_ORDER : 0 };
	uint32_t n = 0;

	if (!memory)
		return 0;
	place_of(device, &q);
	pthread_mutex_lock(&lock);
	if (memory->head.n_queues < SPAN_QUEUES_MAX) {
		n = memory->head.n_queues;
		struct span_queue *to = &memory->queues[n];

		to->flags = q.flags;
		to->pci_vendor = q.pci_vendor;
		memcpy(to->pci_address, q.pci_address, sizeof(to->pci_address));
		memcpy(to->device, q.device, sizeof(to->device));
		atomic_store(&memory->head.n_queues, n + 1);
	}
	pthread_mutex_unlock(&lock);
	return n;
}

uint64_t memory_submit(uint32_t queue)
{
	return memory ? atomic_fetch_add(&memory->queues[queue].submitted, 1) + 1 : 0;
}

void memory_refused(uint32_t queue)
{
	if (memory)
		atomic_fetch_add(&memory->queues[queue].done, 1);
}

void memory_end(uint32_t queue, const struct span_slot *span)
{
	if (!memory)
		return;
	if (span) {
		uint64_t n = atomic_fetch_add(&memory->head.head, 1);
		struct span_slot *slot = &memory->ring[n % SPAN_RING];

		atomic_store(&slot->seq, 0);
		atomic_thread_fence(memory_order_release);
		slot->queued = span->queued;
		slot->start = span->start;
		slot->end = span->end;
		slot->before = span->before;
		slot->after = span->after;
		slot->seen = span->seen;
		slot->items = span->items;
		slot->index = span->index;
		slot->name = span->name;
		slot->queue = queue;
		slot->kind = span->kind;
		atomic_store(&slot->seq, n + 1);
	} else {
		atomic_fetch_add(&memory->head.dropped, 1);
	}
	atomic_fetch_add(&memory->queues[queue].done, 1);
}
