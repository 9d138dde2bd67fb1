# SPDX-License-Identifier: GPL-3.0-or-later
# The fakes of other cards, the strict ones too, refuse what Linux and Arm's driver refuse: the rows of errnos_cards.py.
. "$top_srcdir/tests/fakekernel/strict_lib.sh"
command -v python3 > /dev/null || { echo "1..0 # SKIP no python3"; exit 0; }
table=errnos_cards.py

# made BOARD: on the first fake
made()
{
	sh "$top_srcdir/tests/fakekernel/boardtree.sh" "$root" "$1"
}

made pi4
rows 23 "v3d" v3d
rm "$root/v3d/counters"
echo 1 > "$root/v3d/no_global"
rows 6 "  ... on an older kernel" v3d old
made a7xx
rows 22 "msm" msm
FAKEKERNEL_PERFMON=0 rows 9 "  ... without a right" msm unprivileged
sed -i 's/^SP .*/SP 24 20/' "$root/msm/groups"
rows 20 "  ... beside another program" msm reserved
echo 1 > "$root/msm/old"
rows 5 "  ... on an older kernel" msm old
rm "$root/msm/old" "$root/msm/groups"
rows 5 "  ... of a GPU without counters" msm none
strict v3d42 7.2
rows 23 "v3d, strict" v3d
strict v3d42 6.10
rows 6 "  ... on an older kernel" v3d old
strict v3d33 7.2
rows 5 "  ... of a GPU without counters" v3d none
strict a7xx 7.2
rows 22 "msm, strict" msm
FAKEKERNEL_PERFMON=0 rows 9 "  ... without a right" msm unprivileged
sed -i 's/^SP .*/SP 24 20/' "$root/strict/msm_groups"
rows 20 "  ... beside another program" msm reserved
strict a7xx 7.1
rows 5 "  ... on an older kernel" msm old
strict a7xx 7.2
told no_gpu 1
rows 5 "  ... of a display without a GPU" msm no_gpu
board g72,load=memory panfrost
rows 13 "panfrost" panfrost
printf 'N\n' > "$root/sys/module/panfrost/parameters/unstable_ioctls"
rows 6 "  ... with its counters switched off" panfrost stable
board g72,load=memory kbase 11.13
rows 31 "kbase, vinstr" kbase vinstr
board g72,load=memory kbase 11.40
rows 48 "kbase, kinstr_prfcnt" kbase
board g72,load=memory kbase 'csf 1.20'
rows 48 "  ... of a GPU with command streams" kbase streams
sh "$top_srcdir/tests/fakekernel/amdtree.sh" "$root" card
rows 13 "amdgpu" amdgpu
echo 1 > "$root/amdgpu/no_dpm"
rows 13 "  ... without power management" amdgpu no_dpm
finish
