# SPDX-License-Identifier: GPL-3.0-or-later
# Processes that compute on an AMD card through KFD, on a machine of plain files: they stand beside the clients of DRM, and no byte is
# counted twice.
command -v python3 > /dev/null || { echo "1..0 # SKIP no python3"; exit 0; }
. "$top_srcdir/tests/tty/tap.sh"
root=$tmp/machine
runs_on "$root"
sh "$top_srcdir/tests/fakekernel/amdtree.sh" "$root"
. "$top_srcdir/tests/fakekernel/tree_lib.sh"
kfd=/sys/class/kfd/kfd
gpu=34953	# its number in the tree

# process PID NAME
process()
{
	file "/proc/$1/stat" "$1 ($2) S 1 1 1 0 -1 4194304 0 0 0 0 10 10 0 0 20 0 1 0 100 0 0"
	printf '%s\0--fast' "$2" > "$root/proc/$1/cmdline"
	mkdir -p "$root/proc/$1/fd" "$root/proc/$1/fdinfo"
}

# opens PID KIB: it has the card's render node open, whose client has that memory
opens()
{
	ln -sfn /dev/dri/renderD128 "$root/proc/$1/fd/7"
	printf '%s\n' "drm-driver:	amdgpu" "drm-client-id:	$1" "drm-pdev:	0000:03:00.0" "drm-memory-vram:	$2 KiB" \
		"drm-engine-gfx:	1000 ns" > "$root/proc/$1/fdinfo/7"
}

# computes PID VRAM SDMA CUS [CONTEXT]: what KFD says of it; another card has 0 of all
computes()
{
	at=$kfd/proc/$1${5:+/$5}
	file "$at/vram_$gpu" "$2"
	file "$at/vram_777" 0
	file "$at/sdma_$gpu" "$3"
	file "$at/stats_$gpu/cu_occupancy" "$4"
	file "$at/stats_$gpu/evicted_ms" 0
}

# rows EXPRESSION: r are the rows of the last window by pid
rows()
{
	tail -1 "$tmp/out" | python3 -c "import json, sys
w = json.load(sys.stdin)
r = {c['pid']: c for c in w['clients']}
print($1)"
}

process 100 game
opens 100 2048
gives 0 "nobody computes" -J -n 2 -d 0.1 --clients
is "$(rows "w['metrics']['clients_compute']")" 0 "  ... which is 0 %"
is "$(rows "sorted(r), sorted(r[100]['busy'])")" "[100] ['gfx']" "  ... and nothing is said of it"

# One of everything: a client of DRM alone, both with the same memory, both with memory that fdinfo lacks, KFD alone, and one on the
# other card.
process 101 trainer
opens 101 4096
computes 101 4194304 0 7
process 102 older
opens 102 1024
computes 102 5242880 0 14
process 103 hidden
computes 103 1073741824 0 28
file /proc/103/cgroup "0::/kubepods.slice/kubepods-pod12345678_1234_1234_1234_123456789abc.slice/cri-containerd-$(printf %064d 7).scope"
computes 105 0 0 0
computes 200 8192 0 3 context_1
process 200 contexts
computes 200 4096 0 4
file $kfd/proc/version 1
gives 0 "processes of KFD" -J -n 2 -d 0.1 --clients
is "$(rows "sorted(r)")" "[100, 101, 102, 103, 200]" "  ... those that use this card have a row"
is "$(rows "[r[p]['busy']['kfd-cu'] for p in (100, 101, 102, 103, 200)]")" "[None, 25, 50, 100, 25]" "  ... with the share of compute units"
is "$(rows "[r[p]['resident_bytes'] >> 10 for p in (101, 102, 103, 200)]")" "[4096, 5120, 1048576, 12]" "  ... and memory, no byte of it twice"
is "$(rows "r[103]['name'], r[103]['command'], r[103]['busy']['gfx'], r[103]['client']")" "hidden hidden --fast None 0" \
	"  ... one without a file of DRM has its name"
is "$(rows "w['metrics']['clients_compute'], w['why']['clients_compute'], w['metrics']['clients_graphics']")" "None unsupported 0" \
	"  ... which is not said to be 0 %"
gives 0 "doctor" doctor
is "$(grep -c "^  KFD  *ok" "$tmp/out")" 1 "  ... names the source"

"$rooftop" --textfile "$tmp" --clients -d 0.1 > /dev/null 2>&1 < /dev/null &
exporter=$!
patient $exporter grep -q -s 'process="hidden".*pod_uid="12345678-1234-1234-1234-123456789abc"' "$tmp/rooftop.prom"
point $? "one that computes in a pod is told with it"
kill $exporter
wait $exporter 2> /dev/null

# Time of the copy engines is a difference: 2 engines.
(
	us=1000000
	while [ ! -e "$tmp/enough" ]; do
		us=$((us + 10000))
		echo $us > "$tmp/sdma"
		mv "$tmp/sdma" "$root$kfd/proc/103/sdma_$gpu"
		sleep 0.02
	done
) &
writer=$!
"$rooftop" -J -d 0.3 --clients > "$tmp/out" 2> "$tmp/err" < /dev/null &
process=$!
copies()
{
	[ "$(rows "0 < r[103]['busy']['kfd-sdma'] <= 100" 2> /dev/null)" = True ]
}
patient $process copies
point $? "a process that copies uses a share of the copy engines"
kill $process
wait $process 2> /dev/null
touch "$tmp/enough"
wait $writer

file $kfd/../../../devices/pci0000:00/0000:03:00.0/power/runtime_status suspended
gives 0 "a card that sleeps" -J -n 2 -d 0.1 --clients
is "$(rows "sorted(r)")" "[100, 101, 102]" "  ... is not asked"
file $kfd/../../../devices/pci0000:00/0000:03:00.0/power/runtime_status active

# A partition of a card has a render node of its own, and in a container nodes have other numbers.
sed -i 's/drm_render_minor 128/drm_render_minor 129/' "$root$kfd/topology/nodes/1/properties"
gives 0 "another partition's node" -J -n 2 -d 0.1 --clients
is "$(rows "'kfd-cu' in r[100]['busy']")" False "  ... is not this card"
sed -i '/drm_render_minor/d' "$root$kfd/topology/nodes/1/properties"
gives 0 "a node without a render node" -J -n 2 -d 0.1 --clients
is "$(rows "r[101]['busy']['kfd-cu']")" 25 "  ... is found by its place on the bus"

# Whatever stands in these files costs its own numbers only, and no share leaves its range.
python3 - "$root$kfd" "$gpu" > "$tmp/odd" <<'END'
import os, random, sys
root, gpu = sys.argv[1:]
random.seed(19)
kinds = [lambda: b'', lambda: b'-1\n', lambda: b'18446744073709551615\n', lambda: b'99999999999999999999999\n', lambda: b'0x\n',
         lambda: str(random.getrandbits(random.randrange(1, 65))).encode(), lambda: random.randbytes(random.randrange(5000))]
for pid in range(1000, 1300):
    folder = f'{root}/proc/{pid}'
    os.makedirs(f'{folder}/stats_{gpu}')
    for name in (f'vram_{gpu}', f'sdma_{gpu}', f'stats_{gpu}/cu_occupancy'):
        if random.random() < 0.8:
            open(f'{folder}/{name}', 'wb').write(random.choice(kinds)())
os.makedirs(f'{root}/proc/1300/vram_{gpu}')
for name in ('0', '-5', '4294967296', '99999999999999999999', '1 ', 'x' * 200):
    os.makedirs(f'{root}/proc/{name}/stats_{gpu}')
    open(f'{root}/proc/{name}/vram_{gpu}', 'w').write('4096')
END
gives 0 "files that make no sense" -J -n 3 -d 0.1 --clients
is "$(rows "r[101]['busy']['kfd-cu'], r[101]['resident_bytes'] >> 10, all(0 <= c['busy'][k] <= 100 for c in r.values() for k in c['busy'] if c['busy'][k] is not None)")" \
	"25 4096 True" "  ... cost only themselves"
is "$(rows "len([p for p in r if not 0 < p < 1300]), len(r) > 30")" "0 True" "  ... and make no process"
rm -rf "$root$kfd/proc"/1[0-9][0-9][0-9] "$root$kfd/proc/x"*
for odd in "" "simd_count" "simd_count x" "simd_count 56
simd_per_cu 0
domain 0
location_id 768
num_sdma_engines 18446744073709551615"; do
	printf '%s\n' "$odd" > "$root$kfd/topology/nodes/1/properties"
	gives 0 "properties that make no sense" -J -n 2 -d 0.1 --clients
	is "$(rows "r[101]['busy'].get('kfd-cu')")" None "  ... give no share"
done
head -c 100000 /dev/urandom > "$root$kfd/topology/nodes/1/properties"
gives 0 "properties that never end" -J -n 2 -d 0.1 --clients
finish
