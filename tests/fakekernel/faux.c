/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A fake software card on the bus of faux devices: its node says the DRM driver's name, which is
 * that in faux/driver of the tree (Linux drivers/gpu/drm/drm_ioctl.c, drm_copy_field). */
#include "config.h"

#include "tests/fakekernel/drm_version.h"
#include "tests/fakekernel/fake.h"

#include <errno.h>

static int on_ioctl(struct fake_fd *f, int fd, unsigned long request, unsigned long arg)
{
	struct fake_drm_version *v = (struct fake_drm_version *)arg;
	char name[32];

	(void)f;
	(void)fd;
	if (request != FAKE_DRM_VERSION || !fake_tree_read("/faux/driver", name, sizeof(name))) {
		errno = EINVAL;
		return -1;
	}
	fake_log("faux version\n");
	fake_drm_field(name, v->name, &v->name_len);
	v->date_len = v->desc_len = 0;
	return 0;
}

const struct fake_driver fake_faux = { .name = "faux_driver", .is_drm = true, .ioctl = on_ioctl };
