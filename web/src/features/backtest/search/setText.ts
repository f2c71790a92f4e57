import type { NamedSet } from '@sextant/workers/src/protocolOptimize.ts';
import { canonicalJson } from '@sextant/workers/src/wire/strategy.ts';
import { paramsText } from '../params.ts';

/** The same text for the same set, of parameters or of rules. */
export const setText = ({ params, strategy }: NamedSet): string =>
  strategy === undefined ? paramsText(params) : canonicalJson(strategy);
