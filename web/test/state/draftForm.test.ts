import { describe, expect, it } from 'vitest';
import { createDraftForm, findChanges } from '../../src/state/draftForm.ts';
import { confirmBeforeLeaving } from '../../src/state/unsavedChanges.ts';
import { runUserResets } from '../../src/state/userReset.ts';

interface Form {
  leverage: number;
  floor: number | null;
  intervals: Record<string, boolean>;
}
const saved: Form = { leverage: 10, floor: null, intervals: { '1h': true, '4h': true } };

function openForm() {
  const form = createDraftForm<Form>();
  form.takeSaved(saved);
  return form;
}
const changesOf = (form: ReturnType<typeof openForm>) => form.read()?.changes;

describe('a draft form', () => {
  it('has nothing to edit before the saved values are known', () => {
    const form = createDraftForm<Form>();
    form.edit({ leverage: 20 });
    expect(form.read()).toBeNull();
    form.takeSaved(saved);
    expect(form.read()).toEqual({ saved, changes: {}, draft: saved });
  });

  it('keeps as a change only what differs from what is saved', () => {
    const form = openForm();
    form.edit({ leverage: 20, floor: null });
    form.edit({ intervals: { '4h': false, '1h': true } });
    expect(form.read()).toEqual({
      saved,
      changes: { leverage: 20, intervals: { '1h': true, '4h': false } },
      draft: { leverage: 20, floor: null, intervals: { '1h': true, '4h': false } },
    });
    form.edit({ leverage: 10, intervals: { '4h': true, '1h': true } });
    expect(changesOf(form)).toEqual({});
  });

  it('discards to what is saved', () => {
    const form = openForm();
    form.edit({ leverage: 20 });
    form.discard();
    expect(form.read()?.draft).toEqual(saved);
  });

  it('keeps a change when the saved values change elsewhere, and takes over the rest', () => {
    const form = openForm();
    form.edit({ leverage: 20 });
    form.takeSaved({ ...saved, leverage: 5, floor: 0.5 });
    expect(form.read()?.draft).toEqual({ ...saved, leverage: 20, floor: 0.5 });
    form.takeSaved({ ...saved, leverage: 20 });
    expect(changesOf(form)).toEqual({});
  });

  it('drops the sent changes when the response comes, even when the server stored another value', () => {
    const form = openForm();
    form.edit({ leverage: 20 });
    form.takeResponse({ ...saved, leverage: 15 }, { leverage: 20 });
    expect(form.read()).toMatchObject({ changes: {}, draft: { leverage: 15 } });
  });

  it('keeps what was typed while the request was pending', () => {
    const form = openForm();
    form.edit({ leverage: 20, floor: 0.5 });
    const sent = form.read()?.changes ?? {};
    form.edit({ leverage: 30 });
    form.takeResponse({ ...saved, ...sent }, sent);
    expect(changesOf(form)).toEqual({ leverage: 30 });
  });

  it('shows the browser prompt before the page is closed, and is dropped with the user', () => {
    runUserResets();
    const page = new EventTarget();
    confirmBeforeLeaving(page);
    const isRequested = () => !page.dispatchEvent(new Event('beforeunload', { cancelable: true }));
    const form = openForm();
    expect(isRequested()).toBe(false);
    form.edit({ leverage: 20 });
    expect(isRequested()).toBe(true);
    runUserResets();
    expect([isRequested(), form.read()]).toEqual([false, null]);
  });
});

describe('changes', () => {
  it('are the fields whose values differ, whatever the order of their keys', () => {
    const changesFrom = (values: Partial<Form>) => findChanges(values, saved);
    expect(changesFrom({ ...saved, leverage: 20 })).toEqual({ leverage: 20 });
    expect(changesFrom({ intervals: { '4h': true, '1h': true } })).toEqual({});
    expect(changesFrom({ intervals: { '1h': true } })).toEqual({ intervals: { '1h': true } });
    expect(changesFrom({ floor: 0 })).toEqual({ floor: 0 });
  });
});
