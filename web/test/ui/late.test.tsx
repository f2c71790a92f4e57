import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
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
    let asked = 0;
    const greeting = late(() => {
      asked += 1;
      return asked === 1 ? Promise.reject(new Error('no network')) : Promise.resolve(Greeting);
    });
    await expect(greeting.load()).rejects.toThrow('no network');
    expect(renderToStaticMarkup(<greeting.View name="Ann" />)).toBe('');
    await greeting.load();
    await greeting.load();
    expect([asked, renderToStaticMarkup(<greeting.View name="Ann" />)]).toEqual([2, '<p>Hello Ann</p>']);
  });
});
