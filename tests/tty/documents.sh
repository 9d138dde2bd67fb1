# SPDX-License-Identifier: GPL-3.0-or-later
# The manual pages have each word of the program's own lists: reasons, kinds and headlines of the answer, statuses, settings, members of JSON,
# columns; and what they send readers to prints the rest.
. "$top_srcdir/tests/tty/tap.sh"
program=$(cd "$top_builddir" && pwd)/rooftop
export XDG_STATE_HOME="$tmp/state"

# has PAGE NAME AT-LEAST [PAGE]: each line of $tmp/words stands in the page, or in the second one, between what is no letter or digit
has()
{
	page=$top_builddir/man/$1
	[ -e "$page" ] || page=$top_srcdir/man/$1
	count=$(wc -l < "$tmp/words" | tr -d ' ')
	[ "$count" -ge "$3" ]
	point $? "$2: the list has $count words"
	tr -d '\\' < "$page" > "$tmp/page"
	[ -z "${4:-}" ] || cat "$top_srcdir/man/$4" >> "$tmp/page"
	missing=$(awk '
		function stands(text, word,    from, at) {
			for (from = 1; (at = index(substr(text, from), word)); from = at + 1) {
				at += from - 1
				if (substr(text, at - 1, 1) !~ /[A-Za-z0-9_-]/ && substr(text, at + length(word), 1) !~ /[A-Za-z0-9_-]/)
					return 1
			}
			return 0
		}
		NR == FNR {
			missing[$0]
			next
		}
		{
			for (word in missing)
				if (stands(" " $0 " ", word))
					delete missing[word]
		}
		END {
			for (word in missing)
				print word
		}' "$tmp/words" "$tmp/page")
	is "$missing" "" "  ... all of them are in $1"
}
why=$top_srcdir/core/value/value.h kinds=$top_srcdir/core/snapshot/verdict_types.h
sed -n '/define WHY_LIST/,/^$/s/^	X([A-Z_]*, "\([a-z_]*\)".*/\1/p' "$why" | grep -v '^ok$' > "$tmp/words"
has rooftop.1 reasons 18
sed -n '/define WHY_LIST/,/^$/s/^	X([A-Z_]*, .*, "\(.*\)").*/\1/p' "$why" | grep . > "$tmp/words"
has rooftop.1 "what reasons mean" 18
sed -n 's/^	X([A-Z_]*, "\([a-z_]*\)", N_("[A-Z -]*")).*/\1/p' "$kinds" > "$tmp/words"
has rooftop.1 kinds 20
sed -n 's/^	X([A-Z_]*, "[a-z_]*", N_("\([A-Z -]*\)")).*/\1/p' "$kinds" > "$tmp/words"
has rooftop.1 headlines 20
sed -n '/define STATUS_LIST/,/^$/s/^	X([A-Z_]*, [0-9], "\(.*\)").*/\1/p' "$top_srcdir/src/cli/options.h" > "$tmp/words"
has rooftop.1 statuses 6
sed -n '/^} known_keys/,/^};/s/^	{ "\([a-z-]*\)".*/\1/p' "$top_srcdir/core/value/settings.c" > "$tmp/words"
has rooftoprc.5 settings 10
sed -n 's/^	REC_\([A-Z_]*\).*,.*/\1/p' "$top_srcdir/core/record/record_file.h" > "$tmp/words"
has ../doc/RECORDINGS.md "types of records" 22

# What pages only refer to is printed by the program.
sed -n 's/^	S(P, [A-Z]*, [a-z]*, "\([a-z-]*\)".*/\1/p' "$top_srcdir/ui/draw/key_commands.h" > "$tmp/words"
"$program" --screen help | cut -d' ' -f2 | diff - "$tmp/words" > "$tmp/out" 2>&1
point $? "--screen help lists the $(wc -l < "$tmp/words") screens"
sed -n 's/^set \([^ ]*\) .*/\1/p' "$top_srcdir"/data/metrics/gen9.metrics | LC_ALL=C sort -u > "$tmp/words"
"$program" -D sim:hd620 -m help 2> "$tmp/err" | cut -d' ' -f1 | LC_ALL=C sort > "$tmp/out"
is "$(wc -l < "$tmp/words" | sed 's/^[5-9]$/many/')$(LC_ALL=C comm -23 "$tmp/words" "$tmp/out")" many "-m help lists the sets of a metric file"
"$program" -D sim:hd620 explain limit > "$tmp/out" 2> "$tmp/err"
sed -n 's/^	X([A-Z_]*, "\([a-z_]*\)", .*/\1/p' "$kinds" | while read -r word; do
	grep -q "^  $word  " "$tmp/out" || echo "$word"
done > "$tmp/words"
is "$(cat "$tmp/words")" "" "explain limit prints all kinds and thresholds"

# columns PAGE AT-LEAST ARGUMENT...: the columns that the command writes are in its page, or in that of stress
columns()
{
	page=$1 least=$2
	shift 2
	(cd "$tmp" && "$program" "$@" -c < /dev/null 2> /dev/null) | head -1 | tr , '\n' > "$tmp/words"
	has "$page" "columns of $1" "$least" rooftop-stress.1.in
}
for side in a b; do
	(cd "$tmp" && "$program" -D sim:hd620 -n 3 --speed max -b -w $side.rec < /dev/null > "$tmp/out" 2>&1)
done
columns rooftop-stress.1 40 stress -D sim:hd620 flops.private.mad.sp.x4
columns rooftop-sweep.1 45 sweep -D sim:hd620 --tpb 16 flops.private.mad.sp.x4
columns rooftop-calibrate.1 20 calibrate -D sim:hd620
columns rooftop-roofline.1 18 roofline -D sim:hd620
columns rooftop-check.1 14 check -D sim:hd620
columns rooftop-diff.1 12 diff a.rec b.rec
# run hands the words behind its own on, so that -c comes first.
(cd "$tmp" && "$program" run -D sim:hd620 -c -o run.csv -- true
"$program" run --kernels -D sim:hd620,spans,load=private.mad.sp.x4,n=4096,pause=5000 -d 0.1 -c -o kernels.csv -- sleep 0.1) > "$tmp/out" 2>&1
for table in run kernels; do
	head -1 "$tmp/$table.csv" | tr , '\n' > "$tmp/words"
	has rooftop-run.1 "columns of $table" 17
done

# The words of metric files are those of their reader.
metric=$top_srcdir/core/metric
sed -n 's/^	{ "\([a-z_]*\)", [a-z_]*read_[a-z]* },.*/\1/p' "$metric/metric_parse.c" > "$tmp/words"
has rooftop-metrics.5 statements 34
sed -n 's/^	\[LIMIT_[A-Z_]*\] = { "\([a-z-]*\)".*/\1/p' "$metric/metric_limit.c" | grep . > "$tmp/words"
has rooftop-metrics.5 "roles of limits" 27
sed -n '/^static bool read_option/,/^}/s/.*strcmp(word, "\([a-z-]*\)").*/\1/p' "$metric/metric_limit.c" | sort -u > "$tmp/words"
has rooftop-metrics.5 "their options" 9
grep -o '{ "[a-z]*", OP_' "$metric/expr.c" | cut -d'"' -f2 > "$tmp/words"
printf 'rate\nmost\n' >> "$tmp/words"
has rooftop-metrics.5 functions 6
grep -ho '{ "[a-z]*", METRIC_[A-Z]* }' "$metric/metric_attrs.c" | cut -d'"' -f2 > "$tmp/words"
has rooftop-metrics.5 flags 5
sed -n 's/^	\[ROOF_[A-Z]*\] = { "\([a-z]*\)".*/\1/p' "$metric/metric_attrs.c" | grep . > "$tmp/words"
has rooftop-metrics.5 "roles of roofs" 4
# Long forms of a unit, with s, and words for 1 and % are of Intel's files.
sed -n 's/^	{ "\([A-Za-z%1]*\)", .*PREFIX_.*/\1/p' "$top_srcdir/core/value/unit.c" | grep -v -x 'cycles\|ticks\|[a-z]*[^r]s\|number\|percent\|hz' > "$tmp/words"
echo s >> "$tmp/words"
has rooftop-metrics.5 units 22

# members AT-LEAST ARGUMENT...: each line of JSON has v, and rooftop-output(5) has its members; those below these are metrics and the like
members()
{
	least=$1
	shift
	(cd "$tmp" && "$program" "$@" -J < /dev/null 2> "$tmp/err") > "$tmp/lines"
	is "$(grep -vc '^{"v":1,' "$tmp/lines")" 0 "$*: each line has v"
	sed 's/"\(units\|metrics\|why\|values\|busy\)":{[^}]*}/"\1":0/g; s/"thresholds":.*/"thresholds"/; s/"multiplexed":.*}},"/"multiplexed":0,"/; s/"rest":{[^}]*}/"rest":0/g; s/"\(candidates\|evidence\|places\)":\[[^]]*\]/"\1":0/g; s/:"[^"]*"/:0/g' "$tmp/lines" |
		grep -o '"[a-z_]*":' | tr -d '":' | LC_ALL=C sort -u > "$tmp/words"
	has rooftop-output.5 "members of $*" "$least"
}
members 30 -D sim:hd620 -n 2 --speed max --clients
members 20 -D sim:hd620 -n 2 --speed max -m eumap
members 20 -D sim:hd620 -n 4 --speed max -m overview,flops
members 8 -L
members 5 -m help -D sim:hd620
members 16 metrics -D sim:hd620
members 8 stress help -D sim:hd620
members 20 explain limit -D sim:hd620
members 12 -r a.rec --per-report
members 20 -D sim:lnl -n 2 --speed max -m stalls
members 20 -D sim:g72 -D sim:h100 -n 1 --speed max
for command in "stress flops.private.mad.sp.x4" "sweep --tpb 16 flops.private.mad.sp.x4" calibrate check roofline "run -o - -- true"; do
	# shellcheck disable=SC2086
	(cd "$tmp" && "$program" $(echo "$command" | sed 's/^\([a-z]*\)/\1 -J -D sim:hd620/') < /dev/null 2> "$tmp/err") > "$tmp/lines"
	is "$(grep -c '^{"v":1,' "$tmp/lines" | sed 's/^[1-9][0-9]*$/some/'):$(grep -vc '^{"v":1,' "$tmp/lines")" some:0 "$command: each line of JSON has v"
done
(cd "$tmp" && "$program" diff -J a.rec b.rec) > "$tmp/lines" 2> "$tmp/err"
is "$(grep -vc '^{"v":1,' "$tmp/lines")" 0 "diff: each line of JSON has v"

# Each path of the pages for developers is there; one with a word in capitals is a pattern.
(cd "$top_srcdir" && cat HACKING.md doc/ARCHITECTURE.md doc/TRUTH.md doc/ACCOUNTING.md | grep -oE '`(\.\./)?(base|core|data|backends|kernels|ui|src|helpers|tests|man|po|doc)/[a-z0-9_/.-]*`' |
	tr -d '`' | sed 's,^\.\./,,; s/\.\(t\|log\)$/.c/; s/\.$//' | LC_ALL=C sort -u) > "$tmp/words"
is "$(wc -l < "$tmp/words" | sed 's/^[1-9][0-9][0-9]*$/many/')$(cd "$top_srcdir" && while read -r word; do [ -e "$word" ] || [ -e "$word.c" ] || echo " $word"; done < "$tmp/words")" many \
	"the $(wc -l < "$tmp/words") paths in HACKING.md and doc/ are there"

# What rooftoprc(5) shows is taken without a word.
sed -n '/^\.Sh EXAMPLES/,/^\.Ed/p' "$top_srcdir/man/rooftoprc.5" | sed '1,/^\.Bd/d; /^\.Ed/d' > "$tmp/rc"
printf 'wait 1\nquit\n' > "$tmp/script"
"$program" -D sim:hd620 --config "$tmp/rc" --script "$tmp/script" < /dev/null > "$tmp/out" 2> "$tmp/err"
is "$?:$(grep -c = "$tmp/rc"):$(cat "$tmp/err")" 0:3: "the example of rooftoprc(5) is good"

# The example of rooftop-metrics(5) is a file that its command reads.
page=$top_srcdir/man/rooftop-metrics.5
sed -n '/^\.Sh EXAMPLES/,/^\.Ed/p' "$page" | sed '1,/^\.Bd/d; /^\.Ed/d' > "$tmp/compute.metrics"
command=$(sed -n '/^\.Sh EXAMPLES/,/^\.Sh SEE/s/^\.Dl rooftop //p' "$page")
# shellcheck disable=SC2086
(cd "$tmp" && "$program" $command --speed max < /dev/null) > "$tmp/out" 2> "$tmp/err"
is "$?:$(grep -c 'FPU throughput busy' "$tmp/out"):$(wc -c < "$tmp/err" | tr -d ' ')" 0:3:0 "its example gives values: rooftop $command"
finish
