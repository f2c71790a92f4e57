import { registerHooks } from 'node:module';
import type { TaskResult } from '../../../src/protocol/taskResult.ts';

// Run by node with what it prints as JSON: the product with one more run parameter and one more cost, added as a contributor would add them.

const row = `
  madeUpFraction: {
    exit: 'trailing',
    field: 'madeUpFraction',
    isLater: true,
    slot: 'madeUp',
    min: 0,
    max: 0.5,
    default: 0,
    unit: 'fraction',
    title: 'Made up',
    text: 'Text of the API.',
    line: { name: 'Made up', text: (value) => String(value) },
    classic: {
      part: 'trailing',
      field: 'madeUpFraction',
      wire: 'madeUpPct',
      sent: { min: 0, max: 0.25 },
      isOptional: true,
      label: 'Made up',
      form: { id: 'madeUp', step: 0.1, meaning: ({ bounds }) => bounds },
    },
  },
  riskFraction: {`;

const cost = `
  madeUpFraction: {
    slot: 'madeUpCost',
    unit: 'fraction',
    default: 0.001,
    sent: { min: 0, max: 0.25 },
    checked: { min: 0, max: 0.5 },
    text: 'Text of the API.',
    form: { min: 0, max: 25, step: 0.1, decimals: 2, label: 'Made up', meaning: 'Made up.' },
  },
  assumedFundingFraction: {`;

/** The edits: the entry of each table and their slots in the rules of the engine. */
const edits: Record<string, [before: string, after: string]> = {
  '/engine-as/abi/runParameters.ts': ['\n  riskFraction: {', row],
  '/engine-as/abi/costParameters.ts': ['\n  assumedFundingFraction: {', cost],
  '/engine-as/abi/records.ts': ['\n  isEndAtClose:', "\n  madeUp: '',\n  madeUpCost: '',\n  isEndAtClose:"],
};

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    const edit = Object.entries(edits).find(([path]) => url.endsWith(path))?.[1];
    if (edit === undefined) return loaded;
    const { source: given = '' } = loaded;
    const source = typeof given === 'string' ? given : Buffer.from(given as Uint8Array).toString();
    if (!source.includes(edit[0])) throw new Error(`${url} has no ${edit[0]}`);
    return { ...loaded, source: source.replace(...edit) };
  },
});

const { ruleSlot } = await import('@sextant/engine-as/abi/records.ts');
const { liveRules } = await import('@sextant/engine-as/abi/strategy.ts');
const { rulesRow } = await import('../../../src/positions/rows.ts');
const { strategyTrailing } = await import('../../../src/positions/strategyExits.ts');
const { classicDefaults, defaultCosts } = await import('../../../src/protocol/wire/defaults.ts');
const { costsFromWire, CostsWire } = await import('../../../src/protocol/wire/costs.ts');
const { canonicalJson, StrategyWire, withEveryVote } = await import('../../../src/protocol/wire/strategy.ts');
const { paramsFromWire, paramsToWire, StrategyParamsWire } =
  await import('../../../src/protocol/wire/strategyParams.ts');
const { classicAsRules } = await import('../../../src/signals/classicRules.ts');
const { rulesOf, strategyRulesOf } = await import('../../../src/tasks/rules.ts');
const { validatePosition } = await import('../../../src/tasks/positions/validatePosition.ts');
const { validateStrategyValue } = await import('../../../src/tasks/strategy/validate.ts');
const { validateCosts, validateParams } = await import('../../../src/tasks/validateParams.ts');
const { formRows, paramsFromJson, paramsToJson } = await import('../../../../web/src/features/backtest/params.ts');
const { costUnits } = await import('../../../../web/src/features/backtest/results/exportUnits.ts');
const { rulesText } = await import('../../../../web/src/format/strategyText.ts');

const before = withEveryVote(liveRules(['15m']));
const strategyOf = (madeUpFraction: number) => ({
  ...before,
  trailing: { ...before.trailing, mode: 'percent' as const, madeUpFraction },
});
const paramsOf = (madeUpPct: number) =>
  paramsFromWire(StrategyParamsWire.parse({ trailing: { enabled: true, madeUpPct } }));
const fieldOf = (result: TaskResult<null>): string | null => (result.ok ? null : (result.error.field ?? ''));
const params = paramsOf(0.1);
const withDefault = { ...before.trailing, madeUpFraction: 0 };
const outside = { ...params.trailing, madeUpFraction: 0.6 };
const position = {
  id: 'p',
  side: 'LONG' as const,
  entryTimeMs: 0,
  entryPrice: 100,
  quantity: 1,
  leverage: 1,
  stopPrice: 90,
  targetPrice: 120,
  liquidationPrice: null,
  bestPrice: 100,
  isArmed: true,
  tickSize: 0,
  takerFeeFraction: 0,
  atr: null,
};
const classicRow = rulesOf(params, defaultCosts, 10);
const { rule } = formRows.find(({ row: { name } }) => (name as string) === 'madeUpFraction') ?? {};
const costs = costsFromWire(CostsWire.parse({ madeUpFraction: 0.2 }));
const costSlot = ruleSlot['madeUpCost' as keyof typeof ruleSlot];

process.stdout.write(
  JSON.stringify({
    strategy: StrategyWire.parse(strategyOf(0.1)).trailing,
    rejected: StrategyWire.safeParse(strategyOf(0.6)).error?.issues.map(({ path }) => path.join('.')),
    isSameVersion: canonicalJson(StrategyWire.parse(before)) === canonicalJson({ ...before, trailing: withDefault }),
    isNamedInVersion: canonicalJson(strategyOf(0.1)).includes('"madeUpFraction":0.1'),
    isAbsentFromVersion: !canonicalJson(strategyOf(0)).includes('madeUp'),
    params: params.trailing,
    sent: paramsToWire(params).trailing,
    rejectedParams: StrategyParamsWire.safeParse({ trailing: { madeUpPct: 0.3 } }).error?.issues.map(({ path }) =>
      path.join('.'),
    ),
    slots: {
      classic: classicRow[ruleSlot['madeUp' as keyof typeof ruleSlot]],
      default: rulesOf(classicDefaults, defaultCosts, 10)[ruleSlot['madeUp' as keyof typeof ruleSlot]],
      strategy: strategyRulesOf(strategyOf(0.2), defaultCosts, 10)[ruleSlot['madeUp' as keyof typeof ruleSlot]],
      position: rulesRow({ ...position, trailing: strategyTrailing(strategyOf(0.3)) })[
        ruleSlot['madeUp' as keyof typeof ruleSlot]
      ],
    },
    checked: [
      fieldOf(validateParams({ ...params, trailing: outside })),
      fieldOf(validateStrategyValue(strategyOf(0.6))),
      fieldOf(validatePosition({ ...position, trailing: strategyTrailing(strategyOf(0.6)) }, 'position')),
    ],
    asRules: classicAsRules(params, '15m').trailing,
    form: rule,
    saved: paramsToJson(params).trailing,
    opened: paramsFromJson(paramsToJson(params)).trailing,
    cost: {
      default: defaultCosts['madeUpFraction' as keyof typeof defaultCosts],
      costs: costs['madeUpFraction' as keyof typeof costs],
      rejected: CostsWire.safeParse({ madeUpFraction: 0.3 }).error?.issues.map(({ path }) => path.join('.')),
      checked: fieldOf(validateCosts({ ...costs, ['madeUpFraction' as keyof typeof costs]: 0.6 })),
      slots: [rulesOf(params, costs, 10)[costSlot], strategyRulesOf(strategyOf(0.2), costs, 10)[costSlot]],
      unit: costUnits['madeUpFraction'],
    },
    words: rulesText(strategyOf(0.1)).filter(([name]) => name === 'Made up'),
  }),
);
