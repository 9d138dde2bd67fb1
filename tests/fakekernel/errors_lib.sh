# SPDX-License-Identifier: GPL-3.0-or-later
# What tests of refusals and failures share. $model is the machine, $driver its driver, $way the way to its counters, $clocks what its
# clock files give.
. "$top_srcdir/tests/fakekernel/lib.sh"

# fails SCENARIO [MODEL]: the machine as new, with that scenario
fails()
{
	machine "${2:-$model}"
	export FAKEKERNEL_FAIL="$1"
}

# left WHY NAME: the last window has clocks, and WHY as the reason for OA counters
left()
{
	is "$(windows "head['source'], windows[-1]['metrics']['clock_actual'], windows[-1]['metrics']['eu_active'], windows[-1]['why']['eu_active']")" \
		"$clocks None $1" "$2"
}

# refused NAME TEXT WHY: OA counters are refused, and clocks remain
refused()
{
	gives 0 "$1" $way -J -n 1 -d 0.05
	said "$2" "  ... has its sentence"
	left "$3" "  ... leaves the clocks"
	is "$(registered)" 0 "  ... and no programming"
}

# died NAME SCENARIO TEXT [WHY]: counting ends under way
died()
{
	fails "$2"
	gives 1 "$1" $way -J -n 4 -d 0.05
	said "$3" "  ... has one sentence"
	is "$(window "m['eu_active'], why['eu_active']")" "None ${4-stale}" "  ... and no number"
	is "$(registered)" 0 "  ... and no programming"
}

# lost NAME SCENARIO LOST METRIC WANT: windows with LOST losses in all, and in every one the metric as it should be
lost()
{
	fails "$2"
	gives 0 "$1" $way -J -n 6 -d 0.1
	is "$(windows "sum(w['lost'] for w in windows), all(abs(w['metrics']['$4'] - $5) < 0.5 for w in windows)")" "$3 True" \
		"  ... are counted, and the numbers stay right"
}
