# SPDX-License-Identifier: GPL-3.0-or-later
# TAP for tests on the fake kernel: machine MODEL [DRIVER] makes one, $rooftop is the program on it, $program without it,
# "$on_fake" COMMAND... runs another program on it.
. "$top_srcdir/tests/tty/tap.sh"
so=$top_builddir/tests/fakekernel/fakekernel.so
root=$tmp/machine
metrics=$root/sys/class/drm/card0/metrics
log=$tmp/ioctls
# A sanitizer's runtime that is a shared library wants to be the first one.
runtime=$(ldd "$rooftop" | awk '/lib(a|t|ub)san/ { print $3; exit }')
program=$rooftop

machine()
{
	sh "$top_srcdir/tests/fakekernel/maketree.sh" "$root" "$@"
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

# One program each, so that a signal to it reaches it.
on_fake=$tmp/on-fake
cat > "$on_fake" <<END
#!/bin/sh
FAKEKERNEL_ROOT='$root' FAKEKERNEL_LOG='$log' LD_PRELOAD='${runtime:+$runtime }$so' exec "\$@"
END
rooftop=$tmp/rooftop-on-fake	# what gives() runs
cat > "$rooftop" <<END
#!/bin/sh
FAKEKERNEL_ROOT='$root' FAKEKERNEL_LOG='$log' LD_PRELOAD='${runtime:+$runtime }$so' exec '$program' "\$@"
END
chmod 755 "$on_fake" "$rooftop"

# Waits until FILE holds BYTES or PROCESS has ended.
wait_for()
{
	while kill -0 "$3" 2> /dev/null && [ "$(cat "$1" 2> /dev/null | wc -c)" -lt "$2" ]; do
		sleep 0.02
	done
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
