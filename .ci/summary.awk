# SPDX-License-Identifier: GPL-3.0-or-later
# Reads .trs files; prints "N passed, N failed, N skipped", with status 1 when something failed or nothing ran. bad: failures besides.
/^:test-result: / {
	sub(/:$/, "", $2)
	n[$2]++
}
END {
	failed = n["FAIL"] + n["ERROR"] + n["XPASS"] + bad
	printf "%d passed, %d failed, %d skipped\n", n["PASS"], failed, n["SKIP"] + n["XFAIL"]
	exit failed > 0 || !n["PASS"]
}
