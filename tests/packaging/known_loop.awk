# SPDX-License-Identifier: GPL-3.0-or-later
# Reads the disassembly of a function (objdump -d), then, behind a line "--", the addresses of the blocks that an emulator executed, one a
# line, both as far as a page reaches, because the program may lie at any page. Prints how many floating-point operations that was. A block ends with its first branch; operations are counted by the mnemonic
# and the form of the vectors alone, a multiply-add as two for each element.
function in_page(address)
{
	return substr("000" address, length(address) + 1)
}

function operations(name, first,	lanes)
{
	if (name !~ /^f/)
		return 0
	if (first ~ /^v[0-9]+\.4s,/)
		lanes = 4
	else if (first ~ /^v[0-9]+\.2d,/)
		lanes = 2
	else
		bad = bad " " name " " first
	if (name == "fmla" || name == "fmls")
		return 2 * lanes
	if (name != "fadd" && name != "fsub" && name != "fmul")
		bad = bad " " name
	return lanes
}

$0 == "--" {
	executed = 1
	next
}

!executed && $1 ~ /^[0-9a-f]+:$/ {
	index_of[in_page(substr($1, 1, length($1) - 1))] = n
	ops[n] = operations($3, $4)
	ends[n] = $3 ~ /^(b|b\..*|bl|blr|br|ret|cbz|cbnz|tbz|tbnz)$/
	n++
	next
}

executed {
	block = in_page($1)
	if (!(block in index_of))
		next
	if (!(block in sum)) {
		for (i = index_of[block]; i < n; i++) {
			sum[block] += ops[i]
			if (ends[i])
				break
		}
	}
	total += sum[block]
}

END {
	if (bad != "")
		print "unknown:" bad
	else
		printf "%d\n", total
}
