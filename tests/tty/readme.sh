# SPDX-License-Identifier: GPL-3.0-or-later
# README is short, what it links to is there, and its commands on simulated devices run as they stand, one after the other.
. "$top_srcdir/tests/tty/tap.sh"
readme=$top_srcdir/README.md
lines=$(wc -l < "$readme")
[ "$lines" -le 120 ]
point $? "README has $lines lines, at most 120"
for page in README.md doc/DEVICES.md; do
	grep -o '](\([^)#]*\)[)#]' "$top_srcdir/$page" | sed 's/^](//; s/.$//' | grep -v '^https:' | LC_ALL=C sort -u > "$tmp/links"
	for link in $(cat "$tmp/links"); do
		[ -e "$(dirname "$top_srcdir/$page")/$link" ]
		point $? "$page: there is $link"
	done
done

# A monitor without -n needs a terminal; here it plays a script that waits for a window and quits.
mkdir "$tmp/bin" "$tmp/here"
program=$(cd "$top_builddir" && pwd)/rooftop
printf 'wait 1\nquit\n' > "$tmp/quit"
cat > "$tmp/bin/rooftop" <<END
#!/bin/sh
case "\$1 \$* " in
-D*" -n "*) ;;
-D*) set -- "\$@" --config /dev/null --script "$tmp/quit" ;;
esac
exec "$program" "\$@"
END
chmod 755 "$tmp/bin/rooftop"
PATH=$tmp/bin:$PATH
export PATH
sed -n 's/^    \(rooftop .*\)/\1/p' "$readme" | grep -E 'sim:|\.rec' > "$tmp/commands"
commands=$(wc -l < "$tmp/commands")
[ "$commands" -ge 9 ]
point $? "README shows $commands commands that need no device"
while read -r command; do
	(cd "$tmp/here" && sh -c "$command") > "$tmp/out" 2> "$tmp/err" < /dev/null
	status=$?
	point $status "$command"
	[ $status -eq 0 ] || sed 's/^/#   /' "$tmp/err" | head -5
done < "$tmp/commands"
recipes=$(grep -o '^    rooftop .* # *[0-9]* ' "$readme" | grep -o '[0-9]* $' | tr -d ' ' | tr '\n' ' ')
is "$recipes" "1 2 3 4 5 6 7 8 9 10 " "the ten recipes are counted"

simulated=$(sed -n 's/^| \([a-z]*\) simulated devices .*/\1/p' "$readme")
n=$("$program" -L 2> /dev/null | grep -c '^sim:')
is "$simulated" "$(echo eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen | cut -d' ' -f$((n - 10)))" "README counts the simulated devices, which are $n"

# What stands beside the picture of the screen is what the screen says.
printf 'size 80x24\nwait 12\nsave-screen %s\nquit\n' "$tmp/screen.txt" > "$tmp/script"
LC_ALL=C.UTF-8 "$program" -D sim:hd620,load=triad.sp.x1 -d 1 --config /dev/null --script "$tmp/script" < /dev/null > /dev/null 2>&1
sed -n 's/^    [1-4]  *\(because  .*\|try      .*\|[A-Z]*-BOUND .*\)/\1/p' "$readme" > "$tmp/shown"
is "$(wc -l < "$tmp/shown" | tr -d ' ')" 3 "the picture has the answer, the evidence and the advice"
while read -r shown; do
	grep -qF -e "$shown" "$tmp/screen.txt"
	point $? "the screen says: $shown"
done < "$tmp/shown"

# The moving picture: the one that stands there, and one made now.
if command -v python3 > /dev/null; then
	cat > "$tmp/moving.py" <<'END'
import re, sys, xml.dom.minidom
text = open(sys.argv[1], encoding="utf-8").read()
assert len(text.encode()) < 1000000, len(text)
frames = xml.dom.minidom.parseString(text.encode()).getElementsByTagName("g")
assert len(frames) == 13 and all("SIM" in f.toxml() for f in frames), len(frames)
for headline in "MEMORY-BOUND", "PIPE FULL", "POWER-LIMITED", "IDLE":
    assert any(">%s<" % headline in f.toxml() for f in frames), headline
used = set(w for c in re.findall(r'class="([^"]*)"', text) for w in c.split() if re.fullmatch(r"r\d+", w))
given = set(re.findall(r"\.(r\d+)\{", text))
assert used <= given, used - given
assert len(re.findall(r"\.t\d+\{animation-delay", text)) == 13
END
	good "the moving picture has 13 frames below 1 MB, and each says SIM" python3 "$tmp/moving.py" "$top_srcdir/doc/tour.svg"
	sh "$top_srcdir/doc/picture/make.sh" "$program" moving > "$tmp/tour.svg" 2> "$tmp/err"
	point $? "it is made from the program's own screens"
	good "  ... as the one in README" python3 "$tmp/moving.py" "$tmp/tour.svg"
else
	skip 3 "no python3"
fi
finish
