import { cleanup, render, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { useState } from "react";
import { afterEach, expect, test } from "vitest";
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

test("the keyboard goes back to what opened it, also when a field took it at once, and each time", async () => {
  render(<Opener />);
  for (const _ of [1, 2]) {
    await userEvent.click(screen.getByRole("button", { name: "open" }));
    expect(await screen.findByLabelText("Name")).toBe(document.activeElement);
    await userEvent.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("button", { name: "open" })));
  }
});
