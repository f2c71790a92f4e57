import type { ReceiptWire } from './contract.ts';
import { printable } from '../../platform/printable.ts';
import { usdOf } from './receipts.ts';

const left = 56;
const valueLeft = 160;
const quantityLeft = 330;
const amountLeft = 430;
const right = 539;
const width = right - left;

type Style = 'title' | 'bold' | 'plain' | 'label';
const styles: Readonly<Record<Style, { font: string; size: number; color: string }>> = {
  title: { font: 'Helvetica-Bold', size: 20, color: '#111111' },
  bold: { font: 'Helvetica-Bold', size: 10, color: '#111111' },
  plain: { font: 'Helvetica', size: 10, color: '#111111' },
  label: { font: 'Helvetica', size: 10, color: '#555555' },
};
/** A part of a line: its text and column. */
interface Part {
  style: Style;
  text: string;
  from: number;
  to: number;
  align?: 'right';
}

function writeText(document: PDFKit.PDFDocument, style: Style, text: string): void {
  const { font, size, color } = styles[style];
  document.font(font).fontSize(size).fillColor(color).text(text, left, document.y, { width });
}

/** Parts side by side; the next line starts below the tallest. */
function writeLine(document: PDFKit.PDFDocument, parts: readonly Part[]): void {
  const { font, size } = styles.plain;
  document.font(font).fontSize(size);
  const height = Math.max(...parts.map(({ text, from, to }) => document.heightOfString(text, { width: to - from })));
  if (document.y + height > document.page.maxY()) document.addPage();
  const top = document.y;
  for (const { style, text, from, to, align = 'left' } of parts) {
    document.fillColor(styles[style].color).text(text, from, top, { width: to - from, align });
  }
  document.y = top + height + 4;
}

function writeFacts(document: PDFKit.PDFDocument, receipt: ReceiptWire): void {
  const facts: [string, string | null][] = [
    ['Number', receipt.number],
    ['Issued', `${receipt.issued_at.slice(0, 16).replace('T', ' ')} UTC`],
    ['Order', receipt.order_id],
    ['Payment', receipt.payment_id],
    ['Method', receipt.method_name],
  ];
  for (const [name, value] of facts) {
    if (value === null) continue;
    writeLine(document, [
      { style: 'label', text: name, from: left, to: valueLeft },
      { style: 'plain', text: printable(value), from: valueLeft, to: right },
    ]);
  }
}

function writeRow(
  document: PDFKit.PDFDocument,
  style: Style,
  [item, quantity, amount]: [string, string, string],
): void {
  writeLine(document, [
    { style, text: item, from: left, to: quantityLeft },
    { style, text: quantity, from: quantityLeft, to: amountLeft - 10, align: 'right' },
    { style, text: amount, from: amountLeft, to: right, align: 'right' },
  ]);
  document.moveTo(left, document.y).lineTo(right, document.y).strokeColor('#cccccc').stroke();
  document.y += 6;
}

/**
 * A receipt as PDF, built from its stored row alone: the same receipt gives the same bytes at any time and on any machine. It is not
 * compressed, because a new version of zlib may pack the same text differently. A test pins the bytes of one receipt: a layout change
 * must not alter issued receipts.
 */
export async function receiptPdf(receipt: ReceiptWire): Promise<Buffer> {
  const { default: PDFDocument } = await import('pdfkit');
  const { seller, credits } = receipt;
  const isRefund = credits < 0;
  const title = `${isRefund ? 'Refund receipt' : 'Receipt'} ${receipt.number}`;
  const issuedAt = new Date(receipt.issued_at);
  const document = new PDFDocument({
    size: 'A4',
    margin: left,
    compress: false,
    lang: 'en',
    displayTitle: true,
    info: {
      Title: title,
      Author: printable(seller.name),
      Creator: 'Sextant',
      Producer: 'Sextant',
      CreationDate: issuedAt,
      ModDate: issuedAt,
    },
  });
  writeText(document, 'title', title);
  writeText(document, 'label', 'Sextant credits');
  document.moveDown(1.5);
  writeText(document, 'bold', printable(seller.name));
  writeText(document, 'plain', printable(seller.address));
  if (seller.tax_id !== null) writeText(document, 'plain', `Tax id ${printable(seller.tax_id)}`);
  document.moveDown(1.5);
  writeFacts(document, receipt);
  document.moveDown(1);
  writeRow(document, 'label', ['Item', 'Quantity', 'Amount, USD']);
  const item = isRefund ? 'Credits returned' : 'Credits, 1 USD each';
  writeRow(document, 'plain', [item, String(credits), usdOf(receipt)]);
  document.end();
  const parts: Buffer[] = [];
  for await (const part of document as AsyncIterable<Buffer>) parts.push(part);
  return Buffer.concat(parts);
}
