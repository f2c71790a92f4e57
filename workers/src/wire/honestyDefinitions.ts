/** What each figure of the honesty panel means. No zod here: the browser bundle reads this file. */
export { honestyRegistry } from '@sextant/engine-as/abi/honesty.ts';
