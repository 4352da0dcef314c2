import { cleanup, render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { LanguageSelect } from "./language-select.tsx";

afterEach(cleanup);

test("renders nothing for a single language", () => {
  expect(render(<LanguageSelect languages={["en"]} />).container.innerHTML).toBe("");
});

test("lists each language under its own name, and selects the chosen one", async () => {
  const choose = vi.fn();
  render(<LanguageSelect languages={["en", "de", "ar"]} onChange={choose} />);
  expect(screen.getAllByRole("option").map(({ textContent }) => textContent)).toEqual([
    "English",
    "Deutsch",
    "العربية",
  ]);
  await userEvent.selectOptions(screen.getByRole("combobox", { name: "Language" }), "Deutsch");
  expect(choose).toHaveBeenCalledWith("de");
});
