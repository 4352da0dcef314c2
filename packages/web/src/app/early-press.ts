/** A button that was pressed before the site could hear of it: what it says, and which of those that say so. */
export type EarlyPress = { label: string; place: number };

declare global {
  interface Window {
    /** Noted by theme.js, which runs before everything else. */
    pressedEarly?: EarlyPress;
  }
}

/** Presses again, once, what was pressed on the page as the server had drawn it. */
export function repeatEarlyPress(root: ParentNode, noted: Pick<Window, "pressedEarly">): void {
  const press = noted.pressedEarly;
  delete noted.pressedEarly;
  if (!press) return;
  const alike = [...root.querySelectorAll("button")].filter((button) => labelOf(button) === press.label);
  alike[press.place]?.click();
}

const labelOf = (button: Element) => button.getAttribute("aria-label") ?? button.textContent.trim();
