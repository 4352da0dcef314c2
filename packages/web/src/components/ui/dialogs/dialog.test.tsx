import { cleanup, render, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { useState } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { Dialog } from "./dialog.tsx";

afterEach(cleanup);

function Opener() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        open
      </button>
      <Dialog open={open} onClose={() => setOpen(false)} title="New key">
        <input aria-label="Name" autoFocus />
      </Dialog>
    </>
  );
}

test("a dialog returns the focus to the trigger each time, also if a field has autofocus", async () => {
  render(<Opener />);
  for (const _ of [1, 2]) {
    await userEvent.click(screen.getByRole("button", { name: "open" }));
    expect(await screen.findByLabelText("Name")).toBe(document.activeElement);
    await userEvent.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("button", { name: "open" })));
  }
});

test("the focus stays in a dialog that follows on another", async () => {
  const both = (second: boolean) => (
    <>
      <Dialog open={!second} onClose={() => {}} title="First">
        <input aria-label="Name" autoFocus />
      </Dialog>
      <Dialog open={second} onClose={() => {}} title="Second">
        <button type="button">I have copied it</button>
      </Dialog>
    </>
  );
  const { rerender } = render(both(false));
  await screen.findByLabelText("Name");
  rerender(both(true));
  await waitFor(() => expect(screen.queryByLabelText("Name")).toBeNull());
  const second = screen.getByRole("dialog", { name: "Second" });
  await waitFor(() => expect(second.contains(document.activeElement)).toBe(true));
});

test("with dismissible={false} ignores Escape and clicks outside, and closes by its button only", async () => {
  const close = vi.fn();
  render(
    <Dialog open onClose={close} title="Your new key" dismissible={false}>
      <button type="button" onClick={close}>
        I have copied it
      </button>
    </Dialog>,
  );
  await screen.findByRole("dialog", { name: "Your new key" });
  await userEvent.keyboard("{Escape}{Escape}");
  await userEvent.click(document.querySelector(".dialog-back") as Element);
  expect(close).not.toHaveBeenCalled();
  expect(screen.getByRole("dialog", { name: "Your new key" })).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "I have copied it" }));
  expect(close).toHaveBeenCalledTimes(1);
});
