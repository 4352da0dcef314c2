import { cleanup, render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { RecoveryCodes } from "./recovery-codes.tsx";

afterEach(cleanup);

test("shows recovery codes until the user says that they are kept: Escape does not close them", async () => {
  const close = vi.fn();
  render(<RecoveryCodes codes={["abcd-1234", "efgh-5678"]} close={close} />);
  const dialog = await screen.findByRole("dialog", { name: "Keep these recovery codes" });
  expect(dialog.textContent).toContain("abcd-1234");
  await userEvent.keyboard("{Escape}");
  expect(close).not.toHaveBeenCalled();
  await userEvent.click(screen.getByRole("button", { name: "I have kept them" }));
  expect(close).toHaveBeenCalledOnce();
});
