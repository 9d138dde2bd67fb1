/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The worker's protocol: what is written comes back, nothing else is taken. */
#include "config.h"

#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/mem.h"
#include "kernels/launch/proto.h"
#include "tests/tap.h"

static void fill_text(char *s, size_t size, const char *text)
{
	snprintf(s, size, "%s", text);
}

/* Encoded, decoded, encoded: the lines must be equal. */
static void test_round_trip(const struct proto_message *m)
{
	struct strbuf first = { 0 }, second = { 0 };
	struct proto_message back;
	struct err err = { 0 };

	proto_encode(&first, m);
	first.s[first.len - 1] = '\0';
	if (ok(proto_decode(first.s, &back, &err), "'%.40s...' is understood", first.s)) {
		is_int(back.verb, m->verb, "its verb");
		proto_encode(&second, &back);
		second.s[second.len - 1] = '\0';
		is_str(second.s, first.s, "it comes back");
	} else {
		diag("%s", err.msg);
	}
	strbuf_release(&first);
	strbuf_release(&second);
}

static void test_messages(void)
{
	struct proto_message run = { .verb = PROTO_RUN,
		.run.job = { .groups = 7,
			.group_size = 256,
			.repeat = UINT64_MAX,
			.launches = 3,
			.limit_ns = INT64_MAX,
			.verify = true,
			.tune = true } };
	struct proto_message progress = { .verb = PROTO_PROGRESS,
		.progress = { .flags = 5,
			.now = { .elapsed_ns = 12,
				.flop_per_s = 1e300,
				.bytes_per_s = NAN,
				.launch_ns = 0.1,
				.verified = 9,
				.mismatches = 1 } } };
	struct proto_message fail = { .verb = PROTO_FAIL, .fail.code = ERR_BUSY };
	struct proto_message hello = { .verb = PROTO_HELLO, .hello.version = PROTO_VERSION },
			     stop = { .verb = PROTO_STOP };
	struct proto_message device = { .verb = PROTO_DEVICE,
		.device = { .cpu = true, .max_group_size = 4096 } };

	fill_text(run.run.job.kernel, sizeof(run.run.job.kernel), "flops.private.mad.sp.x4");
	fill_text(
		run.run.job.device, sizeof(run.run.job.device), "a name with blanks, 100 % = all");
	fill_text(run.run.pci, sizeof(run.run.pci), "0000:00:02.0");
	fill_text(fail.fail.msg, sizeof(fail.fail.msg), "cannot compile 'x': \xc3\xa4");
	fill_text(
		device.device.name, sizeof(device.device.name), "Intel(R) HD Graphics 620, 22.43");
	test_round_trip(&run);
	test_round_trip(&progress);
	progress.verb = PROTO_DONE;
	test_round_trip(&progress);
	test_round_trip(&fail);
	test_round_trip(&hello);
	test_round_trip(&stop);
	test_round_trip(&device);
}

static void test_values(void)
{
	struct proto_message m;

	ok(proto_decode("progress bytes_per_s=null", &m, NULL) && isnan(m.progress.now.bytes_per_s),
		"null is no number");
	ok(proto_decode("progress", &m, NULL) && isnan(m.progress.now.flop_per_s) &&
			m.progress.now.launches_done == 0,
		"what is not said");
	ok(proto_decode("fail msg=a%1bb%0ac", &m, NULL), "control characters can be sent");
	is_str(m.fail.msg, "a?b?c", "and cannot be printed");
}

static void test_refusals(void)
{
	static const char *const lines[] = {
		"",
		" ",
		"HELLO version=1",
		"hello version",
		"hello version=",
		"hello version=-1",
		"hello version=1x",
		"hello verse=1",
		"hello version=99999999999999999999999",
		"run kernel=%",
		"run kernel=%4",
		"run kernel=%zz",
		"run tune=2",
		"run limit_ns=-5",
		"run limit_ns=9223372036854775808",
		"progress flop_per_s=inf",
		"progress flop_per_s=nan",
		"progress flop_per_s=1e999",
		"stop now",
		"stop version=1",
		"query groups=1",
		"hello =1",
		"hello version=1 =",
		"run kernel=0123456789012345678901234567890123456789012345678901234567890123456789",
	};

	for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
		struct proto_message m = { .verb = PROTO_VERBS };
		struct err err = { 0 };

		ok(!proto_decode(lines[i], &m, &err) && err.msg[0] && m.verb == PROTO_VERBS,
			"'%s' is refused", lines[i]);
	}
}

/* Lines of a stream, whatever pieces they come in. */
static void test_stream(void)
{
	static const char text[] = "stop\nhello version=1\nst";
	struct proto_reader r = { 0 };
	struct err err = { 0 };
	const char *line = NULL;
	int lines = 0, fds[2];

	if (!ok(socketpair(AF_UNIX, SOCK_STREAM, 0, fds) == 0, "a socket"))
		return;
	for (size_t i = 0; i < sizeof(text) - 1; i++) {
		ok(write(fds[0], text + i, 1) == 1, "byte %zu is sent", i);
		while (proto_next(&r, fds[1], &line, &err) == PROTO_GOT_LINE)
			is_str(line, lines++ ? "hello version=1" : "stop",
				"a line is there when its end is");
	}
	is_int(lines, 2, "two lines");
	is_int(proto_next(&r, fds[1], &line, &err), PROTO_GOT_NOTHING, "half a line is none");
	close(fds[0]);
	is_int(proto_next(&r, fds[1], &line, &err), PROTO_GOT_END, "the end of the stream");
	close(fds[1]);
}

static void test_bad_stream(const char *what, const char *bytes, size_t size)
{
	struct proto_reader r = { 0 };
	struct err err = { 0 };
	const char *line;
	int fds[2];

	if (!ok(socketpair(AF_UNIX, SOCK_STREAM, 0, fds) == 0, "a socket"))
		return;
	ok(write(fds[0], bytes, size) == (ssize_t)size, "%s is sent", what);
	ok(proto_next(&r, fds[1], &line, &err) == PROTO_GOT_ERROR && err.msg[0], "%s is refused",
		what);
	close(fds[0]);
	close(fds[1]);
}

int main(void)
{
	static char long_line[PROTO_MAX_LINE + 1];

	memset(long_line, 'x', sizeof(long_line));
	test_messages();
	test_values();
	test_refusals();
	test_stream();
	test_bad_stream("a line without end", long_line, sizeof(long_line));
	test_bad_stream("a NUL", "st\0op\n", 6);
	return done_testing();
}
