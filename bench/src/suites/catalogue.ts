import type { Suite } from '../suite.ts';
import { backtestSuite } from './backtest.ts';
import { hostOverheadSuite } from './hostOverhead.ts';
import { indicatorsSuite } from './indicators.ts';
import { optimizerSuite } from './optimizer.ts';
import { peersSuite } from './peers.ts';
import { scaleSuite } from './scale.ts';
import { scanSuite } from './scan.ts';

/** Every suite, in the order of the list that `npm run bench` prints. */
export const suites: readonly Suite[] = [
  indicatorsSuite,
  backtestSuite,
  optimizerSuite,
  scanSuite,
  scaleSuite,
  hostOverheadSuite,
  peersSuite,
];
