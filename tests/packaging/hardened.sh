# SPDX-License-Identifier: GPL-3.0-or-later
# The program is built with what the compiler has against exploits. Builds with sanitizers, without optimisation or with flags of a
# packager have their own.
. "$top_srcdir/tests/tty/tap.sh"
command -v readelf > /dev/null || { echo "1..0 # SKIP no readelf"; exit 0; }
flags=$(sed -n 's/^HARDEN_CFLAGS = //p' Makefile)
case $flags in
*-fsanitize*) echo "1..0 # SKIP a build with sanitizers"; exit 0 ;;
esac

# Whether a flag that was given is seen in the program.
seen()
{
	case $flags in
	*"$1"*) grep -Eq "$3" "$tmp/$2" ; point $? "$1 is seen in the program" ;;
	*) echo "# $1 was not taken by this compiler, or is the packager's" ;;
	esac
}
readelf -W -h -l -d -n "$rooftop" > "$tmp/heads" 2> /dev/null
readelf -W --dyn-syms "$rooftop" > "$tmp/symbols" 2> /dev/null
grep -q 'Type: *DYN' "$tmp/heads"
point $? "it can be loaded anywhere"
grep -q 'GNU_RELRO' "$tmp/heads" && grep -q 'BIND_NOW\|Flags:.*NOW' "$tmp/heads"
point $? "its tables are read-only"
! grep -q 'GNU_STACK.* RWE' "$tmp/heads"
point $? "its stack cannot be executed"
seen -fstack-protector-strong symbols '__stack_chk_fail'
seen -D_FORTIFY_SOURCE symbols '__[a-z]*_chk'
# The linker keeps this mark only where the C library's own start files have it too, so an object is asked.
object=$(ls -t base/err.o base/libbase_a-err.o 2> /dev/null | head -n 1)
readelf -W -n "$object" > "$tmp/notes" 2> /dev/null
seen -fcf-protection notes 'IBT.*SHSTK'
finish
