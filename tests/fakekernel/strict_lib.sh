# SPDX-License-Identifier: GPL-3.0-or-later
# What the tests on strict fakes share (strict.h).
. "$top_srcdir/tests/fakekernel/lib.sh"
unset FAKEKERNEL_FAIL

# strict BOARD KERNEL: a machine with strict fakes
strict()
{
	sh "$top_srcdir/tests/fakekernel/stricttree.sh" "$root" "$1" "$2"
	rm -f "$log"
}

# told NAME VALUE: what the strict fake is told (strict/NAME)
told()
{
	printf '%s\n' "$2" > "$root/strict/$1"
}

# every EXPRESSION: those windows for which it does not hold. m are a window's metrics, why the reasons of those without a number. Where
# a machine has kept the program from reading in time, there is no number, and none is near().
every()
{
	python3 -c "import json, sys
for line in open(sys.argv[1]):
    w = json.loads(line)
    if 'metrics' in w:
        m, why = w['metrics'], w['why']
        near = lambda name, want, most=0.01: why.get(name) == 'gap' or abs(m[name] - want) <= most * want
        near_share = lambda a, b, want: why.get(a) == 'gap' or abs(m[a] / m[b] - want) <= 0.01 * want
        if not ($1):
            print(w['window_ms'], m, why)" "$tmp/out" 2>&1
}
