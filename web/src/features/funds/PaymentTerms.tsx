import { Panel } from '../../ui/Panel.tsx';

const terms: readonly [string, string][] = [
  [
    'Network',
    'Send the coin on the network named here. Coins sent on another network are lost and cannot be returned.',
  ],
  [
    'Too little',
    'A smaller amount is credited by its share, down to whole credits. The rest of the order is not owed.',
  ],
  ['Too much', 'A larger amount is credited in full, down to whole credits.'],
  [
    'Too late',
    'Coins that arrive after the countdown, or after you closed the payment, are still credited. Do not send to an old address a second time.',
  ],
  [
    'Credits',
    '1 USD buys 1 credit. Credits do not expire and pay for scans and other charged work. They are not trading capital.',
  ],
];

/** What happens in the cases that worry people, said before they pay. */
export function PaymentTerms() {
  return (
    <Panel title="Before you pay">
      <dl className="flex flex-col gap-2">
        {terms.map(([name, text]) => (
          <div key={name}>
            <dt className="font-medium">{name}</dt>
            <dd className="text-muted">{text}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}
