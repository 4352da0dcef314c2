import { cleanup, render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { LanguageChoice } from "./language-choice.tsx";

afterEach(cleanup);

test("renders nothing for a single language", () => {
  expect(render(<LanguageChoice languages={["en"]} />).container.innerHTML).toBe("");
});

test("lists each language under its own name, and selects the chosen one", async () => {
  const choose = vi.fn();
  render(<LanguageChoice languages={["en", "de", "ar"]} choose={choose} />);
  expect(screen.getAllByRole("option").map(({ textContent }) => textContent)).toEqual([
    "English",
    "Deutsch",
    "العربية",
  ]);
  await userEvent.selectOptions(screen.getByRole("combobox", { name: "Language" }), "Deutsch");
  expect(choose).toHaveBeenCalledWith("de");
});
