#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What the layer costs a program, in pairs of runs with and without it: medians. Nothing is judged.
# layer.sh BUILD [PAIRS]
build=$1
pairs=${2:-20}
program=$build/tests/kernels/opencl_program
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT

# median FILE
median()
{
	sort -n "$1" | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'
}

# compare WHAT FIELD WORDS: of pairs of lines in $folder/without and $folder/with
compare()
{
	for way in without with; do
		awk -v n="$2" '{ print $n }' "$folder/$way" > "$folder/$way.field"
	done
	paste "$folder/without.field" "$folder/with.field" | awk '{ print $2 - $1 }' > "$folder/more"
	echo "$1, $3: without $(median "$folder/without.field"), with the layer $(median "$folder/with.field"), median of the differences $(median "$folder/more")"
}

for what in "plain 4000 64" "sync 2000 64" "paced 1000 64"; do
	: > "$folder/without"
	: > "$folder/with"
	i=0
	while [ $i -lt "$pairs" ]; do
		# shellcheck disable=SC2086
		"$program" $what >> "$folder/without"
		# shellcheck disable=SC2086
		"$build/rooftop" run --kernels -o "$folder/report" --overwrite -- "$program" $what >> "$folder/with"
		i=$((i + 1))
	done
	case $what in
	paced*) compare "$what" 2 "ms of processor time a second" ;;
	*)
		compare "$what" 2 "us a launch"
		compare "$what" 4 "us of processor time a launch"
		;;
	esac
done
