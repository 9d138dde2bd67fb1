/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A fake software card on the bus of faux devices: its node says the DRM driver's name, which is
 * that in faux/driver of the tree (Linux drivers/gpu/drm/drm_ioctl.c, drm_copy_field). */
#include "config.h"

#include "tests/fakekernel/fake.h"

#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>

#define DRM_VERSION _IOWR('d', 0x00, struct version)

struct version {
	int numbers[3];
	size_t name_len;
	char *name;
	size_t date_len;
	char *date;
	size_t desc_len;
	char *desc;
};

static int on_ioctl(struct fake_fd *f, int fd, unsigned long request, unsigned long arg)
{
	struct version *v = (struct version *)arg;
	char name[32];
	size_t len;

	(void)f;
	(void)fd;
	if (request != DRM_VERSION || !fake_tree_read("/faux/driver", name, sizeof(name))) {
		errno = EINVAL;
		return -1;
	}
	fake_log("faux version\n");
	len = strlen(name);
	memcpy(v->name, name, len < v->name_len ? len : v->name_len);
	v->name_len = len;
	v->date_len = v->desc_len = 0;
	return 0;
}

const struct fake_driver fake_faux = { .name = "faux_driver", .is_drm = true, .ioctl = on_ioctl };
