/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzz target: any bytes as a stream of messages. What is understood must be written and understood
 * again. */
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "kernels/launch/proto.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_line(const char *line)
{
	struct proto_message m, back;
	struct strbuf b = { 0 };
	struct err err = { 0 };

	if (!proto_decode(line, &m, &err)) {
		if (!err.msg[0])
			abort();
		return;
	}
	proto_encode(&b, &m);
	if (b.s[b.len - 1] != '\n' || memchr(b.s, '\n', b.len - 1))
		abort();
	b.s[b.len - 1] = '\0';
	if (!proto_decode(b.s, &back, &err) || back.verb != m.verb)
		abort();
	strbuf_release(&b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct proto_reader r = { 0 };
	struct err err = { 0 };
	const char *line;
	int fds[2];

	if (size > 65536 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fds) < 0)
		return 0;
	if (size > 0 && write(fds[0], data, size) < 0)
		abort();
	close(fds[0]);
	while (proto_next(&r, fds[1], &line, &err) == PROTO_GOT_LINE)
		check_line(line);
	close(fds[1]);
	return 0;
}
