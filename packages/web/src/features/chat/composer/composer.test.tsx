import { cleanup, render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { createRef } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { Composer } from "./composer.tsx";

afterEach(cleanup);

function show(send: () => void, setText: (text: string) => void = () => {}, stop: () => void = () => {}) {
  const composer = (disabled: boolean, opening: boolean, busy = false) => (
    <Composer
      field={createRef<HTMLTextAreaElement>()}
      placeholder="Ask"
      text="Hello"
      setText={setText}
      attachments={[]}
      files={[]}
      notice={null}
      attach={() => {}}
      detach={() => {}}
      problems={[]}
      acceptsImages={false}
      isReadOnly={false}
      busy={busy}
      disabled={disabled}
      isLoading={opening}
      start={null}
      end={null}
      send={send}
      stop={stop}
      editLast={() => {}}
      openPrompts={null}
    />
  );
  const { rerender } = render(composer(true, true));
  return {
    set: (disabled: boolean, opening: boolean, busy = false) => rerender(composer(disabled, opening, busy)),
  };
}
const type = (keys: string) => userEvent.type(screen.getByLabelText("Message"), keys);

test("the composer sends once when Enter was pressed before the chat was ready", async () => {
  const send = vi.fn();
  const { set } = show(send);
  await type("{Enter}{Enter}");
  expect(send).not.toHaveBeenCalled();
  set(false, false);
  expect(send).toHaveBeenCalledTimes(1);
  set(false, false);
  expect(send).toHaveBeenCalledTimes(1);
});

test("the composer does not send when the user goes on writing after an early Enter", async () => {
  const send = vi.fn();
  const { set } = show(send);
  await type("{Enter}!");
  set(false, false);
  expect(send).not.toHaveBeenCalled();
});

test("the composer ignores Enter while something else prevents sending", async () => {
  const send = vi.fn();
  const { set } = show(send);
  set(true, false);
  await type("{Enter}");
  set(false, false);
  expect(send).not.toHaveBeenCalled();
});

test.each([
  [100, 0],
  [2_000, 1],
])(
  "a click on Stop %i ms after Send stops %i times, because the second half of a double click does not count",
  async (later, times) => {
    const now = vi.spyOn(performance, "now").mockReturnValue(10_000);
    const stop = vi.fn();
    const { set } = show(
      () => {},
      () => {},
      stop,
    );
    set(false, false);
    await userEvent.click(screen.getByRole("button", { name: "Send" }));
    set(false, false, true);
    now.mockReturnValue(10_000 + later);
    await userEvent.click(screen.getByRole("button", { name: "Stop" }));
    expect(stop).toHaveBeenCalledTimes(times);
    now.mockRestore();
  },
);

test("Enter on the Stop button stops at once and focuses the message field", async () => {
  const stop = vi.fn();
  const { set } = show(
    () => {},
    () => {},
    stop,
  );
  set(false, false);
  await userEvent.click(screen.getByRole("button", { name: "Send" }));
  set(false, false, true);
  screen.getByRole("button", { name: "Stop" }).focus();
  await userEvent.keyboard("{Enter}");
  expect(stop).toHaveBeenCalledTimes(1);
  expect(document.activeElement).toBe(screen.getByLabelText("Message"));
});
