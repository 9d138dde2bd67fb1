# SPDX-License-Identifier: GPL-3.0-or-later
# Every title of a pane, name of a roof and description of cells in the metric files is one that translators see.
. "$top_srcdir/tests/tty/tap.sh"
sed -n 's/^group  *[a-z0-9_]*  *//p' "$top_srcdir"/data/metrics/*.metrics | grep -o '"[^"]*"' | grep -v '^""$' > "$tmp/all"
grep -h -o 'bound "[^"]*"' "$top_srcdir"/data/metrics/*.metrics | sed 's/^bound //' >> "$tmp/all"
sed -n 's/^[[:space:]]*cells  *[A-Za-z]*  *[A-Za-z.]*  *\("[^"]*"\).*/\1/p' "$top_srcdir"/data/metrics/*.metrics >> "$tmp/all"
sort -u "$tmp/all" > "$tmp/have"
sed -n 's/^\tN_(\(".*"\)),$/\1/p' "$top_srcdir/ui/titles.c" | sort -u > "$tmp/want"
[ -s "$tmp/have" ]
point $? "metric files have titles"
diff "$tmp/have" "$tmp/want" > "$tmp/diff"
point $? "ui/titles.c has the same"
sed 's/^/# /' "$tmp/diff"
finish
