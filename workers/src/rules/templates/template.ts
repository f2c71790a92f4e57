import type { IntervalName } from '@sextant/engine-as/abi/intervals.ts';

/** A published strategy in the language of own rules. */
export interface RuleTemplate {
  /** Never changes: links and verdicts name it. */
  id: string;
  title: string;
  /** Where it was published: author, work, year. */
  source: string;
  /** Compiles without a warning on `interval`, in canonical spelling. */
  text: string;
  /** Candles of the source, or the nearest that the product has. */
  interval: IntervalName;
  /** What it does, and where it differs from its source. */
  about: string;
}
