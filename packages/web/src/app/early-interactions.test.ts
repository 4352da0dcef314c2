import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { replayEarlyInteractions } from "./early-interactions.ts";

const SCRIPT = readFileSync(join(import.meta.dirname, "../../public/theme.js"), "utf8");
const FIELDS = `<label for="m">Message</label><textarea id="m"></textarea><input aria-label="Search models" />`;
const BUTTONS = `${FIELDS}<button>Copy</button><button aria-label="Menu"><i>=</i></button><button> Copy </button>`;

/** The page as the server has drawn it; then the same, drawn by the site. */
function redraw(): { pressed: string[]; root: HTMLElement } {
  const pressed: string[] = [];
  document.body.innerHTML = `<div id="root">${BUTTONS}</div>`;
  const root = document.body.firstElementChild as HTMLElement;
  for (const [place, button] of root.querySelectorAll("button").entries())
    button.addEventListener("click", () => pressed.push(String(place)));
  return { pressed, root };
}

beforeEach(() => {
  document.body.innerHTML = `<div id="root"><div class="served">${BUTTONS}<a href="#x">Docs</a></div></div>`;
  new Function(SCRIPT)();
});
afterEach(() => {
  delete window.pressedEarly;
  delete window.typedEarly;
});

test.each([0, 1, 2])("repeats an early click on button %i once, after the site has rendered", (place) => {
  const [button] = [...document.querySelectorAll<HTMLElement>(".served button")].slice(place);
  (button?.querySelector<HTMLElement>("i") ?? button)?.click();
  const { pressed, root } = redraw();
  replayEarlyInteractions(root, window);
  replayEarlyInteractions(root, window);
  expect(pressed).toEqual([String(place)]);
});

test("repeats nothing if no button was pressed, and leaves links to the browser", () => {
  document.querySelector<HTMLElement>("a")?.click();
  const { pressed, root } = redraw();
  replayEarlyInteractions(root, window);
  expect(pressed).toEqual([]);
});

test("ignores an early click on a button that no longer exists", () => {
  window.pressedEarly = { label: "Copy", place: 7 };
  const { pressed, root } = redraw();
  replayEarlyInteractions(root, window);
  expect(pressed).toEqual([]);
});

test.each(["textarea", "input"])("restores text that was entered early into a %s", (tag) => {
  const field = document.querySelector<HTMLInputElement>(`.served ${tag}`);
  if (!field) throw new Error("There is no such field.");
  field.value = "Why do feathers";
  field.dispatchEvent(new Event("input", { bubbles: true }));
  const { root } = redraw();
  const heard: string[] = [];
  root.addEventListener("input", (event) => heard.push((event.target as HTMLInputElement).value));
  replayEarlyInteractions(root, window);
  const drawn = root.querySelector<HTMLInputElement>(tag);
  expect([drawn?.value, heard, document.activeElement === drawn]).toEqual([
    "Why do feathers",
    ["Why do feathers"],
    true,
  ]);
});

test("does not overwrite text that is already in the field", () => {
  window.typedEarly = { label: "Search models", value: "early" };
  const { root } = redraw();
  const field = root.querySelector("input");
  if (field) field.value = "from the address";
  replayEarlyInteractions(root, window);
  expect(field?.value).toBe("from the address");
});
