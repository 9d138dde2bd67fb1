/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Programs the OA unit and stall sampling through xe observation, and explains the kernel's
 * refusals. */
#include "config.h"

#include "backends/intel/xe/xe_device.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/call_watch.h"
#include "base/mem.h"

#define PARANOID "dev.xe.observation_paranoid"
#define MAX_PROPERTIES 8

struct reg_pair {
	uint32_t address, value;
};

/* Properties are chained in the order in which they are added. */
struct chain {
	struct xe_property p[MAX_PROPERTIES];
	int n;
};

static void put(struct chain *c, uint32_t property, uint64_t value)
{
	c->p[c->n] = (struct xe_property){ .property = property, .value = value };
	if (c->n > 0)
		c->p[c->n - 1].next = (uintptr_t)&c->p[c->n];
	c->n++;
}

static int observe(const struct drm_node *n, enum xe_observation_type type,
	enum xe_observation_op op, const void *param)
{
	struct xe_observation o = { .type = type, .op = op, .param = (uintptr_t)param };

	return node_ioctl(n->fd, XE_IOCTL_OBSERVATION, &o);
}

/* --- refusals --- */

/* The step that a refusal is about. */
struct step {
	const char *what;
	const char *busy;	/* who has the stream when it is taken */
	const char *files;	/* the name of descriptors of such streams */
};

static bool refuse(const struct drm_node *n, const struct step *s, struct err *err)
{
	switch (errno) {
	case EACCES:
	case EPERM:
		return drm_refuse_stream(n, PARANOID, err);
	case EBUSY:
		err_set(err, ERR_BUSY, "%s: %s", n->card, s->busy);
		return err_hint(err,
			"this finds it: sudo find /proc/[0-9]*/fd -lname 'anon_inode:%s'",
			s->files);
	case ENODEV:
	case EOPNOTSUPP:
		err_set(err, ERR_UNSUPPORTED,
			"%s: its driver does not offer this for this GPU: %s", n->card, s->what);
		return err_hint(err, "sudo dmesg | grep xe tells what was initialised");
	case EINVAL:
		err_set(err, ERR_UNSUPPORTED,
			"%s: the kernel takes the request of this version as invalid: %s",
			n->card, s->what);
		return err_hint(err, "-m overview needs the least of a kernel");
	case ETIMEDOUT:
		err_set(err, ERR_SYS, "%s: the GPU did not wake up: %s", n->card, s->what);
		return err_hint(err, "sudo dmesg | grep xe tells more; rooftop tries again");
	default:
		return err_sys(err, "%s: %s", n->card, s->what);
	}
}

static bool refuse_oa(const struct drm_node *n, const char *what, struct err *err)
{
	const struct step s = { what,
		"another program holds its OA unit, which serves one stream at a time",
		"*xe_oa*" };

	return refuse(n, &s, err);
}

/* --- programming --- */

/* All kinds of registers go into one list, signals first and counters last, each in the order of
 * the profile. */
static struct reg_pair *list_regs(const struct oa_profile *p)
{
	struct reg_pair *list = xcalloc(p->n_regs + 1, sizeof(*list));
	size_t n = 0;

	for (int kind = OA_REG_NOA; kind <= OA_REG_FLEX; kind++)
		for (size_t i = 0; i < p->n_regs; i++)
			if ((int)p->regs[i].kind == kind)
				list[n++] = (struct reg_pair){ p->regs[i].address,
					p->regs[i].value };
	return list;
}

/* Registers the programming. When somebody else left an equal one there, it serves as well, and
 * *own is false. */
static bool add_config(const struct drm_node *n, const struct oa_profile *p, uint64_t *id,
	bool *own, struct err *err)
{
	struct xe_oa_config c = { .n_regs = (uint32_t)p->n_regs };
	struct reg_pair *list = list_regs(p);
	char path[160];

	memcpy(c.uuid, p->uuid, sizeof(c.uuid));
	c.regs = (uintptr_t)list;
	int r = observe(n, XE_OBSERVE_OA, XE_OBSERVE_ADD_CONFIG, &c);
	free(list);
	*own = r > 0;
	*id = r > 0 ? (uint64_t)r : 0;
	if (*own)
		return true;
	if (r == 0 || (errno != EADDRINUSE && errno != EEXIST))
		return refuse_oa(n, "the registers of this metric set", err);
	snprintf(path, sizeof(path), "/sys/class/drm/%s/metrics/%s/id", n->card, p->uuid);
	return fsroot_read_u64(n->fs, path, id, err);
}

static void remove_config(const struct drm_node *n, uint64_t id)
{
	observe(n, XE_OBSERVE_OA, XE_OBSERVE_REMOVE_CONFIG, &id);
}

/* Streams of xe begin as blocking descriptors that survive exec. */
static int make_quiet(int fd)
{
	if (fd < 0 || (fcntl(fd, F_SETFL, O_NONBLOCK) == 0 && fcntl(fd, F_SETFD, FD_CLOEXEC) == 0))
		return fd;
	driver_close(fd);
	return -1;
}

static int open_stream(const struct drm_node *n, const struct xe_oa_request *q, uint64_t config)
{
	struct chain c = { .n = 0 };

	put(&c, XE_OA_UNIT_ID, q->unit);
	put(&c, XE_OA_SAMPLE, 1);
	put(&c, XE_OA_METRIC_SET, config);
	put(&c, XE_OA_FORMAT, q->format);
	put(&c, XE_OA_EXPONENT, (uint64_t)q->exponent);
	return make_quiet(observe(n, XE_OBSERVE_OA, XE_OBSERVE_OPEN, c.p));
}

int xe_oa_open(const struct drm_node *n, const struct oa_profile *p, const struct xe_oa_request *q,
	struct err *err)
{
	uint64_t id;
	bool own;

	if (!add_config(n, p, &id, &own, err))
		return -1;
	int fd = open_stream(n, q, id);
	if (fd < 0)
		refuse_oa(n, "opening the OA stream", err);
	if (own)
		remove_config(n, id);
	return fd;
}

/* CONFIG waits until the registers are written, but what the unit wrote before stays in the buffer,
 * and the kernel hands it out whenever its timer has looked. Switching the stream on again empties
 * the buffer, so that each report after it is of the new registers (Linux xe_oa.c,
 * xe_oa_emit_oa_config(), xe_oa_init_oa_buffer()). */
static bool exchange_config(int stream, struct chain *c)
{
	bool good = node_ioctl(stream, XE_STREAM_DISABLE, NULL) >= 0 &&
		node_ioctl(stream, XE_STREAM_CONFIG, c->p) >= 0;
	int error = errno;

	if (node_ioctl(stream, XE_STREAM_ENABLE, NULL) < 0)
		return false;
	errno = error;
	return good;
}

bool xe_oa_reprogram(
	const struct drm_node *n, int stream, const struct oa_profile *p, struct err *err)
{
	struct chain c = { .n = 0 };
	uint64_t id;
	bool own, good;

	if (!add_config(n, p, &id, &own, err))
		return false;
	put(&c, XE_OA_METRIC_SET, id);
	good = exchange_config(stream, &c) ||
		refuse_oa(n, "another metric set for the open stream", err);
	if (own)
		remove_config(n, id);
	return good;
}

int xe_stall_open(const struct drm_node *n, const struct xe_facts *f, struct err *err)
{
	const struct step s = { "sampling of EU stalls",
		"another program samples the stalls of its EUs, and only one can",
		"*xe_eu_stall*" };
	struct chain c = { .n = 0 };

	put(&c, XE_STALL_GT_ID, f->gt_id);
	put(&c, XE_STALL_RATE, f->stall_cycles);
	int fd = make_quiet(observe(n, XE_OBSERVE_EU_STALL, XE_OBSERVE_OPEN, c.p));
	if (fd >= 0 && node_ioctl(fd, XE_STREAM_ENABLE, NULL) == 0)
		return fd;
	refuse(n, &s, err);
	driver_close(fd);
	return -1;
}
