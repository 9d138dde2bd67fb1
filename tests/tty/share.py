# SPDX-License-Identifier: GPL-3.0-or-later
"""Of many cases that run the same code, the share that a slower build tries (in_share() of tap.sh)."""
import os, time

share, _, first = os.environ.get('ROOFTOP_SHARE', '1').partition(':')
share = max(1, int(share))
number = int(first) if first else int(time.time()) % share


def in_share():
    """Whether the next case is among them."""
    global number
    number += 1
    return (number - 1) % share == 0
