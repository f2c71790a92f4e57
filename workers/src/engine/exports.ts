import type { EnsembleExports } from '@sextant/engine-as/abi/ensembleExports.ts';
import type { FormationExports } from '@sextant/engine-as/abi/formationExports.ts';
import type { HonestyExports } from '@sextant/engine-as/abi/honestyExports.ts';
import type { BacktestExports } from '@sextant/engine-as/abi/backtestExports.ts';
import type { IndicatorExports } from '@sextant/engine-as/abi/indicatorExports.ts';
import type { MemoryExports } from '@sextant/engine-as/abi/memoryExports.ts';
import type { OptimizeExports } from '@sextant/engine-as/abi/optimizeExports.ts';
import type { PatternExports } from '@sextant/engine-as/abi/patternExports.ts';
import type { ScanExports } from '@sextant/engine-as/abi/scanExports.ts';
import type { SpreadExports } from '@sextant/engine-as/abi/spreadExports.ts';
import type { VoteExports } from '@sextant/engine-as/abi/voteExports.ts';

/** Raw exports of engine.wasm: one interface per part of the engine, each beside the layout of the memory it reads. */
export type EngineExports = MemoryExports &
  IndicatorExports &
  VoteExports &
  HonestyExports &
  BacktestExports &
  OptimizeExports &
  PatternExports &
  FormationExports &
  ScanExports &
  EnsembleExports &
  SpreadExports;
