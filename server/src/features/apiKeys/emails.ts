import type { Message } from '../mail/letter.ts';

const manage = (baseUrl: string) => ({ label: 'Open the API Manager', url: `${baseUrl}/?tab=api-manager` });

export const newNetworkEmail = (baseUrl: string, to: string, key: { name: string; ip: string }): Message => ({
  to,
  subject: 'Your API key was used from a new network',
  paragraphs: [
    `Your Sextant API key “${key.name}” was used for the first time from ${key.ip} or its network.`,
    'Not you? Revoke the key in the API Manager; it stops at once.',
  ],
  link: manage(baseUrl),
});

export const usageEmail = (
  baseUrl: string,
  to: string,
  { percent, limit, plan }: { percent: number; limit: number; plan: string },
): Message => ({
  to,
  subject: percent === 100 ? 'Your hourly API limit is reached' : `${percent} % of your API limit is used`,
  paragraphs: [
    `Your API keys have used ${percent} % of the ${limit} calls an hour of the ${plan} plan.`,
    percent === 100
      ? 'Further calls get 429 until the next full hour.'
      : 'Calls beyond the limit get 429 until the next full hour.',
    'We send this at most once a day.',
  ],
  link: manage(baseUrl),
});

export const planEndingEmail = (
  baseUrl: string,
  to: string,
  { plan, endsAt }: { plan: string; endsAt: Date },
): Message => ({
  to,
  subject: `Your ${plan} plan ends on ${endsAt.toISOString().slice(0, 10)}`,
  paragraphs: [
    `Your Sextant API plan ${plan} ends on ${endsAt.toISOString().slice(0, 16).replace('T', ' ')} UTC.`,
    'It does not renew. Your keys then continue on the FREE plan; buy a new plan any time after that.',
  ],
  link: manage(baseUrl),
});
