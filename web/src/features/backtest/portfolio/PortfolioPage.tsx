import { useSnapshot } from 'valtio';
import type { PortfolioRun } from '../../../api/types.ts';
import { useStrategies } from '../../../data/strategies.ts';
import { Notice } from '../../../ui/Notice.tsx';
import { EmptyState, ErrorState, SkeletonRows } from '../../../ui/Panel.tsx';
import { Comparison } from '../saved/Comparison.tsx';
import { PortfolioForm } from './PortfolioForm.tsx';
import { PortfolioResult } from './PortfolioResult.tsx';
import { isOfForm, portfolioDraft, portfolioState, runPortfolio } from './portfolioState.ts';
import { portfolioSearchForm } from './search/portfolioSearchState.ts';
import { SearchOutput } from './search/SearchOutput.tsx';

/** One account over many symbols: the form, then the result of its last run, or of its last search. */
export function PortfolioPage() {
  const { mode } = useSnapshot(portfolioSearchForm);
  return (
    <div className="flex flex-col">
      <PortfolioForm />
      {mode === 'run' ? <RunOutput /> : <SearchOutput />}
    </div>
  );
}

function RunOutput() {
  const { status, error, run } = useSnapshot(portfolioState);
  const draft = useSnapshot(portfolioDraft);
  const list = useStrategies().data;
  const isRunning = status === 'running';
  return (
    <div className="flex flex-col gap-3 p-3" aria-busy={isRunning}>
      {error !== null && (
        <ErrorState text={error.text} failure={error.failure} onRetry={() => void runPortfolio(list)} />
      )}
      {run === null && isRunning && <SkeletonRows rows={6} />}
      {run === null && !isRunning && error === null && (
        <EmptyState text="Run your Auto rules with one account over your universe." ghost="chart" />
      )}
      {run !== null && !isOfForm(run.body, draft, list) && (
        <Notice tone="info">Showing the last run. Run again for the settings above.</Notice>
      )}
      {run !== null && <PortfolioResult run={run.result as PortfolioRun} isOld={isRunning} />}
      {/* Below the result: a run that is added moves nothing above it. */}
      <Comparison />
    </div>
  );
}
