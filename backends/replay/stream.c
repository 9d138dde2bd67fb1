/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes devices of streams. Windows are those of the machine that was recorded, one by one. */
#include "config.h"

#include "backends/replay/stream.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backends/common/backend.h"
#include "backends/replay/stream_hub.h"
#include "base/mem.h"

struct stream_play {
	int users;			/* sources, and the client source */
	struct stream_hub *hub;
	int device;
	struct open_device *dev;
	struct stream_window *now;	/* what was handed over last */
	struct replay_spans *spans;	/* the open device's */
	bool told;			/* of the hub's failure */
	bool behind;			/* the last window: its samples were handed over */
	/* Of a file: when its windows end, and at which place it was at from_ns. */
	int64_t *places;
	size_t n_places, cap_places;
	int64_t from_ns, from_position_ns, position_ns;
	double speed;
	bool stands;
};

struct stream_source {
	struct source source;
	struct stream_play *play;
	int id;
};

struct stream_clients {
	struct client_source source;
	struct stream_play *play;
};

static struct stream_device *device_of(const struct stream_play *p)
{
	return &p->hub->devices[p->device];
}

static void drop(struct stream_play *p)
{
	if (--p->users > 0)
		return;
	device_of(p)->open = false;
	stream_window_free(p->now);
	free(p->places);
	device_shared_drop(&p->hub->shared);
	free(p);
}

/* Takes over what the device says of itself by now. */
static void take_news(struct stream_play *p)
{
	struct stream_device *d = device_of(p);
	struct device *to = &p->dev->device;
	struct device old = *to;

	*to = d->about.device;
	memcpy(to->id, old.id, sizeof(to->id));
	memcpy(to->driver, old.driver, sizeof(to->driver));
	p->dev->roofs = d->roofs;
	for (int i = 0; i < p->dev->n_sources; i++) {
		struct stream_source *s = (struct stream_source *)p->dev->sources[i];

		memcpy(s->source.feed.how, d->feeds[s->id].feed.how, sizeof(s->source.feed.how));
		s->source.feed.estimated = d->feeds[s->id].feed.estimated;
	}
	d->has_news = d->has_facts = false;
}

/* The time of a window in a file, since the first one. */
static int64_t time_of(const struct stream_play *p, int64_t end_ns)
{
	return p->n_places ? end_ns - p->places[0] : 0;
}

static bool is_due(const struct stream_play *p)
{
	const struct stream_window *next = device_of(p)->next;

	return next->complete &&
		(!p->hub->is_file || time_of(p, next->end_ns) <= p->position_ns);
}

/* A file stands at a moment of its own; of a stream only its last window says what time it is. */
static void keep_place(struct stream_play *p)
{
	uint64_t place_ns = (uint64_t)p->now->end_ns;

	if (p->n_places)
		place_ns = (uint64_t)p->places[0] + (uint64_t)p->position_ns;
	/* No machine runs for so long. */
	p->spans->place_ns = place_ns < INT64_MAX / 4 ? (int64_t)place_ns : 0;
}

static bool primary_ready(struct source *src, int64_t now_ns, struct err *err)
{
	struct stream_play *p = ((struct stream_source *)src)->play;

	stream_hub_read(p->hub, p->device);
	p->position_ns = p->from_position_ns;
	if (!p->stands)
		p->position_ns += (int64_t)((double)(now_ns - p->from_ns) * p->speed);
	keep_place(p);
	/* What came before the end is shown first. */
	if (p->hub->failure.code == ERR_NONE || p->told || device_of(p)->next->complete)
		return true;
	p->told = true;
	if (err)
		*err = p->hub->failure;
	return false;
}

static bool primary_waiting(struct source *src)
{
	struct stream_play *p = ((struct stream_source *)src)->play;

	stream_hub_read(p->hub, p->device);
	if (device_of(p)->next->complete)
		return !is_due(p);
	return !p->hub->ended || (p->hub->failure.code != ERR_NONE && !p->told);
}

static void hand_over(struct stream_source *s, struct sample *out)
{
	const struct stream_window *now = s->play->now;

	out->why = WHY_NOT_YET;
	if (now->has[s->id] && !s->play->behind)
		*out = now->samples[s->id].sample;
}

static void primary_collect(struct source *src, int64_t now_ns, struct sample *out)
{
	struct stream_source *s = (struct stream_source *)src;
	struct stream_play *p = s->play;
	struct stream_device *d = device_of(p);
	struct stream_window *taken = d->next;

	p->behind = !taken->complete;
	if (p->behind) {
		/* Behind the last window. */
		span_kept_take(&p->spans->reader.kept, &taken->spans);
		out->t0_ns = out->t1_ns = now_ns;
		out->why = WHY_NOT_YET;
		out->quality = SAMPLE_LAST;
		return;
	}
	d->next = p->now;
	p->now = taken;
	stream_window_clear(d->next);
	span_kept_take(&p->spans->reader.kept, &taken->spans);
	keep_place(p);
	src->rebind |= d->has_facts;
	if (d->has_news)
		take_news(p);
	hand_over(s, out);
	if (taken->n_contexts >= 0) {
		out->contexts = taken->contexts;
		out->n_contexts = taken->n_contexts;
	}
	out->lost += taken->left_out;
	if (taken->left_out)
		out->quality |= SAMPLE_LOST;
}

static void side_collect(struct source *src, int64_t now_ns, struct sample *out)
{
	out->t0_ns = out->t1_ns = now_ns;
	hand_over((struct stream_source *)src, out);
}

/* Marks behind the last window stand before one that never comes. */
static bool primary_mark(struct source *src, struct rec_mark *out)
{
	struct stream_play *p = ((struct stream_source *)src)->play;

	return rec_marks_next(&p->now->marks, out) ||
		(p->hub->ended && !device_of(p)->next->complete &&
			rec_marks_next(&device_of(p)->next->marks, out));
}

static void stream_close(struct source *src)
{
	drop(((struct stream_source *)src)->play);
}

static void primary_playback(const struct source *src, struct playback *out)
{
	const struct stream_play *p = ((const struct stream_source *)src)->play;

	*out = (struct playback){ .position_ns = p->position_ns,
		.total_ns = time_of(p, p->places[p->n_places - 1]),
		.speed = p->speed };
	if (out->position_ns > out->total_ns)
		out->position_ns = out->total_ns;
	if (out->position_ns < 0)
		out->position_ns = 0;
}

/* Goes to the end of the last window before the place, so that the next one is shown there. What
 * the device said of itself until then is read again. */
static bool jump_to(struct stream_play *p, int64_t position_ns, struct err *err)
{
	size_t i = 0;

	while (i + 1 < p->n_places && time_of(p, p->places[i + 1]) <= position_ns)
		i++;
	p->told = false;
	p->spans->reader.until_ns = 0;
	if (!stream_hub_rewind(p->hub, err))
		return false;
	for (; i > 0; i--) {
		stream_hub_read(p->hub, p->device);
		stream_window_clear(device_of(p)->next);
	}
	return true;
}

static bool primary_play(struct source *src, int64_t now_ns, const struct playback *from, bool jump,
	struct err *err)
{
	struct stream_play *p = ((struct stream_source *)src)->play;

	if (jump && !jump_to(p, from->position_ns, err))
		return false;
	p->position_ns = p->from_position_ns = from->position_ns;
	keep_place(p);
	p->from_ns = now_ns;
	p->speed = from->speed;
	p->stands = from->paused;
	return true;
}

static void primary_status(struct source *src, char *buf, size_t size)
{
	const struct stream_play *p = ((struct stream_source *)src)->play;

	if (p->hub->ended)
		snprintf(buf, size, "the stream from %.100s has ended", p->hub->name);
	else
		snprintf(buf, size, "live from %.100s", p->hub->name);
}

static const struct source_ops live_ops = {
	.ready = primary_ready,
	.collect = primary_collect,
	.waiting = primary_waiting,
	.mark = primary_mark,
	.status = primary_status,
	.close = stream_close,
};

static const struct source_ops file_ops = {
	.ready = primary_ready,
	.collect = primary_collect,
	.waiting = primary_waiting,
	.playback = primary_playback,
	.play = primary_play,
	.mark = primary_mark,
	.close = stream_close,
};

static const struct source_ops side_ops = {
	.size = sizeof(struct stream_source),
	.ready = source_always_ready, .collect = side_collect, .close = stream_close,
};

/* --- processes --- */

static void clients_scan(struct client_source *s, int64_t now_ns, struct client_table *out)
{
	(void)now_ns;
	client_table_copy(out, &((struct stream_clients *)s)->play->now->clients);
}

static void clients_close(struct client_source *s)
{
	drop(((struct stream_clients *)s)->play);
}

static const struct client_source_ops clients_ops = {
	.size = sizeof(struct stream_clients),
	.scan = clients_scan, .close = clients_close,
};

/* --- opening --- */

bool stream_is(const char *spec)
{
	return !strcmp(spec, "-") || stream_hub_is_file(spec);
}

void stream_add_entries(struct stream_hub *h, const char *prefix, const char *spec,
	const struct backend *b, struct device_list *out)
{
	for (int i = 0; i < h->head.n_devices; i++) {
		struct device_entry *e = device_list_add(out, b);
		const struct device *d = &h->devices[i].about.device;
		int room = (int)sizeof(d->id) - 2 - (int)strnlen(d->id, 40);

		e->device = *d;
		snprintf(e->device.id, sizeof(e->device.id), "%.*s", (int)sizeof(d->id) - 1, prefix);
		if (h->head.n_devices > 1 || !strncmp(prefix, "ssh:", 4))
			snprintf(e->device.id, sizeof(e->device.id), "%.*s/%.40s", room, prefix,
				d->id);
		if (h->is_file || !strcmp(spec, "-"))
			snprintf(e->device.driver, sizeof(e->device.driver), "recording");
		snprintf(e->spec, sizeof(e->spec), "%d %.240s", i, spec);
		e->usable = true;
		e->shared = &h->shared;
		h->shared.users++;
	}
}

/* Standard input may be the stream; keys then come from the terminal. */
static int take_standard_input(struct err *err)
{
	if (isatty(STDIN_FILENO)) {
		err_set(err, ERR_USAGE, "-r - reads a stream, and standard input is a terminal");
		err_hint(err, "ssh HOST rooftop -w - | rooftop -r -");
		return -1;
	}
	int fd = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	int keys = open("/dev/tty", O_RDWR | O_CLOEXEC);
	if (keys < 0)
		keys = open("/dev/null", O_RDONLY | O_CLOEXEC);
	if (fd < 0 || keys < 0 || dup2(keys, STDIN_FILENO) < 0)
		err_sys(err, "%s", "cannot read standard input");
	if (keys > STDERR_FILENO)
		close(keys);
	return fd;
}

static int open_file(const char *path, struct err *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		err_sys(err, "cannot open '%s'", path);
	return fd;
}

bool stream_resolve(
	const struct fsroot *fs, const char *spec, struct device_list *out, struct err *err)
{
	bool is_input = !strcmp(spec, "-");
	int fd = is_input ? take_standard_input(err) : open_file(spec, err);
	char prefix[120];

	(void)fs;
	if (fd < 0)
		return false;
	struct stream_hub *h =
		stream_hub_new(fd, 0, -1, is_input ? "standard input" : spec, err);
	if (!h)
		return false;
	/* A file on standard input is followed like a pipe. */
	if (is_input)
		h->is_file = false;
	snprintf(prefix, sizeof(prefix), "file:%.110s", spec);
	stream_add_entries(h, prefix, spec, &replay_backend, out);
	device_shared_drop(&h->shared);
	return true;
}

static void add_source(struct open_device *dev, struct stream_play *p, int id)
{
	struct stream_source *s = source_new(&side_ops);
	struct stream_device *d = device_of(p);

	s->play = p;
	s->id = id;
	s->source.feed = d->feeds[id].feed;
	s->source.feed.counters = d->feeds[id].counters;
	s->source.feed.instances = (const char(*)[12])d->feeds[id].instances;
	if (id == 0)
		s->source.ops = p->hub->is_file ? &file_ops : &live_ops;
	p->users++;
	dev->sources[dev->n_sources++] = &s->source;
}

/* Finds the windows of a file, and goes back to its beginning. */
static bool find_places(struct stream_play *p, struct err *err)
{
	struct stream_window *next = device_of(p)->next;

	for (;;) {
		stream_hub_read(p->hub, p->device);
		if (!next->complete)
			break;
		p->places = array_grow(p->places, p->n_places, &p->cap_places, sizeof(*p->places));
		p->places[p->n_places++] = next->end_ns;
		span_reader_learn(&p->spans->reader, &next->spans);
		stream_window_clear(next);
	}
	keep_place(p);
	if (p->n_places == 0)
		return err_set(err, ERR_PARSE, "'%s' holds no window", p->hub->name);
	return stream_hub_rewind(p->hub, err);
}

/* A file has a hub for each device, so that each is read at its own place. */
static struct stream_hub *hub_of(const struct device_entry *e, struct err *err)
{
	struct stream_hub *h = (struct stream_hub *)e->shared;
	const char *path = strchr(e->spec, ' ');

	if (!h->is_file || !path) {
		h->shared.users++;
		return h;
	}
	int fd = open_file(path + 1, err);
	if (fd < 0)
		return NULL;
	return stream_hub_new(fd, 0, -1, path + 1, err);
}

static void add_clients(struct open_device *dev, struct stream_play *p)
{
	struct stream_clients *c = client_source_new(&clients_ops, "stream");

	c->play = p;
	p->users++;
	dev->clients = &c->source;
}

bool stream_open(const struct device_entry *e, const struct open_options *o,
	struct open_device *dev, struct err *err)
{
	int device = atoi(e->spec);
	struct stream_hub *h = hub_of(e, err);

	if (!h)
		return false;
	if (device < 0 || device >= h->head.n_devices || h->devices[device].open) {
		device_shared_drop(&h->shared);
		return err_set(err, ERR_BUSY, "'%s' is open already", e->device.id);
	}
	struct stream_play *p = xcalloc(1, sizeof(*p));
	*p = (struct stream_play){ .users = 1, .hub = h, .device = device, .from_ns = o->now_ns,
		.speed = o->speed > 0 ? o->speed : 1, .now = xcalloc(1, sizeof(*p->now)) };
	struct stream_device *d = device_of(p);
	d->open = true;
	stream_window_clear(p->now);
	*dev = (struct open_device){ .device = d->about.device };
	snprintf(dev->device.id, sizeof(dev->device.id), "%s", e->device.id);
	snprintf(dev->device.driver, sizeof(dev->device.driver), "%s", e->device.driver);
	dev->has_roofs = true;
	p->spans = replay_spans_new(true);
	dev->spans = &p->spans->source;
	p->dev = dev;
	/* Of a file all is known that it tells later, too. */
	bool good = !h->is_file || find_places(p, err);
	take_news(p);
	for (int i = 0; i < REC_MAX_FEEDS && good; i++)
		if (d->has_feed[i] && dev->n_sources < DEVICE_MAX_SOURCES)
			add_source(dev, p, i);
	if (good)
		add_clients(dev, p);
	else
		dev->spans->close(dev->spans);
	open_device_tried(dev, "", "stream", h->name, NULL);
	drop(p);
	return good;
}

/* --- spans that were read --- */

static int64_t read_spans(struct span_source *s, int64_t now_ns, const struct span_sink *sink)
{
	(void)now_ns;
	return span_reader_tell(&((struct replay_spans *)s)->reader, sink);
}

static void close_spans(struct span_source *s)
{
	span_reader_release(&((struct replay_spans *)s)->reader);
	free(s);
}

static int64_t place_of(struct span_source *s)
{
	return ((struct replay_spans *)s)->place_ns;
}

struct replay_spans *replay_spans_new(bool has_place)
{
	struct replay_spans *s = xcalloc(1, sizeof(*s));

	s->source = (struct span_source){ .read = read_spans, .close = close_spans };
	if (has_place)
		s->source.now = place_of;
	return s;
}
