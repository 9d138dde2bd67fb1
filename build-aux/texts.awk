# SPDX-License-Identifier: GPL-3.0-or-later
# Writes what people read of metric files as C for xgettext: awk -f texts.awk FILE...
# Texts of several lines are joined as the program joins them. Abbreviations (GTI) are the same in
# every language, and so is what files called mali-arm-* have: names and words of Arm's own library.
function emit(s, note) {
	if (s == "" || s in seen)
		return
	seen[s] = 1
	if (s ~ /%/)
		print "\t/* xgettext:no-c-format */"
	if (note != "")
		printf "\t/* TRANSLATORS: %s */\n", note
	printf "\tN_(\"%s\"),\n", s
}
# The next text in quotes of rest, which is cut; escapes stay, they are the same in C.
function quoted(  s) {
	if (!match(rest, /"([^"\\]|\\.)*"/))
		return ""
	s = substr(rest, RSTART + 1, RLENGTH - 2)
	rest = substr(rest, RSTART + RLENGTH)
	return s
}
function flush() {
	emit(text)
	text = ""
}
function statement(line,  word, label) {
	rest = line
	sub(/^[ \t]+/, "", rest)
	word = rest
	sub(/[ \t].*/, "", word)
	if (word == "text") {
		label = quoted()
		text = text == "" ? label : text " " label
		return
	}
	if (word == "metric" || word == "set")
		flush()
	if (word == "label") {
		label = quoted()
		if (label ~ / / || label ~ /^[A-Z][a-z\/-]+$/)
			emit(label, "at most 16 columns wide")
	} else if (word == "group") {
		emit(quoted(), "")
		emit(quoted(), "")
	} else if (word == "limit") {
		is_cause = rest ~ /^limit cause /
		label = quoted()
		if (is_cause)
			emit(label, "a reason, such as \"the hardware reports heat\"; %s is a number")
		emit(quoted(), "stands behind \"try\"")
	} else if (word ~ /^(block|helps|set|counter|gauge|const|cells|needs|bound)$/) {
		emit(quoted(), word == "bound" ? "stands after \"bound by\" and \"at\"" : "")
	}
}
BEGIN {
	print "/* SPDX-License-Identifier: GPL-3.0-or-later */"
	print "/* Made by build-aux/texts.awk from data/metrics for translators; not compiled. */"
	print "static const char *const texts[] = {"
}
FNR == 1 { flush() }
FILENAME ~ /mali-arm-/ { next }
# So that translators see the name of the metric file.
FNR == 1 {
	name = FILENAME
	sub(/.*\//, "", name)
	printf "#line 1 \"data/metrics/%s\"\n", name
}
/^[ \t]*#/ { next }
/\\$/ {
	part = part substr($0, 1, length($0) - 1) " "
	next
}
{
	statement(part $0)
	part = ""
}
END {
	flush()
	print "};"
}
