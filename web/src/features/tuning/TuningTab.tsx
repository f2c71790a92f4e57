import { useSnapshot } from 'valtio';
import { messageOf } from '../../api/failure.ts';
import { navigation, openTab } from '../../state/navigation.ts';
import { PagedTab } from '../../ui/PagedTab.tsx';
import { ErrorState, SkeletonRows } from '../../ui/Panel.tsx';
import { AdvancedPage } from './AdvancedPage.tsx';
import { IndicatorsPage } from './IndicatorsPage.tsx';
import { pageOf, tuningPages } from './pages.ts';
import { PerformancePage } from './performance/PerformancePage.tsx';
import { PresetsPage } from './PresetsPage.tsx';
import { RescorePanel } from './RescorePanel.tsx';
import { useTuning } from './useTuning.ts';

const TAB = 'settings';

/** Signal Tuning: the scanner's own settings are one click away. */
export function TuningTab() {
  const page = pageOf(useSnapshot(navigation).pages[TAB]);
  return (
    <PagedTab
      tab={TAB}
      title="Signal Tuning"
      pages={tuningPages}
      page={page}
      aside={
        <button type="button" className="btn btn-small" onClick={() => openTab('signals', 'trading')}>
          Scanner settings
        </button>
      }
      layout="full"
    >
      {page === 'performance' ? <PerformancePage /> : <EditPage page={page} />}
    </PagedTab>
  );
}

function EditPage({ page }: { page: 'indicators' | 'presets' | 'advanced' }) {
  const tuning = useTuning();
  if (tuning.failure !== null)
    return <ErrorState text={messageOf(tuning.failure, 'The tuning could not be read.')} onRetry={tuning.reload} />;
  const { draft } = tuning;
  if (draft === null) return <SkeletonRows rows={8} />;
  return (
    <form
      noValidate
      aria-label="Signal Tuning"
      className="flex flex-1 flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        tuning.submit();
      }}
    >
      <div className="grid flex-1 gap-3 lg:grid-cols-[minmax(340px,480px)_minmax(0,1fr)] lg:items-start">
        {page === 'indicators' && <IndicatorsPage draft={draft} />}
        {page === 'presets' && <PresetsPage tuning={tuning} draft={draft} />}
        {page === 'advanced' && <AdvancedPage draft={draft} />}
        <RescorePanel draft={draft} />
      </div>
      <div className="action-bar sticky bottom-0 z-10 flex flex-wrap items-center gap-2 border-t border-line bg-bg py-2 max-md:bottom-[var(--bottom-bar-height)]">
        <button type="submit" className="btn btn-primary" disabled={!tuning.isUnsaved || tuning.isSaving}>
          Save signal tuning
        </button>
        <button type="button" className="btn" disabled={!tuning.isUnsaved || tuning.isSaving} onClick={tuning.discard}>
          Discard changes
        </button>
        <span role="status" className="text-label text-muted">
          {tuning.isUnsaved ? 'Unsaved changes' : 'Everything is saved'}
        </span>
      </div>
    </form>
  );
}
