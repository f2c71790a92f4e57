const forms = new Set<() => boolean>();

/** A settings form registers once. Its draft is kept while other pages of the product are looked at. */
export function onLeaveWithUnsaved(isUnsaved: () => boolean): void {
  forms.add(isUnsaved);
}

/** The browser asks before a page with unsaved changes is closed or reloaded. @param page the window */
export function askBeforeLeaving(page: EventTarget): void {
  page.addEventListener('beforeunload', (event) => {
    if ([...forms].some((isUnsaved) => isUnsaved())) event.preventDefault();
  });
}
