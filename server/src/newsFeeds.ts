/** A configured feed. */
export interface Feed {
  /** Shown as the source of its items. */
  name: string;
  url: string;
  /** The feed runs on this machine and reports about the simulated market. */
  isSimulated: boolean;
}

export const MAX_FEEDS = 50;

const feed = (name: string, url: string): Feed => ({ name, url, isSimulated: false });

/** Read in addition to a live market unless NEWS_FEEDS sets others. */
export const liveFeeds: readonly Feed[] = [
  feed('CoinDesk', 'https://www.coindesk.com/arc/outboundfeeds/rss/'),
  feed('Cointelegraph', 'https://cointelegraph.com/rss'),
  feed('Decrypt', 'https://decrypt.co/feed'),
  feed('The Block', 'https://www.theblock.co/rss.xml'),
  feed('Bitcoin Magazine', 'https://bitcoinmagazine.com/feed'),
  feed('The Defiant', 'https://thedefiant.io/feed'),
  feed('CryptoSlate', 'https://cryptoslate.com/feed'),
  feed('BeInCrypto', 'https://beincrypto.com/feed'),
  feed('U.Today', 'https://u.today/rss'),
  feed('NewsBTC', 'https://www.newsbtc.com/feed'),
  feed('Bitcoinist', 'https://bitcoinist.com/feed'),
];
