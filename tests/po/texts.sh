# SPDX-License-Identifier: GPL-3.0-or-later
# Translators see every text of the metric files, with the limit of labels.
. "$top_srcdir/tests/tty/tap.sh"
awk -f "$top_srcdir/build-aux/texts.awk" "$top_srcdir"/data/metrics/*.metrics > "$tmp/texts.c"
[ "$(grep -c 'N_(' "$tmp/texts.c")" -gt 500 ]
point $? "metric files have texts"
sed -n '/at most 16 columns/{n
s/^\tN_(\(".*"\)),$/\1/p
}' "$tmp/texts.c" > "$tmp/labels"
[ "$(wc -l < "$tmp/labels")" -gt 200 ]
point $? "many of them are labels"
sed 's/^"//; s/"$//' "$tmp/labels" > "$tmp/said"
[ "$(LC_ALL=C.UTF-8 wc -L < "$tmp/said")" -le 16 ]
point $? "and have 16 columns"
# What stands behind "try" on a screen of 80 columns: the last text of a limit that has several.
awk -F'"' '/^\tlimit / && NF > 5 && length($(NF - 1)) > 69 { print FILENAME ": " $(NF - 1) }' "$top_srcdir"/data/metrics/*.metrics > "$tmp/long"
good "what helps fits its line" diff /dev/null "$tmp/long"
cat > "$tmp/a.metrics" <<'END'
# A metric file with one of everything.
set Made "a set"
group pane "Title" "Subtitle"
metric M.one
	label "Some label"
	text "The first line, at 50 %,"
	text "and the second."
metric M.two
	label "GTI"
	text "The first line, at 50 %, and the second."
cells XVE NAME "what a cell is"
bound "the memory"
END
cat > "$tmp/want" <<'END'
/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Made by build-aux/texts.awk from data/metrics for translators; not compiled. */
static const char *const texts[] = {
#line 1 "data/metrics/a.metrics"
	N_("a set"),
	N_("Title"),
	N_("Subtitle"),
	/* TRANSLATORS: at most 16 columns wide */
	N_("Some label"),
	/* xgettext:no-c-format */
	N_("The first line, at 50 %, and the second."),
	N_("what a cell is"),
	/* TRANSLATORS: stands after "bound by" and "at" */
	N_("the memory"),
};
END
awk -f "$top_srcdir/build-aux/texts.awk" "$tmp/a.metrics" > "$tmp/got"
good "each once, texts of several lines as one, no abbreviations" diff "$tmp/want" "$tmp/got"
finish
