import { i18n } from "@lingui/core";
import { I18nProvider } from "@lingui/react";
import { cleanup, render, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { chooseOption } from "#/testing/select.ts";
import { Form } from "./form.tsx";

const SHORT = "Name has two letters at least.";
const LETTERS = "Name has letters only.";
const CHOOSE = "Colour is not valid.";
const AGREE = "Agree first.";

const schema = z.object({
  name: z
    .string()
    .min(2, SHORT)
    .regex(/^[a-z]*$/, LETTERS),
  colour: z.string().min(1, CHOOSE),
  agreed: z.boolean().refine((value) => value, AGREE),
});

beforeEach(() => {
  render(
    <I18nProvider i18n={i18n}>
      <Form
        schema={schema}
        initial={{ name: "", colour: "red", agreed: true }}
        fields={[
          { name: "name", label: "Name" },
          {
            name: "colour",
            label: "Colour",
            kind: "choice",
            options: [
              { value: "red", label: "Red" },
              { value: "", label: "None" },
            ],
          },
          { name: "agreed", label: "Agreed", kind: "check" },
        ]}
        submitLabel="Save"
        submit={async () => {}}
      />
    </I18nProvider>,
  );
});
afterEach(cleanup);

const name = () => screen.getByRole("textbox", { name: "Name" });
const shown = () => [...document.querySelectorAll(".error-text")].map(({ textContent }) => textContent);

describe("the validation of a text field", () => {
  test("the validation of a text field runs all rules on blur", async () => {
    await userEvent.type(name(), "1");
    expect(shown()).toEqual([]);
    await userEvent.tab();
    await waitFor(() => expect(shown()).toEqual([SHORT, LETTERS]));
  });

  test.each(["before", "after"])(
    "the validation of a text field does not run while typing %s the first submit",
    async (when) => {
      if (when === "after") {
        await userEvent.click(screen.getByRole("button", { name: "Save" }));
        await screen.findByText(SHORT);
      }
      const before = shown();
      await userEvent.type(name(), "1");
      await userEvent.type(name(), "2");
      await new Promise((resolve) => setTimeout(resolve)); // the rules run without waiting for anything but promises
      expect(shown()).toEqual(before);
      await userEvent.tab();
      await waitFor(() => expect(shown()).toEqual([LETTERS]));
    },
  );
});

test("a form validates a select on change", async () => {
  await chooseOption(screen.getByRole("combobox", { name: "Colour" }), "None");
  await screen.findByText(CHOOSE);
});

test("a form validates a checkbox on change", async () => {
  await userEvent.click(screen.getByRole("checkbox", { name: "Agreed" }));
  await screen.findByText(AGREE);
  await userEvent.click(screen.getByRole("checkbox", { name: "Agreed" }));
  await waitFor(() => expect(shown()).toEqual([]));
});
