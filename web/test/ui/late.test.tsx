import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it, vi } from 'vitest';
import { late } from '../../src/ui/late.tsx';

const Greeting = ({ name }: { name: string }) => <p>Hello {name}</p>;

describe('late', () => {
  it('shows what stands in until the file is here, then the view with its props', async () => {
    const greeting = late(() => Promise.resolve(Greeting), <i>wait</i>);
    expect(renderToStaticMarkup(<greeting.View name="Ann" />)).toBe('<i>wait</i>');
    await greeting.load();
    expect(renderToStaticMarkup(<greeting.View name="Ann" />)).toBe('<p>Hello Ann</p>');
  });

  it('fetches the file once, and again when it did not come', async () => {
    vi.useFakeTimers();
    let requests = 0;
    const greeting = late(() => {
      requests += 1;
      return requests <= 1 ? Promise.reject(new Error('no network')) : Promise.resolve(Greeting);
    });
    // Two that need it at once share its requests.
    const both = Promise.allSettled([greeting.load(), greeting.load()]);
    await vi.runAllTimersAsync();
    expect((await both).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    vi.useRealTimers();
    expect(renderToStaticMarkup(<greeting.View name="Ann" />)).toBe('');
    await greeting.load();
    await greeting.load();
    expect([requests, renderToStaticMarkup(<greeting.View name="Ann" />)]).toEqual([2, '<p>Hello Ann</p>']);
  });
});
