import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { repeatEarlyActs } from "./early-acts.ts";

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

test.each([0, 1, 2])("button %i that was pressed early is pressed when the site has drawn it, once", (place) => {
  const [button] = [...document.querySelectorAll<HTMLElement>(".served button")].slice(place);
  (button?.querySelector<HTMLElement>("i") ?? button)?.click();
  const { pressed, root } = redraw();
  repeatEarlyActs(root, window);
  repeatEarlyActs(root, window);
  expect(pressed).toEqual([String(place)]);
});

test("nothing is pressed where nothing was, and links lead where they lead by themselves", () => {
  document.querySelector<HTMLElement>("a")?.click();
  const { pressed, root } = redraw();
  repeatEarlyActs(root, window);
  expect(pressed).toEqual([]);
});

test("a button that is no longer there is not looked for elsewhere", () => {
  window.pressedEarly = { label: "Copy", place: 7 };
  const { pressed, root } = redraw();
  repeatEarlyActs(root, window);
  expect(pressed).toEqual([]);
});

test.each(["textarea", "input"])("what was typed early into a %s is there when the site has drawn it", (tag) => {
  const field = document.querySelector<HTMLInputElement>(`.served ${tag}`);
  if (!field) throw new Error("There is no such field.");
  field.value = "Why do feathers";
  field.dispatchEvent(new Event("input", { bubbles: true }));
  const { root } = redraw();
  const heard: string[] = [];
  root.addEventListener("input", (event) => heard.push((event.target as HTMLInputElement).value));
  repeatEarlyActs(root, window);
  const drawn = root.querySelector<HTMLInputElement>(tag);
  expect([drawn?.value, heard, document.activeElement === drawn]).toEqual([
    "Why do feathers",
    ["Why do feathers"],
    true,
  ]);
});

test("what stands in a field already is not written over", () => {
  window.typedEarly = { label: "Search models", value: "early" };
  const { root } = redraw();
  const field = root.querySelector("input");
  if (field) field.value = "from the address";
  repeatEarlyActs(root, window);
  expect(field?.value).toBe("from the address");
});
