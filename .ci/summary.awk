# SPDX-License-Identifier: GPL-3.0-or-later
# Reads .trs files; prints "N passed, N failed, N skipped", with status 1 when something failed or nothing ran. bad: failures besides.
# A program with failed points also exits with 1, which the driver reports as an error of its own: one fault, counted once.
FNR == 1 {
	failed_here = 0
}
/^:test-result: / {
	sub(/:$/, "", $2)
	if ($2 == "ERROR" && failed_here && /exited with status 1$/)
		next
	if ($2 == "FAIL")
		failed_here = 1
	n[$2]++
}
END {
	failed = n["FAIL"] + n["ERROR"] + n["XPASS"] + bad
	printf "%d passed, %d failed, %d skipped\n", n["PASS"], failed, n["SKIP"] + n["XFAIL"]
	exit failed > 0 || !n["PASS"]
}
