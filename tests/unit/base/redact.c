/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is taken out of texts, and what stays. */
#include "config.h"

#include "base/redact.h"

#include "base/mem.h"
#include "tests/tap.h"

static const struct { const char *in, *out; } rows[] = {
	/* names, as words */
	{ "on vega64 by ann", "on xxxxxx by xxx" },
	{ "vega64.example.org", "xxxxxx.example.org" },
	{ "/home/ann/x", "/home/xxx/x" },
	{ "planned annex vega640", "planned annex vega640" },
	{ "ann", "xxx" },
	{ "ANN's VEGA64, Annex", "ANN's xxxxxx, Annex" },
	/* addresses */
	{ "mac 52:54:00:AB:cd:ef.", "mac xxxxxxxxxxxxxxxxx." },
	{ "52-54-00-ab-cd-ef", "xxxxxxxxxxxxxxxxx" },
	{ "at 10.0.0.255, 300.1.1.1", "at xxxxxxxxxx, 300.1.1.1" },
	{ "fe80::1 ::1 2001:db8:0:1:2:3:4:5", "xxxxxxx ::1 xxxxxxxxxxxxxxxxxxxx" },
	{ "GPU-6f0c6b4e-1f5d-4d3c-9a55-0123456789ab", "GPU-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx" },
	/* values */
	{ "Serial Number : AB12 3\nnext 4", "Serial xxxxxx : xxxx x\nnext 4" },
	{ "PRODUCT_UUID=zz9\n", "PRODUCT_UUID=xxx\n" },
	{ "serial", "serial" },
	/* what has to stay */
	{ "0000:03:00.0 10de:2684 pci:v00008086d00005916", "0000:03:00.0 10de:2684 pci:v00008086d00005916" },
	{ "550.54.14 6.1.0-18-amd64 1.2.3.4.5", "550.54.14 6.1.0-18-amd64 1.2.3.4.5" },
	{ "12:34:56 2026-11-20", "12:34:56 2026-11-20" },
	{ "0-3,8-11 0xffff", "0-3,8-11 0xffff" },
	{ "", "" },
};

int main(void)
{
	struct redactor r = { 0 };

	redact_add(&r, "ann");
	redact_add(&r, "vega64");
	redact_add(&r, "x");
	redact_add(&r, NULL);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		/* no byte behind the end, so that a reader beyond it is seen */
		size_t len = strlen(rows[i].in);
		char *text = xmalloc(len + 1), *exact = xmalloc(len ? len : 1);
		size_t differ = 0;

		memcpy(exact, rows[i].in, len);
		size_t taken = redact(&r, exact, len);
		memcpy(text, exact, len);
		text[len] = '\0';
		is_str(text, rows[i].out, "%s", rows[i].in);
		for (size_t k = 0; k < len; k++)
			differ += text[k] != rows[i].in[k];
		ok(taken >= differ, "  ... and as many bytes are told");
		free(text);
		free(exact);
	}
	char serial[] = "abc\n";
	is_int(redact_all(serial, 4), 3, "a file of a serial number");
	is_str(serial, "xxx\n", "keeps its end of line");
	char event[] = "DRIVER=i915\nSECRET=abc\nabc\nPCI_ID=8086:5916";
	redact_unknown("/sys/class/drm/card0/device/uevent", event, strlen(event));
	is_str(event, "DRIVER=i915\nSECRET=xxx\nxxx\nPCI_ID=8086:5916", "values of keys that are not known go");
	char cpu[] = "model name\t: Atom\nHardware\t: My Board\n\nprocessor\t: 0\n";
	redact_unknown("/proc/cpuinfo", cpu, strlen(cpu));
	is_str(cpu, "model name\t: Atom\nHardware\t:xxxxxxxxx\n\nprocessor\t: 0\n", "  ... of cpuinfo, too");
	is_int((long long)redact_unknown("/sys/x/name", event, strlen(event)), 0, "  ... and of no other file");
	char number[] = "16.0 GT/s PCIe\n500Mhz 0x1234abcd 2.3283e-10 fe0c1234 x Myhost ab12host_7\n";
	redact_unknown("root/sys/devices/a/current_link_speed", number, strlen(number));
	is_str(number, "16.0 GT/s PCIe\n500Mhz 0x1234abcd 2.3283e-10 fe0c1234 x xxxxxx xxxxxxxxxx\n", "words in a file of numbers go");
	static const char *const worded[] = { "hwmon0/temp1_label", "hwmon0/label", "power1_oem_info", "mc0/dimm0/dimm_location", "mc0/dimm0/dimm_mem_type",
		"card0-DP-1/enabled" };
	for (size_t i = 0; i < ARRAY_LEN(worded); i++) {
		char *path = xasprintf("root/sys/devices/%s", worded[i]), word[] = "Module Power";

		is_int((long long)redact_unknown(path, word, strlen(word)), 0, "  ... and stay in %s", worded[i]);
		free(path);
	}
	is_int((long long)redact_unknown("root/sys/devices/a/gpu_metrics", (char[]){ "\0abcdefghijkl" }, 13), 0, "  ... and where it is no text");
	redact_release(&r);
	return done_testing();
}
