import { LegalPage, type LegalSection } from './LegalPage.tsx';

const service: LegalSection = {
  id: 'service',
  label: 'The service',
  paragraphs: [
    {
      title: 'What it is',
      text: 'Software that calculates indicators, backtests and simulated positions on market data of crypto perpetuals. It executes no orders, holds no client money and gives no investment advice.',
    },
    {
      title: 'Market data',
      text: 'Public data of exchanges, or a simulated or recorded market, which is labelled. It can be late, incomplete or wrong; age, source and gaps are shown where they are known.',
    },
    {
      title: 'Availability',
      text: 'No availability is promised. The uptime on these pages is what was measured, nothing more. The service may be changed or ended; results you saved can be exported before.',
    },
    {
      title: 'The software itself',
      text: 'It is open source under the MIT licence, which also says: without warranty of any kind. You may run your own installation.',
    },
  ],
};

const account: LegalSection = {
  id: 'account',
  label: 'Account and credits',
  paragraphs: [
    {
      title: 'Your account',
      text: 'One person, one account. Keep your password secret. You answer for what is done with your session until you end it. You can leave at any time.',
    },
    {
      title: 'Fair use',
      text: 'Limits protect all users: requests, runs and uploads have bounds, and going around them, probing the accounts of others or reselling the exchanges’ data is not allowed.',
    },
    {
      title: 'Credits',
      text: '1 USD is 1 credit. Credits pay for calls that name their price before you make them; a call that fails is not charged. They are no money, no investment and no trading capital, and cannot be withdrawn. The smallest purchase is 20, where an installation sells them at all.',
    },
    {
      title: 'Your content',
      text: 'What you upload or save stays yours. The product uses it only to give you the results you ask for.',
    },
  ],
};

const risk: LegalSection = {
  id: 'risk',
  label: 'Risk and liability',
  paragraphs: [
    {
      title: 'The risk is yours',
      text: 'Futures with leverage can lose the whole margin within minutes. Trade only what you can afford to lose, and only where the law lets you.',
    },
    {
      title: 'The past is not the future',
      text: 'A backtest shows what rules would have done on known candles, with assumptions about fees, slippage and order inside a candle. Real fills differ. The best of many tried settings is partly luck.',
    },
    {
      title: 'No liability for decisions',
      text: 'As far as the law allows, neither the operator nor the authors are liable for losses from decisions made with these figures, from wrong or late market data, or from the service not being there.',
    },
    {
      title: 'Your legal rights',
      text: 'Nothing on this page limits the rights that the law gives you as a consumer.',
    },
  ],
};

export function TermsPage() {
  return (
    <LegalPage
      title="Terms of service"
      lead="Short, and about this software. By using an account you agree to them."
      sections={[service, account, risk]}
    />
  );
}
