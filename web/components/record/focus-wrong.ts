/** Puts the focus on the first field of a form that is marked as wrong, once that is drawn. */
export function focusFirstWrong(form: EventTarget | null): void {
  requestAnimationFrame(() => {
    if (form instanceof HTMLElement) form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  });
}
