import { FileDown, Printer } from 'lucide-react';
import { useState } from 'react';
import { useReceipts } from '../../../api/payments.ts';
import type { Receipt } from '../../../api/types.ts';
import { formatCount, formatFixed, formatSigned } from '../../../format/number.ts';
import { formatUtc } from '../../../format/time.ts';
import { Notice } from '../../../ui/Notice.tsx';
import { EmptyState, Loaded, Panel } from '../../../ui/Panel.tsx';
import { ScrollSideways } from '../../../ui/ScrollSideways.tsx';
import { Time } from '../../../ui/Time.tsx';

/** Receipts, each to print or to keep as PDF, and a year as CSV. */
export function ReceiptsPage() {
  const [year, setYear] = useState<number | null>(null);
  const [chosenId, setChosenId] = useState<string | null>(null);
  const receipts = useReceipts(year);
  const chosen = receipts.data?.receipts.find(({ id }) => id === chosenId);
  return (
    <div className="flex flex-col gap-4">
      <Panel
        title="Receipts"
        aside={<YearChoice years={receipts.data?.years ?? []} year={year} onChoose={setYear} />}
        bodyClassName=""
      >
        <Loaded response={receipts} failure="Could not load the receipts." rows={4}>
          {(data) => (
            <>
              {!data.is_available && (
                <div className="p-3">
                  <Notice tone="info">
                    Receipts follow once the operator gives the seller&apos;s name and address. Payments are credited as
                    usual.
                  </Notice>
                </div>
              )}
              {data.receipts.length === 0 ? (
                <EmptyState text="No receipts yet. Each completed payment gets one." />
              ) : (
                <ReceiptTable receipts={data.receipts} chosenId={chosenId} onChoose={setChosenId} />
              )}
            </>
          )}
        </Loaded>
      </Panel>
      {chosen !== undefined && <ReceiptSheet receipt={chosen} />}
    </div>
  );
}

interface YearProps {
  years: readonly number[];
  year: number | null;
  onChoose: (year: number | null) => void;
}

function YearChoice({ years, year, onChoose }: YearProps) {
  const ofFile = year ?? years[0];
  if (ofFile === undefined) return null;
  return (
    <span className="flex items-center gap-2">
      <select
        aria-label="Year"
        className="input input-small w-auto"
        value={year ?? ''}
        onChange={({ target: { value } }) => onChoose(value === '' ? null : Number(value))}
      >
        <option value="">All years</option>
        {years.map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </select>
      <a href={`/api/billing/receipts/csv?year=${ofFile}`} download className="btn btn-small">
        <FileDown size={14} aria-hidden="true" /> CSV {ofFile}
      </a>
    </span>
  );
}

interface TableProps {
  receipts: readonly Receipt[];
  chosenId: string | null;
  onChoose: (id: string) => void;
}

function ReceiptTable({ receipts, chosenId, onChoose }: TableProps) {
  return (
    <ScrollSideways label="Receipts">
      <table className="table">
        <thead>
          <tr>
            <th className="lead" scope="col">
              Number
            </th>
            <th className="lead" scope="col">
              Issued
            </th>
            <th scope="col">Credits</th>
            <th scope="col">Amount, USD</th>
            <th scope="col">
              <span className="sr-only">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {receipts.map((receipt) => (
            <tr key={receipt.id} className={receipt.id === chosenId ? 'bg-accent-soft' : ''}>
              <th className="lead font-mono" scope="row">
                {receipt.number}
              </th>
              <td className="lead">
                <Time at={receipt.issued_at} />
              </td>
              <td>{formatSigned(receipt.credits, 0)}</td>
              <td>{formatFixed(receipt.amount_cents / 100, 2)}</td>
              <td>
                <span className="flex justify-end gap-2">
                  <a
                    href={`/api/billing/receipts/${receipt.id}/pdf`}
                    download
                    className="btn btn-small"
                    aria-label={`PDF of receipt ${receipt.number}`}
                  >
                    <FileDown size={14} aria-hidden="true" /> PDF
                  </a>
                  <button
                    type="button"
                    className="btn btn-small"
                    aria-label={`Show receipt ${receipt.number}`}
                    onClick={() => onChoose(receipt.id)}
                  >
                    Show
                  </button>
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollSideways>
  );
}

/** One receipt as printed: alone on the page, dark on white (`print-sheet` in controls.css). */
function ReceiptSheet({ receipt }: { receipt: Receipt }) {
  const { seller, credits, amount_cents: cents } = receipt;
  const isRefund = credits < 0;
  const facts: [string, string | null][] = [
    ['Number', receipt.number],
    ['Issued', formatUtc(receipt.issued_at)],
    ['Order', receipt.order_id],
    ['Payment', receipt.payment_id],
    ['Method', receipt.method_name],
  ];
  return (
    <section aria-label={`Receipt ${receipt.number}`} className="print-sheet panel gap-6 p-6">
      <header className="flex flex-wrap items-start justify-between gap-4">
        <div>
          <h2 className="text-page font-semibold">{isRefund ? 'Refund receipt' : 'Receipt'}</h2>
          <p className="text-muted">Sextant credits</p>
        </div>
        <address className="text-right whitespace-pre-line not-italic">
          <strong>{seller.name}</strong>
          {`\n${seller.address}`}
          {seller.tax_id !== null && `\nTax id ${seller.tax_id}`}
        </address>
      </header>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-1">
        {facts.map(
          ([name, value]) =>
            value !== null && (
              <div key={name} className="contents">
                <dt className="text-muted">{name}</dt>
                <dd className="break-all">{value}</dd>
              </div>
            ),
        )}
      </dl>
      <table className="table">
        <thead>
          <tr>
            <th className="lead" scope="col">
              Item
            </th>
            <th scope="col">Quantity</th>
            <th scope="col">Amount, USD</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <td className="lead">{isRefund ? 'Credits returned' : 'Credits, 1 USD each'}</td>
            <td>{formatCount(credits)}</td>
            <td className="font-semibold">{formatFixed(cents / 100, 2)}</td>
          </tr>
        </tbody>
      </table>
      <div className="flex flex-wrap gap-2 print:hidden">
        <a href={`/api/billing/receipts/${receipt.id}/pdf`} download className="btn">
          <FileDown size={14} aria-hidden="true" /> PDF
        </a>
        <button type="button" className="btn" onClick={() => window.print()}>
          <Printer size={14} aria-hidden="true" /> Print
        </button>
      </div>
    </section>
  );
}
