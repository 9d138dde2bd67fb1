# SPDX-License-Identifier: GPL-3.0-or-later
# Translators see every text of the metric files, and what they make of labels fits the screen.
. "$top_srcdir/tests/tty/tap.sh"
awk -f "$top_srcdir/build-aux/texts.awk" "$top_srcdir"/data/metrics/*.metrics > "$tmp/texts.c"
[ "$(grep -c 'N_(' "$tmp/texts.c")" -gt 500 ]
point $? "metric files have texts"
diff "$top_srcdir/po/texts.c" "$tmp/texts.c" > "$tmp/diff"
point $? "po/texts.c has the same (build-aux/texts.awk makes it)"
sed 's/^/# /' "$tmp/diff" | head -20
if ! command -v msgcat > /dev/null; then
	skip 11 "gettext is not installed"
	finish
	exit
fi
sed -n '/at most 16 columns/{n
s/^\tN_(\(".*"\)),$/\1/p
}' "$tmp/texts.c" > "$tmp/labels"
[ "$(wc -l < "$tmp/labels")" -gt 200 ]
point $? "many of them are labels"
for language in $(grep -v '^#' "$top_srcdir/po/LINGUAS"); do
	msgcat --no-wrap "$top_srcdir/po/$language.po" | awk -v labels="$tmp/labels" '
		BEGIN { while ((getline line < labels) > 0) is_label[line] = 1 }
		/^msgid / { id = substr($0, 7) }
		/^msgstr / { if (id in is_label) print substr($0, 9, length($0) - 9) }' > "$tmp/said"
	[ "$(wc -l < "$tmp/said")" -eq "$(wc -l < "$tmp/labels")" ]
	point $? "$language: has all labels"
	widest=$(LC_ALL=C.UTF-8 wc -L < "$tmp/said")
	[ "$widest" -le 16 ]
	point $? "$language: the widest label has $widest columns of 16"
done
finish
