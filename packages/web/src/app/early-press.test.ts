import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { repeatEarlyPress } from "./early-press.ts";

const SCRIPT = readFileSync(join(import.meta.dirname, "../../public/theme.js"), "utf8");
const BUTTONS = `<button>Copy</button><button aria-label="Menu"><i>=</i></button><button> Copy </button>`;

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
});

test.each([0, 1, 2])("button %i that was pressed early is pressed when the site has drawn it, once", (place) => {
  const [button] = [...document.querySelectorAll<HTMLElement>(".served button")].slice(place);
  (button?.querySelector<HTMLElement>("i") ?? button)?.click();
  const { pressed, root } = redraw();
  repeatEarlyPress(root, window);
  repeatEarlyPress(root, window);
  expect(pressed).toEqual([String(place)]);
});

test("nothing is pressed where nothing was, and links lead where they lead by themselves", () => {
  document.querySelector<HTMLElement>("a")?.click();
  const { pressed, root } = redraw();
  repeatEarlyPress(root, window);
  expect(pressed).toEqual([]);
});

test("a button that is no longer there is not looked for elsewhere", () => {
  window.pressedEarly = { label: "Copy", place: 7 };
  const { pressed, root } = redraw();
  repeatEarlyPress(root, window);
  expect(pressed).toEqual([]);
});
