# SPDX-License-Identifier: GPL-3.0-or-later
"""A program on a pseudo-terminal."""
import fcntl, os, pathlib, pty, re, select, signal, struct, sys, termios, time

PATIENCE = 300          # against hanging only: nothing is judged by time
STOPPED = b'<stopped>'


def be_shell():
    """Returns in a child of its own process group; the parent is its shell: only the job of a shell can be stopped."""
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    pid = os.fork()
    if pid == 0:
        os.setpgid(0, 0)
        os.tcsetpgrp(0, os.getpid())
        signal.signal(signal.SIGTTOU, signal.SIG_DFL)
        return
    signal.signal(signal.SIGUSR2, lambda *_: os.kill(pid, signal.SIGCONT))
    while True:
        status = os.waitpid(pid, os.WUNTRACED)[1]
        if os.WIFSTOPPED(status):
            os.write(1, STOPPED)
        else:
            os._exit(os.waitstatus_to_exitcode(status) & 255)


class Terminal:
    """A program on a pseudo-terminal whose other end stays open here, so that its settings can be read afterwards."""

    def __init__(self, program, args, home, cols=120, rows=40, term='xterm-256color', stdin=None, as_job=False, more_env=()):
        self.master, self.slave = pty.openpty()
        self.resize(cols, rows, None)
        self.before = termios.tcgetattr(self.slave)
        self.data = b''
        self.status = None
        env = dict({**os.environ, **dict(more_env)}, TERM=term, HOME=home, LC_ALL='C.UTF-8')
        if term == 'linux':     # ncurses loads libgpm for its mouse, which forgets some bytes
            env['ASAN_OPTIONS'] = env.get('ASAN_OPTIONS', '') + ':detect_leaks=0'
        for name in ('COLUMNS', 'LINES', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME'):
            env.pop(name, None)
        self.pid = os.fork()
        if self.pid == 0:
            os.setsid()
            fcntl.ioctl(self.slave, termios.TIOCSCTTY, 0)
            for fd in (0, 1, 2):
                os.dup2(self.slave, fd)
            if stdin is not None:
                os.dup2(os.open(stdin, os.O_RDONLY), 0)
            os.closerange(3, 64)
            os.chdir(home)
            if as_job:
                be_shell()
            os.execve(program, [program] + args, env)

    def go_on(self):
        os.kill(self.pid, signal.SIGUSR2)

    def resize(self, cols, rows, signo=signal.SIGWINCH):
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack('HHHH', rows, cols, 0, 0))
        if signo:
            os.kill(self.pid, signo)

    def read(self, seconds):
        if select.select([self.master], [], [], seconds)[0]:
            self.data += os.read(self.master, 65536)

    def wait_for(self, text):
        """Reads until text has come since the last call of forget()."""
        end = time.monotonic() + PATIENCE
        while text not in self.data:
            if time.monotonic() > end or self.ended():
                return text in self.data
            self.read(0.05)
        return True

    def shows(self, text):
        """The same on a screen that is painted anew: curses would send only the letters of the text that changed."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end and not self.ended():
            self.forget()
            self.send(b'\x0c')
            for _ in range(20):
                self.read(0.02)
                if text in self.data:
                    return True
        return False

    def forget(self):
        self.data = b''

    def send(self, data):
        os.write(self.master, data)

    def ended(self):
        if self.status is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.status = status
                for _ in range(50):
                    if not select.select([self.master], [], [], 0)[0]:
                        break
                    self.read(0)
        return self.status is not None

    def tell_threads(self):
        """Says what each thread of a program that does not end is at; of a shell's job it is the shell."""
        for task in sorted(pathlib.Path(f'/proc/{self.pid}/task').glob('*')):
            for name in ('status', 'wchan', 'syscall'):
                try:
                    text = (task / name).read_text()
                except OSError as why:
                    text = str(why)
                for line in text.splitlines():
                    if name != 'status' or re.match('State|Sig|Shd', line):
                        print(f'# {task.name} {name}: {line}', file=sys.stderr, flush=True)

    def wait_end(self):
        end = time.monotonic() + PATIENCE
        while not self.ended() and time.monotonic() < end:
            self.read(0.05)
        if self.status is None:
            self.tell_threads()
            os.kill(self.pid, signal.SIGKILL)
            self.status = os.waitpid(self.pid, 0)[1]
            return None
        return os.WEXITSTATUS(self.status) if os.WIFEXITED(self.status) else -os.WTERMSIG(self.status)

    def restored(self):
        """Settings as before; the alternate screen left and the cursor shown after the last time they were not."""
        after = termios.tcgetattr(self.slave)
        d = self.data
        return (after == self.before and d.rfind(b'\x1b[?1049l') > d.rfind(b'\x1b[?1049h')
                and max(d.rfind(b'\x1b[?25h'), d.rfind(b'\x1b[?12l\x1b[?25h')) > d.rfind(b'\x1b[?25l')
                and not fcntl.fcntl(self.slave, fcntl.F_GETFL) & os.O_NONBLOCK)

    def close(self):
        os.close(self.master)
        os.close(self.slave)
