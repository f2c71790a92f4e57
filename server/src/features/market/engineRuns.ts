import type { EnginePool } from '@sextant/workers/src/protocol/tasks.ts';
import type { Outcome } from '../../platform/errors.ts';
import { createSlots, type Slots, runInSlot } from '../../platform/limits/slots.ts';

/** Two concurrent runs per user and a short queue: all users share the threads. */
const rules = { slotCount: Infinity, perKey: 2, queueMaxPerKey: 8, waitMsMax: 5000 };

// One limit per pool, shared by all features that run on it.
const bounds = new WeakMap<EnginePool, Slots>();

/** Runs work on the engine when the user has a free slot; `overloaded` when that takes too long. */
export function runInTurn<T>(engine: EnginePool, userId: string, work: () => Promise<T>): Promise<Outcome<T>> {
  const slots = bounds.get(engine) ?? createSlots(rules);
  bounds.set(engine, slots);
  return runInSlot(slots, userId, work);
}
