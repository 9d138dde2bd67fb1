# SPDX-License-Identifier: GPL-3.0-or-later
# Each option with each job: it changes the output, or it is refused (accepted.py). And questions about options.
. "$top_srcdir/tests/tty/tap.sh"

mkdir "$tmp/options"
python3 "$top_srcdir/tests/stress/accepted.py" "$rooftop" "$top_srcdir" "$tmp/options" > "$tmp/points"
is "$?" 0 "each option was tried with each job"
relay "$tmp/points"
# A simulated device without a model of kernels is not replaced by this machine's OpenCL.
for command in "stress mem.copy.sp.x4" "stress help" "sweep mem.copy.sp.x4" "calibrate" "stress -D sim:hd620 --time 0.1 mem.copy.sp.x4"; do
	"$rooftop" $command -D sim:g72 > "$tmp/out" 2> "$tmp/err"
	is "$(($? != 0)) $(grep -c '^rooftop: sim:g72 runs no kernels' "$tmp/err") $(wc -l < "$tmp/out")" \
		"1 1 $(case $command in *hd620*) echo 4 ;; *) echo 0 ;; esac)" "$command -D sim:g72 is refused"
done
# Questions about options are answered in every command.
for command in stress sweep calibrate roofline; do
	gives 0 "events in $command" $command -D sim:hd620 --counter help
	is "$(grep -c 'fpu0::ternary' "$tmp/out")" 1 "are listed"
	gives 0 "sets in $command" $command -D sim:hd620 -m help
	is "$(grep -c '^overview ' "$tmp/out")" 1 "are listed"
done
finish
