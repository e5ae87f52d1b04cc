/** Focuses the first invalid field of a form, after the errors were rendered. */
export function focusFirstWrong(form: EventTarget | null): void {
  requestAnimationFrame(() => {
    if (form instanceof HTMLElement) form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  });
}
