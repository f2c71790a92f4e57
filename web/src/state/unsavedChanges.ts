const forms = new Set<() => boolean>();

/** A settings form registers once. Its draft is preserved while other pages of the product are open. */
export function onLeaveWithUnsaved(isUnsaved: () => boolean): void {
  forms.add(isUnsaved);
}

/** The browser confirms before a page with unsaved changes is closed or reloaded. @param page the window */
export function confirmBeforeLeaving(page: EventTarget): void {
  page.addEventListener('beforeunload', (event) => {
    if ([...forms].some((isUnsaved) => isUnsaved())) event.preventDefault();
  });
}
