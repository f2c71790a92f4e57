import { readFileSync } from 'node:fs';

// Loaded with --import into a node under test: its clock, in every thread, is ahead by the milliseconds in the file TEST_CLOCK_FILE, which
// the test changes while the node runs. Timers and `performance.now()` are those of the machine, as after a wrong step of its clock.
const file = process.env.TEST_CLOCK_FILE;
if (file !== undefined) {
  let aheadMs = 0;
  const read = () => {
    try {
      aheadMs = Number(readFileSync(file, 'utf8')) || 0;
    } catch {
      aheadMs = 0;
    }
  };
  read();
  setInterval(read, 100).unref();
  const Real = Date;
  class Skewed extends Real {
    constructor(...values) {
      if (values.length === 0) super(Real.now() + aheadMs);
      else super(...values);
    }
    static now() {
      return Real.now() + aheadMs;
    }
  }
  globalThis.Date = Skewed;
}
