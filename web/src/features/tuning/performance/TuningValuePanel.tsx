import type { Performance } from '../../../api/types.ts';
import { formatCount, formatFixed } from '../../../format/number.ts';
import { Panel } from '../../../ui/Panel.tsx';
import { VetoFigures } from '../../../ui/record/VetoFigures.tsx';
import { Time } from '../../../ui/Time.tsx';

type Tuning = NonNullable<Performance['tuning']>;

/** The saved weights and floor as a veto on what was recorded: before they were chosen, and since. Only the second half judges them. */
export function TuningValuePanel({ tuning }: { tuning: Performance['tuning'] }) {
  return (
    <Panel title="Value of your tuning" bodyClassName="flex flex-col gap-5 p-3">
      {tuning === null ? (
        <p className="text-muted">Save a tuning to compare it with the recorded signals.</p>
      ) : (
        <>
          <Half
            title="Out of sample"
            note={
              <>
                candles closed after you saved, <Time at={tuning.saved_at} />. Only these are a fair test.
              </>
            }
            half={tuning.out_of_sample}
          />
          <Half title="In sample" note="known when you chose, so optimistic" half={tuning.in_sample} />
          {tuning.unexplained > 0 && (
            <p className="text-label text-muted">
              {formatCount(tuning.unexplained)} signals are excluded: their votes are not stored or do not reproduce
              their score.
            </p>
          )}
        </>
      )}
    </Panel>
  );
}

function Half({ title, note, half }: { title: string; note: React.ReactNode; half: Tuning['in_sample'] }) {
  const { brier_before: before, brier_after: after } = half;
  return (
    <section className="flex flex-col gap-2">
      <h3 className="flex flex-wrap items-baseline gap-x-3 font-medium">
        {title}
        <span className="text-label font-normal text-muted">{note}</span>
      </h3>
      <VetoFigures veto={half} label={`Your tuning beside a blind veto, ${title.toLowerCase()}`} />
      <p className="text-label text-muted">
        {formatCount(half.turned)} of the vetoed get the opposite direction.{' '}
        {before !== null && after !== null
          ? `Brier score ${formatFixed(before, 4)} as recorded, ${formatFixed(after, 4)} under your weights; lower is better.`
          : 'Brier score: not enough data.'}
      </p>
    </section>
  );
}
