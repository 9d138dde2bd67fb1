/* SPDX-License-Identifier: GPL-3.0-or-later */
/* DRM_IOCTL_VERSION for fakes that are built without libdrm (Linux include/uapi/drm/drm.h). */
#pragma once

#include <string.h>
#include <sys/ioctl.h>

struct fake_drm_version {
	int major, minor, patch;
	size_t name_len;
	char *name;
	size_t date_len;
	char *date;
	size_t desc_len;
	char *desc;
};

#define FAKE_DRM_VERSION _IOWR('d', 0x00, struct fake_drm_version)

/* Copies as much as the caller has room for, and tells the whole length (drm_copy_field). */
static inline void fake_drm_field(const char *text, char *to, size_t *len)
{
	size_t n = strlen(text);

	if (to && *len)
		memcpy(to, text, n < *len ? n : *len);
	*len = n;
}

static inline int fake_drm_answer(
	struct fake_drm_version *v, const char *name, const char *date, const char *desc)
{
	v->major = 1;
	v->minor = v->patch = 0;
	fake_drm_field(name, v->name, &v->name_len);
	fake_drm_field(date, v->date, &v->date_len);
	fake_drm_field(desc, v->desc, &v->desc_len);
	return 0;
}
