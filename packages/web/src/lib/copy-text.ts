/**
 * Puts a text into the clipboard, and answers whether it is there. Pages without encryption have no clipboard of their own:
 * there it is selected in a field beside `near` and copied as by hand.
 */
export async function copyText(
  text: string,
  near: Element,
  clipboard: Clipboard | null | undefined = navigator.clipboard,
): Promise<boolean> {
  try {
    if (!clipboard) return copyFromField(text, near);
    await clipboard.writeText(text);
    return true;
  } catch {
    return copyFromField(text, near);
  }
}

function copyFromField(text: string, near: Element): boolean {
  const { ownerDocument: page, parentElement } = near;
  const focused = page.activeElement;
  const field = page.createElement("textarea");
  field.value = text;
  field.readOnly = true;
  field.className = "visually-hidden";
  // Beside the button, so that a dialog does not take the focus back.
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
