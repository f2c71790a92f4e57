/** Definition of each figure of the honesty panel. No zod here: the browser bundle reads this file. */
export { honestyRegistry } from '@sextant/engine-as/abi/honesty.ts';
