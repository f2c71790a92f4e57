"""Indicators, backtests and searches of the Sextant engine, with NumPy arrays in and out.

Each call runs one task of the command `sextant` of the npm package @sextant/engine in a process of its own, so the results have the
bits of the product. Needs Node 22 or newer and NumPy, nothing else.
"""

import json
import os
import re
import shlex
import shutil
import subprocess
import tempfile
import warnings

import numpy as np

__all__ = ["Engine", "SextantError"]

COLUMNS = ("time", "open", "high", "low", "close", "volume")


class SextantError(Exception):
    """A request that the engine rejects; the text names the input to change."""


class Engine:
    """Runs tasks of the engine.

    command: how to start it, as a list of words. Default: SEXTANT_COMMAND of the environment, `sextant` on the PATH, or `npx sextant`
    in the folder of the notebook.
    timeout: longest time of a task in seconds.
    """

    def __init__(self, command=None, timeout=600):
        self._command = list(command) if command is not None else _find_command()
        self._timeout = timeout

    def indicators(self, candles, indicators):
        """Columns of indicators, by name: {"rsi": {"rsi": array}}. A value that is not defined yet is NaN."""
        return self.task("indicators", {"candles": _columns(candles), "indicators": list(indicators)})

    def backtest(self, candles, **request):
        """One backtest. `rules` is text, `params`, `costs` and `scored` are those of the command line. Lists of numbers are arrays."""
        return self.task("backtest", {"candles": _columns(candles), **request})

    def optimize(self, candles, threads=None, sets=True, **request):
        """A search: samples, seed, target and the other fields of `optimize`; `rules`, `params`, `costs`, `scored` beside them.

        Returns the result; with `sets` its item "sets" has a column for each parameter and figure of every set.
        """
        beside = {name: request.pop(name) for name in _BESIDE if name in request}
        sent = {"candles": _columns(candles), "optimize": request, **beside}
        options = [] if threads is None else ["--threads", str(threads)]
        if not sets:
            return self.task("optimize", sent, options)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "sets.npz")
            result = self.task("optimize", sent, [*options, "--sets", path])
            with np.load(path) as columns:
                result["sets"] = {name: columns[name] for name in columns.files}
        return result

    def honesty(self, candles, earlier_trials=0, earlier_looks=0, **request):
        """How much of a search luck explains. Takes the arguments of `optimize` and what was tried before on these candles."""
        beside = {name: request.pop(name) for name in _BESIDE if name in request}
        search = {"candles": _columns(candles), "optimize": request, **beside}
        return self.task(
            "honesty",
            {"search": search, "earlierTrialCount": earlier_trials, "earlierLookCount": earlier_looks},
        )

    def detectable(self, trials, candles, candle_ms, goal_annual_sharpe=1):
        """What luck finds among so many trials on so many candles, and the smallest Sharpe ratio that stands out."""
        sent = {"trialCount": trials, "barCount": candles, "barMs": candle_ms, "goalAnnualSharpe": goal_annual_sharpe}
        return self.task("detectable", sent)

    def task(self, name, request, options=()):
        """Any task of the command line with its JSON request, e.g. `walk-forward`, `monte-carlo`, `portfolio`."""
        words = [*self._command, name, *options]
        try:
            done = subprocess.run(
                words,
                input=json.dumps(request, default=_plain, allow_nan=False),
                capture_output=True,
                text=True,
                encoding="utf-8",
                timeout=self._timeout,
                check=False,
            )
        except FileNotFoundError as error:
            raise SextantError(f"{words[0]} is not installed. Install the package @sextant/engine with npm.") from error
        except subprocess.TimeoutExpired as error:
            raise SextantError(f"{name} took longer than {self._timeout} s. Raise timeout or send less.") from error
        except ValueError as error:
            raise SextantError(f"The request has a number that is not finite: {error}") from error
        notes = [line for line in done.stderr.splitlines() if line.strip() != "" and not _PROGRESS.match(line)]
        if done.returncode != 0:
            raise SextantError(notes[-1] if notes else f"{name} ended with code {done.returncode}.")
        for note in notes:
            warnings.warn(note, stacklevel=3)
        return _arrays(json.loads(done.stdout))


# Written by a search that takes longer than two seconds.
_PROGRESS = re.compile(r"[\d,]+ of [\d,]+ sets")

_BESIDE = ("rules", "params", "costs", "scored", "interval", "strategy", "context", "news")


def _find_command():
    given = os.environ.get("SEXTANT_COMMAND")
    if given:
        return shlex.split(given)
    found = shutil.which("sextant")
    return [found] if found else ["npx", "--no-install", "sextant"]


def _columns(candles):
    """Columns by name from a dict, a pandas frame, or a structured array."""
    missing = [name for name in COLUMNS if name not in (getattr(candles, "dtype", None) and candles.dtype.names or candles)]
    if missing:
        raise SextantError(f"candles: the columns {', '.join(missing)} are missing.")
    columns = {}
    for name in COLUMNS:
        values = np.asarray(candles[name])
        if np.issubdtype(values.dtype, np.datetime64):
            values = values.astype("datetime64[ms]").astype(np.int64)
        if values.ndim != 1:
            raise SextantError(f"candles.{name}: must have one dimension.")
        columns[name] = values.astype(np.float64)
    return columns


def _plain(value):
    """NumPy values as JSON has them."""
    if isinstance(value, (np.ndarray, np.generic)):
        return value.tolist()
    raise TypeError(f"{type(value).__name__} cannot be sent")


def _is_number(value):
    return value is None or (isinstance(value, (int, float)) and not isinstance(value, bool))


def _arrays(value):
    """Lists of numbers as arrays; null in them is NaN."""
    if isinstance(value, dict):
        return {name: _arrays(each) for name, each in value.items()}
    if not isinstance(value, list):
        return value
    if value and all(_is_number(each) for each in value):
        return np.array([np.nan if each is None else each for each in value], dtype=np.float64)
    return [_arrays(each) for each in value]
