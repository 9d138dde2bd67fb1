/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A fake /dev/mali0 of Arm's driver: handshake, properties, vinstr and kinstr_prfcnt. A reader is
 * an eventfd that counts the samples that lie ready, so that poll() needs no help; what it maps
 * lies in a memory file. Order of checks: Arm's mali_kbase_core_linux.c, mali_kbase_vinstr.c and
 * mali_kbase_kinstr_prfcnt.c (r38p1). $FAKEKERNEL_FAIL: mali (opening the node), props, reader, dump,
 * buffer, odd@N (the Nth sample does not follow the format), sample@N (it is marked as lost). */
#include "config.h"

#include "tests/fakekernel/fake.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "backends/mali/kbase_uapi.h"
#include "tests/fakekernel/mali.h"

#define CORE_LIMIT 32
#define SLOTS 8			/* samples of kinstr_prfcnt that can lie ready */
#define SLOT_BYTES 65536
#define VALUES_AT 8192		/* in a slot; metadata before it */
#define CLOCKS 2
#define ENUM_ITEMS (KINSTR_KINDS + 4)

enum speech { SPEAKS_JM, SPEAKS_OLD, SPEAKS_CSF };

/* How far an open file has come (struct kbase_file, setup_state). */
enum setup { NEEDS_VERSION, NEEDS_FLAGS, IS_COMPLETE };

struct reader {
	struct fake_counting counting;
	bool is_kinstr, started;
	unsigned kinds;		/* kinstr_prfcnt: bit per kind of block that is asked for */
	int ready, memory;	/* eventfd, and the file behind the mapping */
	/* produced: samples that were taken; got: handed out; consumed: given back */
	uint32_t buffers, bytes, produced, got, consumed;
	uint64_t times_ns[CORE_LIMIT], cycles[CORE_LIMIT];
	int64_t sample_from_ns;
};

static int64_t raw_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC_RAW, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

/* --- the device --- */

static void speaks(enum speech *how, struct kbase_version *v)
{
	char text[32];
	const char *number = text;
	unsigned major = 11, minor = 13;

	*how = SPEAKS_JM;
	if (fake_tree_read("/mali/version", text, sizeof(text))) {
		if (!strncmp(text, "old ", 4) || !strncmp(text, "csf ", 4)) {
			*how = *text == 'o' ? SPEAKS_OLD : SPEAKS_CSF;
			number = text + 4;
		}
		sscanf(number, "%u.%u", &major, &minor);
	}
	*v = (struct kbase_version){ (uint16_t)major, (uint16_t)minor };
}

static enum setup setup_of(const struct fake_fd *f)
{
	return (enum setup)(uintptr_t)f->priv;
}

static int version_check(struct fake_fd *f, unsigned long request, unsigned long arg)
{
	struct kbase_version v;
	enum speech how;

	if (setup_of(f) != NEEDS_VERSION)
		return fake_mali_fail(EPERM);
	speaks(&how, &v);
	if (request == KBASE_OLD_VERSION_CHECK && how == SPEAKS_OLD) {
		((struct kbase_old_version *)arg)->major = v.major;
		((struct kbase_old_version *)arg)->minor = v.minor;
		return 0;
	}
	if ((request == KBASE_VERSION_CHECK && how == SPEAKS_JM) ||
		(request == KBASE_CSF_VERSION_CHECK && how == SPEAKS_CSF)) {
		*(struct kbase_version *)arg = v;
		f->priv = (void *)(uintptr_t)NEEDS_FLAGS;
		return 0;
	}
	return fake_mali_fail(EPERM);
}

static int set_flags(struct fake_fd *f, const struct kbase_set_flags *s)
{
	if (setup_of(f) != NEEDS_FLAGS)
		return fake_mali_fail(EPERM);
	if (s->flags & ~3u)
		return fake_mali_fail(EINVAL);
	f->priv = (void *)(uintptr_t)IS_COMPLETE;
	return 0;
}

static size_t put_prop(uint8_t *to, size_t at, uint32_t id, uint32_t log2_bytes, uint64_t v)
{
	uint32_t key = id << 2 | log2_bytes;

	if (to) {
		memcpy(to + at, &key, sizeof(key));
		memcpy(to + at + sizeof(key), &v, (size_t)1 << log2_bytes);
	}
	return at + sizeof(key) + ((size_t)1 << log2_bytes);
}

static size_t put_props(uint8_t *to)
{
	const struct mali_machine *m = fake_mali_machine();
	const struct mali_identity *id = fake_mali_identity();
	size_t n = put_prop(to, 0, KBASE_PROP_GPU_ID, 2, id->gpu_id);

	n = put_prop(to, n, KBASE_PROP_MAX_KHZ, 2, m->max_mhz * 1000u);
	n = put_prop(to, n, 14, 0, (id->l2_features >> 16) & 0xff);
	n = put_prop(to, n, KBASE_PROP_L2_SLICES, 0, (uint64_t)id->slices);
	n = put_prop(to, n, KBASE_PROP_SHADER_PRESENT, 3, id->shader_present);
	n = put_prop(to, n, KBASE_PROP_L2_FEATURES, 2, id->l2_features);
	n = put_prop(to, n, KBASE_PROP_CORE_FEATURES, 2, id->core_features);
	n = put_prop(to, n, KBASE_PROP_THREAD_FEATURES, 2, id->thread_features);
	n = put_prop(to, n, KBASE_PROP_CORE_GROUPS, 2, 1);
	return put_prop(to, n, KBASE_PROP_CORE_MASK, 3, id->shader_present);
}

static int get_props(const struct kbase_get_gpuprops *get)
{
	int error = fake_fails("props");
	size_t n = put_props(NULL);

	if (error)
		return fake_mali_fail(error);
	if (get->flags || (get->size && get->size < n))
		return fake_mali_fail(EINVAL);
	if (get->size)
		put_props((uint8_t *)(uintptr_t)get->buffer);
	return (int)n;
}

/* --- readers --- */

static const struct fake_driver reader_driver;

static int open_reader(bool is_kinstr, uint32_t buffers, uint32_t bytes)
{
	int error = fake_fails("reader"), fd;
	struct reader *r;

	fake_mali_wait();
	if (error)
		return fake_mali_fail(error);
	r = calloc(1, sizeof(*r));
	*r = (struct reader){ .is_kinstr = is_kinstr, .buffers = buffers, .bytes = bytes };
	r->memory = memfd_create("samples", MFD_CLOEXEC);
	fd = r->ready = eventfd(0, EFD_SEMAPHORE | EFD_CLOEXEC | EFD_NONBLOCK);
	if (r->memory < 0 || fd < 0 || ftruncate(r->memory, (off_t)buffers * bytes) != 0)
		abort();
	fake_counting_clear(&r->counting);
	r->sample_from_ns = raw_ns();
	*fake_fd(fd) = (struct fake_fd){ .driver = &reader_driver, .minor = -1, .priv = r };
	return fd;
}

static void put(const struct reader *r, const void *what, size_t size, size_t at)
{
	if (pwrite(r->memory, what, size, (off_t)at) != (ssize_t)size)
		abort();
}

static void announce(struct reader *r)
{
	uint64_t one = 1;

	r->produced++;
	if (syscall(SYS_write, r->ready, &one, sizeof(one)) < 0)
		abort();
}

static bool take(struct reader *r)
{
	uint64_t one;

	return real_read(r->ready, &one, sizeof(one)) == sizeof(one);
}

static int vinstr_sample(struct reader *r)
{
	uint32_t slot = r->produced % r->buffers;
	uint8_t dump[FAKE_MALI_DUMP_BYTES];
	struct mali_sums delta;
	int error = fake_fails("dump");

	if (error)
		return fake_mali_fail(error);
	if (r->produced - r->consumed >= r->buffers)
		return fake_mali_fail(EBUSY);
	fake_mali_wait();
	fake_counting_dump(&r->counting, dump, &delta);
	put(r, dump, r->bytes < sizeof(dump) ? r->bytes : sizeof(dump), (size_t)slot * r->bytes);
	r->times_ns[slot] = (uint64_t)raw_ns();
	r->cycles[slot] = delta.cycles;
	announce(r);
	return 0;
}

static int vinstr_get(struct reader *r, unsigned long arg, bool with_cycles)
{
	struct vinstr_buffer_cycles b;
	uint32_t slot = r->got % r->buffers;
	int error = fake_fails("buffer");

	if (error > 0)
		return fake_mali_fail(error);
	if (r->produced == r->got)
		return fake_mali_fail(EAGAIN);
	if (r->got != r->consumed)
		return fake_mali_fail(EBUSY);
	take(r);
	r->got++;
	b = (struct vinstr_buffer_cycles){ .buffer = { r->times_ns[slot], 0,
						   fake_fails("odd") < 0 ? r->buffers : slot },
		.top_cycles = r->cycles[slot],
		.shader_cycles = r->cycles[slot] };
	memcpy((void *)arg, &b, with_cycles ? sizeof(b) : sizeof(b.buffer));
	return 0;
}

static int vinstr_put(struct reader *r, const struct vinstr_buffer *b)
{
	if (r->got == r->consumed)
		return fake_mali_fail(EPERM);
	/* One that is told by a wrong number is given back as well: the program refuses it. */
	if (b->index != r->consumed % r->buffers && b->index != r->buffers)
		return fake_mali_fail(EINVAL);
	r->consumed++;
	return 0;
}

static int vinstr_ioctl(struct reader *r, unsigned long request, unsigned long arg)
{
	switch (request) {
	case VINSTR_GET_BUFFER_SIZE:
		*(uint32_t *)arg = r->bytes;
		return 0;
	case VINSTR_GET_VERSION:
		*(struct vinstr_version *)arg = (struct vinstr_version){ 5, VINSTR_TOP_CYCLES | VINSTR_SHADER_CYCLES };
		return 0;
	case VINSTR_CLEAR:
		fake_counting_clear(&r->counting);
		return 0;
	case VINSTR_SET_INTERVAL:
		return 0;
	case VINSTR_DUMP:
		return vinstr_sample(r);
	case VINSTR_GET_BUFFER:
	case VINSTR_GET_BUFFER_CYCLES:
		return vinstr_get(r, arg, request == VINSTR_GET_BUFFER_CYCLES);
	case VINSTR_PUT_BUFFER:
	case VINSTR_PUT_BUFFER_CYCLES:
		return vinstr_put(r, (const struct vinstr_buffer *)arg);
	default:
		return fake_mali_fail(EINVAL);
	}
}

/* --- kinstr_prfcnt --- */

static int blocks_of(int kind)
{
	const struct mali_identity *id = fake_mali_identity();

	return kind == KINSTR_MEMORY	     ? id->slices
		: kind == KINSTR_SHADER_CORE ? __builtin_popcountll(id->shader_present)
					     : 1;
}

/* The row of the nth block of a kind, and the number that it is given. */
static int row_of(int kind, int nth, uint8_t *index)
{
	static const enum mali_block blocks[] = { MALI_JM, MALI_TI, MALI_L2, MALI_SC };
	uint64_t cores = fake_mali_identity()->shader_present;
	int bit = 0;

	*index = (uint8_t)nth;
	if (kind != KINSTR_SHADER_CORE)
		return mali_sums_row(blocks[kind], nth);
	for (int left = nth;; bit++)
		if (cores >> bit & 1 && left-- == 0)
			break;
	if (fake_tree_number("/mali/core_bits", 0) == 1)
		*index = (uint8_t)bit;
	return mali_sums_row(MALI_SC, bit);
}

static void put_item(const struct reader *r, size_t *at, const struct kinstr_metadata *item)
{
	put(r, item, sizeof(*item), *at);
	*at += sizeof(*item);
}

static void put_blocks(
	const struct reader *r, size_t slot_at, size_t *at, const struct mali_sums *delta)
{
	size_t values_at = slot_at + VALUES_AT;

	for (int kind = 0; kind < KINSTR_KINDS; kind++)
		for (int i = 0; r->kinds >> kind & 1 && i < blocks_of(kind); i++) {
			struct kinstr_metadata item = { .h.type = KINSTR_BLOCK,
				.block = { .kind = (uint8_t)kind,
					.set = (uint8_t)fake_tree_number("/mali/set", 0),
					.values_offset = (uint32_t)values_at } };
			int row = row_of(kind, i, &item.block.index);
			uint64_t made[MALI_MAX_WORDS];

			put_item(r, at, &item);
			if (fake_mali_made())
				fake_mali_words(kind, i, made);
			put(r, fake_mali_made() ? made : delta->words[row], sizeof(made), values_at);
			values_at += sizeof(made);
		}
}

static int kinstr_sample(struct reader *r, uint64_t user_data)
{
	struct kinstr_metadata sample = { .h.type = KINSTR_SAMPLE },
			       clock = { .h.type = KINSTR_CLOCK }, end = { .h.type = KINSTR_END };
	size_t slot_at = (size_t)(r->produced % SLOTS) * SLOT_BYTES, at = slot_at;
	struct mali_sums delta;
	int error = fake_fails("dump");

	if (error)
		return fake_mali_fail(error);
	if (r->produced - r->consumed >= SLOTS)
		return fake_mali_fail(EBUSY);
	fake_mali_wait();
	fake_counting_dump(&r->counting, NULL, &delta);
	sample.sample.start_ns = (uint64_t)r->sample_from_ns;
	r->sample_from_ns = fake_mali_made() ? r->sample_from_ns + FAKE_MADE_NS : raw_ns();
	sample.sample.end_ns = (uint64_t)r->sample_from_ns;
	sample.sample.sequence = r->produced;
	sample.sample.user_data = user_data;
	sample.sample.flags = fake_fails("sample") < 0 ? KINSTR_SAMPLE_ERROR : 0;
	clock.clock.n = CLOCKS;
	clock.clock.cycles[0] = clock.clock.cycles[1] = fake_mali_made() ? FAKE_MADE_CYCLES : delta.cycles;
	put_item(r, &at, &sample);
	put_item(r, &at, &clock);
	put_blocks(r, slot_at, &at, &delta);
	if (fake_fails("odd") < 0)
		end = (struct kinstr_metadata){ .h.type = KINSTR_BLOCK,
			.block = { .kind = KINSTR_MEMORY, .index = 99 } };
	put_item(r, &at, &end);
	announce(r);
	return 0;
}

static int kinstr_command(struct reader *r, const struct kinstr_control *c)
{
	switch (c->command) {
	case KINSTR_START:
		if (r->started)
			return 0;
		fake_counting_clear(&r->counting);
		r->sample_from_ns = raw_ns();
		r->started = true;
		return 0;
	case KINSTR_STOP:
		if (!r->started)
			return fake_mali_fail(EINVAL);
		r->started = false;
		return kinstr_sample(r, c->user_data);
	case KINSTR_SAMPLE_SYNC:
	case KINSTR_SAMPLE_ASYNC:
		return r->started ? kinstr_sample(r, c->user_data) : fake_mali_fail(EINVAL);
	case KINSTR_DISCARD:
		while (take(r))
			;
		if (r->got == r->consumed)
			r->consumed = r->produced;
		r->got = r->produced;
		return 0;
	default:
		return fake_mali_fail(EINVAL);
	}
}

static int kinstr_get(struct reader *r, struct kinstr_access *a)
{
	if (r->produced == r->consumed)
		return fake_mali_fail(EINVAL);
	if (r->got != r->consumed)
		return fake_mali_fail(EBUSY);
	take(r);
	*a = (struct kinstr_access){ r->got, (uint64_t)(r->got % SLOTS) * SLOT_BYTES };
	r->got++;
	return 0;
}

static int kinstr_put(struct reader *r, const struct kinstr_access *a)
{
	if (r->produced == r->consumed || a->sequence != r->consumed ||
		a->offset != (uint64_t)(r->consumed % SLOTS) * SLOT_BYTES)
		return fake_mali_fail(EINVAL);
	r->consumed = r->got;
	return 0;
}

static int kinstr_ioctl(struct reader *r, unsigned long request, unsigned long arg)
{
	switch (request) {
	case KINSTR_COMMAND:
		return kinstr_command(r, (const struct kinstr_control *)arg);
	case KINSTR_GET_SAMPLE:
		return kinstr_get(r, (struct kinstr_access *)arg);
	case KINSTR_PUT_SAMPLE:
		return kinstr_put(r, (const struct kinstr_access *)arg);
	default:
		return fake_mali_fail(EINVAL);
	}
}

/* Only blocks that are asked for are in the samples. */
static int kinstr_setup(union kbase_kinstr_setup *s)
{
	const struct kinstr_request *requests =
		(const struct kinstr_request *)(uintptr_t)s->in.requests;
	bool has_mode = false;
	unsigned kinds = 0;
	int fd;

	if (!s->in.requests || s->in.items < 2 || !s->in.item_bytes || s->in.items > 2 * ENUM_ITEMS ||
		requests[s->in.items - 1].h.type != KINSTR_END)
		return fake_mali_fail(EINVAL);
	for (uint32_t i = 0; i < s->in.items - 1; i++) {
		const struct kinstr_request *q = &requests[i];
		bool is_mode = q->h.type == KINSTR_MODE;

		if (q->h.version > 1 || (!is_mode && q->h.type != KINSTR_ENABLE) ||
			(!is_mode && (q->enable.kind >= KINSTR_KINDS || q->enable.set)))
			return fake_mali_fail(EINVAL);
		has_mode |= is_mode;
		if (!is_mode)
			kinds |= 1u << q->enable.kind;
	}
	if (!has_mode || !kinds)
		return fake_mali_fail(EINVAL);
	fd = open_reader(true, SLOTS, SLOT_BYTES);
	if (fd < 0)
		return fd;
	((struct reader *)fake_fd(fd)->priv)->kinds = kinds;
	s->out.metadata_bytes = sizeof(struct kinstr_metadata);
	s->out.mmap_bytes = SLOTS * SLOT_BYTES;
	return fd;
}

static int kinstr_enum(struct kbase_kinstr_enum_info *info)
{
	struct kinstr_enum_item items[ENUM_ITEMS] = { 0 };

	if (info->list && (!info->item_bytes || info->items != ENUM_ITEMS))
		return fake_mali_fail(EINVAL);
	info->item_bytes = sizeof(items[0]);
	info->items = ENUM_ITEMS;
	if (!info->list)
		return 0;
	for (int i = 0; i < KINSTR_KINDS; i++) {
		items[i].block.kind = (uint8_t)i;
		items[i].block.instances = (uint16_t)blocks_of(i);
		items[i].block.values = fake_mali_made() ? (uint16_t)fake_mali_made()->words : MALI_BLOCK_WORDS;
		items[i].block.mask[0] = UINT64_MAX << 4;
		items[i].block.mask[1] = items[i].block.values > 64 ? UINT64_MAX : 0;
	}
	for (int i = 0; i < 2; i++) {
		items[KINSTR_KINDS + i].h.type = KINSTR_ENUM_REQUEST;
		items[KINSTR_KINDS + i].request.type = (uint16_t)i;
		items[KINSTR_KINDS + i].request.versions = 1;
	}
	items[KINSTR_KINDS + 2].h.type = KINSTR_ENUM_SAMPLE;
	items[KINSTR_KINDS + 2].sample.clocks = CLOCKS;
	memcpy((void *)(uintptr_t)info->list, items, sizeof(items));
	return 0;
}

/* --- the hooks --- */

static int reader_ioctl(struct fake_fd *f, int fd, unsigned long request, unsigned long arg)
{
	struct reader *r = f->priv;

	(void)fd;
	return r->is_kinstr ? kinstr_ioctl(r, request, arg) : vinstr_ioctl(r, request, arg);
}

static void *reader_mmap(
	struct fake_fd *f, int fd, void *addr, size_t length, int prot, int flags, off_t offset)
{
	struct reader *r = f->priv;

	(void)fd;
	return (void *)syscall(SYS_mmap, addr, length, prot, flags, r->memory, offset);
}

static void reader_close(struct fake_fd *f)
{
	struct reader *r = f->priv;

	real_close(r->memory);
	free(r);
	f->priv = NULL;
}

static const struct fake_driver reader_driver = {
	.name = "kbase reader", .ioctl = reader_ioctl, .mmap = reader_mmap, .close = reader_close
};

/* The size of a dump unless the tree has a wrong one. */
static uint32_t dump_bytes(void)
{
	return (uint32_t)fake_tree_number(
		"/mali/bytes", (long)mali_gpu_layout(fake_mali_gpu())->bytes);
}

/* There is little memory: 32 buffers are too many for it. */
static int vinstr_setup(const struct kbase_hwcnt_reader_setup *setup)
{
	if (setup->buffers - 1 > 31 || setup->buffers & (setup->buffers - 1))
		return fake_mali_fail(EINVAL);
	if (setup->buffers > 16)
		return fake_mali_fail(ENOMEM);
	return open_reader(false, setup->buffers, dump_bytes());
}

static int node_ioctl(struct fake_fd *f, int fd, unsigned long request, unsigned long arg)
{
	const struct kbase_hwcnt_reader_setup *setup = (const struct kbase_hwcnt_reader_setup *)arg;

	(void)fd;
	fake_log("kbase %lx\n", request);
	switch (request) {
	case KBASE_OLD_VERSION_CHECK:
	case KBASE_VERSION_CHECK:
	case KBASE_CSF_VERSION_CHECK:
		return version_check(f, request, arg);
	case KBASE_SET_FLAGS:
		return set_flags(f, (const struct kbase_set_flags *)arg);
	case KBASE_GET_GPUPROPS:
		return get_props((const struct kbase_get_gpuprops *)arg);
	case KBASE_HWCNT_READER_SETUP:
		return setup_of(f) == IS_COMPLETE ? vinstr_setup(setup) : fake_mali_fail(EPERM);
	case KBASE_KINSTR_ENUM_INFO:
		return kinstr_enum((struct kbase_kinstr_enum_info *)arg);
	case KBASE_KINSTR_SETUP:
		return kinstr_setup((union kbase_kinstr_setup *)arg);
	default:
		return fake_mali_fail(setup_of(f) == IS_COMPLETE ? ENOTTY : EPERM);
	}
}

/* The null device stands for the node: it has to be a character device. */
static bool on_open(const char *path, int flags, int *fd)
{
	char present[PATH_MAX];
	int error;

	if (strcmp(path, "/dev/mali0"))
		return false;
	error = fake_fails("mali");
	snprintf(present, sizeof(present), "%s%s", fake_root(), path);
	if (error || syscall(SYS_faccessat, AT_FDCWD, present, F_OK) != 0) {
		*fd = fake_mali_fail(error ? error : ENOENT);
		return true;
	}
	*fd = real_open("/dev/null", flags, 0);
	if (fake_fd(*fd))
		*fake_fd(*fd) = (struct fake_fd){ .driver = &fake_kbase, .minor = -1 };
	return true;
}

static const char *const folders[] = { "/dev/mali0", NULL };
const struct fake_driver fake_kbase = {
	.name = "kbase", .folders = folders, .open = on_open, .ioctl = node_ioctl
};
