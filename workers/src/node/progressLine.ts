interface Output {
  isTTY?: boolean;
  write: (text: string) => unknown;
}

/** A terminal's line is rewritten; a file gets a new line each time, so there are fewer. */
const PAUSE_MS = { terminal: 200, file: 2000 };

/** Progress of a search on standard error: nothing for one that is shorter than the pause. */
export function progressLine(output: Output, nowMs: () => number = () => performance.now()) {
  const isTerminal = output.isTTY === true;
  const startMs = nowMs();
  let lastMs = startMs;
  let hasLine = false;
  return {
    report(done: number, total: number): void {
      const now = nowMs();
      if (now - lastMs < (isTerminal ? PAUSE_MS.terminal : PAUSE_MS.file)) return;
      lastMs = now;
      hasLine = true;
      const perSecond = (1000 * done) / (now - startMs);
      const left = perSecond > 0 ? `, ${Math.ceil((total - done) / perSecond)} s left` : '';
      const words = `${done.toLocaleString('en-US')} of ${total.toLocaleString('en-US')} sets${left}`;
      output.write(isTerminal ? `\r${words.padEnd(60)}` : `${words}\n`);
    },
    end(): void {
      if (hasLine && isTerminal) output.write(`\r${' '.repeat(60)}\r`);
    },
  };
}
