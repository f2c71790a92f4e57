import { readFileSync } from 'node:fs';

// Loaded with --import into a node under test: its clock, in every thread, is ahead by the milliseconds in the file TEST_CLOCK_FILE, which
// the test changes while the node runs. Timers and `performance.now()` stay those of the machine, as after a wrong step of its clock.
const file = process.env['TEST_CLOCK_FILE'];
if (file !== undefined) {
  let aheadMs = 0;
  const read = (): void => {
    try {
      aheadMs = Number(readFileSync(file, 'utf8')) || 0;
    } catch {
      aheadMs = 0;
    }
  };
  read();
  setInterval(read, 100).unref();
  const Real = Date;
  const now = (): number => Real.now() + aheadMs;
  globalThis.Date = new Proxy(Real, {
    construct: (target, values: unknown[], newTarget) =>
      Reflect.construct(target, values.length === 0 ? [now()] : values, newTarget) as Date,
    apply: () => new Real(now()).toString(),
    get: (target, key): unknown => (key === 'now' ? now : Reflect.get(target, key)),
  });
}
