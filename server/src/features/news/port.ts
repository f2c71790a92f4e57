import type { Result } from '@sextant/workers/src/result.ts';

/** What the news feature needs from outside. Adapters implement it; texts are plain, without markup. */

/** One item as a feed sent it, checked and cut to its limits. */
export interface FeedItem {
  title: string;
  /** http or https. */
  link: string;
  /** As the feed says, epoch ms, no older than 30 days and at most 10 minutes ahead; null without a usable date. */
  pubDateMs: number | null;
  author: string | null;
  description: string;
  content: string;
}

/** Validators of the last answer, sent back so that an unchanged feed costs one header. */
export interface FeedValidators {
  etag: string | null;
  lastModified: string | null;
}

export interface FeedFailure {
  kind: 'blocked' | 'unreachable' | 'timeout' | 'status' | 'redirect' | 'too_large' | 'not_a_feed' | 'empty';
  message: string;
  /** The feed asked to wait this long. */
  retryAfterS: number | undefined;
}

/** The items, and what makes the next request conditional. */
export interface FeedRead {
  items: FeedItem[];
  /** Zones that dates name and that are unknown: such items have no date. */
  unknownZones: string[];
  validators: FeedValidators;
}

export interface FeedReader {
  /** One conditional request; null when the feed has not changed. Never rejects for what the feed does. */
  read: (url: string, validators: FeedValidators) => Promise<Result<FeedRead | null, FeedFailure>>;
  close: () => Promise<void>;
}

export interface SocialPost {
  id: string;
  text: string;
  link: string;
  author: string | null;
  postedAtMs: number;
}

export interface SocialFailure {
  message: string;
  /** Not before this moment, epoch ms. */
  retryAtMs: number | undefined;
}

/** A source of short public posts. Another network takes the place of X by implementing this. */
export interface SocialSource {
  name: string;
  /** Posts after `sinceId`; the latest ones when it is null. */
  recent: (sinceId: string | null) => Promise<Result<{ posts: SocialPost[]; newestId: string | null }, SocialFailure>>;
  close: () => Promise<void>;
}
