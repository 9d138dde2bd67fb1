# SPDX-License-Identifier: GPL-3.0-or-later
# The command line: one table behind getopt, --help, the man page and the completions; exit statuses; messages.
. "$top_srcdir/tests/tty/tap.sh"

gives 0 "--help ends well" --help
is "$(wc -c < "$tmp/err")" 0 "--help is silent on standard error"
sed -n 's/^  rooftop \(stress [^ ]*\|check\|explain limit\|run -- \).*/\1/p' "$tmp/out" > "$tmp/first_lines"
is "$(wc -l < "$tmp/first_lines")" 4 "its first page has commands that can be run here"
while read -r line; do
	# shellcheck disable=SC2086
	set -- $line
	command=$1
	[ "$command" != run ] || set -- "$@" true
	shift
	gives 0 "  ... one that works: $line" "$command" -D sim:hd620 "$@"
done < "$tmp/first_lines"
gives 0 "--help again" --help
is "$([ "$(wc -l < "$tmp/out")" -le 40 ] && awk 'length > 80' "$tmp/out" | wc -l)" 0 "  ... and has at most 40 lines, of at most 80 columns"
cp "$tmp/out" "$tmp/first"
gives 0 "help all" help all
cp "$tmp/out" "$tmp/help"
# Names straight from the tables' sources, so that a row that help forgets is seen: name, letter, argument, table.
lists="$top_srcdir/src/cli/common_options.h $(echo "$top_srcdir"/src/cmd/*/*_options.h)"
# shellcheck disable=SC2086
table=$(awk '/^#define [A-Z]*_OPTIONS\(X\)/ { list = tolower(substr($2, 1, index($2, "_") - 1)) }
	/^\tX\("[a-z-]*", ([0-9]|'"'.'"'), / && list {
		match($0, /"[a-z-]*"/); name = substr($0, RSTART + 1, RLENGTH - 2)
		split($0, part, ", "); help = $0 ~ /, (ONCE|MANY), NULL,/ ? "old" : "shown"
		if ($0 ~ /, (ONCE|MANY), "experiment/) help = "experiment"
		print name, part[2], part[3] == "NULL" ? "NULL" : "argument", help, list }
	/^$/ { list = "" }' $lists)
is "$([ "$(echo "$table" | grep -c shown)" -ge 70 ] && echo many)" many "the tables of options can be read from their source"
for form in man bash zsh fish; do
	case $form in
	man) made=man/rooftop.1.tables ;;
	bash) made=completions/rooftop.bash/rooftop ;;
	zsh) made=completions/_rooftop ;;
	fish) made=completions/rooftop.fish ;;
	esac
	cp "$top_builddir/$made" "$tmp/$form"
	point $? "there is $made"
done
cat "$top_builddir"/man/rooftop*.1 > "$tmp/pages"
missing=
while read -r name letter arg help list; do
	grep -q -e "Fl -$name\b" "$tmp/pages" || missing="$missing man:$name"
	grep -q -e "--$name\b" "$tmp/help" || missing="$missing help:$name"
	grep -q -e "--$name\b" "$tmp/bash" || missing="$missing bash:$name"
	grep -q -e "--$name'*\[" -e "--$name}" "$tmp/zsh" || missing="$missing zsh:$name"
	grep -q -e "-l $name " "$tmp/fish" || missing="$missing fish:$name"
	case $help in
	experiment)
		missing=$(echo "$missing" | sed "s/ [a-z]*:$name\b//g")
		grep -q -e "Fl -$name\b" "$tmp/man" || missing="$missing man:$name"
		grep -q -e "--$name " "$tmp/help" "$tmp/bash" "$tmp/zsh" "$tmp/fish" && missing="$missing shown:$name" ;;
	old)
		missing=$(echo "$missing" | sed "s/ [a-z]*:$name\b//g")
		grep -q -e "  --$name " "$tmp/help" && missing="$missing shown:$name" ;;
	esac
	# getopt knows it: with a value where one is due, the complaint is never an unknown option. The last word is always wrong.
	if ! in_share; then
		:
	elif [ "$arg" = NULL ]; then
		"$rooftop" "--$name" --access x > /dev/null 2> "$tmp/err" < /dev/null
	else
		"$rooftop" "--$name" 1 --access x > /dev/null 2> "$tmp/err" < /dev/null
	fi
	[ $? -lt 128 ] || missing="$missing take:$name"
	grep -q "unknown option" "$tmp/err" && missing="$missing getopt:$name"
	case $letter$help in
	"'"?"'shown") grep -q -e "-$(echo "$letter" | tr -d "'"), --$name" "$tmp/help" || missing="$missing letter:$name" ;;
	esac
done <<END
$table
END
is "$missing" "" "every option is in help, man page, completions and getopt; an experiment in the man page alone"
# Each option has one table, so that its name means one thing before the command is known.
is "$(echo "$table" | cut -d' ' -f1 | sort | uniq -d)$(echo "$table" | cut -d' ' -f2 | grep "'" | sort | uniq -d)" "" "no name and no letter stands twice"
# What a form takes is names; one that no table has would be taken from nobody.
unknown=
# shellcheck disable=SC2086
for word in $(sed -n '/_FORMS(X)\|_TAKE\b/,/^$/p' $lists | grep -o '"[^"]*"' | tr -d '"' | grep -e '\bdevice\b' -e '\boutput\b' -e '\bjson\b' -e '@' -e '^ ' -e '^check$' | tr ' ' '\n' | sort -u); do
	case $word in
	--*) ;;
	@* | -@*) grep -q "_OPTIONS, \"${word#*@}\"" "$top_srcdir/src/cli/common_options.h" || [ -d "$top_srcdir/src/cmd/${word#*@}" ] || unknown="$unknown $word" ;;
	*) echo "$table" | grep -q "^${word#-} " || unknown="$unknown $word" ;;
	esac
done
is "$unknown" "" "every word of the forms is an option or a table"

# Pages.
commands=$(sed -n 's/^#define [A-Z]*_WORDS "\([a-z]*\)".*/\1/p' "$top_srcdir"/src/cmd/*/*_options.h)
is "$(echo "$commands" | wc -l)" 10 "the commands can be read from their source"
lacks=
for command in $commands; do
	grep -q "^  $command " "$tmp/first" || lacks="$lacks first:$command"
	"$rooftop" help "$command" > "$tmp/page" 2>&1 || lacks="$lacks help:$command"
	"$rooftop" "$command" --help > "$tmp/out" 2>&1 || lacks="$lacks --help:$command"
	cmp -s "$tmp/page" "$tmp/out" || lacks="$lacks same:$command"
	grep -q "^Common options: -" "$tmp/page" || lacks="$lacks common:$command"
	grep -q "^usage: rooftop $command " "$tmp/page" || lacks="$lacks usage:$command"
	grep -q "^\.Dt ROOFTOP-$(echo "$command" | tr a-z A-Z) 1" "$top_builddir/man/rooftop-$command.1" || lacks="$lacks man:$command"
	sed -n '/^\.Sh SEE ALSO/,$p' "$top_srcdir/man/rooftop.1.in" | grep -q "^\.Xr rooftop-$command 1" || lacks="$lacks xr:$command"
done
is "$lacks" "" "each command has a page of help and a manual page, and the first page names it"
is "$(cat "$tmp/first" "$tmp/help" | grep -c -e '--cc-' -e '--rotate ' -e '--explain' -e '--delay-ms' -e 'explain-limit')" 0 "no page shows an old spelling"
for page in live output export all windows device counters; do
	gives 0 "help $page" help $page
	is "$([ "$(wc -l < "$tmp/out")" -ge 3 ] && wc -c < "$tmp/err")" 0 "  ... is a page"
done
gives 0 "-h with a command" -h stress
gives 0 "  ... which is" help stress
gives 2 "-h with a word that is none" -h foo
is "$(grep -c "no page of help is named 'foo'" "$tmp/err")$(grep -c 'run, diff' "$tmp/err")" 11 "  ... names the pages"
gives 2 "  ... or nearly" help stres
is "$(grep -c "did you mean 'rooftop help stress'" "$tmp/err")" 1 "  ... the one that was meant"
for words in "-d 99999 --help" "--nonsense --help" "stress --nonsense -h" "-D a -L -h" "-V -d 99999"; do
	# shellcheck disable=SC2086
	gives 0 "help comes before mistakes: $words" $words
done

good "the bash completion is bash" bash -n "$tmp/bash"
if command -v bash > /dev/null; then
	cat > "$tmp/complete.sh" <<'END'
. "$1"
rooftop() { "$program" "$@"; }
for words in "rooftop --js" "rooftop --access m" "rooftop stress mem.copy.sp.x1" "rooftop explain gpu_bus" "rooftop -D sim:h" "rooftop calibrate S" "rooftop stress --time" \
	"rooftop stress --lev" "rooftop -D sim:hd620 check --lev" "rooftop help s" "rooftop --screen roof"; do
	read -r -a COMP_WORDS <<< "$words"
	COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
	_rooftop
	echo "${COMPREPLY[*]}"
done
END
	is "$(program=$rooftop bash "$tmp/complete.sh" "$tmp/bash" | tr '\n' ' ')" \
		"--json mmio mem.copy.sp.x1 mem.copy.sp.x16 gpu_busy sim:help sim:hd620 sim:hsw sim:h100 SLM --time  --level stress sweep roofline " \
		"the bash completion completes, with what the command takes and what there is"
else
	skip 1 "no bash"
fi
is "$(grep -c -F -e '\*{-D,--device}' -e '\*{-r,--replay}' "$tmp/zsh" | sed 's/^[1-9][0-9]*$/often/')" often "zsh offers -D and -r once more after they were given"
is "$(grep -c -F -e '\*{-d,--delay}' "$tmp/zsh")" 0 "and not -d, whose last value counts"
if command -v mandoc > /dev/null; then
	for page in "$top_builddir"/man/rooftop*.1; do
		is "$(mandoc -T lint -W warning < "$page" | grep -c -v STYLE)" 0 "mandoc has nothing against ${page##*/}"
	done
else
	skip 11 "no mandoc"
fi

is "$(sed -n '/Sh KEYS/,$p' "$tmp/man" | grep -c '^\.Ss On the ')$(sed -n '/Sh KEYS/,$p' "$tmp/man" | grep -c -e '^\.Ss Display and time' -e '^\.It .&v$')" 02 \
	"the manual has the keys under titles, none for a single screen"

# Old spellings work, and standard error says what to write.
while IFS='|' read -r old now; do
	# shellcheck disable=SC2086
	gives 0 "the old spelling $old" $old
	cp "$tmp/out" "$tmp/old"
	is "$(grep -c "goes away with the next release: write $(echo "$now" | sed 's/ -D.*//; s/ --speed.*//; s/^explain/rooftop explain/')" "$tmp/err")" 1 "  ... says what to write"
	# shellcheck disable=SC2086
	gives 0 "  ... $now" $now
	is "$(wc -c < "$tmp/err")" 0 "  ... which is silent"
	is "$(sed 's/2[0-9-]*T[0-9:.]*Z/TIME/' "$tmp/out" | cksum)" "$(sed 's/2[0-9-]*T[0-9:.]*Z/TIME/' "$tmp/old" | cksum)" "  ... and prints the same"
done <<'END'
--explain gpu_busy -D sim:hd620|explain gpu_busy -D sim:hd620
explain-limit -D sim:hd620|explain limit -D sim:hd620
--rotate overview,flops -D sim:hd620 --speed max -n 2 -c|-m overview,flops -D sim:hd620 --speed max -n 2 -c
--delay-ms 250 -D sim:hd620 --speed max -n 1 -c|-d 0.25 -D sim:hd620 --speed max -n 1 -c
-m list -D sim:hd620|-m help -D sim:hd620
-d sim:hd620 --speed max -n 1 -c|-D sim:hd620 --speed max -n 1 -c
END
gives 0 "events in parts" -D sim:hd620 --speed max -n 1 -J --cc-i fpu0 --cc-f ternary
is "$(grep -c 'write --counter INC:COARSE:FINE' "$tmp/err")" 1 "  ... are an old spelling, too"
gives 0 "-s and a device behind -d" --intel-gpu-top-json -s 100 -d sim:hd620 -n 1
is "$(wc -c < "$tmp/err")" 0 "  ... are what intel_gpu_top takes, and stay beside --intel-gpu-top-json"

ln -s "$(realpath "$rooftop")" "$tmp/intel_gpu_top"
"$tmp/intel_gpu_top" -J -s 100 -d sim:hd620 -n 1 > "$tmp/as" 2> "$tmp/err" < /dev/null
is "$?$(wc -c < "$tmp/err")" 00 "  ... and by the name intel_gpu_top"
is "$(grep -o '"[a-z-]*":' "$tmp/as" | sort -u)" "$(grep -o '"[a-z-]*":' "$tmp/out" | sort -u)" "  ... whose -J prints its JSON"

# What lists its words does so for help.
while IFS='|' read -r words word; do
	# shellcheck disable=SC2086
	gives 0 "words: $words" $words
	is "$(grep -c "$word" "$tmp/out" | sed 's/^[1-9][0-9]*$/listed/')" listed "  ... lists $word"
done <<'END'
-D help|^sim:hd620 
-D sim:help|^  hd620 
-m help -D sim:hd620|^flops 
--counter help|fpu0::ternary
--access help|^mmio$
--power help|^powercap$
--speed help|^max$
--export help|^prometheus:unix:PATH$
--screen help|roofline$
--over help|^stride$
--power-plane help|^duarte$
sweep --figures help|duarte2018
stress help -D sim:hd620|^mem.copy.sp.x4
sweep help -D sim:hd620|^mem.copy.sp.x4
calibrate help|^SLM$
explain help -D sim:hd620|^gpu_busy$
metrics help -D sim:hd620|^gpu_busy$
check help|^sim:hd620 
END

gives 3 "what a device's kind only begins with is no device" -D si:hd620 -b -n 1 --speed max
is "$(grep -c "no device 'si:hd620'" "$tmp/err")" 1 "  ... and the message says so"
gives 3 "nor is what goes on after it" -D simulated:hd620 -b -n 1 --speed max

gives 0 "--version" --version
is "$(head -c 8 "$tmp/out")" "rooftop " "--version names the program"

# told PATTERN: sets n_told, how many lines of the message have it. Most patterns are plain words, which need no process.
told()
{
	n_told=0
	while read -r line; do
		case $line in
		*"$1"*) n_told=$((n_told + 1)) ;;
		esac
	done < "$tmp/err"
	[ $n_told -gt 0 ] || n_told=$(grep -c -e "$1" "$tmp/err")
}

# Arguments; a word of the message on standard error. One table and one parser refuse them all.
while IFS='|' read -r arguments word; do
	in_share || continue
	# shellcheck disable=SC2086
	gives 2 "wrong usage: $arguments" $arguments
	told "$word"
	[ ! -s "$tmp/out" ] || n_told="$n_told, with standard output"
	is "$n_told" 1 "  ... says '$word', on standard error only"
done <<'END'
--jsn|did you mean --json
--interval 3|did you mean --delay
--refresh 3|did you mean --delay
stres mem.copy.sp.x4|did you mean 'rooftop stress'
card0|did you mean 'rooftop -D card0'
sim:hd620|did you mean 'rooftop -D sim:hd620'
list|did you mean 'rooftop -L'
record|did you mean 'rooftop -w FILE'
compare a b|did you mean 'rooftop diff'
stress --work-groups 3 mem.copy.sp.x4|did you mean --blocks
--level 2|--level belongs to check
--lang xx|LC_ALL=de_DE.UTF-8 before the command
-l 1|did you mean --delay
-i 0|did you mean --device
stat ls|did you mean 'rooftop run -- COMMAND'
--theme dark|S has the settings, F12 keeps them
--color=never|did you mean --no-color
-o -D sim:hd620|option '-o' needs a value
-c --output --quiet|option '--output' needs a value
helpp|did you mean 'rooftop help'
roofline foo|'rooftop roofline --help' has its options
stress mad|similar: power.mad.sp.x1
stress qqqqqq|names look like
stress flops|'flops\.\*' takes the [0-9]* of that group
stress mix|'mix\.\*' takes the [0-9]* of that group, mix\.
explain x|there are gpu_busy, eu_active, eu_stall
stress mem|'mem\.\*' takes the
explain bandwith|similar: .*gti_throughput
explain xyzzy|there are gpu_busy, eu_active, eu_stall
explain busy|similar: gpu_busy
explain flop|similar: gflops_sp
explain dram_bandwith -D sim:hd620|similar: .*dram_total
recrod x|did you mean 'rooftop -w FILE'
check --time 5|check --level 3 --time
-D sim:hd620 -b --time 60|-n N ends after N windows
run -o -- true|option .-o. needs a value
stress triad|similar: mem.triad.sp.x1, mem.triad.sp.x2
doctor foo|-D DEVICE chooses a device
run -r a.rec -- true|leave out -r FILE, or the command
--need-counters|--need-counters belongs to run$
-Z|unknown option '-Z'
-d|needs a value
-d 0|0.01 to 3600
-d 1e99|0.01 to 3600
-d nan|0.01 to 3600
-d 1,5|0.01 to 3600
-s 1|10 to 3600000
-n 0|a whole number from 1
-n -1|a whole number from 1
-n 99999999999999999999|a whole number from 1
--access foo|auto, perf, mmio, rpc
-p 0|500us
--speed 0|max
-J -c|only one of -b, -J, -c
-b -J|only one of -b, -J, -c
-J --intel-gpu-top-json|only one of -b, -J, -c
-J --intel-gpu-top-classes|--intel-gpu-top-classes has no effect with -b, -J, -c
stress --intel-gpu-top-json|--intel-gpu-top-json has no effect with stress
-D sim:hd620 -D sim:tgl --intel-gpu-top-json|about one device
-D sim:hd620 --context 0x1d05 --intel-gpu-top-json|--context has no effect with --intel-gpu-top-json
-D sim:hd620 --clients --intel-gpu-top-json|without --clients
-D sim:hd620 --context help --intel-gpu-top-json|--context has no effect with --intel-gpu-top-json
-D a -D b -L|about one device
-D a -D b doctor|--device has no effect with doctor
-D a -D b metrics|about one device
-D a -D b explain x|about one device
-D a -D b stress --list|--list has no effect with stress of two devices
-D a -D b run -- true|about one device
-D all -L|about one device
-D a -J -w x -D b -w x|both write to
-D a -J -w x -D b -w ./x|both write to
-D a -D|needs a value
--check f|--check belongs to metrics --check
--tap|--tap belongs to check, doctor
-b --tap|--tap has no effect with -b, -J, -c
--overwrite -b|files, and none is written
doctor --overwrite|--overwrite has no effect with doctor
-w x calibrate -D sim sp.mad|--record has no effect with calibrate
-w x stress -D sim -D sim:tgl flops.private.mad.sp.x4|--record has no effect with stress of two devices
-w x run --task -- true|--record has no effect with run --task
-w - run -D sim -- true|here -w needs the name of a file
-w - -o x stress -D sim flops.private.mad.sp.x4|here -w needs the name of a file
--trace - -o x run -D sim -- true|standard output is not for traces here
-w x run -r y|--record has no effect with run of a recording
--tour doctor|--tour has no effect with doctor
-n 2 doctor|--iterations has no effect with doctor
-n 2 run -D sim -- true|--iterations has no effect with run
-n 3 run -- true|--repeat N is how often here
-k gpu_busy run -J -D sim -- true|--columns belongs to -b, -J, -c without a command
-o x -L|--output has no effect with -L
-J doctor|--json has no effect with doctor
-c metrics|--csv has no effect with metrics
--clients metrics|--clients has no effect with metrics
--batch=3|takes no value
frobnicate|roofline, doctor
-k gpu_busy gpu_time -b|names have commas between them: gpu_busy,gpu_time
-m compute stres|did you mean 'rooftop stress'
-m compute card1|rooftop -D card1
stress privat.mad.sp.x4 -D sim:hd620|similar: flops.private.mad.sp.x4
--export prometheus:99999 -D sim:hd620|a port is a number from 1 to 65535
doctor eu_active|takes no name
-D sim:hd620 --speed 2 -b|needs a recording
-D sim:hd620 --per-report -b|needs a recording
-D sim:hd620 --access mmio -b|for cards of this machine with OA counters
-D sim:hd620 --power perf -b|for devices of this machine
-D sim:g72 --context 1 -b|no such reports
-D sim:g72 -p 1ms -b|no such reports
--counter active --eu-events-in 3 -b|SLICE.SUBSLICE, such as 0.3
--counter active --eu-events-in 0. -b|SLICE.SUBSLICE, such as 0.3
--counter active --eu-events-in .3 -b|SLICE.SUBSLICE, such as 0.3
--counter active --eu-events-in 0.3.1 -b|SLICE.SUBSLICE, such as 0.3
--counter active --eu-events-in 100.1 -b|SLICE.SUBSLICE, such as 0.3
--counter active --eu-events-in -1.1 -b|SLICE.SUBSLICE, such as 0.3
--eu-events-in 0.3 --access mmio -b|the events of --counter, and there are none
--counter active --eu-events-in 0.3 -b|which only --access mmio does
--counter active --eu-events-in 0.3 --access perf -b|which only --access mmio does
-D sim:tgl --counter active --eu-events-in 0.3 --access mmio -b|for cards of this machine with OA counters
--counter active --eu-events-in 0.3 --access mmio run -- true|--eu-events-in has no effect with run
-D sim:hd620 -p 0.6 -b|a window of 1 s needs two reports
-D sim:hd620 -p 5 -b|-d 10 makes windows
-D sim:hd620 -p 60ms -d 0.1 -J|a window of 0.1 s needs two reports
--boolean B8=any(B0) -b|B0 to B7, and '='
--boolean B6 -b|B0 to B7, and '='
--boolean B6= -b|a signal is missing before
--boolean B6=any(B0 -b|',' or ')' is missing
--boolean B6=most(B0) -b|any, all, at_least or number expected
--boolean B6=any(L16) -b|there is no lane L16
--boolean B6=at_least(2,B0,B1,B2) -b|a block cannot count signals
--boolean B6=B0 --boolean B6=B1 -b|asks B6 twice
--boolean B6=B0 -m overview,flops -b|several take turns
-D sim:hd620 --counter active --boolean B6=B0 -b|nothing is known of B0 in set custom
-D sim:hd620 --counter active --report-every 5:L13 -b|set custom brings no signals to the lanes
--boolean B6=B0 -L|--boolean belongs to
--boolean B6=B0 doctor|--boolean belongs to
-D sim:g72 --boolean B6=B0 -b|has none
-D cpu0 --boolean B6=B0 -b|has none
-D sim:lnl --boolean B6=B0 -b|Xe2 and later do not have
-D sim:hsw --boolean B6=B0 -b|reports of Haswell do not count clocks
-D sim:hd620 -m ComputeBasic --boolean B0=L1 -b|set ComputeBasic uses B0
-D sim:hd620 -m overview --boolean B0=L1 -b|brings no signals to the lanes
--report-every L3 -b|a number of clocks from 1 to 65535 and ':' come first
--report-every 0:L3 -b|a number of clocks from 1 to 65535
--report-every 5:L16 -b|there is no lane L16
--report-every 5:number(L1,L2)>1 -b|a trigger has no comparison
--report-every 5:any(L1 -b|',' or ')' is missing
--start-when 70000:L3 -b|a number of clocks from 1 to 65535
-D sim:hd620 -m dispatch --start-when 5:L13 --start-when 5:L3 -b|counting begins once
--report-every 5:L3 -m overview,flops -b|several take turns
--report-every 5:L3 -L|--report-every has no effect with -L
--start-when 5:L3 doctor|--start-when has no effect with doctor
-D sim:g72 --report-every 5:L3 -b|has none
-D sim:lnl --report-every 5:L3 -b|nothing is published
-D sim:hsw --start-when 5:L3 -b|reports of Haswell do not say why
-D sim:hd620 -m overview --report-every 5:L3 -b|brings no signals to the lanes
-D sim:hd620 -m subslices --boolean B6=L1 -b|several that take turns
-D cpu0 --context 1 -b|no such reports
-D cpu0 -p 1ms -b|no such reports
--tour|needs the screen
doctor -D sim:hd620|--device has no effect with doctor
doctor -d 1|--delay belongs to
-L -p 1ms|--oa-period belongs to
metrics -D sim:hd620 --speed max|--speed belongs to
-m help --context 3|--context belongs to
-m help --context help|--context has no effect with -m help
-D sim:hd620 --task -b|--task has no effect with -b, -J, -c
run --task -d 1 -- true|--delay has no effect with run --task
run --task -D cpu0 --power perf -- true|--power has no effect with run --task
run --task --repeat 3 -- true|--repeat has no effect with run --task
run --task -D sim:hd620 -- true|counts on the processor
run --task --counter fp_ret_sse -- true|is known of
run --task --counter x/ -- true|not of the form PMU/EVENT/
run --task --counter no-such-pmu/x/ -- true|no PMU 'no-such-pmu'
run --task|no command was given
stress chase -D sim:hd620 --context help|--context help belongs to
-D sim:hd620 --context help -c|which only -b, -J and the screen
-D sim:g72 --context help -b|no such reports
-D sim:hsw --context 1 -b|do not say whether a context runs
-D sim:hd620 --context helps -b|as --context help shows it
-D sim:hd620 --context -1 -b|a number up to 0x7fffff
-D sim:hd620 --context 0x800000 -b|a number up to 0x7fffff
-D sim:hd620,load=atomic.same,groups=65536,n=1048576 -b|s or more
-D sim:hd620,load=a/b -b|no load is named
-D sim:hd620,load=idle+chase -b|does not take turns
-D sim:hd620,load=copy.sp.x4//chase -b|no load is named
-D sim:hd620,load=copy.sp.x4++chase -b|no load is named
-L --power perf|--power belongs to
-D sim:hd620 -J -o x -w x|--output and --record both write to 'x'
-D sim:hd620 -J --trace x -o x|--trace and --output both write to 'x'
-D sim:hd620 -J --trace - -o -|both write to '-'
-D sim:hd620 -J --trace x -w x|--trace and --record both write to 'x'
-D sim:hd620 -w rooftop.prom --textfile .|--record and --textfile both write to './rooftop.prom'
-D sim:hd620 -J --trace /tmp/x -w /tmp/../tmp/x|--trace and --record both write to
sweep -D sim:hd620 private.mad.sp.x4 -o a-gflops.svg --plot a.svg|-o needs another one for the rows
-D sim:hd620 -J --trace -|-o FILE leaves it to --trace
-D sim:hd620 --script /dev/null --trace -|the screen needs it: --trace FILE
stress -D sim:hd620 --dump - private.mad.sp.x4|-o FILE leaves it to --dump
-L --trace x|--trace belongs to
-D sim:hd620 -b -w -|would write between
stress -D sim:hd620 --where --time 3 private.mad.sp.x4|--time has no effect with stress --where
stress -D sim:hd620 --where --repeat 3 private.mad.sp.x4|--repeat has no effect with stress --where
sweep -D sim:hd620 --where|--where has no effect with sweep
-D sim:hd620 -b --where|--where has no effect with -b, -J, -c
roofline nonsense -D sim:hd620|takes no name
roofline -D sim:hd620 --plot -|the name of a file
sweep -D sim:hd620 --over all|intensity
sweep -D sim:hd620 --over groups --blocks 3|--blocks has no place
sweep -D sim:hd620 --over tpb --tpb 64|--tpb has no place
sweep -D sim:hd620 --over loop --loop 64|--loop has no place
sweep -D sim:hd620 --figures duarte2018 --over size|no place beside --figures
sweep -D sim:hd620 --figures duarte2018 -o -|-o names a file
sweep -D sim:hd620 --figures nothing|duarte2018
sweep -D sim:hd620 --with x|--plot or --figures
stress -D sim:hd620 --over tpb mem.copy.sp.x4|--over has no effect with stress
calibrate -D sim:hd620 --beside mem.read.sp.x4|--beside has no effect with calibrate
calibrate -D sim:hd620 sp.mad --time 0.1|calibrate takes --time 0.3
stress -D sim:hd620 --beside nonsense mem.copy.sp.x4|lat.chase
stress -D sim:hd620 --beside mem.read.sp.x4 --list|--beside has no effect with stress help
--figures duarte2018 -b|--figures has no effect with -b, -J, -c
--screen 99|2 map
--screen up|2 map
-D sim:hd620 --screen map -J|--screen belongs to the monitor
-D sim:hd620 --screen map|--screen belongs to the monitor
-D sim:hd620 --screen map -o x|--screen belongs to the monitor
-D sim:hd620 --screen map --export prometheus|--screen belongs to the monitor
--doctor|'rooftop doctor' is a command
-D sim:hd620 --clients --trace x|--clients adds lines to -b and -J
-D sim:hd620 -m nonsense -b|memory
-D sim:nonsense -b|hd620
explain nonsense -D sim:hd620|rooftop metrics
END

gives 3 "without a device batch modes simulate nothing" -b --fsroot "$tmp"
is "$(wc -c < "$tmp/out")" 0 "  ... and print nothing"
gives 3 "nor does the monitor without a terminal" --fsroot "$tmp"
for form in -J -c; do
	gives 3 "nor does $form" $form -n 1 --fsroot "$tmp"
done
gives 3 "a device that does not exist" -D card77 -b
is "$(grep -c 'sim:hd620' "$tmp/err")" 1 "  ... and what does"
gives 1 "a recording that does not exist" -r "$tmp/none.i915perf" -b
for what in "$tmp" /dev/null; do
	gives 1 "what is not a file is no recording: ${what##*/}" -r "$what" -b
done
printf 'save-screen -\n' > "$tmp/one.script"
for screen in 3 roofline; do
	gives 0 "--screen $screen" -D sim:hd620 --screen $screen --script "$tmp/one.script"
	is "$(grep -c '\[3 Roof\]' "$tmp/out")" 1 "  ... begins with it"
done

# What would be wrong on every device is told first, and nothing is printed before it.
mkdir "$tmp/bare"
gives 2 "a set that no device has, without a device" -b -m nosuch --fsroot "$tmp/bare"
is "$(grep -c "no device has a metric set 'nosuch'" "$tmp/err")" 1 "  ... is told before that there is no device"
gives 2 "--speed without a recording" -b --speed 4 --fsroot "$tmp/bare"
is "$(grep -c 'needs a recording' "$tmp/err")" 1 "  ... is told before that there is no device"
for task in stress sweep; do
	gives 2 "$task of an unknown kernel" $task nosuch --fsroot "$tmp/bare"
	is "$(wc -c < "$tmp/out") $(head -1 "$tmp/err")" "0 rooftop: no kernel is named 'nosuch'" "  ... says so first"
done
gives 0 "roofline" roofline -D sim:hd620,load=tour -c
is "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } $at["name"] == "sp.mad" { print $at["theory"] * 1050 / $at["clock_mhz"] == $at["theory_highest"], $at["theory_highest"] }' "$tmp/out")" \
	"1 403.2" "  ... names its clock, and the roof at the highest one"

printf 'delay=0.0125s\n' > "$tmp/half.rc"
printf 'key F12\n' > "$tmp/half.script"
gives 0 "a delay that is no whole number of milliseconds" -D sim:hd620 --config "$tmp/half.rc" --script "$tmp/half.script"
is "$(grep -c '^delay=12.5ms$' "$tmp/half.rc")" 1 "  ... is saved as it is"
# What F12 keeps is in the manual, and holds the next time.
printf 'key 5\nkey > Down Down Enter\nkey I\nkey v Enter Down Enter Esc\nkey F12\n' > "$tmp/save.script"
: > "$tmp/rc"
gives 0 "F12" -D sim:hd620 --config "$tmp/rc" --script "$tmp/save.script"
missing=
while IFS='=' read -r key value; do
	grep -q -x -e ".It Li ${key%%.*}\(\. Ns Ar DEVICE\)\?" "$top_srcdir/man/rooftoprc.5" || missing="$missing $key"
done < "$tmp/rc"
is "$(wc -l < "$tmp/rc")$missing" 13 "  ... keeps thirteen settings, each of them in rooftoprc(5)"
printf 'size 120x20\nwait 2\nsave-screen -\n' > "$tmp/two.script"
gives 0 "  ... and the next run" -D sim:hd620 --config "$tmp/rc" --script "$tmp/two.script"
is "$(wc -c < "$tmp/err")" 0 "  ... knows all of them"
is "$(grep -c -F '[5 Procs]' "$tmp/out") $(grep -c 'idle processes hidden.*a row for each client.*sort: GPU time (F6)' "$tmp/out")" "1 1" \
	"  ... has the screen, its order and its rows"

# A file that is named by hand is there, or nothing starts.
printf 'set one\nplatforms kblgt2\nmetric a\nunit B\nvalue NONE\nmetric b\nunit B\nvalue NONE\n' > "$tmp/two.metrics"
: > "$tmp/empty.xml"
for option in --metrics --metrics-xml --config; do
	gives 1 "$option FOLDER" $option "$tmp" -D sim:hd620 --speed max -n 1 -J
	is "$(wc -c < "$tmp/out")$(grep -c "$tmp" "$tmp/err")" 01 "  ... ends before the first line, and the message names it"
done
for option in --metrics --metrics-xml; do
	gives 1 "$option of a file that does not exist" $option "$tmp/none" -D sim:hd620 -m help
	is "$(wc -c < "$tmp/out")$(grep -c "$tmp/none" "$tmp/err")" 01 "  ... ends -m help, too"
done
gives 1 "--metrics of a file with mistakes" --metrics "$tmp/two.metrics" -D sim:hd620 --speed max -n 1 -c
is "$(wc -c < "$tmp/out")$(grep -c -e 'two.metrics:5' -e '2 problems in all' "$tmp/err")" 02 "  ... names the first and says how many"
gives 1 "--metrics-xml of what is no XML" --metrics-xml "$tmp/empty.xml" -D sim:hd620 --speed max -n 1 -b
gives 0 "--help looks at no file" --metrics "$tmp/none" --help
printf 'size 200x20\nkey 7\nsave-screen -\n' > "$tmp/log.script"
gives 0 "the screen goes on without such a file" --metrics "$tmp/none" -D sim:hd620 --script "$tmp/log.script"
good "  ... and its log says so" grep -q "error .*cannot open '$tmp/none'" "$tmp/out"
# A pipe tells what it has once: whoever looks at it first must be the one who uses it.
printf 'counter A0 cycle "busy"\nset piped\nplatforms kblgt2\nmetric a\nunit cycle\nvalue A0\n' > "$tmp/one.metrics"
gives 0 "--metrics FILE" --metrics "$tmp/one.metrics" -D sim:hd620 -m help
cp "$tmp/out" "$tmp/sets"
good "  ... lists its set" grep -q '^piped  *1 ' "$tmp/sets"
# shellcheck disable=SC2002
cat "$tmp/one.metrics" | "$rooftop" --metrics /dev/stdin -D sim:hd620 -m help 2>&1 | sed 's|/dev/stdin|FILE|' > "$tmp/out"
is "$(cat "$tmp/out")" "$(sed "s|$tmp/one.metrics|FILE|" "$tmp/sets")" "  ... and so it does from a pipe"
echo 'delay=0.25' | "$rooftop" --config /dev/stdin -D sim:hd620 --speed max -n 1 -J > "$tmp/out" 2> "$tmp/err"
is "$(grep -c '"window_ms":25[0-9]' "$tmp/out")" 1 "  ... as settings from one hold"

ROOFTOP_DEVICE=sim:g52 "$rooftop" --speed max -n 1 -J > "$tmp/out" 2> "$tmp/err" < /dev/null
is "$?$(head -1 "$tmp/out" | grep -c '"device":"sim:g52"')" 01 "ROOFTOP_DEVICE names the device"
ROOFTOP_DEVICE=sim:g52 "$rooftop" -D sim:hsw --speed max -n 1 -J > "$tmp/out" 2> "$tmp/err" < /dev/null
is "$?$(head -1 "$tmp/out" | grep -c '"device":"sim:hsw"')" 01 "  ... that -D does not"
ROOFTOP_DEVICE=card77 "$rooftop" -n 1 -J > "$tmp/out" 2> "$tmp/err" < /dev/null
is "$?$(grep -c "ROOFTOP_DEVICE=card77: no device 'card77'" "$tmp/err")" 31 "  ... and is named when there is none"
for wrong in sim:xyz sim:g99 sim:hd620,load=x; do
	ROOFTOP_DEVICE=$wrong "$rooftop" -n 1 -J > "$tmp/out" 2> "$tmp/err" < /dev/null
	is "$?$(grep -c "ROOFTOP_DEVICE=$wrong: no " "$tmp/err")$(grep -c -e allowed -e loads "$tmp/err")" 211 "  ... and when it is $wrong"
	ROOFTOP_DEVICE=$wrong "$rooftop" -L > "$tmp/out" 2> "$tmp/err" < /dev/null
	is "$?$(grep -c '^sim:hd620 ' "$tmp/out")$(wc -c < "$tmp/err")" 010 "  ... which does not stop -L"
done
gives 2 "-L with such a -D" -L -D sim:xyz
is "$(grep -c ROOFTOP_DEVICE "$tmp/err")$(wc -c < "$tmp/out")" 00 "  ... has nothing to do with the variable"

gives 0 "--trace - alone" -D sim:hd620 --speed max -n 2 --trace -
good "  ... writes the trace to standard output" python3 -c 'import json,sys; json.load(open(sys.argv[1]))' "$tmp/out"

"$rooftop" run -D sim:hd620 -o "$tmp/report" sh -c 'echo "$0" "$*"' -D x --json > "$tmp/out" 2> "$tmp/err" < /dev/null
is "$?$(cat "$tmp/out")" "0-D x --json" "what follows the command of run is not ours"
gives 2 "run and its own options" run --jsn true
gives 0 "options stand before a subcommand, behind it and behind its names" -D sim:hd620 metrics gpu_busy -J
is "$(wc -l < "$tmp/out")" 1 "  ... and all count"
gives 2 "an unknown command with options" frobnicate --bar
is "$(grep -c "unknown command 'frobnicate'" "$tmp/err")" 1 "  ... is told of before they are"

gives 2 "diff and a device" diff -D sim:hd620 a b
gives 2 "--markers and diff" diff --markers x a b
gives 2 "--all and the monitor" -b --all -D sim:hd620
gives 2 "diff with one side" diff a

gives 2 "two wrong words" -D sim:h100,heat=900,load=fma -b
is "$(grep -c "unknown word 'heat=900' for" "$tmp/err")" 1 "  ... the first of them is named"
gives 2 "a wrong word behind a load" -D sim:h100,load=fma,heat=900 -b
is "$(grep -c "unknown word 'heat=900' for" "$tmp/err")" 1 "  ... is named alone"
gives 2 "a wrong word of an Intel GPU" -D sim:hd620,teapot -b
is "$(awk 'length > 120' "$tmp/err" | wc -l)" 0 "  ... and short lines say where the right ones are"

gives 0 "-D sim:help needs no device" -D sim:help
is "$(grep -c -e '^  hd620 ' -e '^  load=' -e '^  lost=' -e '^  rc6 ' -e '^  desktop ' -e 'private|power' "$tmp/out")" 7 \
	"  ... and lists machines, options and loads"
names=$(sed -n '/Names:$/,/^$/s/^  \([a-z0-9]*\)  .*/\1/p' "$tmp/out")
is "$([ "$(echo $names | wc -w)" -ge 12 ] && echo many)" many "  ... machines of each vendor"
gives 2 "a simulated device that nobody knows" -D sim:nope -b
is "$(sed -n 's/.*allowed: \([a-z0-9, ]*\);.*/\1/p' "$tmp/err" | tr -d ,)" "$(echo $names)" "  ... is refused with those that there are"
grep -q 'Cm sim:help' "$top_srcdir/man/rooftop.1.in"
point $? "  ... which the manual sends to"
for spec in "hd620,load=send>idle@2ns" "hd620,load=send>@2s>" "hd620,load=send@2s" "h100,load=gemm>nothing@2s" "g52,load=ui>nothing" \
	"h100,without=" "hd620,load=send,without=nothing"; do
	gives 2 "no load and no source: $spec" -D "sim:$spec" -J -n 1
done
for device in "hd620,load=private.mad.sp.x4>idle@2s" "g52,load=compute>idle@2s" "h100,load=fma>idle@2s"; do
	gives 0 "loads one after the other: $device" -D "sim:$device" -J -n 4 -d 1 --speed max
	is "$(grep -o '"kind":"idle"' "$tmp/out" | wc -l)" 1 "  ... each as long as it is told"
done
gives 0 "a device without a source" -D sim:hd620,load=send,without=power -J -n 1 --speed max
is "$(grep -c '"power_package":null' "$tmp/out")$(grep -c '"kind":"pipe"' "$tmp/out")" 11 "  ... lacks its values alone"
gives 0 "a device without the right to its counters" -D sim:hd620,load=send,without=oa -J -n 1 --speed max
is "$(grep -c '"kind":"permission"' "$tmp/out")" 1 "  ... says that"
gives 0 "  ... or to all counters of a Mali" -D sim:g72,load=memory,without=mali -J -n 1 --speed max
is "$(grep -c '"kind":"permission"' "$tmp/out")" 1 "  ... too"
gives 0 "-D sim is the first of them" -D sim --speed max -n 1 -J
is "$(head -1 "$tmp/out" | grep -c '"device":"sim:hd620"')" 1 "  ... sim:hd620"
printf '\033]0;owned\007 x\n' > "$tmp/escape"
gives 2 "a script with control characters" --script "$tmp/escape"
is "$(tr -d '\n -~' < "$tmp/err" | wc -c)" 0 "  ... sends none of them to the terminal"
gives 0 "-L needs no device" -L
is "$(grep -c '^sim:hd620' "$tmp/out")" 1 "  ... and lists the simulated one"
gives 0 "-L -J" -L -J
good "  ... is JSON" python3 -c 'import json,sys; [json.loads(l) for l in open(sys.argv[1])]' "$tmp/out"
gives 0 "-d DEVICE with a colon is a device" -d sim:hd620 --speed max -n 1 -J
is "$(head -1 "$tmp/out" | grep -c '"device":"sim:hd620"')" 1 "  ... and used as one"
finish
