import { cleanup, render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { LanguageSelect } from "./language-select.tsx";

afterEach(cleanup);

test("the choice of languages renders nothing for a single language", () => {
  expect(render(<LanguageSelect languages={["en"]} />).container.innerHTML).toBe("");
});

test("lists each language under its own name, and selects the chosen one", async () => {
  const choose = vi.fn();
  render(<LanguageSelect languages={["en", "de", "ar"]} onChange={choose} />);
  const select = await screen.findByRole<HTMLSelectElement>("combobox", { name: "Language" });
  const options = screen.getAllByRole<HTMLOptionElement>("option");
  expect(options.map(({ text, lang }) => [text, lang])).toEqual([
    ["English", "en"],
    ["Deutsch", "de"],
    ["العربية", "ar"],
  ]);
  expect(select.value).toBe("en");
  await userEvent.selectOptions(select, "Deutsch");
  expect(choose).toHaveBeenCalledWith("de");
});
