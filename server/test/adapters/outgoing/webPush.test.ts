import { describe, expect, it } from 'vitest';
import {
  createKeyPair,
  decryptPush,
  encryptPush,
  PUSH_TEXT_BYTES_MAX,
  readVapid,
  vapidHeader,
} from '../../../src/adapters/outgoing/webPush.ts';

/** Published vectors: RFC 8291, Appendix A, and the token of RFC 8292, section 2.4. */
const example = {
  text: 'When I grow up, I want to be a watermelon',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  receiver: {
    publicKey: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    privateKey: 'q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94',
  },
  sender: {
    publicKey: 'BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8',
    privateKey: 'yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw',
  },
  salt: 'DGv6ra1nlYgDCS1FRnbzlw',
  body:
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPT' +
    'pK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
};
const vapidExample =
  'vapid t=eyJ0eXAiOiJKV1QiLCJhbGciOiJFUzI1NiJ9.eyJhdWQiOiJodHRwczovL3B1c2guZXhhbXBsZS5uZXQiLCJleHAiOjE0NTM1MjM3NjgsInN1YiI6Im1haWx0bzpwdXNoQGV4YW1wbGUuY29tIn0.i3CYb7t4xfxCDquptFOepC9GAu_HLGkMlMuCGSK2rpiUfnK9ojFwDXb1JrErtmysazNjjvW2L9OkSSHzvoD1oA, k=BA1Hxzyi1RUM1b5wjxsn7nGxAszw2u61m164i3MrAIxHF6YK5h4SDYic-dRuU_RCPCfA5aq9ojSwk5Y2EmClBPs';

describe('encryption of a push', () => {
  it('DESK-080 gives the body of RFC 8291, and reads it', () => {
    const keys = { p256dh: example.receiver.publicKey, auth: example.auth };
    const given = { salt: Buffer.from(example.salt, 'base64url'), pair: example.sender };
    expect(encryptPush(keys, example.text, given).toString('base64url')).toBe(example.body);
    expect(decryptPush(example.receiver, example.auth, Buffer.from(example.body, 'base64url'))).toBe(example.text);
  });

  it('DESK-080 a body is read with its keys only, and is never the same twice', () => {
    const browser = createKeyPair();
    const keys = { p256dh: browser.publicKey, auth: example.auth };
    const [one, two] = [encryptPush(keys, 'an alert'), encryptPush(keys, 'an alert')];
    expect(one.equals(two)).toBe(false);
    expect(decryptPush(browser, example.auth, one)).toBe('an alert');
    expect(() => decryptPush(createKeyPair(), example.auth, one)).toThrow();
    expect(() => encryptPush(keys, 'x'.repeat(PUSH_TEXT_BYTES_MAX + 1))).toThrow(RangeError);
  });
});

describe('identity of the sender', () => {
  it('DESK-080 the token of RFC 8292 is valid and a changed one is not', () => {
    expect(readVapid(vapidExample)?.claims).toEqual({
      aud: 'https://push.example.net',
      exp: 1453523768,
      sub: 'mailto:push@example.com',
    });
    expect(readVapid(vapidExample.replace('.i3CY', '.i3CZ'))).toBeUndefined();
  });

  it('DESK-080 a signed header names its key and claims', () => {
    const pair = createKeyPair();
    const vapid = { audience: 'https://push.example.net', subject: 'mailto:a@example.com', expiresS: 1_800_000_000 };
    expect(readVapid(vapidHeader(pair, vapid))).toEqual({
      publicKey: pair.publicKey,
      claims: { aud: vapid.audience, exp: vapid.expiresS, sub: vapid.subject },
    });
  });
});
