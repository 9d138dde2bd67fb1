#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# night.sh: runs all fuzz targets in turns, in the folder of a build with --enable-fuzzers. ROOFTOP_NIGHT_S says for how many seconds in
# all (3600), ROOFTOP_NIGHT_SEED with which seed the first round begins (the time of day). Corpora grow in ./night/corpus, findings are in
# ./night/found. It says for each target how many executions there were, how many edges were reached before and after, and how the corpus
# has grown; the status is 1 when something was found.
#
# night.sh --minimize: adds the fewest files that reach new edges to the corpora of the sources, as long as a target has less than
# ROOFTOP_CORPUS_KIB there (60).
set -u
here=$(cd "$(dirname "$0")" && pwd)
build=tests/fuzz
seconds=${ROOFTOP_NIGHT_S-3600}
seed=${ROOFTOP_NIGHT_SEED-$(date +%s)}
slice=60
kept=$(pwd)/night
# Libraries of the system that are not built for it look like leaks and like nothing else.
LSAN_OPTIONS=suppressions=$here/../lsan.supp${LSAN_OPTIONS:+:$LSAN_OPTIONS}
UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
export LSAN_OPTIONS UBSAN_OPTIONS
targets=$(ls $build/fuzz_* 2> /dev/null | grep -v '\.' | sed 's/.*fuzz_//')
[ -n "$targets" ] || { echo "night.sh: no fuzzers in $(pwd)/$build; HACKING.md says how they are built" >&2; exit 2; }
mkdir -p "$kept/found" "$kept/log"

# size_of FOLDER: "FILES KIB"
size_of()
{
	find "$1" -type f -printf '%s\n' | awk '{ n++; b += $1 } END { printf "%d %.0f\n", n, b / 1024 }'
}

minimize()
{
	for name in $targets; do
		home=$here/corpus/$name
		[ -d "$kept/corpus/$name" ] || continue
		before=$(size_of "$home")
		rm -rf "$kept/min"
		cp -r "$home" "$kept/min"
		# What reaches new edges is added to a copy of what the sources have.
		"$build/fuzz_$name" -set_cover_merge=1 -use_counters=0 "$kept/min" "$kept/corpus/$name" > "$kept/log/$name.merge" 2>&1
		find "$kept/min" -type f -size -16k -printf '%s %f\n' | sort -n | while read -r bytes file; do
			[ ! -e "$home/$file" ] || continue
			set -- $(size_of "$home")
			[ $(($2 + bytes / 1024)) -lt "${ROOFTOP_CORPUS_KIB-60}" ] || break
			cp "$kept/min/$file" "$home/found-$(printf %.12s "$file")"
		done
		echo "$name: $before -> $(size_of "$home") (files, KiB)"
	done
}

# round NAME SECONDS SEED: one process; its last lines go to log/NAME
round()
{
	mkdir -p "$kept/corpus/$1"
	"$build/fuzz_$1" -max_total_time="$2" -seed="$3" -rss_limit_mb=1024 -timeout=20 -max_len=4096 -print_final_stats=1 \
		-artifact_prefix="$kept/found/$1-" "$kept/corpus/$1" "$here/corpus/$1" > "$kept/log/$1.last" 2>&1
	status=$?
	awk '/^#[0-9]+[ \t]+INITED/ { for (i = 1; i < NF; i++) if ($i == "cov:") first = $(i + 1) }
		/ cov: / { for (i = 1; i < NF; i++) if ($i == "cov:") last = $(i + 1) }
		/^stat::number_of_executed_units/ { n = $2 }
		/^#[0-9]+/ { seen = substr($1, 2) }
		END { printf "%d %d %d\n", n ? n : seen, first, last }' "$kept/log/$1.last" >> "$kept/log/$1.rounds"
	# Text that the target prints by itself is not kept; a finding is.
	[ $status -eq 0 ] || { cp "$kept/log/$1.last" "$kept/found/$1-$3.log"; echo "night.sh: $1 has found something: $kept/found/$1-$3.log" >&2; }
}

report()
{
	printf '%-10s %12s %8s %8s %14s %14s\n' target executions edges after "corpus KiB" "after KiB"
	for name in $targets; do
		[ -e "$kept/log/$name.rounds" ] || continue
		set -- $(size_of "$here/corpus/$name") $(size_of "$kept/corpus/$name")
		awk -v name="$name" -v before="$2" -v after="$4" '{ n += $1; if (NR == 1) first = $2; last = $3 > last ? $3 : last }
			END { printf "%-10s %12d %8d %8d %14d %14d\n", name, n, first, last, before, after }' "$kept/log/$name.rounds"
	done
	cat "$kept"/log/*.rounds | awk '{ n += $1 } END { printf "%.1f million executions\n", n / 1e6 }'
	echo "$(ls "$kept/found" | grep -c '\.log$') findings"
}

case ${1-} in
--minimize) minimize; exit 0 ;;
--report) report; exit 0 ;;
'') ;;
*) echo "night.sh: '$1' is not known; --minimize, --report or nothing" >&2; exit 2 ;;
esac
start=$(date +%s)
trap 'report; exit 1' INT TERM
while [ $(($(date +%s) - start)) -lt "$seconds" ]; do
	for name in $targets; do
		left=$((seconds - $(date +%s) + start))
		[ $left -gt 0 ] || break
		[ $left -lt $slice ] || left=$slice
		seed=$((seed + 1))
		round "$name" $left $seed
	done
done
report
[ -z "$(ls "$kept/found")" ]
