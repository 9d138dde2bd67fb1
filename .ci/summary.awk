# SPDX-License-Identifier: GPL-3.0-or-later
# Reads .trs files; prints "N passed, N failed, N skipped", with status 1 when something failed or nothing ran. bad: failures besides.
# What is counted as failed are points. A program with failed points also exits with 1, which the driver reports as an error of its own
# ("exited with status 1" in the .log beside the .trs): that is no further one. Any other end, and points that were promised and not
# reached, are one failure of that program.

# Whether the driver had more to say of it than that it exits with 1.
function is_broken(trs,    log_file, line, found)
{
	log_file = trs
	sub(/\.trs$/, ".log", log_file)
	while ((getline line < log_file) > 0)
		if (line ~ /^ERROR: / && line !~ / - exited with status 1$/)
			found = 1
	close(log_file)
	return found
}

function end_file()
{
	if (errors && (!failed_here || is_broken(file)))
		failed++
	failed += failed_here
	errors = failed_here = 0
}

FNR == 1 {
	end_file()
	file = FILENAME
}

/^:test-result: / {
	sub(/:$/, "", $2)
	if ($2 == "ERROR")
		errors++
	else if ($2 == "FAIL" || $2 == "XPASS")
		failed_here++
	else
		n[$2]++
}

END {
	end_file()
	failed += bad
	printf "%d passed, %d failed, %d skipped\n", n["PASS"], failed, n["SKIP"] + n["XFAIL"]
	exit failed > 0 || !n["PASS"]
}
