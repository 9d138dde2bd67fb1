# SPDX-License-Identifier: GPL-3.0-or-later
# What bootstrap installs, on made-up systems whose managers of packages only write down what they are asked for.
. "$top_srcdir/tests/tty/tap.sh"
bin=$tmp/bin
mkdir "$bin"
for tool in dirname sh sed cat tr mkdir tail grep; do
	ln -s "$(command -v $tool)" "$bin/$tool"
done

# system LINE...: its os-release
system()
{
	printf '%s\n' "$@" > "$tmp/os-release"
}

# fake NAME: a tool; standard input is what it does
fake()
{
	{
		echo '#!/bin/sh'
		cat
	} > "$bin/$1"
	chmod +x "$bin/$1"
}

# boot WORD...: bootstrap there; its messages in $tmp/said, its status in $status
boot()
{
	rm -rf "$tmp/asked"
	OS_RELEASE=$tmp/os-release BUILD_DIR=$tmp/build PATH=$bin asked=$tmp/asked "$bin/sh" "$top_srcdir/bootstrap" "$@" > "$tmp/said" 2>&1 < /dev/null
	status=$?
}

while IFS='|' read -r ids want; do
	system "$(echo "$ids" | sed 's/;.*//')" "$(echo "$ids" | sed 's/[^;]*;*//')"
	boot line run
	is "$(sed 's/ \(gcc\) .*/ \1/' "$tmp/said")" "$want" "$ids: $want ..."
	boot line check
	for word in tmux perf; do
		grep -q "[ -]$word\\( \\|$\\)" "$tmp/said"
		point $? "  ... and for tests $word"
	done
done <<'END'
ID=debian|apt-get install --no-install-recommends gcc
ID=ubuntu;ID_LIKE=debian|apt-get install --no-install-recommends gcc
ID=linuxmint;ID_LIKE="ubuntu debian"|apt-get install --no-install-recommends gcc
ID=fedora|dnf install gcc
ID="rocky";ID_LIKE="rhel centos fedora"|dnf install gcc
ID=arch|pacman -S --needed gcc
ID=manjaro;ID_LIKE=arch|pacman -S --needed gcc
ID="opensuse-tumbleweed";ID_LIKE="opensuse suse"|zypper install gcc
ID=alpine|apk add gcc
END
system ID=haiku
boot line
is "$status" 1 "a system that is not known gets no line"

system ID=debian
fake id <<'END'
echo 0
END
fake dpkg-query <<'END'
case "$*" in
*libncurses-dev | *tmux | *oclgrind | *mandoc) exit 1 ;;
esac
echo installed
END
fake apt-cache <<'END'
printf '%s:\n  Installed: (none)\n' "$2"
case $2 in
oclgrind) echo '  Candidate: (none)' ;;
mandoc) ;;
*) echo '  Candidate: 1.0' ;;
esac
END
fake apt-get <<'END'
case "$*" in
*update*) exit 0 ;;
esac
echo "$@" | sed 's/.*install //' >> "$asked"
END
boot deps check
is "$status" 0 "a package that Debian has not stops nothing"
is "$(cat "$tmp/asked")" "libncurses-dev
tmux" "  ... the others are installed"
is "$(grep -c 'no such packages.*mandoc oclgrind' "$tmp/said")" 1 "  ... and it is told"
fake apt-get <<'END'
case "$*" in
*update*) exit 0 ;;
esac
echo "$@" | sed 's/.*install //' >> "$asked"
case "$*" in
*tmux*) exit 1 ;;
esac
END
boot deps check
is "$status:$(grep -c "'tmux' cannot be installed" "$tmp/said")" 0:1 "one that cannot be installed is told too"
fake apt-get <<'END'
exit 1
END
boot deps run
is "$status:$(grep -c 'that failed' "$tmp/said")" 1:1 "what the build needs has to be installed"
fake id <<'END'
echo 1000
END
boot deps run
is "$status:$(grep -c 'only root can install them: apt-get install --no-install-recommends libncurses-dev$' "$tmp/said")" 1:1 "without root and sudo the line is told"
fake dpkg-query <<'END'
case "$*" in
*tmux) exit 1 ;;
esac
echo installed
END
boot deps check
is "$status:$(grep -c 'going on without these packages.*tmux' "$tmp/said")" 0:1 "  ... which is no reason to stop where only tests want it"

system ID=fedora
fake rpm <<'END'
case "$*" in
*ncurses-devel) exit 1 ;;
esac
END
fake id <<'END'
echo 0
END
fake dnf <<'END'
echo "$@" >> "$asked"
END
boot deps check
is "$status:$(cat "$tmp/asked")" "0:-y install ncurses-devel" "dnf installs what rpm does not know"
finish
