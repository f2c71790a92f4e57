import type { Letter } from './port.ts';

/** Content of an email; this file alone defines its layout. */
export interface Message {
  to: string;
  subject: string;
  paragraphs: string[];
  /** The only link of the email. */
  link?: { label: string; url: string };
}

const escape = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${String(character.codePointAt(0))};`);

const footer = 'Sextant sent this because of activity in the account with this address.';

/** Plain text and the same as simple HTML: no image and no remote content, so that opening it cannot be tracked. */
export function letterOf({ to, subject, paragraphs, link }: Message): Letter {
  const linkText = link === undefined ? [] : [`${link.label}:\n${link.url}`];
  const linkHtml =
    link === undefined
      ? []
      : [
          `<p><a href="${escape(link.url)}" style="display:inline-block;padding:8px 16px;border-radius:6px;background:#2257d6;color:#ffffff;text-decoration:none">${escape(link.label)}</a></p>`,
          `<p style="color:#55617a;font-size:12px">Or open this address:<br>${escape(link.url)}</p>`,
        ];
  const [first = '', ...rest] = paragraphs;
  const html = [
    `<p>${escape(first)}</p>`,
    ...linkHtml,
    ...rest.map((text) => `<p>${escape(text)}</p>`),
    `<p style="color:#55617a;font-size:12px">${footer}</p>`,
  ];
  return {
    to,
    subject,
    text: `${[first, ...linkText, ...rest, `-- \n${footer}`].join('\n\n')}\n`,
    html: `<!doctype html><html lang="en"><body style="font-family:system-ui,sans-serif;font-size:14px;line-height:20px;color:#121826;max-width:520px">${html.join('\n')}</body></html>`,
  };
}
