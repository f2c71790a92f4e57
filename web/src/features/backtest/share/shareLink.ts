import type { BacktestHashes } from '@sextant/workers/src/protocol/backtest.ts';
import { StrategyWire } from '@sextant/workers/src/protocol/wire/strategy.ts';
import type { paths } from '../../../api/schema.gen.ts';
import { isShareAddress, SHARE_PREFIX } from '../../../state/shareAddress.ts';
import { defaultCosts } from '@sextant/workers/src/protocol/wire/defaults.ts';
import { hashNames } from '../hashes.ts';
import { defaultParams, paramsToJson } from '../params.ts';

type SharedBody = paths['/api/shared-backtest']['post']['requestBody']['content']['application/json'];

/** Content of a link: the inputs of a run, and its hashes. */
export interface SharedRun {
  body: SharedBody;
  hashes: BacktestHashes;
}

export const SHARE_VERSION = 1;
/** Longest fragment, in characters. */
export const LINK_MAX = 8000;
/** The run of a link; null when the fragment is no share link, `broken` when it cannot be read. */
export function readShareLink(fragment: string): SharedRun | 'broken' | null {
  if (!isShareAddress(fragment)) return null;
  if (fragment.length > LINK_MAX) return 'broken';
  try {
    const shared = JSON.parse(fromBase64Url(fragment.slice(SHARE_PREFIX.length))) as Partial<SharedRun> & {
      v?: number;
    };
    const hashes = shared.hashes as Partial<BacktestHashes> | undefined;
    const isWhole = hashNames.every((name) => /^[0-9a-f]{64}$/.test(hashes?.[name] ?? ''));
    if (shared.v !== SHARE_VERSION || !isWhole || !isBody(shared.body)) return 'broken';
    return { body: shared.body as SharedBody, hashes: hashes as BacktestHashes };
  } catch {
    return 'broken';
  }
}

/** Rules replace the parameters. */
function isBody(body: unknown): boolean {
  const { strategy } = (body ?? {}) as { strategy?: unknown };
  if (strategy === undefined) return hasShapeOf(body, { ...pattern, params: paramsToJson(defaultParams()) });
  return hasShapeOf(body, { ...pattern, params: {} }) && StrategyWire.safeParse(strategy).success;
}

/**
 * Required fields of every link. The server would fill in missing ones, this browser would not, and both would run something else than the
 * shared run. The server validates the values.
 */
const pattern = {
  symbol: '',
  exchange: '',
  interval: '',
  limit: 0,
  endTime: 0,
  scored: 0,
  costs: defaultCosts,
};

function hasShapeOf(value: unknown, shape: unknown): boolean {
  if (typeof shape !== 'object' || shape === null) return typeof value === typeof shape;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.entries(shape).every(([key, each]) => hasShapeOf((value as Record<string, unknown>)[key], each));
}

function fromBase64Url(text: string): string {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(binary, (each) => each.charCodeAt(0)));
}
