# SPDX-License-Identifier: GPL-3.0-or-later
# What the drivers of Mali GPUs refuse ends in a sentence, a way out, an exit status, and numbers where there still are some.
. "$top_srcdir/tests/fakekernel/lib.sh"
unset FAKEKERNEL_FAIL

# refused STATUS NAME TEXT HINT WHY: no counters, but the clock
refused()
{
	gives "$1" "$2" -J -n 2 -d 0.05
	said "$3" "  ... has its sentence"
	is "$(grep -c -F -e "$4" "$tmp/err")" 1 "  ... and a way out"
	is "$(window "why['JM.JS0_UTILIZATION'], m['gpu_clock'], m['gpu_clock_target']")" "$5 746 746" "  ... and leaves the clock"
}

board g72,load=memory panfrost
printf 'N\n' > "$root/sys/module/panfrost/parameters/unstable_ioctls"
refused 0 "unstable_ioctls off" "card0: panfrost keeps its counters switched off" \
	"as root: echo Y > /sys/module/panfrost/parameters/unstable_ioctls" permission
gives 4 "  ... and doctor" doctor
is "$(grep -c 'echo Y > ' "$tmp/out")" 1 "  ... tells it as well"
rm -r "$root/sys/devices/platform/fde60000.gpu/devfreq"
printf '1\n' > "$root/mali/quiet"
printf 'N\n' > "$root/sys/module/panfrost/parameters/unstable_ioctls"
gives 4 "  ... and without a clock" -J -n 1 -d 0.05
is "$(wc -c < "$tmp/out")" 0 "  ... there is no window"
board g72,load=memory panfrost
"$lasting" -J -d 0.05 -o "$tmp/first" &
wait_for "$tmp/first" 3000 $!
refused 0 "a second rooftop" "card0: another program holds its counters" "sudo fuser -v /dev/dri/renderD128" busy
kill -KILL $!
wait $! 2> /dev/null
: > "$tmp/free"
"$rooftop" -J -d 0.1 -o "$tmp/free" 2> "$tmp/err" < /dev/null &
patient $! has_number "$tmp/free" JM.JS0_UTILIZATION
point $? "the counters are free after SIGKILL, with values"
kill $!
wait $! 2> /dev/null
export FAKEKERNEL_FAIL=enable=EINVAL
gives 0 "a kernel without counters" -J -n 1 -d 0.05
said "card0: this kernel's panfrost has no counters" "  ... has its sentence"

# unusable STATUS NAME TEXT: the device cannot be opened at all
unusable()
{
	gives "$1" "$2" -D "${4-card0}" -J -n 1 -d 0.05
	is "$(grep -c -F -e "$3" "$tmp/err")" 1 "  ... has its sentence"
	is "$(wc -c < "$tmp/out")" 0 "  ... and no window"
}

export FAKEKERNEL_FAIL=node=EACCES
unusable 4 "no right to the node" "card0: this process may not open /dev/dri/renderD128"
export FAKEKERNEL_FAIL=param=EIO
unusable 1 "a driver that tells nothing" "card0: its driver does not tell parameter 0"
unset FAKEKERNEL_FAIL
board g72,load=memory panthor
gives 0 "panthor" -J -n 1 -d 0.05
is "$(window "'clients_busy' in m and not any(n.startswith('SC.') for n in m)")" True "  ... is a card without counters"
gives 0 "-L" -L
is "$(grep -c '^card0 .*panthor .*ready' "$tmp/out")$(grep -c "panthor drives GPUs with command streams" "$tmp/out")" 11 "  ... lists it once, with its reason"

# died NAME TEXT: counting ends while it goes on, and comes back when it can
died()
{
	gives 1 "$1" -J -n 6 -d 0.05
	said "$2" "  ... has one sentence"
	is "$(window "m['SC.EE_UTILIZATION'], why['SC.EE_UTILIZATION']")" "None stale" "  ... and no number"
}

board g72,load=memory panfrost
export FAKEKERNEL_FAIL=dump=ENODEV@2
died "a GPU that goes away" "card0: the GPU is gone"
export FAKEKERNEL_FAIL=dump=ETIMEDOUT@2
died "a GPU that does not answer" "card0: the GPU did not hand over its counters within a second"
export FAKEKERNEL_FAIL=dump=EINVAL@2
died "a GPU that was reset" "card0: its counters were switched off"
unset FAKEKERNEL_FAIL

# --- kbase ---
board g72,load=memory kbase 'old 10.6'
unusable 3 "a driver from before r21" "interface 10.6, from before r21" mali0
board g72,load=memory kbase '0.0'
unusable 3 "a handshake without a result" "agrees on no interface" mali0
board g72,load=memory kbase
export FAKEKERNEL_FAIL=mali=EACCES
unusable 4 "no right to /dev/mali0" "mali0: this process may not open /dev/mali0" mali0
export FAKEKERNEL_FAIL=props=EIO
unusable 1 "no properties" "mali0: its driver refuses GET_GPUPROPS" mali0
export FAKEKERNEL_FAIL=reader=EBUSY
refused 0 "vinstr in use" "mali0: another program holds its counters" "sudo fuser -v /dev/mali0" busy
unset FAKEKERNEL_FAIL
printf '512\n' > "$root/mali/bytes"
gives 0 "dumps that are too short" -J -n 4 -d 0.05
said "mali0: its dumps have 512 bytes, the blocks of this GPU need 4096" "  ... have their sentence"
for version in 11.13 11.40; do
	board g72,load=memory kbase $version
	export FAKEKERNEL_FAIL=dump=ENODEV@2
	died "kbase $version: a GPU that goes away" "mali0: the GPU is gone"
	export FAKEKERNEL_FAIL=odd@2
	gives 1 "kbase $version: a dump that breaks the rules" -J -n 6 -d 0.05
	is "$(grep -c -E 'does not follow the format|names dump 16 of 16' "$tmp/err")" 1 "  ... has its sentence"
	unset FAKEKERNEL_FAIL
done
# Somebody has chosen another set of counters for the whole driver, whose words have other names.
board g72,load=memory kbase 11.40
printf '1\n' > "$root/mali/set"
gives 1 "another set of counters" -J -n 4 -d 0.1
is "$(grep -c 'counts another set of counters, number 1' "$tmp/err")$(tail -1 "$tmp/out" | grep -o '"SC.EXEC_CORE_ACTIVE":[^,]*' | head -1)" '1"SC.EXEC_CORE_ACTIVE":null' "  ... is not shown by the names of the usual one"
finish
