# SPDX-License-Identifier: GPL-3.0-or-later
# Each option for loads with each command that measures: it changes the output, or it is refused. The options come from the program's own
# table, so that a new one has to be put into the table here.
. "$top_srcdir/tests/tty/tap.sh"

# What an option is given; "-" where it takes nothing.
values()
{
	cat <<END
blocks 3
tpb 64
loop 512
launches 7
time 0.05
repeat 3
power-smoothing -
power-plane gpu
profile -
validate -
tune -
cl-device 0:0
list -
dump-kernel -
dump-binary $tmp
dump $tmp/dump
plot $tmp/plot.svg
over tpb
figures duarte2018
with $tmp/other.csv
beside lat.chase.1m
level 1
against $tmp/report.json
junit $tmp/report.xml
html $tmp/report.html
resume -
where -
quiet -
counter fpu0
set memory
delay 0.02
END
}

# Refused options, by command. What is not here has to change something.
refused()
{
	cat <<END
stress validate dump-binary tune cl-device plot resume over figures with level against junit html
sweep blocks validate dump-binary tune cl-device list dump-kernel dump resume figures with where level against junit html
calibrate beside validate dump-binary tune cl-device list dump-kernel dump resume over figures with where level against junit html
run beside over dump-binary figures with where blocks tpb loop launches time power-smoothing power-plane profile validate tune cl-device list dump-kernel dump plot resume quiet level against junit html
END
}

# The output without what no two runs have in common, and the names of the files that were written.
traces()
{
	cat "$tmp/out" "$tmp/err"
	ls "$tmp"/dump* "$tmp"/plot* 2> /dev/null
}

measure()
{
	command=$1
	shift
	case $command in
	stress | sweep) "$rooftop" $command -D sim:hd620 -c "$@" flops.private.mad.sp.x8 ;;
	calibrate) "$rooftop" calibrate -D sim:hd620 -c "$@" sp.mad ;;
	run) "$rooftop" run -D sim:hd620 -c -d 0.05 "$@" sleep 0.2 ;;
	esac > "$tmp/out" 2> "$tmp/err" < /dev/null
}

echo kernel,groups > "$tmp/other.csv"
missing=
for name in $(sed -n 's/^\tX([A-Z_]*, "\([^"]*\)", .*, "load", N_(.*/\1/p' "$top_srcdir/src/cli/options.h"); do
	values | grep -q "^$name " || missing="$missing $name"
done
is "$missing" "" "every option for loads is in the table of this test"
for command in stress sweep calibrate run; do
	measure $command
	traces > "$tmp/before.$command"
	values > "$tmp/values"
	while read -r name value <&3; do
		rm -f "$tmp"/dump* "$tmp"/plot*
		if [ "$value" = - ]; then
			measure $command "--$name"
		else
			measure $command "--$name" "$value"
		fi
		status=$?
		if refused | grep -q "^$command\( .*\)* $name\( \|\$\)"; then
			is "$status $(grep -c . "$tmp/out")" "2 0" "$command --$name is refused"
		elif [ $command = run ] && [ "$name" != repeat ] && [ "$name" != set ] && [ "$name" != counter ]; then
			is $status 0 "run --$name is for its windows"
		else
			traces > "$tmp/after"
			is "$status $(cmp -s "$tmp/before.$command" "$tmp/after" && echo same)" "0 " "$command --$name changes the output"
		fi
	done 3< "$tmp/values"
done
# A simulated device without a model of kernels is not replaced by this machine's OpenCL.
for command in "stress mem.copy.sp.x4" "stress --list" "sweep mem.copy.sp.x4" "calibrate" "stress -D sim:hd620 --time 0.1 mem.copy.sp.x4"; do
	"$rooftop" $command -D sim:g72 > "$tmp/out" 2> "$tmp/err"
	is "$(($? != 0)) $(grep -c '^rooftop: sim:g72 runs no kernels' "$tmp/err") $(wc -c < "$tmp/out")" "1 1 0" "$command -D sim:g72 is refused"
done
# Questions about options are answered in every command.
for command in stress sweep calibrate roofline; do
	gives 0 "events in $command" $command -D sim:hd620 --counter help
	is "$(grep -c 'fpu0::ternary' "$tmp/out")" 1 "are listed"
	gives 0 "sets in $command" $command -D sim:hd620 -m list
	is "$(grep -c '^overview ' "$tmp/out")" 1 "are listed"
done
finish
