# SPDX-License-Identifier: GPL-3.0-or-later
# Texts for people are marked and found, and what is translated of them has the same directives and the columns that it may have.
# Whether all of them are translated is no matter of a test: a text without a translation appears in English (make po-report).
. "$top_srcdir/tests/tty/tap.sh"
if ! command -v xgettext > /dev/null || ! command -v msgmerge > /dev/null; then
	echo "1..0 # SKIP gettext is not installed"
	exit 0
fi
good "messages are found" sh "$top_srcdir/po/report.sh" --template "$top_srcdir" "$tmp/all.pot"
[ "$(grep -c '^msgid' "$tmp/all.pot")" -gt 500 ]
point $? "many of them"

# unlisted FOLDER: files below it that have texts and are not in po/POTFILES.in
unlisted()
{
	(
		cd "$1" || exit
		find backends base core helpers kernels src ui -name '*.[ch]' ! -path base/i18n.h | sort > "$tmp/sources"
		grep -v '^#' "$top_srcdir/po/POTFILES.in" | grep -vxF -f - "$tmp/sources" > "$tmp/others"
		xgettext -f "$tmp/others" --keyword --keyword=_ --keyword=N_ --from-code=UTF-8 --add-location=file -o - | sed -n 's/^#: //p' | tr ' ' '\n' | sort -u
	)
}
is "$(unlisted "$top_srcdir")" "" "each file with texts is in po/POTFILES.in"
mkdir "$tmp/tree"
(cd "$tmp/tree" && mkdir backends base core helpers kernels src ui && echo 'const char *s = N_("a text");' > ui/made_up.c && echo 'int i;' > ui/none.c)
is "$(unlisted "$tmp/tree")" "ui/made_up.c" "one that is not is named"
# Left as they are: messages about lines of metric files and sets, for who writes those, and of the worker's protocol and self-tests.
unmarked=$(cd "$top_srcdir" && grep -rnE 'err_(set|sys|hint)\([^"]*"[^"]*[[:alpha:]]{2} [[:alpha:]]{2}' --include='*.c' base core src backends kernels ui helpers |
	grep -v -e '_("' -e '^core/\(metric\|expr\)' -e '^kernels/launch/proto' -e '^src/cmd/tell/selftest' -e '/oa_\(unit\|xml\)\.c')
is "$unmarked" "" "errors are marked for translation"

# columns CATALOGUE: texts and translations that have more columns than the comment for translators allows, "at most N columns"
columns()
{
	msgattrib --no-obsolete --no-fuzzy --translated --no-wrap "$1" | awk '
		/^#\. .*at most [0-9]+ columns/ { match($0, /at most [0-9]+/); most = substr($0, RSTART + 8, RLENGTH - 8) }
		/^$/ { most = 0 }
		most && /^msgid / { print most, substr($0, 8, length($0) - 8) }
		most && /^msgstr / { print most, substr($0, 9, length($0) - 9) }' > "$tmp/limited"
	# No letter has more columns than bytes.
	LC_ALL=C awk 'length($0) - length($1) - 1 > $1' "$tmp/limited" | while read -r most text; do
		[ "$(printf '%s\n' "$text" | LC_ALL=C.UTF-8 wc -L)" -le "$most" ] || printf '%s\n' "$text"
	done
}
for language in $(grep -v '^#' "$top_srcdir/po/LINGUAS"); do
	good "$language: is well formed" msgfmt -c -o /dev/null "$top_srcdir/po/$language.po"
	msgmerge --quiet --no-fuzzy-matching -o "$tmp/$language.po" "$top_srcdir/po/$language.po" "$tmp/all.pot"
	good "$language: has the same directives" msgfmt -c --check-format -o /dev/null "$tmp/$language.po"
	is "$(columns "$tmp/$language.po")" "" "$language: fits into its columns"
	limited=$(grep -c . "$tmp/limited")
	[ "$limited" -gt 100 ]
	point $? "  ... which limit $limited texts"
done
cat > "$tmp/wide.po" <<'END'
msgid ""
msgstr "Content-Type: text/plain; charset=UTF-8\n"

#. TRANSLATORS: at most 16 columns wide
msgid "Render busy"
msgstr "seventeen columns"

#. TRANSLATORS: at most 16 columns wide
msgid "EU active"
msgstr "九个汉字有十八列宽"

#. TRANSLATORS: at most 16 columns wide
msgid "EU stall"
msgstr "sixteen columns!"

msgid "long"
msgstr "as long as it pleases"
END
is "$(columns "$tmp/wide.po" | tr '\n' '|')" "seventeen columns|九个汉字有十八列宽|" "what is too wide is found, letters of two columns as well"
finish
