# SPDX-License-Identifier: GPL-3.0-or-later
# What .ci/summary.awk counts as failed are points, and programs that ended otherwise than they should.
. "$top_srcdir/tests/tty/tap.sh"

# driven NAME: what the driver makes of a test that is written on standard input
driven()
{
	cat > "$tmp/$1.sh"
	env AM_TAP_AWK=awk sh "$top_srcdir/build-aux/tap-driver.sh" --test-name "$1" --log-file "$tmp/$1.log" --trs-file "$tmp/$1.trs" \
		--color-tests no --enable-hard-errors yes --expect-failure no -- sh "$tmp/$1.sh" > /dev/null
}

# counted WANT NAME [TEST...]: of the .trs files of these tests
counted()
{
	wanted=$1
	name=$2
	shift 2
	is "$(cd "$tmp" && awk -f "$top_srcdir/.ci/summary.awk" /dev/null "$@"; echo $?)" "$wanted" "$name"
}

driven good <<'END'
echo "ok 1 - a"; echo "ok 2 # SKIP b"; echo "1..2"
END
driven two <<'END'
echo "not ok 1 - a"; echo "ok 2 - b"; echo "not ok 3 - c"; echo "1..3"; exit 1
END
driven dies <<'END'
echo "ok 1 - a"; echo "ok 2 - b"; kill -SEGV $$
END
driven two_and_dies <<'END'
echo "not ok 1 - a"; echo "not ok 2 - b"; kill -SEGV $$
END
driven hangs <<'END'
echo "not ok 1 - a"; exit 124
END
driven fewer <<'END'
echo "1..3"; echo "ok 1 - a"; echo "ok 2 - b"
END
driven quiet <<'END'
echo "ok 1 - a"; echo "1..1"; exit 1
END
driven broken <<'END'
exit 1
END
line="
0"
counted "1 passed, 0 failed, 1 skipped$line" "nothing failed" good.trs
line="
1"
counted "1 passed, 2 failed, 0 skipped$line" "two failed points, whose program then exits with 1, are two" two.trs
counted "2 passed, 1 failed, 0 skipped$line" "a crash is one" dies.trs
counted "0 passed, 3 failed, 0 skipped$line" "  ... beside failed points" two_and_dies.trs
counted "0 passed, 2 failed, 0 skipped$line" "a program that met its limit is one" hangs.trs
counted "2 passed, 1 failed, 0 skipped$line" "points that were not reached are one" fewer.trs
counted "1 passed, 1 failed, 0 skipped$line" "a program that fails without a failed point is one" quiet.trs
counted "0 passed, 1 failed, 0 skipped$line" "  ... and so is one without points" broken.trs
counted "7 passed, 11 failed, 1 skipped$line" "all of them are added up" good.trs two.trs dies.trs two_and_dies.trs hangs.trs fewer.trs quiet.trs broken.trs
counted "0 passed, 0 failed, 0 skipped$line" "no test at all is a failure, too"
is "$(cd "$tmp" && awk -v bad=1 -f "$top_srcdir/.ci/summary.awk" /dev/null good.trs)" "1 passed, 1 failed, 1 skipped" "what failed besides is added"

# Whatever began them, tests begin alike.
printf '%s\n' 'sed -n "s/^SigIgn:.//p" /proc/self/status; test -e /proc/self/fd/7 || echo gone; umask; exit 3' > "$tmp/begins"
(trap '' USR2 HUP; umask 77; exec 7< /dev/null; sh "$top_srcdir/tests/timed.sh" sh "$tmp/begins") > "$tmp/out"
status=$?
if env --default-signal true 2> /dev/null; then
	sed -i 's/^0000000[01][08]0000000$/none/' "$tmp/out"
else
	sed -i 's/^[0-9a-f]\{16\}$/none/' "$tmp/out"
fi
is "$status $(grep -v '^#' "$tmp/out" | tr '\n' ' ')" "3 none gone 0022 " "a test has no signal ignored, no descriptor of others, and a mask of its own"
is "$(grep -c '^# [0-9.]* s ' "$tmp/out")" 2 "  ... and what it took is told"
finish
