# SPDX-License-Identifier: GPL-3.0-or-later
# What zsh and fish offer after a few beginnings of command lines; that of bash is in options.sh.
. "$top_srcdir/tests/tty/tap.sh"

# The shells ask the program by its name, and it is seen by no other one.
mkdir "$tmp/bin" "$tmp/work"
printf '#!/bin/sh\nexec "%s" "$@"\n' "$(cd "$top_builddir" && pwd)/rooftop" > "$tmp/bin/rooftop"
chmod 755 "$tmp/bin/rooftop"
PATH="$tmp/bin:$PATH"
completions=$(cd "$top_builddir" && pwd)/completions
: > "$tmp/work/kept.rec"

# What has to be offered; a blank in front of the bar begins a new word.
rows='rooftop --js|--json
rooftop --access m|mmio
rooftop -m over|overview
rooftop --set flo|flops
rooftop explain gpu_bus|gpu_busy
rooftop stress mem.copy.sp.x1|mem.copy.sp.x1 mem.copy.sp.x16
rooftop sweep mem.triad.dp.x1|mem.triad.dp.x1 mem.triad.dp.x16
rooftop calibrate S|SLM
rooftop calib|calibrate
rooftop -D sim:hs|sim:hsw
rooftop -r kep|kept.rec
rooftop stress --lev|
rooftop -D sim:hd620 check --lev|--level
rooftop --lev|
rooftop help diff|diff
rooftop stress --time |'

# A shell in a terminal of its own completes one line and writes down what it would offer. The first one keeps what it has read of all completions.
cat > "$tmp/zsh.complete" <<'END'
zmodload zsh/zpty || exit 77
offered=$2
zpty shell zsh -f -i
zpty -w shell "fpath=(${(q)1} \$fpath); PS1=; offered=${(q)offered}; dump=${(q)offered}.dump"
zpty -w shell 'autoload -Uz compinit && compinit -d $dump -u
compadd() {
	local -a hits
	if [[ ${@[1,(i)(-|--)]} != *-(O|A|D)* ]]; then
		builtin compadd -A hits "$@"
		print -rl -- $hits >> $offered
	fi
	builtin compadd "$@"
}
finish() { exit }
comppostfuncs=( finish )
bindkey "^I" complete-word
print ready to complete | tr a-z A-Z'
while zpty -r shell line; do
	[[ $line == *READY\ TO\ COMPLETE* ]] && break
done
zpty -w -n shell "$3"$'\t'
while zpty -r shell line; do :; done
END

offers_zsh()
{
	: > "$tmp/offered"
	zsh -f "$tmp/zsh.complete" "$completions" "$tmp/offered" "$1" > "$tmp/shell.err" 2>&1
	cat "$tmp/offered"
}

# One shell completes all lines.
all_fish()
{
	fish --no-config -c "source $completions/rooftop.fish
		for line in \$argv
			echo \"line \$line\"
			complete -C \$line
		end" "$@" 2> "$tmp/shell.err" | cut -f 1
}

# Since version 4 fish also offers words that have what was typed in their middle.
offers_fish()
{
	[ -e "$tmp/fish" ] || echo "$rows" | sed 's/|.*//' | (
		IFS='
'
		# shellcheck disable=SC2046
		all_fish $(cat)
	) > "$tmp/fish"
	awk -v line="line $1" -v typed="${1##* }" '/^line / { here = $0 == line; next } here && index($0, typed) == 1' "$tmp/fish"
}

for shell in zsh fish; do
	if ! command -v $shell > /dev/null; then
		skip 1 "no $shell"
		continue
	fi
	while IFS='|' read -r line want; do
		is "$(cd "$tmp/work" && offers_$shell "$line" | grep -v '^$' | sort -u | tr '\n' ' ' | sed 's/ $//')" "$want" \
			"$shell completes '$line'"
	done <<END
$rows
END
done
finish
