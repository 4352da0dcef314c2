import { cleanup, render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { chooseOption } from "#/testing/select.ts";
import { LanguageSelect } from "./language-select.tsx";

afterEach(cleanup);

test("the choice of languages renders nothing for a single language", () => {
  expect(render(<LanguageSelect languages={["en"]} />).container.innerHTML).toBe("");
});

test("lists each language under its own name, and selects the chosen one", async () => {
  const choose = vi.fn();
  render(<LanguageSelect languages={["en", "de", "ar"]} onChange={choose} />);
  const select = await screen.findByRole("combobox", { name: "Language" });
  await userEvent.click(select);
  expect((await screen.findAllByRole("option")).map(({ firstChild }) => firstChild?.textContent)).toEqual([
    "English",
    "Deutsch",
    "العربية",
  ]);
  await userEvent.click(select);
  await chooseOption(select, "Deutsch");
  expect(choose).toHaveBeenCalledWith("de");
});
