/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Contexts of the fake i915: handles, and the parameters that programs ask for or set. Order of checks: Linux 6.12
 * drivers/gpu/drm/i915/gem/i915_gem_context.c. Engines that a context names have to exist. */
#include "config.h"

#include <errno.h>
#include <string.h>

#include "backends/intel/i915/i915_uapi.h"
#include "backends/intel/platform/platform.h"
#include "tests/fakekernel/fake.h"
#include "tests/fakekernel/intel/gem.h"

#define MAX_CONTEXTS 64
#define MAX_ENGINES 64

static struct context {
	bool exists;
	size_t n_engines;
	struct i915_engine_class_instance engines[MAX_ENGINES];
} contexts[MAX_CONTEXTS];

bool fake_gem_has_context(uint64_t handle)
{
	return handle > 0 && handle < MAX_CONTEXTS && contexts[handle].exists;
}

uint32_t fake_engine_count(void)
{
	const struct intel_platform *p = intel_platform_by_name(fake_machine()->device.platform);

	return p->graphics_verx10 >= 125 ? 5 : 4;
}

/* A context that programs may set: 0 is the one that every client has. */
static struct context *context(uint32_t handle)
{
	return handle == 0 || fake_gem_has_context(handle) ? &contexts[handle] : NULL;
}

static int set_engines(struct context *c, const struct drm_i915_gem_context_param *p)
{
	const struct i915_context_param_engines *e = (const void *)(uintptr_t)p->value;
	const size_t each = sizeof(e->engines[0]);

	if (p->size == 0) {
		c->n_engines = 0;
		return 0;
	}
	if (p->size < sizeof(*e) || (p->size - sizeof(*e)) % each ||
	    (p->size - sizeof(*e)) / each > MAX_ENGINES)
		return fake_fail(EINVAL);
	if (!fake_is_memory(p->value, p->size))
		return fake_fail(EFAULT);
	/* balancing, bonds and the like */
	if (e->extensions)
		return fake_fail(EINVAL);
	c->n_engines = (p->size - sizeof(*e)) / each;
	for (size_t i = 0; i < c->n_engines; i++) {
		const struct i915_engine_class_instance in = e->engines[i];
		bool none = in.engine_class == (uint16_t)I915_ENGINE_CLASS_INVALID;

		if (!none && (in.engine_class >= fake_engine_count() || in.engine_instance))
			return fake_fail(ENOENT);
		c->engines[i] = in;
	}
	return 0;
}

static int set_param(const struct drm_i915_gem_context_param *p)
{
	struct context *c = context(p->ctx_id);

	if (!c)
		return fake_fail(ENOENT);
	switch (p->param) {
	case I915_CONTEXT_PARAM_ENGINES:
		return set_engines(c, p);
	case I915_CONTEXT_PARAM_PRIORITY:
	case I915_CONTEXT_PARAM_BANNABLE:
	case I915_CONTEXT_PARAM_NO_ERROR_CAPTURE:
	case I915_CONTEXT_PARAM_RECOVERABLE:
	case I915_CONTEXT_PARAM_PERSISTENCE:
		return p->size ? fake_fail(EINVAL) : 0;
	default:
		return fake_fail(EINVAL);
	}
}

static int get_engines(const struct context *c, struct drm_i915_gem_context_param *p)
{
	struct i915_context_param_engines *e = (void *)(uintptr_t)p->value;
	size_t bytes = sizeof(*e) + c->n_engines * sizeof(e->engines[0]);

	if (c->n_engines == 0) {
		p->size = 0;
		return 0;
	}
	if (p->size && p->size < bytes)
		return fake_fail(EINVAL);
	if (p->size) {
		if (!fake_is_memory(p->value, bytes))
			return fake_fail(EFAULT);
		e->extensions = 0;
		memcpy(e->engines, c->engines, c->n_engines * sizeof(e->engines[0]));
	}
	p->size = (uint32_t)bytes;
	return 0;
}

/* Engines are named by class, or by their place in the context. */
static bool is_render(const struct context *c, const struct drm_i915_gem_context_param_sseu *s)
{
	uint16_t at = s->engine.engine_instance;

	if (s->flags & I915_CONTEXT_SSEU_FLAG_ENGINE_INDEX)
		return at < c->n_engines &&
			c->engines[at].engine_class == I915_ENGINE_CLASS_RENDER;
	return s->engine.engine_class == I915_ENGINE_CLASS_RENDER && at == 0;
}

/* What slices and EUs a context has switched on: all that there are. */
static int get_sseu(const struct context *c, struct drm_i915_gem_context_param *p)
{
	struct drm_i915_gem_context_param_sseu *s = (void *)(uintptr_t)p->value;
	const struct topology *t = &fake_machine()->device.topology;

	if (p->size && p->size < sizeof(*s))
		return fake_fail(EINVAL);
	if (p->size) {
		if (!fake_is_memory(p->value, sizeof(*s)))
			return fake_fail(EFAULT);
		if (s->flags & ~I915_CONTEXT_SSEU_FLAG_ENGINE_INDEX || s->rsvd || !is_render(c, s))
			return fake_fail(EINVAL);
		s->slice_mask = t->slice_mask;
		s->subslice_mask = t->subslice_mask & ((UINT64_C(1) << t->max_subslices) - 1);
		s->min_eus_per_subslice = s->max_eus_per_subslice =
			(uint16_t)t->max_eus_per_subslice;
	}
	p->size = sizeof(*s);
	return 0;
}

static int get_param(struct drm_i915_gem_context_param *p)
{
	const struct context *c = context(p->ctx_id);

	if (!c)
		return fake_fail(ENOENT);
	switch (p->param) {
	case I915_CONTEXT_PARAM_ENGINES:
		return get_engines(c, p);
	case I915_CONTEXT_PARAM_SSEU:
		return get_sseu(c, p);
	case I915_CONTEXT_PARAM_GTT_SIZE:
		p->value = fake_machine()->graphics_ver >= 8 ? UINT64_C(1) << 48 : UINT64_C(1) << 31;
		break;
	case I915_CONTEXT_PARAM_PRIORITY:
	case I915_CONTEXT_PARAM_NO_ERROR_CAPTURE:
		p->value = 0;
		break;
	case I915_CONTEXT_PARAM_BANNABLE:
	case I915_CONTEXT_PARAM_RECOVERABLE:
	case I915_CONTEXT_PARAM_PERSISTENCE:
		p->value = 1;
		break;
	default:
		return fake_fail(EINVAL);
	}
	p->size = 0;
	return 0;
}

static int make_context(uint32_t *handle)
{
	for (uint32_t i = 1; i < MAX_CONTEXTS; i++)
		if (!contexts[i].exists) {
			contexts[i] = (struct context){ .exists = true };
			*handle = i;
			return 0;
		}
	return fake_fail(ENOMEM);
}

/* The extensions are parameters, in a chain. */
static int make_context_by(struct drm_i915_gem_context_create_ext *c)
{
	uint64_t next = c->flags & I915_CONTEXT_CREATE_FLAGS_USE_EXTENSIONS ? c->extensions : 0;

	if (c->flags & I915_CONTEXT_CREATE_FLAGS_UNKNOWN)
		return fake_fail(EINVAL);
	if (make_context(&c->ctx_id))
		return -1;
	while (next) {
		struct drm_i915_gem_context_create_ext_setparam *e = (void *)(uintptr_t)next;
		int error = 0;

		if (!fake_is_memory(next, sizeof(e->base)))
			error = EFAULT;
		else if (e->base.name != I915_CONTEXT_CREATE_EXT_SETPARAM)
			error = EINVAL;
		else if (!fake_is_memory(next, sizeof(*e)))
			error = EFAULT;
		else if (e->param.ctx_id)
			error = EINVAL;
		if (!error) {
			struct drm_i915_gem_context_param p = e->param;

			p.ctx_id = c->ctx_id;
			error = set_param(&p) ? errno : 0;
		}
		if (error) {
			contexts[c->ctx_id].exists = false;
			return fake_fail(error);
		}
		next = e->base.next_extension;
	}
	return 0;
}

static int free_context(uint32_t handle)
{
	if (!fake_gem_has_context(handle))
		return fake_fail(ENOENT);
	contexts[handle].exists = false;
	return 0;
}

bool fake_context_ioctl(unsigned long request, void *arg, int *result)
{
	switch (request) {
	case DRM_IOCTL_I915_GEM_CONTEXT_CREATE:
		*result = make_context(&((struct drm_i915_gem_context_create *)arg)->ctx_id);
		return true;
	case DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT:
		*result = make_context_by(arg);
		return true;
	case DRM_IOCTL_I915_GEM_CONTEXT_DESTROY:
		*result = free_context(((struct drm_i915_gem_context_destroy *)arg)->ctx_id);
		return true;
	case DRM_IOCTL_I915_GEM_CONTEXT_GETPARAM:
		*result = get_param(arg);
		return true;
	case DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM:
		*result = set_param(arg);
		return true;
	default:
		return false;
	}
}
