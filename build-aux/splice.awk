# SPDX-License-Identifier: GPL-3.0-or-later
# Copies its input with the line @TABLES@ replaced by the file named in the variable tables.
$0 == "@TABLES@" {
	while ((getline line < tables) > 0)
		print line
	next
}
{ print }
