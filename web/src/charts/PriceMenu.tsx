import { Menu } from '@base-ui/react/menu';
import type { RefObject } from 'react';
import { formatFixed } from '../format/number.ts';
import { toast, toastFailure } from '../state/toasts.ts';
import type { PriceAction, PriceSpot } from './priceActions.ts';

const copyPrice: PriceAction = {
  id: 'copy',
  label: (price) => `Copy price ${price}`,
  run: (price) =>
    void navigator.clipboard.writeText(String(price)).then(
      () => toast('Price copied', 'success'),
      // A page that was not loaded over https has no clipboard, and a browser may deny it.
      (failure: unknown) => toastFailure('Could not copy the price', failure),
    ),
};

interface Props {
  spot: PriceSpot;
  priceDecimals: number;
  actions: readonly PriceAction[];
  /** Receives the focus when the menu closes. */
  chart: RefObject<HTMLElement | null>;
  onClose: () => void;
}

/** What can be done at a price of the chart. */
export function PriceMenu({ spot, priceDecimals, actions, chart, onClose }: Props) {
  const { price, time, clientX, clientY } = spot;
  const text = formatFixed(price, priceDecimals);
  return (
    <Menu.Root open modal={false} onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Menu.Portal>
        <Menu.Positioner
          anchor={{ getBoundingClientRect: () => new DOMRect(clientX, clientY, 0, 0) }}
          align="start"
          sideOffset={4}
          collisionPadding={8}
          className="z-40"
        >
          <Menu.Popup
            finalFocus={chart}
            aria-label={`At price ${text}`}
            className="popup max-h-(--available-height) max-w-[calc(100vw-16px)] min-w-48 overflow-y-auto p-1 outline-none"
          >
            {[...actions, copyPrice].map(({ id, label, run }) => (
              <Menu.Item key={id} className="menu-item" onClick={() => run(price, time)}>
                {label(text)}
              </Menu.Item>
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
