# SPDX-License-Identifier: GPL-3.0-or-later
# Copies its input. A line @NAME@ is replaced by the part of that name in the file named in the variable tables, where a line
# @NAME@ begins each part; what stands before the first one is @TABLES@.
BEGIN {
	name = "@TABLES@"
	while ((getline line < tables) > 0)
		if (line ~ /^@[A-Z]+@$/)
			name = line
		else
			parts[name] = parts[name] line "\n"
}
$0 in parts { printf "%s", parts[$0]; next }
{ print }
