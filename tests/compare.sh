#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# tests/compare.sh OLDBUILD NEWBUILD [FOLDER]: says where two builds print something else, over all simulated devices, all sets, commands,
# screens and recordings. Recordings are the tree's, the oracle's (ROOFTOP_ORACLE), and those that the old build makes of each device.
# Every command line runs three times: twice with the old build and once with the new one. What the old build prints twice alike must come
# from the new one byte by byte; where it differs from itself (real time), figures are left out and the lines are compared as a set.
# FOLDER keeps all outputs, for diff -r FOLDER/old FOLDER/new. The exit status is 0 when nothing differs.
if [ $# -lt 2 ] || [ ! -x "$1/rooftop" ] || [ ! -x "$2/rooftop" ]; then
	echo "usage: tests/compare.sh OLDBUILD NEWBUILD [FOLDER]" >&2
	exit 2
fi
old=$(cd "$1" && pwd)
new=$(cd "$2" && pwd)
tests=$(cd "$(dirname "$0")" && pwd)
temporary=
[ $# -ge 3 ] || { temporary=$(mktemp -d) && trap 'rm -rf "$temporary"' EXIT; } || exit 1
kept=${3:-$temporary}
mkdir -p "$kept" || exit 1
kept=$(cd "$kept" && pwd)
rm -rf "$kept/old" "$kept/again" "$kept/new" "$kept/recordings"
mkdir -p "$kept/recordings" "$kept/here"
export SOURCE_DATE_EPOCH=1795269802 TZ=UTC LC_ALL=C.UTF-8 TERM=xterm-256color HOME="$kept/here"
unset COLUMNS LINES NO_COLOR ROOFTOP_DEVICE XDG_CONFIG_HOME XDG_DATA_HOME XDG_STATE_HOME
mkdir "$kept/here/machine" 2> /dev/null

# say NAME ARGUMENT...: what $build prints, with its exit status, as the file NAME
say()
{
	said=$results/$1
	shift
	{
		echo "rooftop $*"
		"$build/rooftop" "$@" < /dev/null 2> errors
		echo "status $?"
		cat errors
	} > "$said"
}

# makes NAME FILE ARGUMENT...: the same for a command line that writes the file FILE in here, which becomes NAME.file
makes()
{
	command=$1
	made=$2
	rm -f "$made"
	shift 2
	say "$command" "$@"
	[ ! -e "$made" ] || mv "$made" "$results/$command.file"
}

# A script of all screens, with the keys that change what each of them shows.
{
	echo "size 120x40"
	echo "wait 3"
	for screen in 0 1 2 3 4 5 6 7 8; do
		printf 'key %s\nwait 1\nsave-screen screens-%s-wide\n' $screen $screen
		printf 'key Down Down Enter\nwait 1\nsave-screen screens-%s-enter\nkey Escape Right Left\nsave-screen screens-%s-back\n' \
			$screen $screen
		printf 'size 80x24\nsave-screen screens-%s-small\nsize 120x40\n' $screen
	done
	for key in h y m g / . ? e c n + - space u s t v b; do
		name=$(printf '%s' "$key" | od -An -tx1 | tr -d ' \n')
		printf 'key 1 %s\nwait 1\nsave-screen screens-key-%s\nkey Escape Escape\n' "$key" "$name"
	done
} > "$kept/here/screens"

# screens NAME ARGUMENT...: the pictures of that script, in one file
screens()
{
	command=$1
	shift
	say "$command" "$@" --script screens
	for picture in screens-*; do
		[ ! -f "$picture" ] || { echo "== $picture" && cat "$picture"; }
	done >> "$results/$command"
	rm -f screens-*
}

devices()
{
	for help in "" live output export all run diff stress sweep calibrate check explain metrics roofline doctor; do
		say "help-$help" help $help
	done
	for list in -D -m -k --counter --context --screen --figures --cl-device; do
		say "list$list" $list help
	done
	say list -L --fsroot machine
	say list-json -L -J --fsroot machine
	say doctor doctor --fsroot machine
	for wrong in --no-such "-k nothing" "-m nothing" "-D nothing" "-n 0" "-d x" "--speed x" "stress nothing" "diff one" "run" "explain nothing" \
			"--cc-i fpu0" "--rotate overview" "-s 100" "-r nothing" "-w here -b -J" "--export nothing" "check nothing"; do
		# shellcheck disable=SC2086
		say "wrong-$(printf '%s' "$wrong" | tr ' ' _)" $wrong
	done
	for device in $simulated; do
		on="-D sim:$device --speed max"
		for load in $(cat "$kept/here/loads-$device"); do
			say "$device-load-$(printf '%s' "$load" | tr / -)" -D "sim:$device,load=$load" --speed max -J -n 3
		done
		for set in $(cat "$kept/here/sets-$device"); do
			say "$device-set-$set" $on -J -n 3 -m "$set"
			say "$device-metrics-$set" metrics -D "sim:$device" -m "$set"
			say "$device-metrics-json-$set" metrics -D "sim:$device" -m "$set" -J
		done
		# shellcheck disable=SC2046
		say "$device-explain" explain -D "sim:$device" $("$old/rooftop" metrics -D "sim:$device" -J | sed 's/^.*"name":"\([^"]*\)","set".*/\1/')
		say "$device-text" $on -b -n 5
		say "$device-text-clients" $on -b -n 3 --clients
		say "$device-json-clients" $on -J -n 3 --clients
		say "$device-csv" $on -c --units -n 25 -d 0.5
		say "$device-turns" $on -c -n 6 -m "$(head -3 "$kept/here/sets-$device" | paste -sd,)"
		say "$device-top" $on --intel-gpu-top-json -n 3
		say "$device-limit" explain limit $on -n 5
		say "$device-limit-json" explain limit $on -n 5 -J
		say "$device-roofline" roofline $on -n 3
		say "$device-roofline-json" roofline $on -n 3 -J
		say "$device-roofline-csv" roofline $on -n 3 -c
		makes "$device-picture" picture.svg roofline $on -n 3 --plot picture.svg
		makes "$device-trace" trace $on -c -n 5 --trace trace
		makes "$device-record" rec $on -c -n 8 -w rec
		makes "$device-textfile" rooftop.prom $on -n 3 --textfile .
		screens "$device-screens" $on
		for form in "" -J -c; do
			say "$device-stress$form" stress -D "sim:$device" --time 0.2 $form private.mad.sp.x4 copy.sp.x1
			say "$device-sweep$form" sweep -D "sim:$device" --time 0.1 $form --over tpb copy.sp.x1
			say "$device-calibrate$form" calibrate -D "sim:$device" --time 0.3 $form
			say "$device-check$form" check "sim:$device" --time 0.1 $form
			say "$device-run$form" run -D "sim:$device" -d 0.1 $form -- sleep 0.25
		done
	done
	say all -D sim:hd620 -D sim:g72 -D sim:h100 --speed max -J -n 3
	screens all-screens -D sim:hd620 -D sim:g72 -D sim:h100 --speed max
	# The machine's own processor, whose figures are of the time, and results of the device that was last.
	for form in -b -J -c; do
		say "cpu0$form" -D cpu0 $form -n 2 -d 0.2
	done
	"$build/rooftop" stress -D "sim:$device" --time 0.2 -J copy.sp.x1 < /dev/null > results.json 2> /dev/null
	for form in "" -J -c; do
		say "diff-results$form" diff $form results.json results.json
	done
	say sweep-figures sweep -D sim:hd620 --time 0.1 --figures duarte2018
}

recordings()
{
	before=
	for recording in $recorded; do
		name=$(basename "$recording")
		on="-r $recording --speed max"
		for form in -b -J -c; do
			say "replay-$name$form" $on $form --clients
			say "replay-$name$form-short" $on $form -d 0.1
			say "replay-$name$form-reports" $on $form --per-report
		done
		say "replay-$name-limit" explain limit $on
		say "replay-$name-metrics" metrics -r "$recording"
		for form in "" -J -c; do
			say "replay-$name-run$form" run -r "$recording" $form
		done
		say "replay-$name-roofline" roofline $on -J
		makes "replay-$name-again" rec $on -c -w rec
		screens "replay-$name-screens" $on
		if [ -n "$before" ]; then
			for form in "" -J -c; do
				say "diff-$name$form" diff $form --all "$before" "$recording"
			done
		fi
		before=$recording
	done
}

cd "$kept/here" || exit 1
simulated=$("$old/rooftop" -L --fsroot machine 2> /dev/null | sed -n 's/^sim:\([a-z0-9]*\) .*/\1/p')
for device in $simulated; do
	"$old/rooftop" -D "sim:$device" -m help < /dev/null | sed -n '2,$s/ .*//p' > "sets-$device"
	# The loads of its kind: the words that stand first below "Loads:" in the part that names it.
	"$old/rooftop" -D sim:help < /dev/null | awk -v device="$device" '
		/is a simulated/ { mine = 0; loads = 0 }
		$1 == device { mine = 1 }
		/^Loads:/ { loads = 1; next }
		/^$|^All/ { loads = 0 }
		mine && loads && /^  [a-z]/ { print $1 }' > "loads-$device"
	"$old/rooftop" -D "sim:$device" --speed max -c -n 12 -d 0.5 -w "$kept/recordings/$device.rec" > /dev/null 2>&1
	"$old/rooftop" run -D "sim:$device" -d 0.1 -w "$kept/recordings/$device-run.rec" -- sleep 0.35 > /dev/null 2>&1
	"$old/rooftop" -D "sim:$device" --speed max -c -n 6 -m "$(head -2 "sets-$device" | paste -sd,)" -w "$kept/recordings/$device-turns.rec" \
		> /dev/null 2>&1
done
cp "$tests"/recordings/of-*/*.rec "$kept/recordings"
[ -z "${ROOFTOP_ORACLE:-}" ] || cp "$ROOFTOP_ORACLE"/recordings/*.i915perf "$kept/recordings"
recorded=$(find "$kept/recordings" -type f | sort)
for turn in old again new; do
	results=$kept/$turn
	build=$old
	[ $turn != new ] || build=$new
	mkdir "$results"
	devices
	recordings
done

same=0
timed=0
different=0
# figures FILE: its lines without figures and without what stands where one is missing, each line once
figures()
{
	sed 's/-\{0,1\}[0-9][0-9.]*\(e[-+]\{0,1\}[0-9]*\)\{0,1\}/#/g; s/null/#/g; s/,,/,#,/g; s/,,/,#,/g; s/[ #]\{2,\}/ # /g' "$1" | sort -u
}
for file in "$kept/old"/* "$kept/new"/*; do
	name=$(basename "$file")
	case $file in "$kept/new"/*) [ ! -e "$kept/old/$name" ] || continue;; esac
	if cmp -s "$kept/old/$name" "$kept/new/$name"; then
		same=$((same + 1))
	elif ! cmp -s "$kept/old/$name" "$kept/again/$name" && [ -e "$kept/new/$name" ] &&
			[ "$(figures "$kept/old/$name")" = "$(figures "$kept/new/$name")" ]; then
		timed=$((timed + 1))
	else
		different=$((different + 1))
		echo "$name: $(head -1 "$file" | cut -c 1-100 | tr -d '\0')"
	fi
done
echo "$same outputs equal, $timed equal but for figures of time, $different different"
[ $same -gt 0 ] && [ $different -eq 0 ]
