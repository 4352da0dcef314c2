import { cleanup, render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { LanguageChoice } from "./language-choice.tsx";

afterEach(cleanup);

test("one language is no choice", () => {
  expect(render(<LanguageChoice languages={["en"]} />).container.innerHTML).toBe("");
});

test("each language says its own name, and the chosen one is taken", async () => {
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
