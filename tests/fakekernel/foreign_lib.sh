# SPDX-License-Identifier: GPL-3.0-or-later
# Other programs on the fake machine, for tests that have sourced lib.sh. ROOFTOP_DEBIAN names a folder with unpacked packages of another
# Debian (dpkg-deb -x), whose programs are taken before those here. $more_libraries is one more folder with libraries for them.
libraries=${ROOFTOP_DEBIAN-}/usr/lib/x86_64-linux-gnu
more_libraries=

# foreign PROGRAM: makes $tmp/PROGRAM, which runs it on the fake machine; false when there is none
foreign()
{
	loader=
	path=$(command -v "$1")
	if [ -n "${ROOFTOP_DEBIAN-}" ] && [ -x "$ROOFTOP_DEBIAN/usr/bin/$1" ]; then
		path=$ROOFTOP_DEBIAN/usr/bin/$1
		loader="$libraries/ld-linux-x86-64.so.2 --library-path $libraries${more_libraries:+:$more_libraries}"
	fi
	[ -n "$path" ] || return 1
	printf '#!/bin/sh\nexec "%s" %s %s "$@"\n' "$on_fake" "$loader" "$path" > "$tmp/$1"
	chmod 755 "$tmp/$1"
}

# foreign_btop NUMBER: six lines of what btop says of its GPU with that number (btop.py), in $tmp/btop.out; false when it cannot. btop loads
# ROCm's library by itself, and has no card of AMD without it.
foreign_btop()
{
	foreign btop && { [ -e "$libraries/librocm_smi64.so.1.0" ] || ldconfig -p | grep -q librocm_smi64; } || return 1
	PYTHONPATH="$top_srcdir/tests/tty" python3 -B "$top_srcdir/tests/fakekernel/btop.py" "$1" "$tmp/home" "$tmp/btop" \
		> "$tmp/btop.out" 2> "$tmp/btop.err"
	return 0
}
