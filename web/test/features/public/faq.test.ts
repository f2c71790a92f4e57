import { describe, expect, it } from 'vitest';
import { faq } from '../../../src/features/public/faq.ts';

const responseTo = (question: string): string =>
  faq.flatMap(({ questions }) => questions).find((each) => each.question === question)?.answer ?? '';

describe('the questions about money', () => {
  it('X35 distinguish a deposit, which is capital on an exchange, from a purchase of credits', () => {
    const deposit = responseTo('Do I have to deposit anything?');
    expect(deposit).toContain('There is no minimum deposit, and 1000 USD is recommended');
    expect(deposit).toContain('trading capital on your own exchange, not a payment to us');
    const credits = responseTo('What are credits, and how do they differ from a deposit?');
    expect(credits).toContain('the smallest purchase is 20');
    expect(credits).toContain('They are no trading capital');
  });
});
