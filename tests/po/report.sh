# SPDX-License-Identifier: GPL-3.0-or-later
# make po-report counts what each language lacks, and names English that was pasted as its own translation.
. "$top_srcdir/tests/tty/tap.sh"
if ! command -v xgettext > /dev/null || ! command -v msgmerge > /dev/null; then
	echo "1..0 # SKIP gettext is not installed"
	exit 0
fi
# A made-up program with seven texts, and one in a folder that is not translated.
mkdir -p "$tmp/top/po" "$tmp/top/src" "$tmp/top/ui"
echo 'ui' > "$tmp/top/po/folders"
echo 'const char *a[] = { _("Panes of GPU") };' > "$tmp/top/ui/b.c"
echo 'const char *b[] = { _("an error") };' > "$tmp/top/src/b.c"
cat > "$tmp/top/ui/a.c" <<'END'
const char *a[] = { _("refused"), _("%s: %d GPU"), _("processor"), _("the clock"), N_("first line\nsecond line"), _("no words yet") };
END
cat > "$tmp/top/po/same-words" <<'END'
all: GPU
de: Terminal
END
catalogue()
{
	printf 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n'
	cat
}
echo "de fr" > "$tmp/top/po/LINGUAS"
catalogue > "$tmp/top/po/de.po" <<'END'

msgid "refused"
msgstr "verweigert"

#, c-format
msgid "%s: %d GPU"
msgstr "%s: %d GPU"

msgid "processor"
msgstr "processor"

#, fuzzy
msgid "the clock"
msgstr "die Uhr"

msgid ""
"first line\n"
"second line"
msgstr ""
"first line\n"
"second line"

msgid "a text that is gone"
msgstr "a text that is gone"
END
catalogue > "$tmp/top/po/fr.po" <<'END'

msgid "Panes of GPU"
msgstr "Volets du GPU"
END
cat "$tmp/top/po"/* | cksum > "$tmp/before"
good "a report" sh "$top_srcdir/po/report.sh" "$tmp/top"
is "$(awk '$1 == "de" { print $2, $3, $4, $5 }' "$tmp/good.out")" "4 2 1 2" "German: translated, untranslated, fuzzy, the same as English"
is "$(awk '$1 == "fr" { print $2, $3, $4, $5 }' "$tmp/good.out")" "1 6 0 0" "French has one"
is "$(sed -n 's/^de: //p' "$tmp/good.out" | tr '\n' '|')" '"processor"|"first line\nsecond line"|' "English that was pasted is named, and known words are not"
sed -i 's/^de:/& processor/' "$tmp/top/po/same-words"
is "$(sh "$top_srcdir/po/report.sh" "$tmp/top" | grep -c '^de: "processor"')" 0 "a word that is the same in German is listed for German"
sed -i 's/^de:/fr:/' "$tmp/top/po/same-words"
is "$(sh "$top_srcdir/po/report.sh" "$tmp/top" | grep -c '^de: "processor"')" 1 "... and not for French"
sed -i 's/^fr:/de:/; s/ processor//' "$tmp/top/po/same-words"
is "$(cat "$tmp/top/po"/* | cksum)" "$(cat "$tmp/before")" "no catalogue is changed"
good "a report on rooftop" sh "$top_srcdir/po/report.sh" "$top_srcdir"
is "$(sed -n '2,/^$/p' "$tmp/good.out" | grep -c .)" "$(grep -v '^#' "$top_srcdir/po/LINGUAS" | wc -w)" "has a line for each language"
finish
