/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The lines around every screen: which device is watched and how, tabs, states, messages, keys. */
#include "config.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/format.h"
#include "base/mem.h"
#include "base/minmax.h"
#include "ui/frame/screen.h"
#include "ui/draw/text.h"

static bool has_text(const char *s)
{
	return s && *s;
}

void chrome_layout(struct screen *s)
{
	bool alone = s->m->place == VIEW_ALONE;
	int info = 2 + has_text(s->m->no_device);

	/* The first screen says at its top what the others say here. */
	if (s->v->screen == VIEW_OVERVIEW)
		info = 0;
	/* The keys of two stand below both, so each has the lines that it would have alone. */
	layout_screen(&s->l, s->w, s->h + !alone, info);
	if (!alone && !s->l.footer.h)
		layout_screen(&s->l, s->w, s->h, info);
	if (!alone)
		s->l.footer.h = 0;
}

/* A word of the first two lines. When a line is too short, words with the lowest keep go first. */
struct word {
	char text[128];
	int keep;
	enum role role;
};

/* Values of keep. From KEEP_URGENT on a word is worth more than the device's whole name. */
enum { KEEP_CLOSED = 7, KEEP_SET = 8, KEEP_URGENT = 10, KEEP_ALWAYS = 20 };

#define STATE_WORDS 5
#define NAME_WORD 3
#define HOW_WORD 9
#define SET_WORD 10		/* the last of those about the device */
#define HEADER_WORDS (SET_WORD + 1 + STATE_WORDS)
#define NAME_MIN 12
#define ROOMY_W 59		/* the narrower half of 120 columns */
#define WIDE_W 100
#define VENDOR_W 60
#define NAME_ONLY_W 30
#define CLOCK_W 20		/* from here on urgent words leave room for the time of day */

__attribute__((format(printf, 4, 5))) static void word_set(
	struct word *w, int keep, enum role role, const char *fmt, ...)
{
	va_list ap;

	w->keep = keep;
	w->role = role;
	va_start(ap, fmt);
	vsnprintf(w->text, sizeof(w->text), fmt, ap);
	va_end(ap);
}

/* On a narrow screen the vendor's name goes, and then all but one word. */
static const char *device_name(const struct device *d, int columns, char *buf, size_t size)
{
	const char *name = has_text(d->name) ? d->name : d->id;
	size_t len = strlen(d->vendor);

	if (columns < NAME_ONLY_W)
		return text_model(name, buf, size);
	if (columns < VENDOR_W && len && !strncmp(name, d->vendor, len) && name[len] == ' ')
		return name + len + 1;
	return name;
}

static void header_words(const struct view_model *m, struct word *w, int columns)
{
	const struct device *d = m->device;
	char model[32];

	for (int i = 0; i < HEADER_WORDS; i++)
		w[i] = (struct word){ .role = ROLE_HEADER };
	/* Of two halves the name tells which one has the keys. */
	word_set(&w[0], m->of_two ? 9 : 5, ROLE_HEADER, "rooftop");
	word_set(&w[2], 6, ROLE_HEADER, "%s", text_or(m->host, ""));
	word_set(&w[NAME_WORD], KEEP_SET, ROLE_HEADER, _("no device"));
	word_set(&w[HOW_WORD], 4, ROLE_HEADER, "%s", text_or(m->how, ""));
	/* TRANSLATORS: the metric set that is counted */
	if (m->home_set && m->set && columns >= VENDOR_W)
		word_set(&w[SET_WORD], KEEP_SET, ROLE_HEADER, _("set %s (map: %s)"),
			m->home_set->name, m->set->name);
	else if (m->set && columns >= VENDOR_W)
		word_set(&w[SET_WORD], KEEP_SET, ROLE_HEADER, _("set %s"), m->set->name);
	if (!d)
		return;
	const struct topology *t = &d->topology;
	/* TRANSLATORS: marks of a simulated device and of a recording, with blanks */
	if (d->simulated)
		word_set(&w[1], KEEP_ALWAYS, ROLE_SIM, _(" SIM "));
	else if (d->recorded)
		word_set(&w[1], KEEP_ALWAYS, ROLE_SIM, _(" REC "));
	word_set(&w[NAME_WORD], KEEP_SET, ROLE_HEADER, "%s",
		device_name(d, columns, model, sizeof(model)));
	if (d->pci_vendor || d->pci_device)
		word_set(&w[4], 1, ROLE_HEADER, "[%04x:%04x]", d->pci_vendor, d->pci_device);
	word_set(&w[5], 3, ROLE_HEADER, "%s", d->generation);
	word_set(&w[6], 2, ROLE_HEADER, "%s", d->gt);
	/* TRANSLATORS: execution units of a GPU */
	if (t->eus > 0)
		word_set(&w[7], 6, ROLE_HEADER, _("%d EU"), t->eus);
	/* "(1x3x8)" when the parts multiply to the whole. */
	if (t->eus > 0 && t->slices > 0 && t->subslices > 0 && t->subslices % t->slices == 0 &&
		t->eus % t->subslices == 0)
		word_set(&w[8], 0, ROLE_HEADER, "(%dx%dx%d)", t->slices, t->subslices / t->slices,
			t->eus / t->subslices);
}

static int words_columns(const struct word *w, int n)
{
	int columns = 0;

	for (int i = 0; i < n; i++)
		if (*w[i].text)
			columns += format_columns(w[i].text) + 1;
	return columns;
}

/* Shortens a word to n columns, with an ellipsis for what is gone. */
static void word_cut(struct word *w, int n, const struct glyphs *g)
{
	int dots = n > 3 * g->ellipsis_w ? g->ellipsis_w : 0;
	size_t len = format_clip(w->text, max_of(n - dots, 0));
	char buf[8];

	w->text[len] = '\0';
	text_encode(buf, g->ellipsis);
	for (int i = 0; i < dots; i++)
		snprintf(w->text + strlen(w->text), sizeof(w->text) - strlen(w->text), "%s", buf);
}

/* Takes a word and the blank behind it, or a bracket, from a text that begins with it. */
static bool drop_front(char *text, const char *word)
{
	const size_t len = strlen(word);

	if (!len || strncmp(text, word, len) != 0 || text[len] != ' ')
		return false;
	memmove(text, text + len + 1, strlen(text + len));
	if (*text == '(') {
		memmove(text, text + 1, strlen(text));
		text[strcspn(text, ")")] = '\0';
	}
	return true;
}

/* Drops the least important words, or cuts the name, first its vendor, until the rest fits. */
static void words_fit(
	struct word *w, int n, int room, const struct glyphs *g, const char *vendor)
{
	char *whole = w[NAME_WORD].text;

	while (words_columns(w, n) > room) {
		int least = -1, over = words_columns(w, n) - room, name = format_columns(w[NAME_WORD].text);
		int keep = KEEP_ALWAYS;
		bool cut;

		for (int i = 0; i < n; i++)
			if (*w[i].text && i != NAME_WORD && (least < 0 || w[i].keep < keep)) {
				least = i;
				keep = w[i].keep;
			}
		/* Whether the device's name is cut before a word of this importance goes: an
		 * urgent word may take the whole name with the blank behind it. */
		cut = keep > 6 && name - over >= NAME_MIN;
		if (keep >= KEEP_URGENT)
			cut = name > 0 && over <= name + 1;
		if (!cut && keep < KEEP_ALWAYS) {
			w[least].text[0] = '\0';
			continue;
		}
		if (drop_front(whole, vendor) || drop_front(whole, "Graphics"))
			continue;
		word_cut(&w[NAME_WORD], max_of(name - over, 0), g);
		if (words_columns(w, n) > room)
			return;
	}
}

/* The view without the focus begins with the key that gives it the focus. */
static void mark_other(struct word *w)
{
	char key[8];

	for (int i = 0; i < HEADER_WORDS; i++)
		if (w[i].role == ROLE_HEADER)
			w[i].role = ROLE_TEXT;
	word_set(&w[0], KEEP_ALWAYS, ROLE_KEY, "[%s]",
		key_of_command(CMD_OTHER_HALF, false, key, sizeof(key)));
}

/* The tabs stand closer before less than this is left for the states. */
#define STATE_MIN 24

/* How tabs are written, from the widest to the narrowest: two blanks apart, one blank apart, or the
 * title of the shown screen alone. */
enum tab_form { TABS_WIDE, TABS_CLOSE, TABS_KEY };

/* All devices have a tab only while they are shown, because most machines have one device; kernels
 * while they are shown or seen. Returns the columns, 0 without a tab. */
static int tab_text(const struct screen *s, int i, enum tab_form form, char *buf, size_t size)
{
	const struct screen_tab *o = &s->tabs[i];
	bool shown = (int)s->v->screen == i;
	char key[8];

	*buf = '\0';
	if (!shown && (i == VIEW_ALL || (i == VIEW_KERNELS && !s->m->kernel_list)))
		return 0;
	key_of_command(o->turn, false, key, sizeof(key));
	if (form == TABS_KEY && !shown)
		snprintf(buf, size, "%s", key);
	else
		snprintf(buf, size, "%s %s", key, _(o->title));
	return format_columns(buf);
}

/* What stands on the left of a tab; that on its right belongs to the next one. */
static int left_of_tab(enum tab_form form)
{
	return 1 + (form == TABS_WIDE);
}

/* Returns the widest form that leaves room for the state. */
static enum tab_form tabs_form(const struct screen *s, int w)
{
	int columns = 1, n = 0;
	char text[64];

	for (int i = 0; i < VIEW_SCREENS; i++) {
		int tab = tab_text(s, i, TABS_WIDE, text, sizeof(text));

		n += tab > 0;
		columns += tab;
	}
	if (columns + n * left_of_tab(TABS_WIDE) + STATE_MIN <= w)
		return TABS_WIDE;
	return columns + n * left_of_tab(TABS_CLOSE) <= w ? TABS_CLOSE : TABS_KEY;
}

/* Draws the tabs where they have a line, the shown one between brackets. Returns the column behind
 * them. */
static int draw_tabs(struct screen *s)
{
	struct rect r = s->l.tabs;
	enum tab_form form = tabs_form(s, r.w);
	int x = r.x;
	char text[64];

	for (int i = 0; i < VIEW_SCREENS; i++) {
		bool shown = (int)s->v->screen == i;
		enum role role = shown ? ROLE_FOCUS : ROLE_DIM;
		int w = tab_text(s, i, form, text, sizeof(text));

		if (r.h && w) {
			canvas_text(s->c, x + 1, r.y, role, text);
			offer_command(s, (struct rect){ x + 1, r.y, w, 1 }, s->tabs[i].turn);
		}
		if (r.h && shown) {
			canvas_put(s->c, x, r.y, '[', role);
			canvas_put(s->c, x + 1 + w, r.y, ']', role);
		}
		x += w ? w + left_of_tab(form) : 0;
	}
	return x + 1;
}

static void lost_word(struct word *w, const struct view_model *m, bool wide)
{
	unsigned long long lost;

	word_set(w, 0, ROLE_DIM, "%s", wide ? _("lost 0 reports") : _("lost 0"));
	if (!m->snap || !m->snap->lost_total)
		return;
	lost = m->snap->lost_total;
	if (m->snap->lost)
		word_set(w, KEEP_URGENT, ROLE_BAD, _("lost %llu !"), lost);
	else
		word_set(w, 0, ROLE_WARN, _("lost %llu"), lost);
}

/* The states. Urgent words come first, so that a short line has them. Where the line of the tabs
 * has no room for a word with a keep, the word stands in the line above. */
static void state_words(const struct view_model *m, struct word *w, int columns)
{
	const char *first = NULL;
	int closed = 0;

	for (int i = 0; i < STATE_WORDS; i++)
		w[i] = (struct word){ .role = ROLE_DIM };
	/* Sources that were refused: what they would give is missing on the screens. */
	for (int i = 0; i < m->n_checks; i++) {
		if (strcmp(m->checks[i].status, "NO") != 0)
			continue;
		if (!closed++)
			first = m->checks[i].source;
	}
	/* TRANSLATORS: lost: reports that the hardware or kernel dropped; rec: recording; self: own
	 * share of a CPU */
	if (m->back > 0) {
		word_set(&w[0], KEEP_URGENT + 2, ROLE_MESSAGE, _("%.1f s AGO"),
			history_ago_ns(m->history, m->back, m->delay_ns) / NS_PER_S);
	} else if (m->paused) {
		word_set(&w[0], KEEP_URGENT + 2, ROLE_MESSAGE, _("PAUSED"));
	} else if (has_text(m->no_device)) {
		/* TRANSLATORS: the device is simulated, and key 6 leads to why */
		word_set(&w[0], KEEP_CLOSED, ROLE_WARN, _("no GPU (key 6)"));
	}
	lost_word(&w[1], m, columns >= WIDE_W);
	/* What is missing is worth more than that nothing is recorded. */
	if (m->recording)
		word_set(&w[2], KEEP_URGENT + 1, ROLE_BAD, _("rec on"));
	else if (!closed)
		word_set(&w[2], 0, ROLE_DIM, _("rec off"));
	/* TRANSLATORS: sources of counters that may not be read: the first one by name */
	if (closed == 1 && columns >= WIDE_W)
		word_set(&w[3], KEEP_CLOSED, ROLE_WARN, _("%.16s closed"), first);
	else if (closed && columns >= WIDE_W)
		word_set(&w[3], KEEP_CLOSED, ROLE_WARN, _("%.16s, %d more closed"), first,
			closed - 1);
	else if (closed) {
		word_set(&w[3], KEEP_CLOSED, ROLE_WARN,
			ngettext("%d source closed", "%d sources closed", (unsigned long)closed),
			closed);
	}
	if (!isnan(m->self_cpu_pct))
		word_set(&w[4], 0, ROLE_DIM, _("self %.1f%%"), m->self_cpu_pct);
}

/* The states of a frame, for both lines: the words, and where each stands in the line of the tabs;
 * -1: that line has no room for it. */
struct states {
	struct word word[STATE_WORDS];
	int at[STATE_WORDS];
	int tabs_end;
};

/* Draws the tabs, because the states begin where they end. */
static void place_states(struct screen *s, struct states *t)
{
	struct rect r = s->l.tabs;

	state_words(s->m, t->word, r.w);
	t->tabs_end = draw_tabs(s);
	int x = t->tabs_end + 2;
	for (int i = 0; i < STATE_WORDS; i++) {
		int columns = format_columns(t->word[i].text);
		bool fits = r.h && columns && x + columns <= r.x + r.w;

		t->at[i] = -1;
		if (!fits)
			continue;
		t->at[i] = x;
		x += columns + 2;
	}
}

/* Copies those words that the line of the tabs has no room for. True: one of them is urgent. */
static bool words_above(const struct states *t, struct word *w)
{
	bool urgent = false;

	for (int i = 0; i < STATE_WORDS; i++) {
		w[i] = t->word[i];
		if (t->at[i] >= 0 || !w[i].keep)
			w[i].text[0] = '\0';
		urgent |= has_text(w[i].text) && w[i].keep >= KEEP_URGENT;
	}
	return urgent;
}

/* Writes the words from column x on, up to right. */
static void draw_words(struct screen *s, struct word *w, int x, int right)
{
	int y = s->l.header.y;

	words_fit(w, HEADER_WORDS, right - 1 - x, s->g, s->m->device ? s->m->device->vendor : "");
	bool wide = words_columns(w, HEADER_WORDS) + 3 <= right - 1 - x;
	for (int i = 0; i < HEADER_WORDS; i++) {
		x += wide && i == HOW_WORD;
		if (*w[i].text)
			x += canvas_text(s->c, x, y, w[i].role, w[i].text) + 1 + (wide && i < 2);
	}
	if (s->m->place == VIEW_OTHER)
		canvas_fill(
			s->c, (struct rect){ x, y, right - 1 - x, 1 }, s->g->across, ROLE_BORDER);
}

static void draw_header(struct screen *s, const struct states *t)
{
	struct rect r = s->l.header;
	struct word w[HEADER_WORDS];
	char clock[24], delay[24];
	bool other = s->m->place == VIEW_OTHER, roomy = r.w >= ROOMY_W, urgent;
	enum role role = ROLE_HEADER;
	int right = r.x + r.w;

	if (other)
		role = ROLE_DIM;
	canvas_fill(s->c, r, ' ', role);
	header_words(s->m, w, r.w);
	urgent = words_above(t, &w[SET_WORD + 1]);
	if (other)
		mark_other(w);
	else if (s->m->of_two && s->m->place == VIEW_ALONE)
		/* There is no room for two: the header says which one this is. */
		word_set(&w[0], KEEP_ALWAYS, ROLE_HEADER, "%d/2", s->m->of_two);
	if (!urgent || r.w >= CLOCK_W) {
		clock_format_local(s->m->wall_ns, clock);
		clock[r.w >= CLOCK_W && (!urgent || roomy) ? 8 : 5] = '\0';
		right -= (int)strlen(clock) + roomy;
		canvas_text(s->c, right, r.y, role, clock);
	} else {
		right++;	/* the last word needs no blank behind it */
	}
	/* TRANSLATORS: seconds between two refreshes */
	snprintf(delay, sizeof(delay), _("%.2f s"), (double)s->m->delay_ns / NS_PER_S);
	if (roomy && s->m->delay_ns > 0) {
		right -= format_columns(delay) + 2;
		canvas_text(s->c, right, r.y, role, delay);
	}
	canvas_clip(s->c, (struct rect){ r.x, r.y, right - r.x, 1 });
	draw_words(s, w, r.x + roomy, right);
	canvas_unclip(s->c);
}

static const char *sentence_line(struct screen *s, char *buf, size_t size)
{
	if (s->m->back > 0)
		return _("the past: Left and Right walk through it, M marks, [ and ] go to marks, "
			 "Space goes on");
	if (!s->m->device)
		return "";
	return answer_sentence(s->m, buf, size);
}

struct info {
	const char *text;
	enum role role;
};

#define INFO_LINES 3

/* Fills the lines above the keys. The verdict stands at the bottom, above it the message or what
 * the source says, and above that why no real device is used. */
static void info_make(
	struct screen *s, struct info *lines, int n, const char *verdict, const char *why)
{
	const struct view_model *m = s->m;
	struct info message = { m->message, ROLE_MESSAGE };
	const char *status = "";
	bool said = has_text(m->message);

	if (m->snap && m->back <= 0)
		status = m->snap->status;
	if (m->message_is_error)
		message.role = ROLE_BAD;
	if (!said)
		message = (struct info){ status, ROLE_TEXT };
	for (int i = 0; i < n; i++)
		lines[i] = (struct info){ "", ROLE_TEXT };
	lines[n - 1] = (struct info){ verdict, ROLE_TITLE };
	if (n >= 2)
		lines[n - 2] = message;
	else if (said)
		lines[0] = message;
	if (has_text(why) && n >= 3)
		lines[n - 3] = (struct info){ why, ROLE_DIM };
	else if (has_text(why) && n == 2 && !said && !(has_text(status) && s->l.info.w < ROOMY_W))
		lines[0] = (struct info){ why, ROLE_DIM };
}

/* Draws a sentence into one line, or into two. */
static void draw_sentence(struct screen *s, const struct info *line, int y, bool two)
{
	int x = s->l.info.x + 1, w = s->l.info.w - 1;
	const char *text = line->text;
	char head[512];

	if (two) {
		/* The first line ends at a blank, unless that makes it too short. */
		size_t most = format_clip(text, w), len = most;

		while (len > most / 2 && text[len] != ' ')
			len--;
		if (len <= most / 2)
			len = most;
		snprintf(head, sizeof(head), "%.*s", (int)len, text);
		canvas_field(s->c, x, y++, w, false, line->role, head);
		text += len + (text[len] == ' ');
	}
	glyphs_sentence(s->c, s->g, x, y, w, line->role, text);
}

/* A sentence that is too long goes on in the line below when that is free, or else begins in the
 * line above. */
static void draw_info(struct screen *s)
{
	int n = min_of(s->l.info.h, INFO_LINES), w = s->l.info.w - 1;
	bool used[INFO_LINES] = { false };
	struct info lines[INFO_LINES];
	char verdict[512], why[512] = "", key[8];

	if (n < 1)
		return;
	if (has_text(s->m->no_device))
		snprintf(why, sizeof(why), _("%s (%s lists them all)"), s->m->no_device,
			key_of_command(CMD_SCREEN_DEVICES, false, key, sizeof(key)));
	/* A sentence that fits is not cut to name the key that leads to more. */
	if (has_text(s->m->no_device) && format_columns(why) > w &&
		format_columns(s->m->no_device) <= w)
		snprintf(why, sizeof(why), "%s", s->m->no_device);
	info_make(s, lines, n, sentence_line(s, verdict, sizeof(verdict)), why);
	/* The bar of a recording says more than the recording's own sentence. */
	bool bar = s->m->playback && n >= 2 && !has_text(s->m->message);
	if (bar) {
		lines[n - 2].text = "";
		playback_bar_draw(s, (struct rect){ s->l.info.x + 1, s->l.info.y + n - 2, w - 1, 1 });
	}
	for (int i = 0; i < n; i++)
		used[i] = has_text(lines[i].text) || (bar && i == n - 2);
	for (int i = 0; i < n; i++) {
		bool wide = has_text(lines[i].text) && format_columns(lines[i].text) > w;
		bool down = wide && i + 1 < n && !used[i + 1],
		     up = wide && !down && i > 0 && !used[i - 1];

		if (has_text(lines[i].text))
			draw_sentence(s, &lines[i], s->l.info.y + i - up, down || up);
		used[i + down - up] = used[i + down - up] || down || up;
	}
}

/* Where no line is kept for messages, they stand in the last line for their time. */
static void draw_message(struct screen *s)
{
	enum role role = s->m->message_is_error ? ROLE_BAD : ROLE_MESSAGE;

	/* The line may have the lower edge of a box, of which nothing is left. */
	canvas_put(s->c, 0, s->h - 1, ' ', role);
	glyphs_sentence(s->c, s->g, 1, s->h - 1, s->w - 1, role, s->m->message);
}

/* "Find  foo_" or "Kill it?  y yes  n no" in the last line. A question that is too long stands
 * above its answers, in as many lines as it needs. */
static void draw_prompt(struct screen *s)
{
	const struct prompt *p = &s->v->prompt;
	struct rect r = { 0, s->c->h - 1, s->c->w, 1 }, text = { 1, 0, r.w - 2, 0 };
	const char *keys = _("Enter done  Esc leave");
	int x = 1, columns = x + format_columns(p->label) + 2 + format_columns(_("Esc cancel"));

	for (int i = 0; i < p->n_answers; i++)
		columns += 4 + format_columns(_(p->answers[i].label));
	canvas_fill(s->c, r, ' ', ROLE_HEADER);
	if (p->kind == PROMPT_QUESTION && columns > r.w) {
		text.h = min_of(box_text(NULL, (struct rect){ .w = text.w }, 0, p->label), r.y);
		text.y = r.y - text.h;
		canvas_fill(s->c, (struct rect){ r.x, text.y, r.w, text.h }, ' ', ROLE_HEADER);
		box_text_role(s->c, text, 0, ROLE_HEADER, p->label);
	} else {
		x += canvas_text(s->c, x, r.y, ROLE_HEADER, p->label) + 2;
	}
	if (p->kind != PROMPT_QUESTION) {
		x += canvas_text(s->c, x, r.y, ROLE_HEADER, p->text);
		canvas_put(s->c, x, r.y, '_', ROLE_HEADER);
		if (p->no_hit)
			x += canvas_text(s->c, x + 3, r.y, ROLE_BAD, _("not found")) + 2;
		if (p->kind == PROMPT_FIND)
			keys = _("Enter done  n next  Esc leave");
		canvas_text(s->c, x + 3, r.y, ROLE_KEY, keys);
		return;
	}
	for (int i = 0; i < p->n_answers; i++) {
		canvas_put(s->c, x, r.y, (uint32_t)p->answers[i].key, ROLE_KEY);
		x += 2 + canvas_text(s->c, x + 2, r.y, ROLE_HEADER, _(p->answers[i].label)) + 2;
	}
	canvas_text(s->c, x, r.y, ROLE_KEY, _("Esc cancel"));
}

void chrome_draw(struct screen *s)
{
	struct states t;
	int y = s->l.tabs.y;

	place_states(s, &t);
	if (s->l.header.h)
		draw_header(s, &t);
	if (s->l.tabs.h)
		canvas_put(s->c, t.tabs_end, y, s->g->down, ROLE_BORDER);
	for (int i = 0; i < STATE_WORDS; i++)
		if (t.at[i] >= 0)
			canvas_text(s->c, t.at[i], y, t.word[i].role, t.word[i].text);
	draw_info(s);
	if (!s->l.info.h && s->h > 1 && has_text(s->m->message))
		draw_message(s);
	else if (s->l.footer.h)
		footer_draw(s, s->l.footer);
	if (s->v->prompt.kind != PROMPT_NONE)
		draw_prompt(s);
}
