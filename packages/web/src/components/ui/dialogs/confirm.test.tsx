import { cleanup, render, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, describe, expect, test, vi } from "vitest";
import { RETRY_EVENT } from "#/lib/feather.ts";
import { type Confirmation, ConfirmProvider, useConfirm } from "./confirm.tsx";

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

function Ask({ confirmation }: { confirmation: Confirmation }) {
  const confirm = useConfirm();
  return (
    <button type="button" onClick={() => confirm(confirmation)}>
      ask
    </button>
  );
}

async function ask(confirmation: Confirmation) {
  render(
    <ConfirmProvider>
      <Ask confirmation={confirmation} />
    </ConfirmProvider>,
  );
  await userEvent.click(screen.getByRole("button", { name: "ask" }));
  return screen.findByRole("alertdialog");
}
const press = (name: string) => userEvent.click(screen.getByRole("button", { name }));
const isGone = () => waitFor(() => expect(screen.queryByRole("alertdialog")).toBeNull());

test("a confirmation uses default texts if none are given", async () => {
  await ask({ action: () => {} });
  expect(screen.getByText("Confirmation")).toBeTruthy();
  expect(screen.getByRole("button", { name: "Cancel" })).toBeTruthy();
  expect(screen.getByRole("button", { name: "Confirm" })).toBeTruthy();
});

test("a confirmation offers an alternative", async () => {
  const action = vi.fn();
  const alternative = vi.fn();
  await ask({ action, alternative: { buttonText: "Keep it, but off", action: alternative } });
  await press("Keep it, but off");
  await isGone();
  expect(alternative).toHaveBeenCalledOnce();
  expect(action).not.toHaveBeenCalled();
});

test("a confirmation uses the given texts", async () => {
  await ask({
    title: "Delete laptop?",
    description: "Programs with it stop.",
    cancelButtonText: "Keep it",
    confirmButtonText: "Delete laptop",
    destructive: true,
    action: () => {},
  });
  expect(screen.getByText("Delete laptop?")).toBeTruthy();
  expect(screen.getByText("Programs with it stop.")).toBeTruthy();
  expect(screen.getByRole("button", { name: "Keep it" })).toBeTruthy();
  expect(screen.getByRole("button", { name: "Delete laptop" }).className).toContain("danger");
});

test("cancelling closes the dialog and does nothing", async () => {
  const action = vi.fn();
  await ask({ action });
  await press("Cancel");
  await isGone();
  expect(action).not.toHaveBeenCalled();
});

describe("confirming", () => {
  test("confirming shows progress, runs once, and closes afterwards", async () => {
    const { promise, resolve: finish } = Promise.withResolvers<void>();
    const action = vi.fn(() => promise);
    await ask({ action });
    await press("Confirm");
    const button = screen.getByRole("button", { name: "Confirm" });
    expect(button.getAttribute("aria-busy")).toBe("true");
    expect((button as HTMLButtonElement).disabled).toBe(true);
    expect((screen.getByRole("button", { name: "Cancel" }) as HTMLButtonElement).disabled).toBe(true);
    await userEvent.keyboard("{Escape}");
    expect(screen.getByRole("alertdialog")).toBeTruthy();
    finish();
    await isGone();
    expect(action).toHaveBeenCalledTimes(1);
  });

  test("confirming closes and logs the error if the action fails", async () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    const failure = new Error("no");
    await ask({ action: () => Promise.reject(failure) });
    await press("Confirm");
    await isGone();
    expect(log).toHaveBeenCalledWith(failure);
  });
});

test("a confirmation says so when the action is tried again", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const dialog = await ask({ action: () => promise });
  await press("Confirm");
  expect(dialog.textContent).not.toContain("It is asked again");
  dispatchEvent(new Event(RETRY_EVENT));
  expect(await screen.findByText(/It is asked again/)).toBeTruthy();
  resolve();
  await isGone();
});
