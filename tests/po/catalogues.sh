# SPDX-License-Identifier: GPL-3.0-or-later
# Texts of the screen are marked, found and few, and what is translated of them has the same directives and the columns that it may have.
# Whether all of them are translated is no matter of a test: a text without a translation appears in English (make po-report).
. "$top_srcdir/tests/tty/tap.sh"
if ! command -v xgettext > /dev/null || ! command -v msgmerge > /dev/null; then
	echo "1..0 # SKIP gettext is not installed"
	exit 0
fi
good "messages are found" sh "$top_srcdir/po/report.sh" --template "$top_srcdir" "$tmp/all.pot"
texts=$(grep -c '^msgid' "$tmp/all.pot")
[ "$texts" -gt 500 ] && [ "$texts" -le 1120 ]
point $? "$texts of them: more than 500, at most 1,120"

# elsewhere FOLDER: lines below it that mark texts outside the folders of po/folders
elsewhere()
{
	(
		cd "$1" || exit
		sed '/^#/d' "$top_folder/po/folders" | xargs -I{} find {} -name '*.[ch]' 2> /dev/null > "$tmp/translated"
		find backends base core helpers kernels src ui -name '*.[ch]' ! -path 'base/i18n.*' | grep -vxF -f "$tmp/translated" |
			xargs grep -nE '(^|[^A-Za-z0-9_])(N?_|ngettext|i18n_text|i18n_optional)\('
	)
}
top_folder=$(cd "$top_srcdir" && pwd)
is "$(elsewhere "$top_srcdir")" "" "no text is marked outside the folders of the screen"
mkdir "$tmp/tree"
(
	cd "$tmp/tree" || exit
	mkdir backends base core helpers kernels src ui
	echo 'const char *s = N_("a text");' | tee ui/made_up.c > base/made_up.c
	echo 'const char *s = i18n_text(label), *t = like_(1);' > backends/made_up.c
	echo 'int no_(int a);' > core/none.c
)
is "$(elsewhere "$tmp/tree" | cut -d: -f1 | sort | tr '\n' ' ')" "backends/made_up.c base/made_up.c " "one that is is named"

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
	[ "$limited" -gt 0 ]
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
