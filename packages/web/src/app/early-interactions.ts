/** A button that was pressed before the site had started: its label, and its index among buttons with that label. */
export type EarlyPress = { label: string; place: number };
/** Text that was entered before the site had started: the label of the field, and its whole value. */
export type EarlyText = { label: string; value: string };

declare global {
  interface Window {
    /** Both are recorded by public/theme.js, which runs before everything else. */
    pressedEarly?: EarlyPress;
    typedEarly?: EarlyText;
  }
}

type EarlyInteractions = Pick<Window, "pressedEarly" | "typedEarly">;

/** Repeats, once, the click and the input that happened on the prerendered HTML. */
export function replayEarlyInteractions(root: ParentNode, recorded: EarlyInteractions): void {
  const { pressedEarly: press, typedEarly: text } = recorded;
  delete recorded.pressedEarly;
  delete recorded.typedEarly;
  if (text) retype(root, text);
  if (press) findByLabel(root.querySelectorAll("button"), press.label)[press.place]?.click();
}

function retype(root: ParentNode, { label, value }: EarlyText): void {
  const [field] = findByLabel(root.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>("input, textarea"), label);
  if (field?.value !== "") return;
  // React overrides the `value` setter of the element to track changes; the prototype's setter bypasses it.
  const prototype = Object.getPrototypeOf(field) as object;
  Object.getOwnPropertyDescriptor(prototype, "value")?.set?.call(field, value);
  field.dispatchEvent(new Event("input", { bubbles: true }));
  field.focus();
}

const findByLabel = <E extends HTMLElement>(elements: Iterable<E>, label: string): E[] =>
  [...elements].filter((element) => readLabel(element) === label);

/** Returns the label of an element, computed as in public/theme.js. */
const readLabel = (element: HTMLElement & { labels?: NodeListOf<HTMLLabelElement> | null }) =>
  element.getAttribute("aria-label") ?? element.labels?.[0]?.textContent.trim() ?? element.textContent.trim();
