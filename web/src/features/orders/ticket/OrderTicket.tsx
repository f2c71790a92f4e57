import { Dialog } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useSnapshot } from 'valtio';
import { navigation } from '../../../state/navigation.ts';
import { useStore } from '../../../state/store.ts';
import { serverClock } from '../../../api/serverClock.ts';
import { closeTicket, takeTicketRequest, ticketRequests } from '../../../state/ticket.ts';
import { Notice } from '../../../ui/Notice.tsx';
import { Time } from '../../../ui/Time.tsx';
import { PriceField } from '../../../ui/PriceField.tsx';
import { Segments } from '../../../ui/Segments.tsx';
import { useIsWide } from '../../../ui/useMedia.ts';
import { orderTypes, type TicketDraft } from './draft.ts';
import {
  ExpiryField,
  LeverageField,
  ReduceField,
  SizeFields,
  StopField,
  TargetFields,
  TrailingFields,
} from './TicketFields.tsx';
import { TicketFigures } from './TicketFigures.tsx';
import { dismissLeft, editDraft, leaveExpired, setSide, startDraft, ticketState } from './ticketState.ts';
import { useEquity } from './useEquity.ts';
import { type Ticket, useTicket } from './useTicket.ts';

const sideNames = { LONG: 'Buy', SHORT: 'Sell' } as const;
const sides = ['LONG', 'SHORT'] as const;
const typeNames = { market: 'Market', limit: 'Limit', stop: 'Stop entry' } as const;

/** With its gap as wide as `--dock`. */
const DOCKED =
  'ticket-dock top-[calc(var(--bar-height)+12px)] right-3 max-h-[calc(100dvh-var(--bar-height)-24px)] w-[calc(var(--dock)-12px)]';
const SHEET = 'inset-x-0 bottom-0 max-h-[92dvh]';

/** The order ticket. Wide: docked beside the page, whose charts stay in sight and usable; narrow: a sheet over it. */
export function OrderTicket() {
  const name = useSnapshot(navigation).opened.ticket;
  const { draft } = useStore(ticketState);
  const { count } = useStore(ticketRequests);
  const isWide = useIsWide('dock');
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    leaveExpired(serverClock.now());
    const request = takeTicketRequest();
    if (request !== null) startDraft(request);
  }, [name, count]);
  return (
    <Dialog.Root
      open={name !== null && draft !== null}
      modal={!isWide}
      disablePointerDismissal={isWide}
      onOpenChange={(isOpen) => !isOpen && closeTicket()}
    >
      <Dialog.Portal>
        {!isWide && <Dialog.Backdrop className="fixed inset-0 z-40 bg-bg/70" />}
        <Dialog.Popup
          data-symbol={draft?.symbol}
          initialFocus={() => form.current?.querySelector<HTMLElement>('fieldset input') ?? true}
          className={`popup fixed z-40 flex flex-col outline-none ${isWide ? DOCKED : SHEET}`}
        >
          {draft !== null && (
            <>
              <div className="flex min-h-11 shrink-0 items-center gap-2 border-b border-line px-3">
                <Dialog.Title className="text-section font-semibold">
                  {sideNames[draft.side]} {draft.symbol}
                </Dialog.Title>
                <Dialog.Description className="min-w-0 flex-1 truncate text-label text-muted">
                  Simulated money
                </Dialog.Description>
                <Dialog.Close aria-label="Close the ticket" className="btn btn-ghost btn-icon">
                  <X size={16} aria-hidden="true" />
                </Dialog.Close>
              </div>
              <TicketForm key={draft.symbol} draft={draft} formRef={form} />
            </>
          )}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function submitText({ type, side, isReduceOnly }: TicketDraft): string {
  if (type === 'market') return isReduceOnly ? 'Close now' : `${sideNames[side]} now`;
  return `Place ${sideNames[side].toLowerCase()} ${type}`;
}

interface FormProps {
  draft: TicketDraft;
  formRef: React.RefObject<HTMLFormElement | null>;
}

function TicketForm({ draft, formRef }: FormProps) {
  const ticket = useTicket(draft);
  const { contract, preview, problems } = ticket;
  const equity = useEquity(preview);
  const parts = { draft, preview, problems, contract };
  // Levels and trailing belong to a position that opens; one that is added to has its own.
  const hasLevels = !draft.isReduceOnly && preview?.action !== 'add';
  return (
    <form
      ref={formRef}
      noValidate
      aria-label="Order"
      className="flex min-h-0 flex-col"
      onSubmit={(event) => {
        event.preventDefault();
        ticket.place();
      }}
    >
      <div className="min-h-0 overflow-y-auto">
        <div className="flex flex-col gap-2 p-3 pb-2">
          <div className="grid gap-2 sm:grid-cols-[2fr_3fr]">
            <Segments
              label="Side"
              options={sides}
              value={draft.side}
              nameOf={(side) => sideNames[side]}
              onSelect={setSide}
            />
            <Segments
              label="Order type"
              isFitted
              options={orderTypes}
              value={draft.type}
              nameOf={(type) => typeNames[type]}
              onSelect={(type) => editDraft({ type, price: null })}
            />
          </div>
          {draft.type !== 'market' && (
            <PriceField
              tickSize={contract.tickSize}
              decimals={contract.decimals}
              label={draft.type === 'limit' ? 'Limit price' : 'Stop price'}
              value={ticket.price}
              problem={problems.price}
              onChange={(price) => editDraft({ price })}
            />
          )}
          <SizeFields {...parts} equity={equity} />
          <div className="grid grid-cols-2 items-start gap-3">
            <LeverageField {...parts} />
            {hasLevels && <StopField {...parts} />}
          </div>
          {preview?.action === 'add' && (
            <p className="text-label text-muted">
              Adds to your open position, which keeps its stop, targets and trailing.
            </p>
          )}
          {hasLevels && <TargetFields {...parts} />}
          {draft.type !== 'market' && <ExpiryField {...parts} />}
          <TrailingFields {...parts} isShown={hasLevels} beside={<ReduceField {...parts} />} />
        </div>
        <div className="p-3 pt-0">
          <TicketFigures preview={preview} isCurrent={ticket.isCurrent} contract={contract} />
        </div>
      </div>
      <Footer draft={draft} ticket={ticket} />
    </form>
  );
}

/** Orders that an edit, or time, took out of the ticket before a response confirmed them. */
function LeftOrders() {
  return useStore(ticketState).left.map(({ key, atMs }) => (
    <Notice
      key={key}
      tone="warn"
      action={
        <button type="button" className="btn btn-small" onClick={() => dismissLeft(key)}>
          Dismiss
        </button>
      }
    >
      An order sent at <Time at={atMs} /> is not confirmed. Check your positions and orders first.
    </Notice>
  ));
}

function Footer({ draft, ticket }: { draft: TicketDraft; ticket: Ticket }) {
  const { problems, unconfirmed, isMoved, isPossible, isPlacing } = ticket;
  return (
    <div className="flex shrink-0 flex-col gap-2 border-t border-line p-3">
      {problems.other !== undefined && <Notice tone="error">{problems.other}</Notice>}
      {unconfirmed !== null && <Notice tone="error">{unconfirmed}</Notice>}
      <LeftOrders />
      {isMoved && <Notice tone="warn">The price moved. Check the new figures, then place the order again.</Notice>}
      <div className="flex justify-end gap-2">
        <button type="button" className="btn" onClick={closeTicket}>
          Cancel
        </button>
        <button type="submit" className="btn btn-primary" disabled={!isPossible || isPlacing}>
          {isPlacing ? 'Sending…' : submitText(draft)}
        </button>
      </div>
    </div>
  );
}
