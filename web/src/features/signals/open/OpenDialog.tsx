import { useState } from 'react';
import { messageOf } from '../../../api/failure.ts';
import { useTickDecimals } from '../../../api/market.ts';
import { useOpenPosition, usePreview } from '../../../api/positions.ts';
import type { OpenPositionBody, PositionPreview, Scan, ScanSignal } from '../../../api/types.ts';
import { toast } from '../../../state/toasts.ts';
import { Dialog } from '../../../ui/Dialog.tsx';
import { Loaded } from '../../../ui/Loaded.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { ErrorState } from '../../../ui/Panel.tsx';
import { previewRows, warningTexts } from './previewRows.ts';

interface Props {
  signal: ScanSignal;
  scan: Scan;
  isOpen: boolean;
  onDone: () => void;
}

/** Stays in the page while it is closed: only so does it give the page behind it back. */
export function OpenDialog({ isOpen, ...props }: Props) {
  const { direction, symbol } = props.signal;
  return (
    <Dialog
      isOpen={isOpen}
      title={`Open ${direction} ${symbol}`}
      text="Simulated money: the server fills at its last price and watches stop, target and liquidation."
      onClose={props.onDone}
    >
      {isOpen && <OpenForm {...props} />}
    </Dialog>
  );
}

/** What a position of this signal would risk, cost and gain, before it is opened by hand. */
function OpenForm({ signal: { symbol, interval }, scan, onDone }: Omit<Props, 'isOpen'>) {
  const body: OpenPositionBody = { symbol, interval: interval as OpenPositionBody['interval'], scan_id: scan.scan_id };
  const preview = usePreview(body);
  const opening = useOpenPosition();
  // A repeated press is the same opening.
  const [key] = useState(() => crypto.randomUUID());
  const open = () =>
    opening.mutate(
      { body, key },
      {
        onSuccess: ({ message }) => {
          toast(message, 'success');
          onDone();
        },
      },
    );
  return (
    <>
      <Loaded answer={preview} failure="The preview could not be computed." rows={8}>
        {(shown) => <PreviewFigures preview={shown} />}
      </Loaded>
      {opening.error !== null && <ErrorState text={messageOf(opening.error, 'The position could not be opened.')} />}
      <div className="flex justify-end gap-2">
        <button type="button" className="btn" onClick={onDone}>
          Cancel
        </button>
        <button
          type="button"
          className="btn btn-primary"
          disabled={preview.data?.would_open !== true || opening.isPending}
          onClick={open}
        >
          Open position
        </button>
      </div>
    </>
  );
}

function PreviewFigures({ preview }: { preview: PositionPreview }) {
  const decimals = useTickDecimals()(preview.symbol);
  return (
    <>
      {!preview.would_open && <Notice tone="warn">{preview.message}</Notice>}
      <dl className="text-label">
        {previewRows(preview, decimals).map(([name, value]) => (
          <div key={name} className="flex justify-between gap-3 border-b border-line py-1">
            <dt className="text-muted">{name}</dt>
            <dd className="text-right font-medium">{value}</dd>
          </div>
        ))}
      </dl>
      {preview.warnings.map((warning) => (
        <Notice key={warning} tone="warn">
          {warningTexts[warning]}
        </Notice>
      ))}
    </>
  );
}
