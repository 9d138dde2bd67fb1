/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chooses the device to use, and says why others cannot be used. */
#include "config.h"

#include "session/devices/devices.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "session/program.h"
#include "session/window/own_load.h"
#include "session/window/refresh.h"
#include "session/window/rotate.h"
#include "session/window/sets.h"
#include "backends/card/drm_card.h"
#include "backends/common/stand_ins.h"
#include "base/i18n.h"
#include "base/mem.h"
#include "base/near.h"
#include "base/parse.h"
#include "base/privilege.h"
#include "base/slow_files.h"
#include "base/strbuf.h"

/* The device that is shown where there is no GPU. The backend's default load is its tour. */
#define SIMULATED_DEVICE "sim:hd620"

static int find_id(const struct session *ses, const char *id)
{
	for (size_t i = 0; i < ses->program->devices.count; i++) {
		if (!strcmp(ses->program->devices.entries[i].device.id, id))
			return (int)i;
	}
	return -1;
}

/* Matches a filter such as pci:vendor=8086,device=5916,card=1. */
static bool matches_pci_filter(const struct device *d, const char *filter)
{
	char value[32];
	uint64_t number;

	if (parse_pair(filter, ',', "vendor", value, sizeof(value))) {
		const struct backend *b = backend_by_vendor(d->pci_vendor);

		if ((!b || strcasecmp(value, b->name) != 0) &&
			(!parse_hex(value, &number) || number != d->pci_vendor))
			return false;
	}
	return !parse_pair(filter, ',', "device", value, sizeof(value)) ||
		(parse_hex(value, &number) && number == d->pci_device);
}

static int find_pci(const struct session *ses, const char *spec)
{
	char value[32];
	uint64_t skip = 0;

	if (!strchr(spec, '=')) {
		for (size_t i = 0; i < ses->program->devices.count; i++) {
			const char *address = ses->program->devices.entries[i].device.pci_address;

			if (*address &&
				(!strcmp(address, spec) ||
					(strlen(address) > 5 && !strcmp(address + 5, spec))))
				return (int)i;
		}
		return -1;
	}
	if (parse_pair(spec, ',', "card", value, sizeof(value)) && !parse_u64(value, &skip))
		return -1;
	for (size_t i = 0; i < ses->program->devices.count; i++) {
		const struct device *d = &ses->program->devices.entries[i].device;

		if (*d->pci_address && matches_pci_filter(d, spec) && skip-- == 0)
			return (int)i;
	}
	return -1;
}

/* Finds a device by the names that igt's tools take: pci:..., drm:/dev/dri/card0,
 * sys:/sys/devices/.../0000:00:02.0 */
static int find_filter(const struct session *ses, const char *text)
{
	const char *spec = strchr(text, ':') + 1, *base = strrchr(spec, '/');

	if (!strncmp(text, "pci:", 4))
		return find_pci(ses, spec);
	if (!strncmp(text, "drm:", 4))
		return find_id(ses, base ? base + 1 : spec);
	if (!strncmp(text, "sys:", 4) && base && !strncmp(base + 1, "card", 4))
		return find_id(ses, base + 1);
	if (!strncmp(text, "sys:", 4) && base)
		return find_pci(ses, base + 1);
	return -1;
}

static bool unknown_device(const struct session *ses, const char *text, struct err *err)
{
	struct strbuf found = { 0 };
	struct near near;

	near_begin(&near, text);
	for (size_t i = 0; i < ses->program->devices.count; i++) {
		const char *id = ses->program->devices.entries[i].device.id;

		strbuf_add_word(&found, ", ", id);
		near_try(&near, id, id);
		near_try(&near, strchr(id, ':') ? strchr(id, ':') + 1 : id, id);
	}
	err_set(err, ERR_NO_DEVICE, _("no device '%s'"), text);
	if (near_is_slip(&near))
		near_hint(&near, "'rooftop -L' lists all", err);
	else if (access(text, F_OK) == 0)
		err_hint(
			err, _("if that is a recording: -D file:%.120s, or -r %.120s"), text, text);
	else
		err_hint(err,
			_("found: %s; also file:RECORDING and pci:ADDRESS; 'rooftop -L' tells "
			  "more"),
			strbuf_str(&found));
	strbuf_release(&found);
	return false;
}

static bool look_up(struct session *ses, const char *text, int *index, struct err *err);

/* Finds one of the devices of a file, which is named FILE/DEVICE. */
static bool look_in_file(struct session *ses, const char *text, int *index)
{
	struct stat st;

	if (strncmp(text, "file:", 5) != 0 || !strchr(text, '/') || stat(text + 5, &st) == 0 ||
		errno != ENOTDIR)
		return false;
	char *file = xasprintf("%.*s", (int)(strrchr(text, '/') - text), text);
	*index = look_up(ses, file, index, NULL) ? find_id(ses, text) : -1;
	free(file);
	return *index >= 0;
}

/* Looks up a -D argument, and asks backends for a device that is not in the list. */
static bool look_up(struct session *ses, const char *text, int *index, struct err *err)
{
	const char *colon = strchr(text, ':');
	size_t len = colon ? (size_t)(colon - text) : strlen(text);
	const struct backend *b = backend_by_name(text, len);

	*index = find_id(ses, text);
	if (*index >= 0 || look_in_file(ses, text, index))
		return true;
	if (b && b->resolve) {
		int first = (int)ses->program->devices.count;

		ses->program->devices.window_ns = ses->window.length_ns;
		if (!b->resolve(&ses->program->fs, colon ? colon + 1 : "", &ses->program->devices,
			    err)) {
			err_of_file(err);
			return false;
		}
		*index = first;
		return true;
	}
	if (colon)
		*index = find_filter(ses, text);
	return *index >= 0 || unknown_device(ses, text, err);
}

/* Does the same for a name that may come from the variable. The error says so, because the command
 * line does not show it. */
static bool find_or_resolve(struct session *ses, const char *text, int *index, struct err *err)
{
	if (look_up(ses, text, index, err))
		return true;
	if (!ses->want->by_env || !err)
		return false;
	struct err why = *err;
	snprintf(err->msg, sizeof(err->msg), "ROOFTOP_DEVICE=%.60s: %.240s", text, why.msg);
	return false;
}

bool devices_probe(struct program *p, struct err *err)
{
	const struct options *opt = p->opt;
	const char *name = opt->devices[0].name ? opt->devices[0].name : SIMULATED_DEVICE;

	/* A screen lists the others when somebody looks at the list. */
	if (opt->task == TASK_RUN && opt->n_devices < 2 && options_want_screen(opt) &&
		!strncmp(name, "sim:", 4))
		p->devices.simulated = name;
	device_changes_begin(p);
	return backends_probe(&p->fs, &p->devices, err);
}

/* Writes in one line why no GPU of this machine can be used. */
static void why_none(const struct session *ses, char *buf, size_t size)
{
	struct err none = { 0 };

	for (size_t i = 0; i < ses->program->devices.count; i++) {
		const struct device_entry *e = &ses->program->devices.entries[i];

		if (e->usable && e->backend->never_by_default)
			continue;
		none = e->refusal;
		if (e->usable)
			sets_none(&e->device, &none);
		snprintf(buf, size, "%.90s: %.200s", e->device.id,
			err_without_name(none.msg, e->device.id));
		return;
	}
	if (pci_display_find(&ses->program->fs, &none))
		snprintf(buf, size, "%.250s", none.msg);
	else
		snprintf(buf, size, _("no GPU was found: %s"), none.msg);
}

/* Whether a file stands for all of its devices, and the task is about one. */
static bool is_one_of_several(const struct session *ses, int index, const char *text)
{
	const struct device_list *l = &ses->program->devices;
	const struct device_entry *e = &l->entries[index];
	int n = 0;

	for (size_t i = 0; i < l->count; i++)
		n += e->shared && l->entries[i].shared == e->shared;
	return n > 1 && !strncmp(text, "file:", 5) && strcmp(text, "file:-") != 0 &&
		strcmp(e->device.id, text) != 0 && ses->opt->task != TASK_LIST_DEVICES &&
		!options_take_several(ses->opt->task);
}

bool devices_named(struct session *ses, const char *text, int *index, struct err *err)
{
	if (!find_or_resolve(ses, text, index, err))
		return false;
	const struct device_entry *e = &ses->program->devices.entries[*index];
	if (e->usable && is_one_of_several(ses, *index, text)) {
		err_set(err, ERR_UNSUPPORTED,
			"'%.120s' is of several devices, and this command is about one", text + 5);
		return err_hint(
			err, "%.100s is one of them; -L -r FILE lists them", e->device.id + 5);
	}
	if (e->usable)
		return true;
	if (err) {
		*err = e->refusal;
		snprintf(err->msg, sizeof(err->msg), "%.60s: %.250s", e->device.id,
			err_without_name(e->refusal.msg, e->device.id));
	}
	return false;
}

bool devices_none(struct session *ses, struct err *err)
{
	const struct device_list *l = &ses->program->devices;
	enum err_code code = ERR_NO_DEVICE;
	char why[300];

	for (size_t i = 0; i < l->count; i++)
		if (!l->entries[i].usable && l->entries[i].refusal.code == ERR_PERMISSION)
			code = ERR_PERMISSION;
	why_none(ses, why, sizeof(why));
	err_set(err, code, _("no usable device (%s)"), why);
	return err_hint(err,
		_("-D cpu0 is the processor, -D sim:hd620 a simulated GPU, -r FILE a recording; -L "
		  "lists what was found"));
}

/* What is taken first when nobody names a device: those with counters, then those of which only
 * clocks and the like are known, and last what is not ready or only shows a picture. */
enum rank { RANK_COUNTS, RANK_WORKS, RANK_LAST, RANK_COUNT };

static enum rank rank_of(const struct device_entry *e)
{
	if (e->device.counters[0])
		return RANK_COUNTS;
	if (e->refusal.code == ERR_SYS || e->display_only)
		return RANK_LAST;
	return RANK_WORKS;
}

/* The first device of that rank behind the entry "after" that can be used, or -1. */
static int first_device(struct session *ses, enum rank rank, int after)
{
	const struct device_list *l = &ses->program->devices;

	for (size_t i = (size_t)(after + 1); i < l->count; i++) {
		const struct device_entry *e = &l->entries[i];

		if (e->usable && !e->backend->never_by_default && rank_of(e) == rank &&
			sets_exist(ses, &e->device))
			return (int)i;
	}
	return -1;
}

/* The device that is taken when nobody names one. tried is the one that was the best before and
 * cannot be opened, or -1. Returns -1 when there is none. */
static int best_device(struct session *ses, int tried)
{
	enum rank rank = RANK_COUNTS;

	if (tried >= 0)
		rank = rank_of(&ses->program->devices.entries[tried]);
	for (int after = tried; rank < RANK_COUNT; rank++, after = -1) {
		int index = first_device(ses, rank, after);

		if (index >= 0)
			return index;
	}
	return -1;
}

/* What would be wrong on every device is told before that there is none. */
static bool check_without_device(struct session *ses, struct err *err)
{
	const struct device_options *want = ses->want;

	if (want->per_report || want->speed > 0) {
		err_set(err, ERR_USAGE, "%s needs a recording, and none is named",
			want->per_report ? "--per-report" : "--speed");
		return err_hint(err, "-r FILE plays one");
	}
	if (!want->set || sets_known(ses, want->set))
		return true;
	err_set(err, ERR_USAGE, "no device has a metric set '%.60s'", want->set);
	return err_hint(err, "-D DEVICE -m help lists the sets of a device");
}

bool devices_choose(struct session *ses, bool may_simulate, int *index, struct err *err)
{
	char why[300];

	if (ses->want->name)
		return devices_named(ses, ses->want->name, index, err);
	*index = best_device(ses, -1);
	if (*index >= 0)
		return true;
	if (!may_simulate)
		return check_without_device(ses, err) && devices_none(ses, err);
	why_none(ses, why, sizeof(why));
	snprintf(ses->opened.no_device, sizeof(ses->opened.no_device),
		_("this is a simulated device: %s"), why);
	return find_or_resolve(ses, SIMULATED_DEVICE, index, err);
}

static void fill_open_options(
	struct session *ses, const struct metric_set *set, struct open_options *o)
{
	const struct device_options *want = ses->want;

	*o = (struct open_options){
		.set = set,
		.access = "auto",
		.power = "auto",
		.oa_period_ns = want->oa_period_ns,
		.delay_ns = ses->window.length_ns,
		.now_ns = clock_mono_ns(&ses->clock),
		.speed = 1,
		.per_report = want->per_report,
		.per_window = ses->play.as_recorded,
		.has_context = want->has_context,
		.context = want->context,
		.fs = &ses->program->fs,
		.log = &ses->log,
	};
	if (want->access)
		o->access = want->access;
	if (want->power)
		o->power = want->power;
	if (want->speed > 0)
		o->speed = want->speed;
}

static bool programs_registers(const struct session *ses)
{
	return ses->want->access && !strcmp(ses->want->access, "mmio");
}

/* Two sessions must not program the same registers: the one that ends would give them back while
 * the other still needs them. */
static bool check_beside(const struct session *ses, const struct device_entry *e, struct err *err)
{
	const struct program *p = ses->program;

	for (int i = 0; i < p->n_sessions && e->backend->has_ways; i++) {
		const struct session *other = p->sessions[i];

		if (other == ses || other->opened.entry < 0 ||
			!p->devices.entries[other->opened.entry].backend->has_ways ||
			(!programs_registers(ses) && !programs_registers(other)))
			continue;
		err_set(err, ERR_USAGE,
			_("with --access mmio one card can be open at a time, and '%s' would be a "
			  "second one"),
			e->device.id);
		return err_hint(err, _("without --access both are read through the kernel"));
	}
	return true;
}

/* Each device has files of its own, so that only a device that is slow to answer gets old ones. */
static struct fsroot *files_of_device(const struct session *ses)
{
	struct fsroot *files = xcalloc(1, sizeof(*files));

	*files = ses->program->fs;
	files->slow = slow_files_new();
	return files;
}

static void leave_files(struct fsroot *files)
{
	if (files)
		slow_files_release(files->slow);
	free(files);
}

/* A recording ends with its device, not with the attempt to open another one. */
static void leave_current(struct session *ses)
{
	struct err stopped = { 0 };

	if (!record_stop(ses, &stopped))
		session_problem(ses, &stopped);
	devices_close(ses);
}

static void take(struct session *ses, int index, struct open_device *dev,
	const struct metric_set *const *sets, int n)
{
	const struct program *p = ses->program;
	int number = 1;

	ses->dev = dev;
	ses->opened.entry = index;
	sets_fit(ses, &dev->device, true);
	sets_estimate(ses);
	refresh_use_rotation(ses, rotation_new(sets, n, false));
	ses->opened.stands_in = false;
	/* Outputs tell devices apart by name, so the second device with the same id gets a number:
	 * "sim:hd620", "sim:hd620#2". A card that left keeps no name from the one in its place. */
	snprintf(ses->opened.name, sizeof(ses->opened.name), "%s", ses->dev->device.id);
	for (int i = 0; i < p->n_sessions; i++) {
		if (p->sessions[i] == ses || session_has_left(p, p->sessions[i]) ||
			strcmp(p->sessions[i]->opened.name, ses->opened.name) != 0)
			continue;
		snprintf(ses->opened.name, sizeof(ses->opened.name), "%s#%d", ses->dev->device.id,
			++number);
		i = -1;
	}
}

/* Screens and outputs say beside the source that its numbers are those of one context. */
static void name_context(struct source *s, uint32_t context)
{
	size_t len = strlen(s->feed.how);

	snprintf(s->feed.how + len, sizeof(s->feed.how) - len, _(", only context %#x"), context);
}

static bool has_other_parts(const struct session *ses)
{
	for (int i = 0; ses->dev && !record_is_on(ses) && i < ses->dev->n_sources; i++)
		if (ses->dev->sources[i]->reopen)
			return true;
	return false;
}

/* Whatever the devices are: this run shows processes, or follows devices that come. */
static bool shows_processes(const struct options *o)
{
	return o->clients || o->form == OUTPUT_GPU_TOP || options_want_screen(o) ||
		o->task == TASK_DOCTOR || (options_of_all(o) && options_export(o));
}

static bool any_counts_clients(const struct device_list *l)
{
	for (size_t i = 0; i < l->count; i++)
		if (l->entries[i].usable && l->entries[i].backend->counts_clients)
			return true;
	return false;
}

/* Lists open no device for long, and show nobody's processes. */
static bool is_list(enum task task)
{
	return task == TASK_LIST_DEVICES || task == TASK_LIST_SETS || task == TASK_LIST_EVENTS ||
		task == TASK_EXPLAIN;
}

void devices_leave_rights_early(const struct options *o)
{
	const struct fsroot machine = { .prefix = "" };
	struct device_list cards = { .count = 0 };
	bool needed = shows_processes(o);

	if (!privilege_sees_processes())
		return;
	if (!needed && !is_list(o->task) &&
		drm_cards_list(backend_registry, &machine, &cards, NULL))
		needed = any_counts_clients(&cards);
	device_list_release(&cards);
	if (!needed)
		privilege_leave_processes();
}

void devices_leave_rights(const struct session *ses, const struct device_entry *e)
{
	bool several = options_of_all(ses->opt) || ses->opt->n_devices > 1;

	if (!shows_processes(ses->opt) && !(e && e->backend->counts_clients) &&
		!(several && any_counts_clients(&ses->program->devices)))
		privilege_leave_processes();
}

bool devices_open(struct session *ses, int index, const char *set_name, struct err *err)
{
	struct device_entry *e = &ses->program->devices.entries[index];
	const struct metric_set *sets[ROTATION_MAX];
	struct open_options o;
	struct err damaged = { 0 };
	char path[4096];
	bool is_patient = index == ses->opened.entry && has_other_parts(ses);

	devices_leave_rights(ses, e);
	if (e->usable && !e->device.platform[0] && e->backend->settle &&
		!e->backend->settle(e, &ses->program->fs, err))
		return false;
	if (!device_options_check(ses, e, err) || !check_beside(ses, e, err))
		return false;
	int n = rotate_choose(ses, e, set_name, sets, err);
	if (!n)
		return false;
	if (index == ses->opened.entry && !ses->opened.stands_in)
		leave_current(ses);
	fill_open_options(ses, sets[0], &o);
	o.patient = is_patient;
	o.may_wait = !options_want_screen(ses->opt) || ses->want->record;
	o.turns = sets;
	o.n_turns = n;
	struct open_device *dev = xcalloc(1, sizeof(*dev));
	struct fsroot *files = files_of_device(ses);
	o.fs = files;
	if (!e->backend->open(e, &o, dev, err)) {
		leave_files(files);
		free(dev);
		return false;
	}
	if (o.has_context)
		name_context(dev->sources[0], o.context);
	backend_attach(e, &o, dev);
	slow_files_watch(files->slow);
	leave_current(ses);
	ses->opened.files = files;
	take(ses, index, dev, sets, n);
	if (set_name != ses->opened.set)
		snprintf(ses->opened.set, sizeof(ses->opened.set), "%s", text_or(set_name, ""));
	struct rotation *glance = rotate_glance(ses);
	if (glance)
		refresh_use_rotation(ses, glance);
	/* Calibration may have left roofs of this device. Pictures of scripts must not depend on
	 * them. */
	memset(&ses->opened.measured, 0, sizeof(ses->opened.measured));
	if (ses->dev->has_roofs) {
		ses->opened.measured = ses->dev->roofs;
	} else if (ses->opt->task != TASK_SCRIPT &&
		roof_file_path(&ses->dev->device, e->spec, path, sizeof(path))) {
		if (!roof_file_load(&ses->opened.measured, path, &damaged))
			session_problem(ses, &damaged);
	}
	refresh_start(ses);
	return true;
}

/* What the user asks for in vain is no reason to look at another device. */
static bool is_of_device(const struct err *err)
{
	return err->code != ERR_USAGE && err->code != ERR_PARSE;
}

static void tell_next(struct session *ses, const struct err *first)
{
	struct err told = *first;

	/* TRANSLATORS: first why a device cannot be opened, then the name of another one */
	snprintf(told.msg, sizeof(told.msg), _("%.200s; %.80s is taken in its place"), first->msg,
		ses->dev->device.id);
	session_problem(ses, &told);
}

bool devices_open_best(struct session *ses, int index, struct err *err)
{
	struct err first = { 0 };

	if (devices_open(ses, index, NULL, &first))
		return true;
	*err = first;
	if (ses->want->name || !is_of_device(&first))
		return false;
	for (int next = best_device(ses, index); next >= 0; next = best_device(ses, next)) {
		struct err why = { 0 };

		if (!devices_open(ses, next, NULL, &why))
			continue;
		tell_next(ses, &first);
		err_clear(err);
		return true;
	}
	return false;
}

void devices_stand_in(
	struct session *ses, int index, const struct metric_set *set, const struct err *why)
{
	struct open_device *dev = xcalloc(1, sizeof(*dev));

	leave_current(ses);
	dev->device = ses->program->devices.entries[index].device;
	dev->sources[dev->n_sources++] = refused_source_open("lost", NULL, 0, why);
	take(ses, index, dev, &set, 1);
	ses->opened.stands_in = true;
	refresh_start(ses);
}

void devices_user_chose(struct session *ses)
{
	ses->opened.no_device[0] = '\0';
}

bool devices_look_for(struct session *ses)
{
	const struct metric_set *set = ses->now->rotation->part[0].set;
	const char *name = text_or(ses->opened.set, NULL);
	int index = ses->opened.entry;
	struct err why = { 0 };

	if (has_other_parts(ses)) {
		if (devices_open(ses, index, name, &why))
			return true;
		devices_stand_in(ses, index, set, &why);
		return false;
	}
	if (!ses->opened.stands_in || !refresh_retry_is_due(ses, clock_mono_ns(&ses->clock)))
		return false;
	return devices_open(ses, index, name, NULL);
}

void devices_close(struct session *ses)
{
	map_set_forget(ses);
	own_load_leave_device(ses);
	refresh_stop(ses);
	if (ses->dev)
		open_device_close(ses->dev);
	free(ses->dev);
	leave_files(ses->opened.files);
	ses->dev = NULL;
	ses->opened.files = NULL;
	ses->opened.entry = -1;
}
