# SPDX-License-Identifier: GPL-3.0-or-later
# rooftop run: a command with counters around it. The command must not notice.
. "$top_srcdir/tests/tty/tap.sh"

load="-D sim:hd620,load=private.mad.sp.x4"
mkdir "$tmp/empty"
# row METRIC COLUMN: of the CSV report in $tmp/report
row()
{
	awk -F, -v m="$1" -v c="$2" '$1 == m { print $c }' "$tmp/report"
}

near()
{
	is "$(awk -v g="$1" -v w="$2" -v s="$3" 'BEGIN { print (g >= w * (1 - s) && g <= w * (1 + s)) ? "near" : g " is not " w }')" near "$4"
}

gives 7 "the command's status is ours" run $load -c --overwrite -o "$tmp/report" -- sh -c 'echo "to out"; echo "to err" >&2; sleep 0.5; exit 7'
is "$(cat "$tmp/out")" "to out" "standard output is the command's"
is "$(cat "$tmp/err")" "to err" "with -o standard error is as well"
near "$(row gflops_sp 3)" 400 0.01 "GFLOP/s over the run"
near "$(row power_package 3)" 12.41 0.01 "W over the run"
is "$(row power_package 6)" J "whose amount is in J"
# Energy is read a moment before or after the counters, and that moment is longer on a busy machine. A window that is left out would be more than a twentieth.
near "$(row power_package 5)" "$(awk -v w="$(row power_package 3)" -v f="$(row gflops_sp 5)" -v r="$(row gflops_sp 3)" 'BEGIN { print w * f / r }')" 0.05 \
	"amounts are means over the same time"
is "$(row gti_throughput 6) $(row avg_gpu_core_frequency 6) $(row gpu_busy 5)" "GB  " "units of amounts; what is no rate has none, and clocks are counted once"
is "$(row power_limit_package 3) $(row power_limit_package 5)" "15 " "a limit of watts is no energy"
is "$(row clock_requested 5)$(row clock_requested 6)$(row gpu_clock_limit 5)$(row roof_gti 5)" "" "a clock that is asked for, a limit and what could be reached have no amount"
is "$(row energy_package 3)" "" "joules since the device was opened are none of the command's"
is "$(row power_psys 7)" no_source "what nobody measured has its reason"
is "$(tail -n +2 "$tmp/report" | cut -d, -f8 | sort -u)" 1 "every row says that it is simulated"
# Reports so far apart that none comes while the command runs.
"$rooftop" run $load -d 200 -p 60 -- sh -c 'kill -9 $$' > "$tmp/out" 2> "$tmp/err"
is "$? $(grep '^SIM [A-Z]' "$tmp/err")" "137 SIM NOT MEASURED: too short, it ended before its counters gave a value" "a command that was too short has no result, and none comes"
is "$(grep -c ' system, 1 window, 0 losses of reports$' "$tmp/err")" 1 "  ... and one window is no windows"
gives 0 "a short command in JSON" run $load -d 200 -p 60 -J --overwrite -o "$tmp/report" -- true
is "$(head -1 "$tmp/report" | grep -c '"kind":"measuring".*"missing":"window"')" 1 "  ... says what is missing"
gives 0 "windows enough for percentiles" run $load -d 0.01 -- sleep 1
is "$(grep -c '^metric .* 5 % *50 % *95 %$' "$tmp/err")" 1 "text has columns of percentiles"
gives 0 "text" run $load -- sh -c 'sleep 0.3; echo out'
is "$(cat "$tmp/out")" out "leaves standard output alone"
is "$(sed -n 1p "$tmp/err")" "SIM rooftop: sh -c sleep 0.3; echo out" "and says on standard error what was run"
is "$(grep -c '^metric  *mean  *total *$' "$tmp/err")" 1 "a few windows have no columns of percentiles"
is "$(sed '1,/^metric /d; /^$/,$d' "$tmp/err" | awk '{ print $1 }' | tr '\n' ' ')" "SP GFLOP/s DRAM FLOP/B Package " "it begins with FLOP/cycle, GFLOP/s, GB/s, FLOP/byte and joules"
is "$(sed '1,/^because /d' "$tmp/err" | awk '{ print $1 }' | tr '\n' ' ')" " GPU EU EU Threads FPU0 FPU1 Clock 78 " "others explain the answer, and the text says that there are more"
is "$(grep -c '; counted on the whole device, whoever used it; --context counts one context alone$' "$tmp/err")" 1 "it says whose work was counted"
gives 0 "all of them" run $load --all -- sh -c 'sleep 0.3'
is "$(grep -c "^Platform .* not offered by this device's sources" "$tmp/err")" 1 "a reason is said in words"
gives 0 "the figures" run $load -- sleep 0.3
is "$(grep -n '^SIM PIPE FULL: \|^because ' "$tmp/err" | cut -d: -f1 | tr '\n' ' ')" "12 13 " "above what limited the device, and why"
is "$(grep -c 'SIMULATED' "$tmp/err") $(grep -c ' s elapsed, ' "$tmp/err")" "1 1" "on what, for how long"
gives 0 "JSON" run $load -J --overwrite -o "$tmp/report" -- sh -c 'sleep 0.2'
if command -v python3 > /dev/null; then
	is "$(python3 -c 'import json,sys
rows = [json.loads(l) for l in open(sys.argv[1])]
print(rows[0]["command"], rows[0]["status"], rows[0]["sim"], all("metric" in r for r in rows[1:]))' "$tmp/report")" \
		"['sh', '-c', 'sleep 0.2'] 0 True True" "is a header and a line for each metric"
else
	skip 1 "no python3"
fi

# Percentiles are of windows; energy is that of the counters from start to end, not of the windows between.
gives 0 "percentiles" run $load -d 0.05 -c --overwrite -o "$tmp/report" -- sleep 4
is "$(awk -v a="$(row power_package 12)" -v b="$(row power_package 13)" -v c="$(row power_package 14)" 'BEGIN { print (a > 8 && a <= b && b <= c && c < 18) }')" 1 \
	"are in order, and about the mean of a load that does not change"
gives 0 "a few windows" run $load -d 0.3 -c --overwrite -o "$tmp/few" -- sleep 0.4
is "$(grep '^power_package,' "$tmp/few" | cut -d, -f12-14)" ",," "have none"
near "$(row power_package 5)" "$(awk -v w="$(row power_package 3)" -v t="$(row gti_throughput 5)" -v r="$(row gti_throughput 3)" 'BEGIN { print w * t / r }')" 0.05 \
	"joules are watts times the time"
gives 0 "a command shorter than any window" run $load -d 1 -c --overwrite -o "$tmp/report" -- sleep 0.01
is "$(awk -v j="$(row power_package 5)" 'BEGIN { print (j > 0.05) }')" 1 "has its joules all the same"

is "$("$rooftop" run $load --all -- sleep 0.2 2>&1 > /dev/null | awk '/^GFLOP\/s/ { print substr($2, 1, 1) } /^GPU time/ { print $4 }' | tr '\n' ' ')" "~ ms " \
	"text marks estimates, and has no sum in the column of means"
# With -d 3600 a command that waited for a window would take an hour.
gives 0 "a window of an hour" run $load -d 3600 -- true
# Phases between markers.
# mark NAME, within a command that is recorded: the phase begun-NAME is in the recording, so rooftop has taken it, however late
cat > "$tmp/mark" <<END
mark()
{
	echo "begun-\$1" > "\$ROOFTOP_MARKERS"
	until grep -q -a -F "begun-\$1" "$tmp/marked.rec"; do
		sleep 0.01
	done
}
END
gives 0 "markers" run $load --markers "$tmp/marks" -J --overwrite -o "$tmp/report" -w "$tmp/marked.rec" -- \
	sh -c '. "$0"; mark load; sleep 0.3; mark compute; sleep 0.6; echo > "$ROOFTOP_MARKERS"; sleep 0.1' "$tmp/mark"
is "$(python3 -c '
import json, sys
p = [d for d in map(json.loads, open(sys.argv[1])) if "phase" in d]
print([d["phase"] for d in p], p[0]["seconds"] > 0.3, p[1]["seconds"] > 0.6, abs(p[0]["start_s"] + p[0]["seconds"] - p[1]["start_s"]) < 0.01,
      [d["verdict"]["kind"] for d in p], all(abs(d["metrics"]["gflops_sp"] - 400) < 4 for d in p))' "$tmp/report")" \
	"['begun-load', 'begun-compute'] True True True ['pipe', 'pipe'] True" "are phases with times, verdicts and metrics; an empty one ends the last"
is "$(python3 -c 'import json, sys
lines = [json.loads(line) for line in open(sys.argv[1])]
print(all(set(d["metrics"]) == {row["metric"] for row in lines if "metric" in row} for d in lines if "phase" in d))' "$tmp/report")" True \
	"  ... of which none grew since the device was opened"
# So many reports have to be read at the marker that the next phase is short beside that.
gives 0 "a short phase after much reading" run $load -p 0.000005 -d 1 --markers "$tmp/marks" -J --overwrite -o "$tmp/report" -w "$tmp/marked.rec" -- \
	sh -c '. "$0"; sleep 0.8; mark short; sleep 0.05' "$tmp/mark"
is "$(grep '"phase":"begun-short"' "$tmp/report" | grep -c '"kind":"pipe".*"gflops_sp":40[01]')" 1 "has its windows all the same"
is "$(test -e "$tmp/marks" && echo left)" "" "and the FIFO is removed"
mkfifo "$tmp/early"
echo before > "$tmp/early" &
gives 0 "a marker from before the command" run $load --markers "$tmp/early" -J --overwrite -o "$tmp/report" -- \
	sh -c 'sleep 0.2; echo begun > "$ROOFTOP_MARKERS"; sleep 0.2'
wait
is "$(grep -o '"phase":"[a-z]*"' "$tmp/report")" '"phase":"begun"' "  ... marks nothing"
gives 0 "markers in text" run $load --markers "$tmp/marks" -- sh -c 'echo only > "$ROOFTOP_MARKERS"; sleep 0.2'
is "$(grep -c '^only .*PIPE FULL' "$tmp/err")" 1 "  ... a line for each phase"
echo > "$tmp/plain"
# A reader that reads as long as there is something to read takes no signal any more.
timeout -k 300 1 "$rooftop" run $load --markers "$tmp/marks" -o "$tmp/report" --overwrite -- sh -c 'exec yes > "$ROOFTOP_MARKERS"'
is $? 124 "markers without end let signals through"
gives 0 "what was never measured" run $load --repeat 2 -J -o "$tmp/report" --overwrite -- true
is "$(grep '"why":"no_source"' "$tmp/report" | grep -vc '"measured_share":0,')" 0 "was so for no share of the time"
gives 2 "a file is no FIFO" run $load --markers "$tmp/plain" -- true

# Phases by signals. Two that are sent before rooftop has taken the first are one, so the command waits until none is pending
# (SIGUSR1 is bit 9, SIGUSR2 bit 11 of the mask of the process, proc(5)).
cat > "$tmp/marks-by-signal" <<'END'
send()
{
	kill -"$1" "$ROOFTOP_MARKERS_PID"
	while grep -Eq '^ShdPnd:.*[2367abcdef89]..$' "/proc/$ROOFTOP_MARKERS_PID/status"; do
		sleep 0.01
	done
}
trap 'echo handed on' USR1 USR2
send USR1; sleep 0.3; send USR1; sleep 0.6; send USR2; sleep 0.1
[ "$ROOFTOP_MARKERS_PID" = $PPID ] || echo "ROOFTOP_MARKERS_PID is $ROOFTOP_MARKERS_PID, not $PPID"
END
gives 0 "markers by signal" run $load --markers signal -J --overwrite -o "$tmp/report" -- sh "$tmp/marks-by-signal"
is "$(cat "$tmp/out")" "" "are for rooftop and not handed on, and the command knows to whom they go"
is "$(python3 -c '
import json, sys
p = [d for d in map(json.loads, open(sys.argv[1])) if "phase" in d]
print([d["phase"] for d in p], p[1]["start_s"] >= 0.3, abs(p[0]["start_s"] + p[0]["seconds"] - p[1]["start_s"]) < 0.01,
      p[1]["start_s"] + p[1]["seconds"] >= 0.9, [d["verdict"]["kind"] for d in p],
      all(abs(d["metrics"]["gflops_sp"] - 400) < 4 for d in p))' "$tmp/report")" \
	"['1', '2'] True True True ['pipe', 'pipe'] True" "are numbered phases with times, verdicts and metrics; SIGUSR2 ends the last"
for _ in 1 2 3; do
	gives 5 "markers by signal from what is left of a command" run $load --markers signal -- \
		sh -c '(while kill -USR1 "$ROOFTOP_MARKERS_PID" 2> /dev/null; do :; done) & sleep 0.2; exit 5'
done
printf '#!/bin/sh\nrm "$0"; (while kill -USR1 "$ROOFTOP_MARKERS_PID" 2> /dev/null; do :; done) &\n' > "$tmp/goes"
chmod 755 "$tmp/goes"
gives 127 "  ... where the next run cannot begin" run $load --repeat 2 --markers signal -- "$tmp/goes"
gives 0 "a signal that comes from elsewhere" run $load --repeat 2 --markers signal -J --overwrite -o "$tmp/report" -- \
	sh -c 'env -u ROOFTOP_MARKERS_PID sh -c "kill -USR1 $PPID"; sleep 0.1'
is "$(grep -c '"phase":"1","of_run":[12],' "$tmp/report") $(grep -c '"of_run":2' "$tmp/report") $(grep -c '"phase":"2"' "$tmp/report")" "2 1 0" \
	"  ... counts as well, and each run begins with 1"

# A run within a run: each has its report, its status and its energy, and nothing is left.
gives 5 "a run within a run" run $load -J -o "$tmp/outer" -- env ROOFTOP_NESTED="$tmp" "$rooftop" run $load -J -o "$tmp/inner" -- \
	sh -c 'sleep 0.5; echo inmost; exit 5'
is "$(cat "$tmp/out")$(cat "$tmp/err")" inmost "  ... leaves the command's output alone"
is "$(python3 -c '
import json, sys
reports = []
for name in sys.argv[1:]:
    rows = [json.loads(line) for line in open(name)]
    power = next(r for r in rows[1:] if r["metric"] == "power_package")
    reports.append((rows[0], power))
(outer, w_outer), (inner, w_inner) = reports
print(outer["status"], inner["status"], outer["command"][-1] == inner["command"][-1], 0.5 <= inner["seconds"] < outer["seconds"],
      [w["total"] > 0.95 * w["mean"] * r["seconds"] for r, w in reports], w_inner["total"] < w_outer["total"])' \
	"$tmp/outer" "$tmp/inner")" "5 5 True True [True, True] True" "  ... gives two reports with status, time and energy, the inner within the outer"
is "$(grep -lz "^ROOFTOP_NESTED=$tmp\$" /proc/[0-9]*/environ 2> /dev/null | wc -l)" 0 "  ... and leaves no process"
gives 2 "--all is for run" stress mem.copy.sp.x1 --all

# Several runs: as perf stat -r. The command counts them, and each takes longer than the one before.
cat > "$tmp/counts" <<'END'
n=$(($(cat "$1" 2> /dev/null || echo 0) + 1))
echo $n > "$1"
sleep $((n / 3)).$n
exit $((n == 2 ? 3 : 0))
END
gives 3 "three runs, of which the second fails" run $load --repeat 3 -c --overwrite -o "$tmp/report" -- sh "$tmp/counts" "$tmp/n"
is "$(cat "$tmp/n") $(row gpu_busy 11)" "3 3" "are three, and one failure does not end them"
is "$(awk -v a="$(row gpu_time 9)" -v b="$(row gpu_time 3)" -v c="$(row gpu_time 10)" 'BEGIN { print (a < b && b < c) }')" 1 "beside the smallest and the largest"
near "$(row power_package 5)" "$(awk -v w="$(row power_package 3)" -v t="$(row gpu_time 3)" 'BEGIN { print w * t / 1000 }')" 0.3 "amounts are of one run"
# How long a run takes is nobody's to say on a busy machine, but the report has each.
gives 0 "three runs as JSON" run $load --repeat 3 -J --overwrite -o "$tmp/report" -- sleep 0.2
is "$(python3 -c 'import json, sys
rows = [json.loads(line) for line in open(sys.argv[1])]
each = sorted(r["metrics"]["gpu_time"] for r in rows if "run" in r)
time = [r for r in rows if r.get("metric") == "gpu_time"][0]
print(len(each), [time[n] for n in ("mean_min", "mean", "mean_max")] == each)' "$tmp/report")" "3 True" "numbers are medians, beside the smallest and the largest"
gives 0 "the text" run $load --repeat 2 -- sleep 0.1
is "$(grep -c 'medians of 2 runs' "$tmp/err") $(grep -c 'smallest   *largest' "$tmp/err")" "1 1" "says so"
"$rooftop" run $load --repeat 100 --overwrite -o "$tmp/report" -- sh -c 'kill -TERM $$' > /dev/null 2>&1
is $? 143 "a run that a signal ends is the last one"
"$rooftop" run $load --repeat 100 --overwrite -o "$tmp/report" -- sh -c 'trap "" TERM; kill -TERM $PPID; sleep 0.2; exit 0' > /dev/null 2>&1
is $? 0 "a signal for rooftop ends the runs, and the command may take it as it likes"
is "$(grep -c 'medians of' "$tmp/report")" 0 "after the first one"
gives 2 "smoothing is not for commands" run $load --power-smoothing -- true

# Two halves of different load: a rate over both is between them, not a mean that forgets how long each was.
gives 0 "idle" run -D sim:hd620,load=idle -d 0.05 -c --overwrite -o "$tmp/report" -- sleep 0.3
is "$(row gflops_sp 3)" 0 "  ... does nothing"

"$rooftop" run $load --overwrite -o "$tmp/report" -- sh -c 'kill -TERM $$' > /dev/null 2>&1
is $? 143 "death by a signal is ours as well"
gives 127 "a command that does not exist" run $load -- /nonexistent/command
is "$(grep -c "cannot run '/nonexistent/command'" "$tmp/err") $(grep -c 'without / is looked for' "$tmp/err")" "1 1" "is named, and where a name is sought"
printf '#!/nonexistent/shell\n' > "$tmp/script" && chmod +x "$tmp/script"
gives 127 "a script without its interpreter" run $load -- "$tmp/script"
is "$(grep -c 'it is there, but not the interpreter' "$tmp/err")" 1 "  ... is not missing itself"
gives 127 "that is told before a device is looked for" run -D sim:nosuch -- /nonexistent/command
gives 127 "also of a name that no folder of PATH has" run -D sim:nosuch -- no-such-command
# Root may search every folder, and a file is none for anybody.
mkdir -m 0 "$tmp/closed"
folders=$PATH
PATH=$tmp/closed:/dev/null:$PATH
gives 127 "also where folders of PATH cannot be searched" run -D sim:nosuch -- no-such-command
PATH=$folders
gives 126 "a folder is no command" run $load -- /
gives 125 "a FIFO that cannot be made" run $load --markers "$tmp/no/marks" -- true
is "$(grep -c "there is no folder '$tmp/no'; mkdir -p makes it" "$tmp/err")" 1 "  ... and how it could be"
gives 2 "no command" run $load
gives 2 "a device that cannot be" run -D sim:nosuch -- sh -c "echo ran > '$tmp/ran'"
gives 2 "an option that is none" run --nonsense -- sh -c "echo ran > '$tmp/ran'"
is "$(cat "$tmp/ran" 2> /dev/null)" "" "wrong usage is told before the start"

# Where no GPU can be read: the command runs all the same.
gives 7 "without a GPU the command's status is ours" run --fsroot "$tmp/empty" -- sh -c 'echo to out; exit 7'
is "$(cat "$tmp/out") $(grep -c ' not counted$' "$tmp/err") $(grep -c '^no usable device (no GPU was found' "$tmp/err")" "to out 5 1" "  ... and what could not be counted is said, and why"
gives 7 "  ... where it was named, too" run -D card7 --repeat 2 -- sh -c 'exit 7'
is "$(grep -c "^no device 'card7'" "$tmp/err")" 1 "  ... and not found"
gives 0 "  ... in JSON" run --fsroot "$tmp/empty" --overwrite -J -o "$tmp/report" -- true
is "$(grep -c '"device":null,.*"not_counted":"no usable device .*"status":0.*"kind":"no_counters"' "$tmp/report")" 1 "  ... without a device, with the reason"
gives 0 "  ... in CSV" run --fsroot "$tmp/empty" --overwrite -c -o "$tmp/report" -- true
is "$(wc -l < "$tmp/report") $(grep -c '^rooftop: no usable device (no GPU was found' "$tmp/err")" "1 1" "  ... has no rows, and standard error says why"
gives 0 "  ... with markers" run --fsroot "$tmp/empty" --markers "$tmp/marks" -- sh -c 'echo one > "$ROOFTOP_MARKERS"; sleep 0.2'
is "$(grep -c '^one .*NO COUNTERS' "$tmp/err")" 1 "  ... whose phases have times"
"$rooftop" run --fsroot "$tmp/empty" -- sh -c 'kill -TERM $$' > /dev/null 2>&1
is $? 143 "  ... and a signal is a signal"
gives 7 "  ... with a recording" run --fsroot "$tmp/empty" -w "$tmp/none.rec" --trace "$tmp/none.json" -- sh -c 'exit 7'
is "$(grep -c '^nothing was recorded$' "$tmp/err") $(ls "$tmp"/none.* 2> /dev/null)" "1 " "  ... says that there is none"
gives 127 "  ... what does not exist is not found" run --fsroot "$tmp/empty" -- /nonexistent/command
gives 3 "--need-counters" run --fsroot "$tmp/empty" --need-counters -- sh -c "echo ran > '$tmp/ran'"
gives 3 "  ... of a device without counters" run -D cpu0 --fsroot "$tmp/empty" --need-counters -- sh -c "echo ran > '$tmp/ran'"
is "$(cat "$tmp/ran" 2> /dev/null)" "" "  ... does not start the command"
gives 7 "  ... does where they are" run $load --need-counters -- sh -c 'exit 7'
gives 7 "  ... and where their reports come late" run -D sim:hd620,late=300 --need-counters -- sh -c 'exit 7'
gives 0 "what counts everybody" run -D cpu0 -- true
is "$(grep -c '; counted on the whole machine, whoever ran there$' "$tmp/err")" 1 "  ... says so"
gives 0 "  ... in a recording, too" run -D cpu0 -w "$tmp/cpu.rec" -- sleep 0.2
LC_ALL=C sed 's/is_processor=1/is_otherwise=1/' "$tmp/cpu.rec" > "$tmp/older.rec"
gives 0 "  ... and in one of a version that did not write what the device is" run -r "$tmp/older.rec"
is "$(grep -c '; counted on the whole machine, whoever ran there$' "$tmp/err")" 1 "  ... says so"
gives 0 "a recording is made" -D sim:hd620 -b -n 2 -d 0.1 -w "$tmp/rec"
gives 2 "a recording counts nothing" run -r "$tmp/rec" -- true
gives 125 "a report that cannot be written" run $load -o "$tmp/no/report" -- true
gives 0 "options of the command are its own" run $load --overwrite -o "$tmp/report" -- printf '%s' -J
is "$(cat "$tmp/out")" -J "and arrive"

# What somebody sends to rooftop reaches the command.
cat > "$tmp/waits" <<'END'
trap 'echo usr1; exit 3' USR1
echo ready
while :; do sleep 0.02; done
END
mkfifo "$tmp/pipe"
"$rooftop" run $load --overwrite -o "$tmp/report" -- sh "$tmp/waits" > "$tmp/pipe" 2> "$tmp/err" &
pid=$!
{
	read -r first
	kill -USR1 $pid
	read -r second
} < "$tmp/pipe"
wait $pid
is "$? $first $second" "3 ready usr1" "a signal is handed on"
"$rooftop" run $load --overwrite -o "$tmp/outer" -- "$rooftop" run $load --overwrite -o "$tmp/inner" -- sh "$tmp/waits" > "$tmp/pipe" 2> "$tmp/err" &
pid=$!
{
	read -r first
	kill -USR1 $pid
	read -r second
} < "$tmp/pipe"
wait $pid
is "$? $first $second" "3 ready usr1" "through a run within a run, too"
is "$(grep -c ' s elapsed, ' "$tmp/outer" "$tmp/inner" | cut -d: -f2 | tr '\n' ' ')" "1 1 " "  ... and both report"
is "$("$rooftop" run $load --overwrite -o "$tmp/report" -- grep -E '^SigBlk' /proc/self/status | awk '{ print $2 }')" 0000000000000000 "none is blocked for it"
is "$("$rooftop" run $load --overwrite -o "$tmp/report" -- ls /proc/self/fd | wc -l)" "$(ls /proc/self/fd | wc -l)" "it inherits no descriptor of ours"
finish
