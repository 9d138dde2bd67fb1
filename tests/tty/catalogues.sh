# SPDX-License-Identifier: GPL-3.0-or-later
# Every language says everything that the program says, with the same directives.
. "$top_srcdir/tests/tty/tap.sh"
if ! command -v xgettext > /dev/null || ! command -v msgcmp > /dev/null; then
	echo "1..0 # SKIP gettext is not installed"
	exit 0
fi
grep -v '^#' "$top_srcdir/po/POTFILES.in" > "$tmp/files"
xgettext -D "$top_srcdir" -f "$tmp/files" --keyword=_ --keyword=N_ --from-code=UTF-8 -o "$tmp/all.pot" 2> "$tmp/err"
point $? "messages are found"
[ "$(grep -c '^msgid' "$tmp/all.pot")" -gt 500 ]
point $? "many of them"
# Left as they are: messages about lines of metric files and sets, for who writes those, and of the worker's protocol and self-tests.
unmarked=$(cd "$top_srcdir" && grep -rnE 'err_(set|sys|hint)\([^"]*"[^"]*[[:alpha:]]{2} [[:alpha:]]{2}' --include='*.c' base core src backends kernels ui helpers |
	grep -v -e '_("' -e '^core/\(metric\|expr\)' -e '^kernels/proto' -e '^src/cmd/selftest' -e '/oa_\(unit\|xml\)\.c')
is "$unmarked" "" "errors are marked for translation"
for language in $(grep -v '^#' "$top_srcdir/po/LINGUAS"); do
	good "$language: is well formed, with the same directives" msgfmt -c --check-format -o /dev/null "$top_srcdir/po/$language.po"
	good "$language: lacks nothing" msgcmp "$top_srcdir/po/$language.po" "$tmp/all.pot"
done
finish
