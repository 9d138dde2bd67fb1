# SPDX-License-Identifier: GPL-3.0-or-later
# TAP for tests on the fake kernel: machine MODEL [DRIVER] makes one, $rooftop is the program on it, $program without it,
# "$on_fake" COMMAND... runs another program on it, $way are the options for the way to counters that a test is about.
. "$top_srcdir/tests/tty/tap.sh"
so=$top_builddir/tests/fakekernel/fakekernel.so
[ -e "$so" ] || { echo "1..0 # SKIP no fakekernel.so: it is for machines of 64 bits with glibc"; exit 0; }
root=$tmp/machine
metrics=$root/sys/class/drm/card0/metrics
log=$tmp/ioctls
# A sanitizer's runtime that is a shared library wants to be the first one.
runtime=$(ldd "$rooftop" | awk '/lib(a|t|ub)san/ { print $3; exit }')
program=$rooftop
driver=
way=
compare=$top_srcdir/tests/fakekernel/compare.py
# Whoever is there already has nothing of the fake machine open: to look through all of them takes longer than many a window. A script about
# foreign processes unsets it.
FAKEKERNEL_OTHERS=" $(cd /proc && echo [0-9]*) "
export FAKEKERNEL_OTHERS

machine()
{
	sh "$top_srcdir/tests/fakekernel/maketree.sh" "$root" "$@" $driver
	rm -f "$log"
}

# board MODEL DRIVER [VERSION]: one with a Mali GPU (malitree.sh); of kbase with the version of its interface
board()
{
	sh "$top_srcdir/tests/fakekernel/malitree.sh" "$root" "$1" "$2"
	[ $# -lt 3 ] || printf '%s\n' "$3" > "$root/mali/version"
	rm -f "$log"
}

# pmus PMU[:VARIANT]...: perf events of the machine
pmus()
{
	"$top_builddir/tests/fakekernel/perftree" "$root" "$@"
}

# powered WHAT...: its power counters (powertree.sh)
powered()
{
	sh "$top_srcdir/tests/fakekernel/powertree.sh" "$root" "$@"
}

# rate PMU EVENT NUMBER
rate()
{
	mkdir -p "$root/perf/$1"
	printf '%s\n' "$3" > "$root/perf/$1/$2"
}

# One program each, so that a signal to it reaches it. rooftop's time passes only while it waits (clocks.c), so that no test waits for
# windows, and a busy machine makes none late. A script that needs real time says "export FAKEKERNEL_CLOCK=real", and why; a rooftop that goes
# on while the script does something else is started by $lasting, whose time is always real.
on_fake=$tmp/on-fake
rooftop=$tmp/rooftop-on-fake	# what gives() runs
lasting=$tmp/lasting-on-fake
write_starters()
{
	cat > "$on_fake" <<-END
	#!/bin/sh
	FAKEKERNEL_ROOT='$root' FAKEKERNEL_LOG='$log' LD_PRELOAD='${runtime:+$runtime }$so' exec "\$@"
	END
	for starter in "$rooftop" "$lasting"; do
		[ "$starter" = "$rooftop" ] && clock='${FAKEKERNEL_CLOCK-virtual}' || clock=real
		cat > "$starter" <<-END
		#!/bin/sh
		FAKEKERNEL_CLOCK=$clock FAKEKERNEL_ROOT='$root' FAKEKERNEL_LOG='$log' LD_PRELOAD='${runtime:+$runtime }$so' exec '$program' "\$@"
		END
	done
	chmod 755 "$on_fake" "$rooftop" "$lasting"
}
write_starters

# for_everybody: $program and the fake kernel are copies where everybody may reach them: the folder of the build may be closed to others
for_everybody()
{
	mkdir "$tmp/open"
	cp "$program" "$so" "$tmp/open"
	program=$tmp/open/${program##*/}
	so=$tmp/open/${so##*/}
	write_starters
}

# sleeper PATH: makes a program of that name that waits for as many seconds as it is told. Where all coreutils are one program, a link to
# sleep would not do: it asks for its name.
sleeper()
{
	mkfifo "$1.end"
	printf '#!/bin/bash\nread -r -t "$1" <> "$0.end"\n' > "$1"
	chmod +x "$1"
}

# in_sight NAME [NODE...]: makes $tmp/in-sight, a command that has a child of that name with those nodes open, and ends when rooftop has looked
# five times at each client of that name (proc.c). A busy machine looks late, or not at all before a time is over.
in_sight()
{
	looks=$(($# > 1 ? 6 * ($# - 1) : 6))
	waiter=$tmp/$1
	[ -e "$waiter" ] || sleeper "$waiter"
	client="'$waiter' 600"
	fd=8
	for node in "$@"; do
		[ "$node" = "$1" ] || client="$client $fd< '$node'"
		[ "$node" = "$1" ] || fd=$((fd + 1))
	done
	cat > "$tmp/in-sight" <<-END
	#!/bin/bash
	rm -f '$log'
	$client &
	until [ "\$(grep -c '^looked $1\$' '$log' 2> /dev/null)" -ge $looks ] || [ \$SECONDS -ge 300 ]; do
		read -r -t 0.02 <> '$waiter.end'
	done 2> /dev/null
	kill %1
	END
	chmod +x "$tmp/in-sight"
}

# hold LOCK: another program has the lock of this name below $root, until "release"
hold()
{
	flock --no-fork "$root/$1" sleep 600 > /dev/null 2>&1 &
	holder=$!
	patient $holder sh -c '! flock -n "$1" true' sh "$root/$1" || point 1 "another program has $1"
}

release()
{
	kill "$holder"
	wait "$holder" 2> /dev/null
}

# gpu_top_json FILE OPTION...: windows of intel_gpu_top -J, whose time passes while it waits, too. It says nothing more when it is ended, and
# writes when it likes.
gpu_top_json()
{
	theirs=$1
	shift
	rm -f "$theirs"
	FAKEKERNEL_CLOCK=virtual "$on_fake" "${gpu_top:-intel_gpu_top}" -J "$@" > "$theirs" 2> "$tmp/gpu_top.err" &
	patient $! sh -c '[ "$(grep -c "^{" "$1")" -gt 4 ]' sh "$theirs"
	kill -INT $! 2> /dev/null
	wait $! 2> /dev/null
}

# held_at MS: the virtual clock of the next rooftop stands still so long after its start, until "go_on" (clocks.c)
held_at()
{
	python3 -c 'import struct, sys; sys.stdout.buffer.write(struct.pack("=qq", 0, -int(sys.argv[1]) * 10 ** 6))' "$1" > "$root/gate"
}

go_on()
{
	head -c 16 /dev/zero | dd of="$root/gate" conv=notrunc 2> /dev/null
}

# lasting_until MS: makes $tmp/lasting, a command that ends when the virtual clock of the next rooftop has come so far after its start. There
# that clock stands, so that what follows is none of it.
lasting_until()
{
	held_at "$1"
	cat > "$tmp/lasting" <<-END
	#!/bin/bash
	unset LD_PRELOAD
	until set -- \$(od -An -td8 -N16 '$root/gate') && { [ \$2 -ge 0 ] && [ \$1 -ge \$2 ] || [ \$SECONDS -ge 300 ]; }; do
		sleep 0.01
	done
	END
	chmod +x "$tmp/lasting"
}

# holds FILE BYTES
holds()
{
	[ "$(cat "$1" 2> /dev/null | wc -c)" -ge "$2" ]
}

# wait_for FILE BYTES PROCESS: until the process has written as much; a point that fails when it does not
wait_for()
{
	patient "$3" holds "$1" "$2" || point 1 "${1##*/} holds $2 bytes"
}

# becomes FILE WANT NAME: it holds these words, or will; who gives something back may do it a moment after rooftop's end
becomes()
{
	patient $$ grep -q -x -F -e "$2" "$1"
	is "$(cat "$1")" "$2" "$3"
}

# registered: how many programmings the machine still holds
registered()
{
	find "$metrics/" -mindepth 1 -maxdepth 1 | wc -l
}

# said TEXT NAME: standard error has it in exactly one line
said()
{
	is "$(grep -c -F -e "$1" "$tmp/err")" 1 "$2"
}

# What is asked of Python most is asked of one that stays (ask.py): a start takes it longer than the answer.
if command -v python3 > /dev/null; then
	mkfifo "$tmp/answer" "$tmp/asked"
	command python3 -S -B "$top_srcdir/tests/fakekernel/ask.py" "$tmp" $$ < /dev/null > /dev/null 2>&1 &
	asker=$!
	trap 'kill $asker; wait $asker 2> /dev/null; rm -rf "$tmp"' EXIT
fi

# ask WORD...: what it answers, and whether that is good
ask()
{
	[ -p "$tmp/asked" ] || return 1
	{ printf '%s\036' "$@"; printf '\037'; } > "$tmp/asked"
	answer=
	while IFS= read -r answered; do
		case $answered in
		"$answer_end"*) break ;;
		esac
		answer="$answer$answered
"
	done < "$tmp/answer"
	printf %s "$answer"
	return "${answered#"$answer_end"}"
}
answer_end=$(printf '\037')

# Of scripts that many points need, none is started anew.
python3()
{
	case $1 in
	"$compare" | */fakekernel/values.py) ask "$@" ;;
	*) command python3 -S "$@" ;;
	esac
}

# window EXPRESSION: of the last window of the output: w, its metrics m and its reasons why, in Python
window()
{
	ask window "$tmp/out" "$1"
}

# windows EXPRESSION: the same of its head and all windows
windows()
{
	ask windows "$tmp/out" "$1"
}

# values NAME WANT... -- OPTION...: means of metrics over three windows (values.py). In real time a busy machine may keep the program from its
# turn, so what is off is measured again, eight times at most; a wrong value is off each time.
values()
{
	what=$1
	shift
	wants=
	while [ "$1" != -- ]; do
		wants="$wants $1"
		shift
	done
	shift
	delay=0.1
	before=
	for word; do
		[ "$before" != -d ] || delay=$word
		before=$word
	done
	gives 0 "$what" -J -n 3 -d 0.1 "$@"
	tries=0
	until python3 "$top_srcdir/tests/fakekernel/values.py" "$tmp/out" "$delay" $tries $wants > "$tmp/values" 2>&1; do
		[ "${FAKEKERNEL_CLOCK-virtual}" = real ] || break
		[ $tries -lt 7 ] || { echo "none of $tries tries" >> "$tmp/values"; break; }
		tries=$((tries + 1))
		rm -f "$log"
		"$rooftop" -J -n 3 -d 0.1 "$@" > "$tmp/out" 2> "$tmp/err" < /dev/null
	done
	is "$(cat "$tmp/values")" "" "  ... gives$wants"
}

# modelled MODEL OPTION...: many windows of the simulated device, which show what the moment at which a window begins makes of a value
modelled()
{
	simulated=$1
	shift
	"$program" -D "sim:$simulated" --speed max -J -n 100 "$@" > "$tmp/model" 2> "$tmp/model.err"
}

# as_model MODEL SET [OPTION...]: the windows of a machine, which has no energy counters, have the values of the simulated device that
# feeds it; some loads launch a kernel every 17 ms, so shorter ones would differ too much
as_model()
{
	spec=$1
	shift
	modelled "$spec" -d 0.1 -m "$@"
	gives 0 "$spec, $1" $way -J -n 4 -d 0.1 -m "$@"
	is "$(cat "$tmp/err" "$tmp/model.err" | wc -c)" 0 "  ... without a word on standard error"
	good "  ... gives what the model counted" python3 "$compare" "$tmp/out" "$tmp/model" energy_update
	is "$(registered)" 0 "  ... and leaves no programming behind"
}

# played_as_model [METRIC...]: $tmp/played has the values of $tmp/model, but for those metrics and what a recording does not hold
played_as_model()
{
	python3 "$compare" "$tmp/played" "$tmp/model" energy_update rc6 clock_actual clock_requested gpu_clock_limit "$@"
}

# plays_as_model MODEL SET [METRIC...]: what the machine records plays with the values of the simulated device, but for those metrics
plays_as_model()
{
	spec=$1
	set=$2
	shift 2
	modelled "$spec" -d 0.1 -m "$set"
	gives 0 "recording $spec, $set" $way -J -n 5 -d 0.1 -m "$set" --overwrite -w "$tmp/live.i915perf"
	"$program" -r "$tmp/live.i915perf" --speed max -d 0.1 -J > "$tmp/played" 2> "$tmp/err"
	good "  ... plays with the same values" played_as_model "$@"
}

# stays_ours MODEL: a programming that is registered already is used and left alone
stays_ours()
{
	machine "$1"
	export FAKEKERNEL_FAIL=remove
	gives 0 "a programming that cannot be taken away" -J -n 1 -d 0.1
	unset FAKEKERNEL_FAIL
	is "$(registered)" 1 "  ... stays"
	gives 0 "  ... serves again" -J -n 2 -d 0.1
	is "$(registered)" 1 "  ... and is not ours to remove"
}

# has_number FILE METRIC: in its last window
has_number()
{
	tail -1 "$1" | grep -q "\"$2\":[0-9]"
}

# comes_later NAME METRIC RIGHT [OPTION...]: a number is there by itself after the command RIGHT
comes_later()
{
	what=$1
	metric=$2
	right=$3
	shift 3
	"$lasting" -J -d 0.1 -o "$tmp/later" "$@" &
	wait_for "$tmp/later" 6000 $!
	! has_number "$tmp/later" "$metric"
	point $? "$what: not yet"
	eval "$right"
	patient $! has_number "$tmp/later" "$metric"
	point $? "  ... but by itself"
	kill -TERM $!
	wait $! 2> /dev/null
}

# rows NUMBER NAME KIND [MODE]: so many rows of $table are answered as Linux answers them (errnos_lib.py)
rows()
{
	want=$1
	name=$2
	shift 2
	"$on_fake" python3 -B "$top_srcdir/tests/fakekernel/$table" "$@" > "$tmp/rows" 2>&1 < /dev/null
	is "$(cat "$tmp/rows")" "$want rows" "$name"
}

# points_of COUNT SCRIPT ARGUMENT...: those of a Python script that prints "0 NAME" or "1 NAME" for each
points_of()
{
	count=$1
	shift
	PYTHONUNBUFFERED=1 PYTHONPATH="$top_srcdir/tests/tty" python3 -B "$top_srcdir/tests/fakekernel/$@" > "$tmp/points"
	relay "$tmp/points"
	is "$(wc -l < "$tmp/points")" "$count" "all scenarios ran"
}

# scenarios COUNT SCRIPT TREE: those of a script (scenarios.py), on machines that TREE makes
scenarios()
{
	points_of "$1" "$2" "$top_srcdir/tests/fakekernel/$3" "$tmp" "$so" "$runtime" "$program"
}
