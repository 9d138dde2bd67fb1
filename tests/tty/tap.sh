# SPDX-License-Identifier: GPL-3.0-or-later
# TAP for the shell tests that source it. $rooftop is the program, $tmp a folder that goes away.
rooftop=$top_builddir/rooftop
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
chmod 755 "$tmp"
export HOME="$tmp"
# glibc 2.41 translates nothing in the locale C.UTF-8. The same one by another name is a locale in which it does.
in_language=
if [ -d /usr/lib/locale/C.utf8 ]; then
	mkdir "$tmp/locales"
	ln -s /usr/lib/locale/C.utf8 "$tmp/locales/xx_XX.utf8"
	in_language="LOCPATH=$tmp/locales LC_ALL=xx_XX.UTF-8"
fi
# What is asked of Python is in its own library. To look through folders of packages takes it longer than to begin; whoever needs one of
# them says "env python3".
if command -v python3 > /dev/null; then
	# In the background it is a shell that waits for it: whoever wants its process says "command python3".
	python3() { command python3 -S "$@"; }
fi
# A look for leaks at the end is a fifth of a process under a sanitizer, and to keep where memory was allocated, which suppressions of leaks
# and reports name, are 700 pages more before main(). Where shares of cases are tried, one script of three does both, a random one; with
# ROOFTOP_SHARE=N:FROM, and without it, each does.
case ${ROOFTOP_SHARE:-:} in
*:*) ;;
*)
	if [ $(($$ % 3)) -ne 0 ]; then
		export ASAN_OPTIONS="${ASAN_OPTIONS:-}:detect_leaks=0:malloc_context_size=1"
	else
		echo "# leaks are looked for"
	fi
	;;
esac
points=0
failures=0

# point STATUS NAME: status 0 is good
point()
{
	points=$((points + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $points - $2"
	else
		echo "not ok $points - $2"
		failures=$((failures + 1))
	fi
}

# good NAME COMMAND...: the command succeeds
good()
{
	name=$1
	shift
	"$@" > "$tmp/good.out" 2>&1
	status=$?
	point $status "$name"
	[ $status -eq 0 ] || sed 's/^/#   /' "$tmp/good.out" | head -20
}

# is GOT WANT NAME
is()
{
	[ "$1" = "$2" ]
	status=$?
	point $status "$3"
	[ $status -eq 0 ] || printf '%s\n' "#   got: $1" "#  want: $2" | head -20
}

# gives STATUS NAME ARGUMENT...: the exit status of rooftop; output in $tmp/out and $tmp/err
gives()
{
	want=$1
	name=$2
	shift 2
	"$rooftop" "$@" > "$tmp/out" 2> "$tmp/err" < /dev/null
	got=$?
	[ $got -eq "$want" ]
	status=$?
	point $status "$name"
	if [ $status -ne 0 ]; then
		echo "#   exit status $got instead of $want: rooftop $*"
		sed 's/^/#   /' "$tmp/err" | head -5
	fi
}

# runs_on FOLDER: from now on the program sees the machine whose files are below the folder; the real program is $there
runs_on()
{
	there=$rooftop
	rooftop=$tmp/rooftop-there
	printf '#!/bin/sh\nexec "%s" --fsroot "%s" "$@"\n' "$there" "$1" > "$rooftop"
	chmod 755 "$rooftop"
}

# patient PROCESS COMMAND...: until the command succeeds; false when the process ends before, or never comes so far
patient()
{
	process=$1
	shift
	read -r up_s idle_s < /proc/uptime
	give_up=$((${up_s%.*} + 300))	# against hanging only: nothing is judged by time
	until "$@"; do
		read -r up_s idle_s < /proc/uptime
		kill -0 "$process" 2> /dev/null && [ "${up_s%.*}" -lt $give_up ] || return 1
		sleep 0.02
	done
}

# gone PROCESS: it has ended, or is a zombie that somebody else waits for
gone()
{
	case $(sed 's/.*) //; s/ .*//' "/proc/$1/stat" 2> /dev/null) in
	'' | Z) true ;;
	*) false ;;
	esac
}

# lines COUNT PATTERN FILE: the file has as many lines of that pattern, or more
lines()
{
	[ "$(grep -c -e "$2" "$3" 2> /dev/null)" -ge "$1" ] 2> /dev/null
}

# in_share: whether the next case is among those that this build tries. Where each takes far longer than elsewhere (under a sanitizer),
# ROOFTOP_SHARE=N, or N:FROM, tries one of N, from a random one on. Of a law that has ROWS alone, "in_share ROWS", one is tried at least.
in_share()
{
	[ -n "${ROOFTOP_SHARE:-}" ] || return 0
	share=${ROOFTOP_SHARE%%:*}
	if [ -z "${share_number:-}" ]; then
		share_number=${ROOFTOP_SHARE#"$share"}
		share_number=${share_number#:}
		[ -n "$share_number" ] || share_number=$(($(date +%s) % share))
		echo "# ROOFTOP_SHARE=$share:$share_number"
	fi
	[ $# -eq 0 ] || [ "$share" -le "$1" ] || share=$1
	share_number=$((share_number + 1))
	[ $(((share_number - 1) % share)) -eq 0 ]
}

# relay FILE: its lines "0 NAME" and "1 NAME" as points
relay()
{
	while read -r status name; do
		point "$status" "$name"
	done < "$1"
}

# judge_replays: a point for each law in $tmp/laws between what ran ($tmp/run) and its recordings, by one process: meanwhile.py.
judge_replays()
{
	python3 -B "$top_srcdir/tests/tty/meanwhile.py" "$tmp/run" "$tmp/laws" > "$tmp/points"
	[ $? -eq 0 ] && [ "$(wc -l < "$tmp/points")" -eq "$(wc -l < "$tmp/laws")" ] || point 1 "all laws of replays are judged"
	relay "$tmp/points"
	rm -f "$tmp/laws"
}

# oracle_has FOLDER PATTERN: $oracle_files are the oracle's files of that folder, one a line. Fails where there is no oracle at all, which
# is a reason to skip; an oracle whose folder has no such file fails a point, because nothing can be compared.
oracle_has()
{
	[ -n "${ROOFTOP_ORACLE:-}" ] && [ -d "$ROOFTOP_ORACLE" ] || return 1
	oracle_files=$(find "$ROOFTOP_ORACLE/$1" -maxdepth 1 -name "$2" 2> /dev/null | LC_ALL=C sort)
	[ -n "$oracle_files" ]
	point $? "the oracle's folder $1 holds $(echo "$oracle_files" | grep -c .) files $2"
}

# skip COUNT WHY
skip()
{
	count=$1
	while [ "$count" -gt 0 ]; do
		points=$((points + 1))
		echo "ok $points # SKIP $2"
		count=$((count - 1))
	done
}

finish()
{
	echo "1..$points"
	[ $failures -eq 0 ]
	exit
}
