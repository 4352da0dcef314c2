import { cleanup, render, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { FormDialog } from "./form-dialog.tsx";

afterEach(cleanup);

function show() {
  const close = vi.fn();
  const submit = vi.fn(async () => {});
  render(
    <FormDialog
      open
      title="Add a backend"
      close={close}
      schema={z.object({ name: z.string() })}
      initial={{ name: "" }}
      fields={[{ name: "name", label: "Name", autoFocus: true }]}
      submitLabel="Add"
      submit={submit}
    />,
  );
  return { close, submit };
}

test("an empty form closes at once with Escape", async () => {
  const { close } = show();
  await screen.findByLabelText("Name");
  await userEvent.keyboard("{Escape}");
  expect(close).toHaveBeenCalledTimes(1);
});

test.each(["Escape", "Cancel"])("asks before %s discards entered values", async (way) => {
  const { close } = show();
  await userEvent.type(await screen.findByLabelText("Name"), "gpu-box");
  if (way === "Escape") await userEvent.keyboard("{Escape}");
  else await userEvent.click(screen.getByRole("button", { name: "Cancel" }));
  await screen.findByRole("alertdialog", { name: "Throw away what you entered?" });
  expect(close).not.toHaveBeenCalled();

  await userEvent.click(screen.getByRole("button", { name: "Go on with the form" }));
  await waitFor(() => expect(screen.queryByRole("alertdialog")).toBeNull());
  expect(screen.getByLabelText("Name")).toHaveProperty("value", "gpu-box");

  await userEvent.keyboard("{Escape}");
  await userEvent.click(await screen.findByRole("button", { name: "Throw it away" }));
  expect(close).toHaveBeenCalledTimes(1);
});

test("a dialog with a form closes without a question after a successful submit", async () => {
  const { close, submit } = show();
  await userEvent.type(await screen.findByLabelText("Name"), "gpu-box{Enter}");
  await waitFor(() => expect(close).toHaveBeenCalledTimes(1));
  expect(submit).toHaveBeenCalledWith({ name: "gpu-box" });
  expect(screen.queryByRole("alertdialog")).toBeNull();
});
