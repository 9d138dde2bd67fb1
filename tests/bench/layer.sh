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

for what in "plain 4000 64" "sync 2000 64" "paced 1000 64"; do
	: > "$folder/without"
	: > "$folder/with"
	: > "$folder/more"
	i=0
	while [ $i -lt "$pairs" ]; do
		# shellcheck disable=SC2086
		a=$("$program" $what | awk '{ print $2 }')
		# shellcheck disable=SC2086
		b=$("$build/rooftop" run --kernels -o "$folder/report" --overwrite -- "$program" $what | awk '{ print $2 }')
		echo "$a" >> "$folder/without"
		echo "$b" >> "$folder/with"
		awk -v a="$a" -v b="$b" 'BEGIN { print b - a }' >> "$folder/more"
		i=$((i + 1))
	done
	echo "$what: without $(median "$folder/without"), with the layer $(median "$folder/with"), median of the differences $(median "$folder/more") (us a launch; paced: ms of processor time a second)"
done
