# SPDX-License-Identifier: GPL-3.0-or-later
# Runs tests/screen/*.screen: scripts (rooftop --script) and their pictures side by side, with these lines beside those of scripts:
#   options WORDS    the command line
#   before WORDS     a command line that runs first, such as one that records
#   save-screen -    the picture of the screen stands behind this, between "picture" and "end", without the header and the tabs, which
#                    all screens have
#   save-frame -     the same, with header and tabs
#   shows TEXT       header and tabs of the last picture have this text
# UPDATE_GOLDEN=1 writes the pictures anew.
. "$top_srcdir/tests/tty/tap.sh"

# Writes script, options and wanted pictures of FILE into $tmp/case. cut.N is how many rows of picture N are left away: where header and
# tabs are is said by ui/layout.c.
extract()
{
	rm -rf "$tmp/case"
	mkdir "$tmp/case"
	: > "$tmp/case/options"
	: > "$tmp/case/shows"
	awk -v dir="$tmp/case" '
		BEGIN { split("80x24", size, "x") }
		/^before / { sub(/^before /, ""); print > (dir "/before"); next }
		/^options / { sub(/^options /, ""); print > (dir "/options"); next }
		/^picture$/ { inside = 1; printf "" > (dir "/want." n); next }
		/^end$/ && inside { inside = 0; next }
		inside { print > (dir "/want." n); next }
		/^size / { split($2, size, "x") }
		/^save-(screen|frame) -$/ {
			n++
			print "save-screen " dir "/all." n > (dir "/script")
			header = size[1] >= 20 && size[2] >= 4
			print (/frame/ ? 0 : header + (header && size[2] >= 14)) > (dir "/cut." n)
			next
		}
		/^shows / { sub(/^shows /, ""); print n " " $0 > (dir "/shows"); next }
		{ print > (dir "/script") }' "$1"
}

# FILE with the pictures that were drawn.
rewrite()
{
	awk -v dir="$tmp/case" '
		/^picture$/ { inside = 1; next }
		/^end$/ && inside { inside = 0; next }
		inside { next }
		{ print }
		/^save-(screen|frame) -$/ {
			n++
			print "picture"
			while ((getline line < (dir "/got." n)) > 0)
				print line
			print "end"
		}' "$1" > "$tmp/rewritten" && cp "$tmp/rewritten" "$1"
}

: > "$tmp/setup-rc"	# a named settings file has to be there
for file in "$top_srcdir"/tests/screen/*.screen; do
	name=$(basename "$file" .screen)
	extract "$file"
	# The recording and the folder of a machine without GPUs are named by words.
	options=$(sed "s|@EMPTY@|$tmp/empty|g; s|@ROOT@|$top_srcdir/tests/screen/root|g; s|@TMP@|$tmp|g" "$tmp/case/options")
	mkdir -p "$tmp/empty"
	# shellcheck disable=SC2046
	# What is recorded before has the day and the hour of the scripts' clock.
	[ ! -e "$tmp/case/before" ] || (cd "$tmp/case" && SOURCE_DATE_EPOCH=1795356202 "$rooftop" $(sed "s|@TMP@|$tmp|g" before)) > "$tmp/log" 2>&1 || cat "$tmp/log"
	# shellcheck disable=SC2086
	(cd "$tmp/case" && "$rooftop" $options --script "$tmp/case/script") > "$tmp/log" 2>&1
	status=$?
	for all in "$tmp/case"/all.*; do
		[ -e "$all" ] && tail -n "+$(($(cat "$tmp/case/cut.${all##*.}") + 1))" "$all" > "$tmp/case/got.${all##*.}"
	done
	[ -n "$UPDATE_GOLDEN" ] && [ $status -eq 0 ] && rewrite "$file" && extract_again=1
	if [ -n "$extract_again" ]; then
		mkdir -p "$tmp/kept" && cp "$tmp/case"/got.* "$tmp/case"/all.* "$tmp/kept"
		extract "$file"
		mv "$tmp/kept"/* "$tmp/case"
		extract_again=
	fi
	point $status "$name runs"
	[ $status -eq 0 ] || sed 's/^/#   /' "$tmp/log"
	for got in "$tmp/case"/got.*; do
		[ -e "$got" ] || continue
		n=${got##*.}
		diff -u "$tmp/case/want.$n" "$got" > "$tmp/diff" 2>&1
		point $? "$name, picture $n"
		sed 's/^/# /' "$tmp/diff" | head -60
	done
	while read -r n text; do
		head -2 "$tmp/case/all.$n" | grep -qF -e "$text"
		point $? "$name, picture $n: header and tabs have '$text'"
	done < "$tmp/case/shows"
done
finish
