/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Containers and pods by the names of control groups. */
#include "config.h"

#include <string.h>

#include "backends/card/process.h"
#include "base/mem.h"
#include "tests/tap.h"

#define ID "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define UID "1f0c2a3b-4d5e-6f70-8192-a3b4c5d6e7f8"
#define UID_ "1f0c2a3b_4d5e_6f70_8192_a3b4c5d6e7f8"

static const struct {
	const char *text, *pod, *container;
} rows[] = {
	{ "", "", "" },
	{ "0::/\n", "", "" },
	{ "0::/user.slice/user-1000.slice/session-2.scope\n", "", "" },
	{ "0::/system.slice/docker-" ID ".scope\n", "", ID },
	{ "12:cpu,cpuacct:/docker/" ID "\n0::/\n", "", ID },
	{ "0::/machine.slice/libpod-" ID ".scope/container\n", "", ID },
	{ "0::/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod" UID_
	  ".slice/cri-containerd-" ID ".scope\n", UID, ID },
	{ "0::/kubepods.slice/kubepods-pod" UID_ ".slice/crio-" ID ".scope\n", UID, ID },
	{ "0::/kubepods/besteffort/pod" UID "/" ID "\n", UID, ID },
	{ "0::/../../kubepods/pod" UID "/" ID "/system.slice/ssh.service\n", UID, ID },
	{ "0::/lxc.payload.web/system.slice\n", "", "web" },
	{ "0::/machine.slice/machine-box.scope/payload\n", "", "box" },
	{ "0::/tripod" UID "/x\n", "", "" },
	{ "0::/pod-not-a-uid/" ID "0\n", "", "" },
	{ "0::/docker-0123abc.scope\n", "", "" },
	{ "no colon and no path", "", "" },
	{ "0::/lxc.payload.", "", "" },
};

int main(void)
{
	char text[8000] = "0::/machine-";
	struct cgroup_place place;

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		cgroup_parse(rows[i].text, &place);
		is_str(place.pod, rows[i].pod, "pod of %.50s", rows[i].text);
		is_str(place.container, rows[i].container, "container of %.50s", rows[i].text);
	}
	memset(text + 12, 'x', sizeof(text) - 13);
	text[sizeof(text) - 1] = '\0';
	cgroup_parse(text, &place);
	ok(strlen(place.container) == sizeof(place.container) - 1, "a long name is cut");
	return done_testing();
}
