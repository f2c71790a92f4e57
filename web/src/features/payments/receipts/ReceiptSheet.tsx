import { FileDown, Printer } from 'lucide-react';
import type { Receipt } from '../../../api/types.ts';
import { formatCount, formatFixed } from '../../../format/number.ts';
import { formatUtc } from '../../../format/time.ts';

/** One receipt as it is printed. On paper it stands alone, dark on white: see `print-sheet` in controls.css. */
export function ReceiptSheet({ receipt }: { receipt: Receipt }) {
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
