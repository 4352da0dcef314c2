/** A button that was pressed before the site could hear of it: what it says, and which of those that say so. */
export type EarlyPress = { label: string; place: number };
/** What was typed then: the field, by what it is called, and all that stands in it. */
export type EarlyText = { label: string; value: string };

declare global {
  interface Window {
    /** Both are noted by theme.js, which runs before everything else. */
    pressedEarly?: EarlyPress;
    typedEarly?: EarlyText;
  }
}

type Noted = Pick<Window, "pressedEarly" | "typedEarly">;

/** Does again, once, what was done on the page as the server had drawn it. */
export function repeatEarlyActs(root: ParentNode, noted: Noted): void {
  const { pressedEarly: press, typedEarly: text } = noted;
  delete noted.pressedEarly;
  delete noted.typedEarly;
  if (text) retype(root, text);
  if (press) alike(root.querySelectorAll("button"), press.label)[press.place]?.click();
}

function retype(root: ParentNode, { label, value }: EarlyText): void {
  const [field] = alike(root.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>("input, textarea"), label);
  if (field?.value !== "") return;
  // By the setter of the element itself: React looks for changes behind the one it puts before it.
  const prototype = Object.getPrototypeOf(field) as object;
  Object.getOwnPropertyDescriptor(prototype, "value")?.set?.call(field, value);
  field.dispatchEvent(new Event("input", { bubbles: true }));
  field.focus();
}

const alike = <E extends HTMLElement>(elements: Iterable<E>, label: string): E[] =>
  [...elements].filter((element) => nameOf(element) === label);

/** As theme.js names them. */
const nameOf = (element: HTMLElement & { labels?: NodeListOf<HTMLLabelElement> | null }) =>
  element.getAttribute("aria-label") ?? element.labels?.[0]?.textContent.trim() ?? element.textContent.trim();
