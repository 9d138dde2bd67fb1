# SPDX-License-Identifier: GPL-3.0-or-later
# What scripts of .ci/run that are no tests of make count and say. They source this file.
passed=0
failed=0
skipped=0

# point STATUS NAME
point()
{
	if [ "$1" -eq 0 ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAIL: $2"
	fi
}

# skip REASON [POINTS]: what could not be asked here
skip()
{
	skipped=$((skipped + ${2:-1}))
	echo "SKIP: $1"
}

# done_with: the line that .ci/run adds up
done_with()
{
	echo "$passed passed, $failed failed, $skipped skipped"
	[ "$failed" -eq 0 ]
	exit
}

# nothing REASON: none of it can be asked here
nothing()
{
	skip "$*"
	done_with
}
