import { ANALYSIS_TRADES_MIN } from '@sextant/engine-as/abi/backtest.ts';
import { PURCHASE_MIN, USD_PER_CREDIT } from '@sextant/workers/src/core/creditPrices.ts';

export interface Question {
  question: string;
  answer: string;
}

/** Three categories of four. The same texts are written into the page for search engines. */
export const faq: readonly { category: string; questions: readonly Question[] }[] = [
  {
    category: 'Getting Started',
    questions: [
      {
        question: 'What do I need to start?',
        answer:
          'A browser. The run on the home page needs no account. To keep settings, load exchange candles or verify a run on the server you need an account: an email address and a password of at least 6 characters.',
      },
      {
        question: 'Do I have to deposit anything?',
        answer:
          'No. There is no minimum deposit, and 1000 USD is recommended: trading capital on your own exchange, not a payment to us. A new account sizes its simulated positions from that balance. Below it, minimum order sizes of the exchanges distort results.',
      },
      {
        question: 'What are credits, and how do they differ from a deposit?',
        answer: `Credits pay for scans and other charged work. ${USD_PER_CREDIT} USD buys 1 credit; where they are sold, the smallest purchase is ${PURCHASE_MIN}. They are no trading capital and cannot be withdrawn. Backtests in your browser are free.`,
      },
      {
        question: 'Is the market that I see real?',
        answer:
          'It depends on the installation. The source is named below the title of the home page and in a banner once you are signed in. “Simulated” is an invented market from a seed, “replay” are recorded candles, “live” are public data of Binance, Bybit and OKX.',
      },
    ],
  },
  {
    category: 'Trading & Features',
    questions: [
      {
        question: 'Does Sextant place orders on an exchange?',
        answer:
          'No. It calculates and simulates. There is no field for an exchange key and no code that signs an order. What you do with a result, you do on your exchange yourself.',
      },
      {
        question: 'Which costs does a backtest charge?',
        answer:
          'Taker and maker fees, slippage, wider slippage on stops, gaps at the open, settled funding where its history is known, and liquidation on isolated margin. Where funding is not known for the whole window the result says that its costs are understated.',
      },
      {
        question: 'What happens when stop and target lie inside the same candle?',
        answer:
          'The candle does not show which came first. The stop is taken unless you choose otherwise, the trade is marked as ambiguous, and the result with the other order stands beside it. Finer candles settle it where there are any.',
      },
      {
        question: 'Why does my result say “mostly luck”?',
        answer: `Because a rate from a few trades says little: with 20 trades, a coin toss often gives 12 wins. Below ${ANALYSIS_TRADES_MIN} trades the result carries a warning. And the more settings you try, the better the best one looks by chance alone, so judge it on candles it has not seen.`,
      },
    ],
  },
  {
    category: 'Security & Compliance',
    questions: [
      {
        question: 'Can Sextant touch my funds?',
        answer:
          'No. Funds stay in your own exchange accounts. Sextant needs no exchange API keys and no withdrawal access, and has no place to store either.',
      },
      {
        question: 'How is my account protected?',
        answer:
          'Passwords are stored as argon2id hashes, guesses are limited, and multi-factor authentication with an authenticator app can be switched on in the account settings. The database enforces row-level security: a request sees only the rows of the signed-in user.',
      },
      {
        question: 'What does the server know about my strategies?',
        answer:
          'What you save or run on it: parameters, the symbol and the results of runs on the server, and the form as you left it. A run in your browser stays there. A CSV file is read on your machine; its candles reach the server only when you press “Verify on the server”.',
      },
      {
        question: 'Is this investment advice, and is it regulated?',
        answer:
          'It is neither advice nor a brokerage: nothing is executed and no client money is held. Trading futures with leverage can lose the whole margin. Check whether the law where you live allows it.',
      },
    ],
  },
];
