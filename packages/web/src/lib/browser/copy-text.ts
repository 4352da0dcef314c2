/**
 * Copies a text to the clipboard and returns whether that worked. Insecure pages (plain http) have no Clipboard API:
 * there the text is put into a hidden field next to `trigger` and copied with `execCommand`.
 */
export async function copyText(
  text: string,
  trigger: Element,
  clipboard: Clipboard | null | undefined = navigator.clipboard,
): Promise<boolean> {
  try {
    if (!clipboard) return copyFromField(text, trigger);
    await clipboard.writeText(text);
    return true;
  } catch {
    return copyFromField(text, trigger);
  }
}

function copyFromField(text: string, trigger: Element): boolean {
  const { ownerDocument: page, parentElement } = trigger;
  const focused = page.activeElement;
  const field = page.createElement("textarea");
  field.value = text;
  field.readOnly = true;
  field.className = "visually-hidden";
  // Next to the trigger, because a dialog would take the focus back from elsewhere in the document.
  (parentElement ?? page.body).append(field);
  field.select();
  try {
    return page.execCommand("copy");
  } catch {
    return false;
  } finally {
    field.remove();
    if (focused instanceof HTMLElement) focused.focus();
  }
}
