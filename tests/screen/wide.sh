# SPDX-License-Identifier: GPL-3.0-or-later
# Every screen in a language whose letters are two columns wide: columns are counted, not bytes or letters.
for tool in xgettext msgen msgfmt python3; do
	command -v $tool > /dev/null || { echo "1..0 # SKIP no $tool"; exit 0; }
done
[ -e "$top_srcdir/po/rooftop.pot" ] || { echo "1..0 # SKIP no po/rooftop.pot: built without message catalogues"; exit 0; }
. "$top_srcdir/tests/tty/tap.sh"
pot=$tmp/all.pot
wide=$top_srcdir/tests/screen/wide.py
so=$top_builddir/tests/screen/localedir.so
# A sanitizer's runtime that is a shared library wants to be the first one.
runtime=$(ldd "$rooftop" | awk '/lib(a|t|ub)san/ { print $3; exit }')

mkdir -p "$tmp/locale/wide/LC_MESSAGES"
good "all texts" sh "$top_srcdir/po/report.sh" --template "$top_srcdir" "$pot"
good "a catalogue of wide letters" sh -c "sed 's/charset=CHARSET/charset=UTF-8/; /^\"Plural-Forms/d' '$pot' | msgen -o - - | msgfmt -o '$tmp/plain.mo' - &&
	python3 '$wide' make '$tmp/plain.mo' '$tmp/locale/wide/LC_MESSAGES/rooftop.mo'"

# shots SIZE FOLDER [VARIABLE=VALUE...]: all screens at that size
shots()
{
	mkdir -p "$2"
	script=$2.script
	{
		echo "size $1"
		echo "wait 12"
		for screen in 1 2 3 4 5 6 7 8; do
			printf 'key %s\nsave-screen %s\n' $screen "$2/$screen"
		done
		# Boxes that cover all of a small screen.
		case $1 in
		40x10) printf 'key F2\nsave-screen %s\nkey Esc\n' "$2/setup" ;;
		esac
		case $1 in
		40x10 | 80x24) printf 'key F1\nsave-screen %s\nkey Esc 1 Down Enter\nsave-screen %s\n' "$2/help" "$2/explain" ;;
		esac
		echo quit
	} > "$script"
	shift 2
	env "$@" "$rooftop" -D sim:hd620,load=stream.sp.x4 -m eumap --fsroot "$tmp/none" --script "$script"
}

# Everything but the screen is in English.
wide_run()
{
	env $in_language LANGUAGE=wide "TEST_LOCALEDIR=$tmp/locale" "LD_PRELOAD=${runtime:+$runtime:}$so" "$rooftop" "$@"
}
while read -r arguments; do
	# shellcheck disable=SC2086
	"$rooftop" $arguments > "$tmp/en" 2>&1
	# shellcheck disable=SC2086
	wide_run $arguments > "$tmp/wide" 2>&1
	good "English: $arguments" sh -c "[ -s '$tmp/en' ] && cmp '$tmp/en' '$tmp/wide'"
done <<END
--help
--no-such-option
-D sim:none
-D sim:hd620 -m none -b -n 1
check sim:hd620 -J
check sim:hd620
stress -D sim:hd620 --time 1 copy.sp.x4
sweep -D sim:hd620 --over loop private.mad.sp.x4
roofline -D sim:hd620
explain limit -D sim:hd620
explain gpu_busy -D sim:hd620
-m help -D sim:hd620
END

mkdir "$tmp/none"
for size in 120x40 80x24 40x10 200x60; do
	good "$size in English" shots $size "$tmp/en-$size"
	good "$size in wide letters" shots $size "$tmp/wide-$size" $in_language LANGUAGE=wide "TEST_LOCALEDIR=$tmp/locale" "LD_PRELOAD=${runtime:+$runtime:}$so"
	for picture in "$tmp/en-$size"/*; do
		name=$(basename "$picture")
		good "$size, $name" python3 "$wide" check $size "$picture" "$tmp/wide-$size/$name"
	done
done
finish
