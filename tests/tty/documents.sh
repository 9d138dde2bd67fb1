# SPDX-License-Identifier: GPL-3.0-or-later
# The manual pages have each word of the program's own lists: reasons, kinds and headlines of the answer, sets, screens.
. "$top_srcdir/tests/tty/tap.sh"

# has PAGE NAME AT-LEAST [PAGE]: each line of $tmp/words stands in the page, or in the second one, between what is no letter or digit
has()
{
	count=$(wc -l < "$tmp/words" | tr -d ' ')
	[ "$count" -ge "$3" ]
	point $? "$2: the list has $count words"
	missing=$(while read -r word; do
		grep -qE -e "(^|[^A-Za-z0-9_-])$word([^A-Za-z0-9_-]|$)" "$top_srcdir/man/$1" ${4:+"$top_srcdir/man/$4"} || echo "$word"
	done < "$tmp/words")
	is "$missing" "" "  ... all of them are in man/$1"
}
sed -n '/define WHY_LIST/,/^$/s/^	X([A-Z_]*, "\([a-z_]*\)".*/\1/p' "$top_srcdir/core/value/value.h" | grep -v '^ok$' > "$tmp/words"
has rooftop.1.in reasons 18
sed -n 's/^	X([A-Z_]*, "\([a-z_]*\)", N_("[A-Z -]*")).*/\1/p' "$top_srcdir/core/snapshot/verdict_types.h" > "$tmp/words"
has rooftop.1.in kinds 20
sed -n 's/^	X([A-Z_]*, "[a-z_]*", N_("\([A-Z -]*\)")).*/\1/p' "$top_srcdir/core/snapshot/verdict_types.h" > "$tmp/words"
has rooftop.1.in headlines 20
sed -n 's/^	S(P, [A-Z]*, [a-z]*, "\([a-z-]*\)".*/\1/p' "$top_srcdir/ui/draw/key_commands.h" > "$tmp/words"
has rooftoprc.5 screens 9
# A set with a number behind its name is one more of those with the name.
sed -n 's/^set \([^ ]*\) .*/\1/p' "$top_srcdir"/data/metrics/*.metrics | sed 's/^\([a-z]*\)[2-9]$/\1/' | LC_ALL=C sort -u > "$tmp/words"
has rooftop-metrics.5 sets 20

sed -n '/^} known_keys/,/^};/s/^	{ "\([a-z-]*\)".*/\1/p' "$top_srcdir/core/value/settings.c" > "$tmp/words"
has rooftoprc.5 settings 10

# columns PAGE AT-LEAST ARGUMENT...: the columns that the command writes are in its page, or in that of stress
columns()
{
	page=$1 least=$2
	shift 2
	(cd "$tmp" && "$program" "$@" -c < /dev/null 2> /dev/null) | head -1 | tr , '\n' > "$tmp/words"
	has "$page" "columns of $1" "$least" rooftop-stress.1.in
}
program=$(cd "$top_builddir" && pwd)/rooftop
export XDG_STATE_HOME="$tmp/state"
for side in a b; do
	(cd "$tmp" && "$program" -D sim:hd620 -n 3 --speed max -b -w $side.rec < /dev/null > "$tmp/out" 2>&1)
done
columns rooftop-stress.1.in 40 stress -D sim:hd620 flops.private.mad.sp.x4
columns rooftop-sweep.1.in 45 sweep -D sim:hd620 --tpb 16 flops.private.mad.sp.x4
columns rooftop-calibrate.1.in 20 calibrate -D sim:hd620
columns rooftop-roofline.1.in 18 roofline -D sim:hd620
columns rooftop-check.1.in 14 check -D sim:hd620
columns rooftop-diff.1.in 12 diff a.rec b.rec

# The example of rooftop-metrics(5) is a file that its command reads.
page=$top_srcdir/man/rooftop-metrics.5
sed -n '/^\.Sh EXAMPLES/,/^\.Ed/p' "$page" | sed '1,/^\.Bd/d; /^\.Ed/d' > "$tmp/compute.metrics"
command=$(sed -n '/^\.Sh EXAMPLES/,/^\.Sh SEE/s/^\.Dl rooftop //p' "$page")
# shellcheck disable=SC2086
(cd "$tmp" && "$program" $command --speed max < /dev/null) > "$tmp/out" 2> "$tmp/err"
is "$?:$(grep -c 'FPU throughput busy' "$tmp/out"):$(wc -c < "$tmp/err" | tr -d ' ')" 0:3:0 "its example gives values: rooftop $command"
finish
