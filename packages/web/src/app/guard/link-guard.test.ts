import { afterEach, expect, test, vi } from "vitest";
import { blockDangerousLinks } from "./link-guard.ts";

afterEach(() => {
  document.body.innerHTML = "";
});

test.each([
  ['<a href="javascript:alert(1)"><i>x</i></a>', "Cannot navigate to a URL with 'javascript:' protocol."],
  ['<a href=" java\nscript:alert(1)"><i>x</i></a>', "Cannot navigate to a URL with 'javascript:' protocol."],
  ['<a href="data:text/html,x"><i>x</i></a>', "Cannot navigate to a URL with 'data:' protocol."],
  ['<a href="data:text/csv,x" download="x.csv"><i>x</i></a>', null],
  ['<a href="#models"><i>x</i></a>', null],
  ["<a><i>x</i></a>", null],
  ["<i>x</i>", null],
])("a click in %s warns: %s", (html, message) => {
  document.body.innerHTML = html;
  const warn = vi.fn();
  const end = blockDangerousLinks(warn);
  const click = new MouseEvent("click", { bubbles: true, cancelable: true });
  document.querySelector("i")?.dispatchEvent(click);
  end();
  expect(click.defaultPrevented).toBe(message !== null);
  expect(warn.mock.calls).toEqual(message === null ? [] : [[message]]);
});
