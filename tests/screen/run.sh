# SPDX-License-Identifier: GPL-3.0-or-later
# Runs tests/screen/*.screen: a script and its pictures side by side. "options ..." gives the command line; the picture that a
# "save-screen -" must give stands behind it between "picture" and "end". UPDATE_GOLDEN=1 writes the pictures anew.
. "$top_srcdir/tests/tty/tap.sh"

# Writes script, options and wanted pictures of FILE into $tmp/case.
extract()
{
	rm -rf "$tmp/case"
	mkdir "$tmp/case"
	: > "$tmp/case/options"
	awk -v dir="$tmp/case" '
		/^options / { sub(/^options /, ""); print > (dir "/options"); next }
		/^picture$/ { inside = 1; printf "" > (dir "/want." n); next }
		/^end$/ && inside { inside = 0; next }
		inside { print > (dir "/want." n); next }
		/^save-screen -$/ { n++; print "save-screen " dir "/got." n > (dir "/script"); next }
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
		/^save-screen -$/ {
			n++
			print "picture"
			while ((getline line < (dir "/got." n)) > 0)
				print line
			print "end"
		}' "$1" > "$tmp/rewritten" && cp "$tmp/rewritten" "$1"
}

for file in "$top_srcdir"/tests/screen/*.screen; do
	name=$(basename "$file" .screen)
	extract "$file"
	# The recording and the folder of a machine without GPUs are named by words.
	options=$(sed "s|@EMPTY@|$tmp/empty|g; s|@ROOT@|$top_srcdir/tests/screen/root|g; s|@TMP@|$tmp|g" "$tmp/case/options")
	mkdir -p "$tmp/empty"
	# shellcheck disable=SC2086
	(cd "$tmp/case" && "$rooftop" $options --script "$tmp/case/script") > "$tmp/log" 2>&1
	status=$?
	[ -n "$UPDATE_GOLDEN" ] && [ $status -eq 0 ] && rewrite "$file" && extract_again=1
	if [ -n "$extract_again" ]; then
		mkdir -p "$tmp/kept" && cp "$tmp/case"/got.* "$tmp/kept"
		extract "$file"
		mv "$tmp/kept"/got.* "$tmp/case"
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
done
finish
