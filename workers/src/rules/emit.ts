import { DAY_MS, intervalMs, type IntervalName } from '@sextant/engine-as/abi/intervals.ts';
import * as abi from '@sextant/engine-as/abi/ruleProgram.ts';
import { boundsOf, type Checked, type Quantity, type RuleParameter } from './checked.ts';
import { fail, type Scope } from './scope.ts';
import { type ConditionKind, conditionKinds } from './syntax.ts';

/** The program of abi/ruleProgram.ts: same layout, same numbers. */
export interface RuleProgram {
  /** i32[instructions * RULE_INSTRUCTION_LENGTH] */
  code: Int32Array<ArrayBuffer>;
  values: Float64Array<ArrayBuffer>;
  /** For each value: index of the parameter that it is, -1 for a constant. */
  valueParameters: Int32Array<ArrayBuffer>;
  /** i32[RULE_OUTPUT_COUNT] */
  outputs: Int32Array<ArrayBuffer>;
  /** Intervals of frames 1, 2, ... */
  intervals: IntervalName[];
  /** Candles before the first one at which every column may be defined, frame after frame, the base first. */
  lookBacks: number[];
  /** Candles after which the start of the data no longer matters, frame after frame: what a caller loads before the first decision. */
  settles: number[];
  /** Input columns that are read, frame after frame: RULE_*. */
  inputs: number[][];
}

export const LOOK_BACK_MAX = 5000;
/** Candles that one interval may need until nothing before them matters: each indicator at its longest period, and not several inside each other. */
export const SETTLE_MAX = 15_000;

/** An operand before registers are chosen: an input column, or the step that writes it. */
type Operand = { input: number } | { step: number };

interface Step {
  op: number;
  frame: number;
  operands: (Operand | undefined)[];
  value: number;
  extra: number;
  lookBack: number;
  /** Candles until what came before them no longer matters. */
  settle: number;
  /** Whole UTC days that it reads. */
  days: number;
  source: Checked;
}

interface Emission {
  scope: Scope;
  intervals: IntervalName[];
  steps: Step[];
  /** Steps by what they calculate: the same twice is one step. */
  byKey: Map<string, number>;
  byNode: Map<number, Map<Checked['form'], Operand>>;
  values: Quantity[];
  valueKeys: Map<string, number>;
  inputs: Set<number>[];
}

/** @returns undefined when a bound is broken, which is reported */
export function emitProgram(
  scope: Scope,
  conditions: Partial<Record<ConditionKind, Checked>>,
  intervals: IntervalName[],
): RuleProgram | undefined {
  const inputs = [0, ...intervals].map(() => new Set<number>());
  const emission: Emission = {
    scope,
    intervals,
    steps: [],
    byKey: new Map(),
    byNode: new Map(),
    values: [],
    valueKeys: new Map(),
    inputs,
  };
  const outputs = conditionKinds.map((kind) => conditions[kind] && emit(emission, conditions[kind], 0));
  const code = isWithinBounds(emission) ? allocate(emission, outputs) : undefined;
  if (code === undefined) return undefined;
  return {
    ...code,
    values: Float64Array.from(emission.values, (value) => valueNow(value, scope.parameters)),
    valueParameters: Int32Array.from(emission.values, (value) => (value.kind === 'parameter' ? value.index : -1)),
    intervals,
    lookBacks: inputs.map((_, frame) => lookBackOf(emission, frame)),
    settles: [scope.base, ...intervals].map((name, frame) => settleOf(emission, frame, intervalMs[name])),
    inputs: inputs.map((ones) => [...ones].sort((a, b) => a - b)),
  };
}

const valueNow = (quantity: Quantity, parameters: readonly RuleParameter[]): number =>
  quantity.kind === 'constant' ? quantity.value : (parameters[quantity.index]?.value ?? 0);

function lookBackOf({ steps }: Emission, frame: number): number {
  return steps.reduce((most, step) => (step.frame === frame ? Math.max(most, step.lookBack) : most), 0);
}

/** @param stepMs length of a candle of the frame */
function settleOf({ steps }: Emission, frame: number, stepMs: number): number {
  const own = steps.filter((step) => step.frame === frame);
  const days = Math.max(0, ...own.map((step) => step.days));
  return Math.max(0, Math.ceil((days * DAY_MS) / stepMs), ...own.map((step) => step.settle));
}

// --- Steps ---

function emit(emission: Emission, node: Checked, frame: number): Operand {
  const known = emission.byNode.get(frame) ?? new Map<Checked['form'], Operand>();
  emission.byNode.set(frame, known);
  const match = known.get(node.form);
  if (match !== undefined) return match;
  const operand = emitForm(emission, node, frame);
  known.set(node.form, operand);
  return operand;
}

function emitForm(emission: Emission, node: Checked, frame: number): Operand {
  const { form } = node;
  const none = abi.RULE_NONE;
  switch (form.kind) {
    case 'constant':
    case 'parameter':
      return addStep(emission, {
        op: abi.OP_CONST,
        frame,
        operands: [],
        value: valueIndex(emission, [form]),
        extra: 0,
        ...noMemory,
        source: node,
      });
    case 'input':
      emission.inputs[frame]?.add(form.input);
      return { input: form.input };
    case 'operation': {
      const operands = form.operands.map((one) => emit(emission, one, frame));
      const value = form.quantity === undefined ? none : valueIndex(emission, [form.quantity]);
      const lookBack = form.lookBack + before(emission, operands);
      return addStep(emission, {
        op: form.op,
        frame,
        operands,
        value,
        extra: form.occurrence ?? 0,
        lookBack,
        settle: form.lookBack + (endless.has(form.op) ? ENDLESS_CANDLES : 0) + settleBefore(emission, operands),
        days: daysBefore(emission, operands),
        source: node,
      });
    }
    case 'indicator':
      return emitIndicator(emission, node, form, frame);
    case 'frame':
      return emitFrame(emission, node, form);
  }
}

type FormOf<K extends Checked['form']['kind']> = Extract<Checked['form'], { kind: K }>;

function emitIndicator(emission: Emission, node: Checked, form: FormOf<'indicator'>, frame: number): Operand {
  const { scope } = emission;
  const operands = form.source === undefined ? [] : [emit(emission, form.source, frame)];
  const value = form.parameters.length === 0 ? abi.RULE_NONE : valueIndex(emission, form.parameters);
  const extra = form.entry.kind + abi.RULE_OUTPUT_UNIT * form.output;
  const lookBack = form.lookBack + before(emission, operands);
  for (const input of candleInputs) emission.inputs[frame]?.add(input);
  const { memory } = form.entry;
  return addStep(emission, {
    op: abi.OP_INDICATOR,
    frame,
    operands,
    value,
    extra,
    lookBack,
    settle: form.lookBack + fadeOf(form, scope) + settleBefore(emission, operands),
    days: Math.max(memory === 'session' ? SESSION_DAYS : 0, daysBefore(emission, operands)),
    source: node,
  });
}

function emitFrame(emission: Emission, node: Checked, form: FormOf<'frame'>): Operand {
  const inner = emission.intervals.indexOf(form.interval) + 1;
  const of = emit(emission, form.of, inner);
  // An input is read through a register: EXPAND takes it as well as any other operand.
  return addStep(emission, {
    op: abi.OP_EXPAND,
    frame: 0,
    operands: [of],
    value: abi.RULE_NONE,
    extra: inner,
    ...noMemory,
    source: node,
  });
}

const noMemory = { lookBack: 0, settle: 0, days: 0 };
/** A session starts at a UTC midnight, and may read the whole day before it. */
const SESSION_DAYS = 2;
/** Part of the start that is left after so many periods of a recursive average: below 1e-8 (docs/warmup.md). */
const FADE_PERIODS = 10;
/** Candles searched for the last time of a condition, or the last swing. */
const ENDLESS_CANDLES = 1000;
const endless: ReadonlySet<number> = new Set([abi.OP_BARSSINCE, abi.OP_VALUEWHEN]);

function fadeOf({ entry, parameters }: Extract<Checked['form'], { kind: 'indicator' }>, scope: Scope): number {
  if (entry.memory === 'swings') return ENDLESS_CANDLES;
  if (entry.memory !== 'recursive') return 0;
  const values = [
    ...parameters.map((one) => boundsOf(one, scope.parameters)[2]),
    ...Object.values(entry.alias?.params ?? {}),
  ];
  return Math.ceil(FADE_PERIODS * Math.max(1, ...values));
}

/** What indicators read. */
const candleInputs = [abi.RULE_OPEN, abi.RULE_HIGH, abi.RULE_LOW, abi.RULE_CLOSE, abi.RULE_VOLUME];

const settleBefore = ({ steps }: Emission, operands: readonly Operand[]): number =>
  operands.reduce((most, one) => ('step' in one ? Math.max(most, steps[one.step]?.settle ?? 0) : most), 0);
const daysBefore = ({ steps }: Emission, operands: readonly Operand[]): number =>
  operands.reduce((most, one) => ('step' in one ? Math.max(most, steps[one.step]?.days ?? 0) : most), 0);

const before = ({ steps }: Emission, operands: readonly Operand[]): number =>
  operands.reduce((most, one) => ('step' in one ? Math.max(most, steps[one.step]?.lookBack ?? 0) : most), 0);

function addStep(emission: Emission, step: Step): Operand {
  const operands = step.operands.map((one) =>
    one === undefined ? '' : 'input' in one ? `i${one.input}` : `s${one.step}`,
  );
  const key = [step.op, step.frame, operands.join('/'), step.value, step.extra].join(',');
  const match = emission.byKey.get(key);
  if (match !== undefined) return { step: match };
  const index = emission.steps.push(step) - 1;
  emission.byKey.set(key, index);
  return { step: index };
}

/** Index of values that follow each other. */
function valueIndex(emission: Emission, list: readonly Quantity[]): number {
  const key = list
    .map((one) => (one.kind === 'parameter' ? `p${one.index}` : Object.is(one.value, -0) ? '-0' : `${one.value}`))
    .join(',');
  const match = emission.valueKeys.get(key);
  if (match !== undefined) return match;
  const index = emission.values.length;
  emission.values.push(...list);
  emission.valueKeys.set(key, index);
  return index;
}

// --- Bounds and registers ---

function isWithinBounds(emission: Emission): boolean {
  const { scope, steps, values } = emission;
  const long = steps.find(({ lookBack }) => lookBack > LOOK_BACK_MAX);
  if (long !== undefined) {
    fail(
      scope,
      long.source.at,
      `looks back ${long.lookBack} candles`,
      `use periods and shifts that add up to at most ${LOOK_BACK_MAX}`,
    );
  }
  const slow = steps.find(({ settle }) => settle > SETTLE_MAX);
  if (long === undefined && slow !== undefined) {
    fail(
      scope,
      slow.source.at,
      `needs ${slow.settle} candles before its first value is settled`,
      `use shorter averages, or fewer inside each other, for at most ${SETTLE_MAX} candles`,
    );
  }
  const last = steps.at(-1);
  if (last !== undefined && steps.length > abi.RULE_INSTRUCTIONS_MAX) {
    fail(
      scope,
      last.source.at,
      `${steps.length} steps`,
      `shorten the rules to at most ${abi.RULE_INSTRUCTIONS_MAX} steps`,
    );
  }
  if (last !== undefined && values.length > abi.RULE_VALUES_MAX) {
    fail(scope, last.source.at, `${values.length} numbers`, `use at most ${abi.RULE_VALUES_MAX} different numbers`);
  }
  const isShort = long === undefined && slow === undefined;
  return isShort && steps.length <= abi.RULE_INSTRUCTIONS_MAX && values.length <= abi.RULE_VALUES_MAX;
}

/** Gives every step the lowest register of its frame that is free: one whose value is read no more may be written by the step that reads it last. */
function allocate(
  { scope, steps, inputs }: Emission,
  outputs: readonly (Operand | undefined)[],
): Pick<RuleProgram, 'code' | 'outputs'> | undefined {
  const lastUse = lastUses(steps, outputs);
  const registers: number[] = [];
  const taken = inputs.map(() => new Set<number>());
  const code = new Int32Array(steps.length * abi.RULE_INSTRUCTION_LENGTH);
  const place = (operand: Operand | undefined): number => {
    if (operand === undefined) return abi.RULE_NONE;
    return 'input' in operand ? operand.input : abi.RULE_INPUT_COUNT + (registers[operand.step] ?? 0);
  };
  for (const [i, step] of steps.entries()) {
    const [a, b, c] = step.operands.map(place);
    for (const operand of step.operands) {
      if (operand === undefined || 'input' in operand || lastUse[operand.step] !== i) continue;
      taken[steps[operand.step]?.frame ?? 0]?.delete(registers[operand.step] ?? 0);
    }
    const own = taken[step.frame] ?? new Set<number>();
    const register = lowestFree(own);
    if (register >= abi.RULE_REGISTERS_MAX) {
      const fix = `split the rules: at most ${abi.RULE_REGISTERS_MAX} columns can be needed at once`;
      fail(scope, step.source.at, `more than ${abi.RULE_REGISTERS_MAX} columns are needed at once`, fix);
      return;
    }
    own.add(register);
    registers.push(register);
    const none = abi.RULE_NONE;
    code.set(
      [step.op, step.frame, register, a ?? none, b ?? none, c ?? none, step.value, step.extra],
      i * abi.RULE_INSTRUCTION_LENGTH,
    );
  }
  return { code, outputs: Int32Array.from(outputs, place) };
}

function lowestFree(taken: ReadonlySet<number>): number {
  let register = 0;
  while (taken.has(register)) register++;
  return register;
}

/** Last step that reads each step; the number of steps for an output. */
function lastUses(steps: readonly Step[], outputs: readonly (Operand | undefined)[]): number[] {
  const last = steps.map((_, i) => i);
  const use = (operand: Operand | undefined, i: number): void => {
    if (operand !== undefined && 'step' in operand) last[operand.step] = i;
  };
  steps.forEach(({ operands }, i) => operands.forEach((operand) => use(operand, i)));
  for (const output of outputs) use(output, steps.length);
  return last;
}
