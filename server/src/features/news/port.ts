import type { Result } from '@sextant/workers/src/core/result.ts';

/** External interfaces of the news feature, implemented by adapters. Texts are plain, without markup. */

/** One item of a feed, validated and cut to its limits. */
export interface FeedItem {
  title: string;
  /** http or https. */
  link: string;
  /** Date of the feed, epoch ms, no older than 30 days and at most 10 minutes ahead; null without a usable date. */
  pubDateMs: number | null;
  author: string | null;
  description: string;
  content: string;
}

/** Validators of the last response, sent back so that an unchanged feed costs one header. */
export interface FeedValidators {
  etag: string | null;
  lastModified: string | null;
}

export interface FeedFailure {
  kind: 'blocked' | 'unreachable' | 'timeout' | 'status' | 'redirect' | 'too_large' | 'not_a_feed' | 'empty';
  message: string;
  /** Wait requested by the feed. */
  retryAfterS: number | undefined;
}

/** The items, and the validators for the next conditional request. */
export interface FeedRead {
  items: FeedItem[];
  /** Unknown time zones in dates: such items have no date. */
  unknownZones: string[];
  validators: FeedValidators;
}

export interface FeedReader {
  /** One conditional request; null when the feed has not changed. Never rejects because of the feed. */
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
  /** Earliest time of the next request, epoch ms. */
  retryAtMs: number | undefined;
}

/** A source of short public posts. Another network can replace X by implementing this. */
export interface SocialSource {
  name: string;
  /** Posts after `sinceId`; the latest ones when it is null. */
  recent: (sinceId: string | null) => Promise<Result<{ posts: SocialPost[]; newestId: string | null }, SocialFailure>>;
  close: () => Promise<void>;
}
