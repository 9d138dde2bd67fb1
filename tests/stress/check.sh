# SPDX-License-Identifier: GPL-3.0-or-later
# rooftop check: levels, forms, what it compares with, and machines with flaws, each of which one check finds and no other.
. "$top_srcdir/tests/tty/tap.sh"

# failing: the checks that failed, without what they were compared with
failing()
{
	python3 -c '
import json, sys
print(*sorted({d["check"] for d in map(json.loads, open(sys.argv[1])) if d.get("verdict") == "failed"}))' "$tmp/out"
}

gives 0 "a machine without flaws passes all levels" check sim:hd620 --level 3 --time 60 -J
is "$(failing)" "" "  ... no check fails"
while read -r machine checks; do
	gives 5 "$machine is found" check "sim:$machine" --level 3 --time 60 -J
	is "$(failing)" "$checks" "  ... by its check and no other"
done <<'END'
hd620,flaw=slow-memory roof.DRAM
hd620,flaw=hot throttle.heat
hd620,flaw=bitflip results
dg2,flaw=half-link link.lanes
dg2,flaw=slow-memory roof.DRAM
lnl,flaw=hot throttle.heat
tgl,flaw=bitflip results
dg2,flaw=half-link,flaw=slow-memory link.lanes roof.DRAM
hd620,current=600 throttle.current
hd620,setting=500 clock.limit
hd620,stamp=950 timestamp
hd620,lost=3 reports.lost
END
gives 5 "reports that never come are found" check sim:hd620,late=60000 -J
is "$(failing)" "counters" "  ... by the check of counters"
gives 0 "nor is memory that is faster than its link" check sim:tgl,id=0x4680,mhz=845,dram=532 --level 2
gives 0 "a bandwidth that nobody knows is no failure" check sim:hd620,noroof --level 2 -J
is "$(grep -c '"check":"roof.DRAM".*"verdict":"not_measured"' "$tmp/out")" 1 "  ... it is not measured"
gives 2 "an unknown flaw is refused" check sim:hd620,flaw=rust

gives 0 "level 1 is the default" check sim:hd620 -J
is "$(grep -c '"level":2' "$tmp/out")$(grep -c '"check":"throttle.heat"' "$tmp/out")" 01 "  ... and runs no kernel"
is "$(sed -n 's/.*"check":"\([a-z.]*\)".*"verdict":"info".*/\1/p' "$tmp/out" | tr '\n' ' ')" "device rights counters clock throttle.power " "  ... what is compared with nothing has not passed"
is "$(sed -n 's/.*"ok":\([0-9]*\),"info":\([0-9]*\).*/\1 \2/p' "$tmp/out")" "4 5" "  ... and is not counted as such"
gives 3 "a device that is none" check nonsense
is "$(grep -c 'found: cpu0' "$tmp/out") $(grep -c "^nonsense could not be checked: no device 'nonsense'$" "$tmp/out")" "1 1" "  ... is told with those that are, once"
gives 3 "several devices, of which one could not be compared with anything" check sim:hd620 sim:lnl -D sim:g72
is "$(grep -c 'is all right' "$tmp/out")$(grep -c '^sim:g72 .* has no fault to be seen, but nothing could be compared' "$tmp/out")" 21 "  ... have a sentence each"
is "$(grep -c 'SIMULATED' "$tmp/out")" 3 "  ... which says that they are simulated"
is "$(grep -c 'passed 0' "$tmp/out")" 0 "  ... and nothing is all right because nothing was compared"
gives 3 "a machine without a GPU" check --fsroot "$tmp"
gives 3 "all GPUs of such a machine" check all --fsroot "$tmp"
gives 2 "a name that nobody knows" check sim:nothing

# Without a name all cards of a machine are meant: one that works, one without a driver, and the chip of its console.
# card NUMBER DRIVER NODE...
card()
{
	device=/sys/devices/pci0000:00/0000:0$1:00.0
	for node in "card$1" $3; do
		mkdir -p "$tmp/cards$device/drm/$node" "$tmp/cards/sys/class/drm"
		ln -s "../../devices/pci0000:00/0000:0$1:00.0/drm/$node" "$tmp/cards/sys/class/drm/$node"
	done
	ln -s "../../../0000:0$1:00.0" "$tmp/cards$device/drm/card$1/device"
	[ -z "$2" ] || ln -s "/sys/bus/pci/drivers/$2" "$tmp/cards$device/driver"
}
card 1 console
cp -a "$tmp/cards" "$tmp/console"
"$rooftop" --fsroot "$tmp/console" check -J > "$tmp/console.out" 2>&1 &
card 2 foo renderD130
card 3 ''
gives 3 "a machine with several cards, one of which nothing drives" check --fsroot "$tmp/cards"
is "$(sed -n 's/^\(card[0-9]\) \(has no fault to be seen\|could not be checked: .*\)/\1 \2/p' "$tmp/out" | sed 's/, but nothing.*//;s/;.*//' | tr '\n' ';')" \
	"card2 has no fault to be seen;card3 could not be checked: no kernel driver is bound to it;" "  ... has a sentence for each, and the console has none"
is "$(tail -2 "$tmp/out" | cut -d' ' -f1 | tr '\n' ' ')$(grep -c '^card[23]$' "$tmp/out")" "card2 card3 2" "  ... at the end, and a line above the rows of each"
is "$(cut -d: -f2- "$tmp/err" | tr '\n' ';')" " check 1 of 2: card2; check 2 of 2: card3;" "  ... and is told which one is checked"
wait $!
is "$? $(grep -c '"device":"card1".*"sentence":"card1 has no fault to be seen' "$tmp/console.out")" "3 1" "a console without other cards is looked at, and nothing of it could be compared"
"$rooftop" -D sim:hd620 -w "$tmp/rec" -n 2 -d 0.1 -b > /dev/null
gives 2 "a recording cannot be checked" check "file:$tmp/rec"

# What is compared with.
gives 0 "a machine's CSV" check sim:hd620 --level 2 -c -o "$tmp/good.csv"
gives 5 "another machine is compared with it" check sim:hd620,dram=30 --level 2 --against "$tmp/good.csv" -J
is "$(grep '"verdict":"failed"' "$tmp/out" | sed 's/.*"check":"\([^"]*\)".*"against":"\([^"]*\)".*/\1 \2/')" "roof.DRAM file" \
	"  ... and reaches less than that, while its own data sheet is satisfied"
# Numbers that are compared have one form, in rows of text and in the sentence.
gives 5 "a large card" check sim:dg2,flaw=slow-memory --level 2
is "$(grep -c '^[a-z].* >= ' "$tmp/out" | awk '{ print ($1 > 3) }')$(grep -c '[0-9]e[+-]*[0-9]' "$tmp/out")" 10 "  ... no number has an exponent"
is "$(awk '$3 == ">=" && ($2 >= 1000 || $4 >= 1000) && ($2 >= 1000 && $2 ~ /[.]/ || $4 >= 1000 && $4 ~ /[.]/)' "$tmp/out")" "" "  ... nor more digits than the other one"
failed=$(awk '$1 == "roof.DRAM" && /failed/ { print $2 " " $5 " (at least " $4 ")"; exit }' "$tmp/out")
is "$([ -n "$failed" ] && grep -c -F -e " $failed" "$tmp/out")" 1 "  ... and the sentence has them as the row"
gives 2 "a file of another kind of device is refused" check sim:lnl --against "$tmp/good.csv"
good "  ... by name" grep -q "HD Graphics 620.*Lunar Lake" "$tmp/err"
sed '2,$s/,1$/,0/' "$tmp/good.csv" > "$tmp/real.csv"
gives 2 "and one of a device that is not simulated" check sim:hd620 --against "$tmp/real.csv"
echo "a,b" > "$tmp/other.csv"
gives 0 "of several devices" check sim:hd620 sim:lnl --level 2 --against "$tmp/good.csv" -J
is "$(sed -n 's/.*"device":"\([^"]*\)".*"check":"\(against\|roof.DRAM\)".*"against":"\(file\|\)".*"verdict":"\([^"]*\)".*/\1 \2 \4/p' "$tmp/out" | tr '\n' ';')" \
	"sim:hd620 roof.DRAM ok;sim:lnl against not_measured;" "  ... those are compared that it knows, and the others say so"
gives 5 "of which it knows none" check sim:tgl sim:lnl --level 2 --against "$tmp/good.csv" -J
is "$(sed -n 's/.*"check":"against".*"verdict":"\([^"]*\)".*/\1/p' "$tmp/out" | tr '\n' ' ')" "failed failed " "  ... has compared nothing, which is no success"
"$rooftop" check sim:lnl sim:hd620,dram=30 --level 2 -c > "$tmp/both.csv" 2> /dev/null
gives 5 "a file of two kinds of devices" check sim:hd620,flaw=slow-memory --level 2 --against "$tmp/both.csv" -J
is "$(sed -n 's/.*"check":"roof.DRAM".*"reference":\([0-9.]*\).*"against":"file".*/\1/p' "$tmp/out")" \
	"$(awk -F, '/HD Graphics 620.*roof.DRAM/ { print $5; exit }' "$tmp/both.csv")" "  ... gives the numbers of the same kind"
grep -v 'roof.L3' "$tmp/good.csv" > "$tmp/part.csv"
gives 0 "a file that lacks a roof" check sim:hd620 --level 2 --against "$tmp/part.csv" -J
is "$(grep '"against":"file"' "$tmp/out" | sed 's/.*"check":"\([^"]*\)".*"verdict":"\([^"]*\)".*/\1 \2/' | tr '\n' ';')" \
	"roof.sp.mad ok;roof.sp.add ok;roof.dp.mad ok;roof.dp.add ok;roof.SLM ok;roof.L3 not_measured;roof.DRAM ok;" "  ... has a row for it, which says so"
gives 1 "a file without checks is refused" check sim:hd620 --against "$tmp/other.csv"
head -1 "$tmp/good.csv" > "$tmp/head.csv"
gives 1 "one that was cut behind its head" check sim:hd620 --against "$tmp/head.csv"
gives 1 "a file that is not there" check sim:hd620 --against "$tmp/none"
gives 2 "a report in the place of the other one" check sim:hd620 --level 2 --against "$tmp/good.csv" -c -o "$tmp/good.csv" --overwrite
gives 0 "what calibrate keeps" calibrate -D sim:hd620 DRAM --quiet --keep
gives 5 "the same device later" check sim:hd620,flaw=slow-memory --level 2 -J
is "$(grep '"check":"roof.DRAM"' "$tmp/out" | sed 's/.*"against":"\([^"]*\)".*"verdict":"\([^"]*\)".*/\1 \2/' | tr '\n' ' ')" \
	"data_sheet failed calibrate failed " "  ... is compared with both"

# Forms.
gives 5 "TAP" check sim:dg2,flaw=half-link --tap
is "$(grep -c '^not ok' "$tmp/out") $(grep -c '# SKIP' "$tmp/out") $(tail -1 "$tmp/out")" "1 2 1..$(grep -c '^\(not \)\?ok' "$tmp/out")" "  ... has a point for each check"
gives 5 "JUnit and HTML" check sim:hd620,flaw=slow-memory --level 3 --time 30 --junit "$tmp/j.xml" --html "$tmp/r.html" --quiet
is "$(wc -c < "$tmp/out")" 0 "  ... and --quiet"
gives 3 "a name with a quote" check 'a"b&<' --junit "$tmp/quote.xml"
good "  ... leaves JUnit whole" python3 -c 'import sys, xml.dom.minidom as x; x.parse(sys.argv[1])' "$tmp/quote.xml"
cat > "$tmp/forms.py" <<'END'
import sys, xml.dom.minidom, html.parser, re
suite = xml.dom.minidom.parse(sys.argv[1]).getElementsByTagName('testsuite')[0]
cases = suite.getElementsByTagName('testcase')
failed = [c for c in cases if c.getElementsByTagName('failure')]
skipped = [c for c in cases if c.getElementsByTagName('skipped')]
assert int(suite.getAttribute('tests')) == len(cases) > 15
assert int(suite.getAttribute('failures')) == len(failed) == 2, len(failed)
assert int(suite.getAttribute('skipped')) == len(skipped)
assert {c.getAttribute('name').split()[0] for c in failed} == {'roof.DRAM'}
page = open(sys.argv[2], encoding='utf-8').read()
class Page(html.parser.HTMLParser):
    tags, open = [], []
    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        for name, value in attrs:
            assert name not in ('src', 'onload', 'onclick'), (tag, name)
            assert not (name == 'href' and not value.startswith('#')), value
        if tag not in ('meta', 'line', 'path', 'polyline', 'rect', 'circle'): self.open.append(tag)
    def handle_startendtag(self, tag, attrs): self.tags.append(tag)
    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag
p = Page(); p.feed(page); p.close()
assert p.open == [], p.open
assert 'script' not in p.tags and 'link' not in p.tags and 'img' not in p.tags
assert p.tags.count('svg') == 3, p.tags.count('svg')   # roofline, clock, power
assert 'url(' not in page and page.count('class="failed"') == 2 and 'SIMULATED' in page
END
good "  ... are well-formed, and the page loads nothing and runs nothing" python3 "$tmp/forms.py" "$tmp/j.xml" "$tmp/r.html"
if command -v chromium > /dev/null; then
	good "a browser draws it" timeout 300 chromium --headless --no-sandbox --disable-gpu --user-data-dir="$tmp/chromium" \
		--window-size=1200,2200 --screenshot="$tmp/page.png" "file://$tmp/r.html"
	good "  ... as a picture" sh -c "[ \$(wc -c < '$tmp/page.png') -gt 50000 ]"
else
	skip 2 "no chromium"
fi
while IFS='|' read -r arguments word; do
	# shellcheck disable=SC2086
	gives 2 "refused: $arguments" $arguments
	good "  ... with '$word'" grep -q -e "$word" "$tmp/err"
done <<END
check sim:hd620 --level 4|1 to 3
check sim:hd620 --time 5|--level 3
check sim:hd620 --blocks 5|has no effect with check
check sim:hd620 --tap -J|only one
-b --level 2 -D sim:hd620|belongs to check
stress --html $tmp/x.html mem.copy.sp.x1|belongs to check
check sim:hd620 --html $tmp/x --junit $tmp/x|both write
END
gives 1 "a page without a place" check sim:hd620 --html "$tmp/none/x.html"
gives 1 "a full disk" check sim:hd620 -o /dev/full
gives 2 "a GPU in a processor" check sim:hd620,flaw=half-link
is "$(grep -c 'has no link' "$tmp/err")" 1 "has no link that could be half"

# An interrupted check says so in every form. Signals are held as soon as it can tell; for a moment before that, all are (f), while a
# thread begins. The shell's child holds them, too, until it has become rooftop: the name tells the two apart.
"$rooftop" check sim:hd620 --level 3 --time 86400 --junit "$tmp/cut.xml" --html "$tmp/cut.html" > "$tmp/out" 2> "$tmp/err" &
pid=$!
until awk '/^Name/ { ours = $2 ~ /rooftop/ } /^SigBlk/ { exit !(ours && substr($2, 13, 1) == "4") }' /proc/$pid/status 2> /dev/null || ! kill -0 $pid 2> /dev/null; do
	sleep 0.05
done
kill -TERM $pid
wait $pid
is "$? $(grep -c '^sim:hd620 (SIMULATED) was not checked to the end' "$tmp/out")" "143 1" "an interrupted check is said in its sentence"
is "$(grep -c 'name="interrupted"' "$tmp/cut.xml") $(grep -c 'not checked to the end' "$tmp/cut.html")" "1 1" "in JUnit and on the page"
finish
