import { cleanup, screen, within } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { catalogueModel } from "#/testing/chat.ts";
import { renderPage } from "#/testing/page.tsx";
import { Capabilities } from "./capabilities.tsx";

afterEach(cleanup);

const { features } = catalogueModel("acme/one");
const HELD = "Answers held to a JSON schema";

test.each([
  [true, "yes"],
  [false, "unknown"],
])("whether answers are held to a schema is never denied, only confirmed: %s is %s", (json_mode, shown) => {
  const model = catalogueModel("acme/one", { features: { ...features, json_mode } });
  renderPage(<Capabilities model={model} />, "/", "/", []);
  expect(within(screen.getByRole("row", { name: new RegExp(HELD) })).getByText(shown)).toBeTruthy();
});
