"""Many jobs, several processes: a fixed number of jobs is on the way at any time, and outcomes come as they are done.

Processes are started afresh ("spawn"), the one way that is the same on all systems. A process ends when its parent
does, however that came.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.connection import Connection

from renderer.archive.work import Job, Outcome, work


def outcomes(jobs: Sequence[Job], processes: int) -> Iterator[Outcome]:
    """Do all jobs, in so many processes; with one, in this process. Outcomes come in any order.

    When a process dies, its jobs are tried again, each in a process of its own: the one that dies again is to blame.
    """
    if processes == 1:
        yield from map(work, jobs)
        return
    waiting = deque(jobs)
    while waiting:
        lost: list[Job] = []
        yield from _pooled(waiting, processes, lost)
        for job in lost:
            again: list[Job] = []
            yield from _pooled(deque([job]), 1, again)
            if again:
                what = "a process ended while it was read, perhaps for want of memory; split it"
                yield Outcome(job, error=f"{job.names[0]}: {what}")


def _pooled(waiting: deque[Job], processes: int, lost: list[Job]) -> Iterator[Outcome]:
    """Do the jobs of `waiting` until none is left or a process dies: then those on the way are put into `lost`."""
    context = multiprocessing.get_context("spawn")
    life, held = context.Pipe(duplex=False)
    executor = ProcessPoolExecutor(processes, context, _begin, (life,))
    running: dict[Future[Outcome], Job] = {}
    try:
        while waiting or running:
            while waiting and len(running) < 2 * processes:
                running[executor.submit(work, waiting[0])] = waiting[0]
                waiting.popleft()
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                outcome = future.result()
                del running[future]
                yield outcome
    except BrokenProcessPool:
        lost += running.values()
    finally:
        held.close()
        executor.shutdown(cancel_futures=True)
        life.close()


def _begin(life: Connection) -> None:
    """Set up a process: a Ctrl-C is its parent's, and it ends when the other end of `life` is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(life,), daemon=True).start()


def _end_with(life: Connection) -> None:
    try:
        life.recv()
    except (EOFError, OSError):
        os._exit(1)
