# SPDX-License-Identifier: GPL-3.0-or-later
"""ask.py FOLDER PROCESS: answers what a script asks many times, so that no python is started for each: what comes through the pipe FOLDER/asked,
"WORD\\036WORD\\036...\\037", is answered in FOLDER/answer, with a line "\\037STATUS" at the end. The words are "window FILE EXPRESSION" or
"windows FILE EXPRESSION", as lib.sh says, or a script and its arguments. It ends when the process has, or when the folder is gone."""
import contextlib, io, json, os, select, sys, traceback

folder, process = sys.argv[1], int(sys.argv[2])
scripts = {}


def window(path, expression):
    with open(path) as f:
        w = json.loads(f.read().splitlines()[-1])
    exec('print(%s)' % expression, {'json': json, 'sys': sys, 'w': w, 'm': w.get('metrics'), 'why': w.get('why')})


def windows(path, expression):
    with open(path) as f:
        head, *rest = map(json.loads, f)
    exec('print(%s)' % expression, {'json': json, 'sys': sys, 'head': head, 'windows': rest})


def script(path, *arguments):
    if path not in scripts:
        with open(path) as f:
            scripts[path] = compile(f.read(), path, 'exec')
    sys.argv = [path, *arguments]
    exec(scripts[path], {'__name__': '__main__', '__file__': path})


def answer(words):
    text, status = io.StringIO(), 0
    with contextlib.redirect_stdout(text), contextlib.redirect_stderr(text):
        try:
            {'window': window, 'windows': windows}.get(words[0], lambda *rest: script(words[0], *rest))(*words[1:])
        except SystemExit as e:
            status = e.code if isinstance(e.code, int) else e.code is not None
            if isinstance(e.code, str):
                print(e.code)
        except BaseException:
            status = 1
            traceback.print_exc()
    said = text.getvalue()
    return said + '\n' * (said != '' and said[-1] != '\n') + '\037%d\n' % status


def goes_on():
    try:
        os.kill(process, 0)
    except OSError:
        return False
    return os.path.exists(folder + '/asked')


out = open(folder + '/answer', 'r+b', buffering=0)
asked = os.open(folder + '/asked', os.O_RDWR)
text = b''
while goes_on():
    if not select.select([asked], [], [], 0.5)[0]:
        continue
    text += os.read(asked, 65536)
    while b'\037' in text:
        question, text = text.split(b'\037', 1)
        out.write(answer(question.decode().split('\036')[:-1]).encode())
