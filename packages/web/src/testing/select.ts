import { screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect } from "vitest";

/** Chooses an option of a `Select` by its label. `select` is the button that opens the list. */
export async function chooseOption(select: HTMLElement, label: string | RegExp): Promise<void> {
  await userEvent.click(select);
  await userEvent.click(await screen.findByRole("option", { name: label }));
  await waitFor(() => expect(screen.queryByRole("option", { name: label })).toBeNull());
}
