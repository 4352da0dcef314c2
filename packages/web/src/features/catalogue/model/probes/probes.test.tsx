import { cleanup, render, screen, within } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import type { Probe } from "#/entities/models/probes/probe-labels.ts";
import { Probes } from "./probes.tsx";

afterEach(cleanup);

const SPEED: Probe = {
  ability: "speed",
  result: "yes",
  reason: null,
  kind: "server",
  name: "This server",
  provider: null,
  hosted: "here",
  prompt_tokens: 40,
  first_token_ms: 210,
  tokens_per_second: 42.5,
  duration_ms: 1730,
  checked_at: new Date(Date.now() - 2 * 60 * 60 * 1000),
};
const rowOf = (name: string) => within(screen.getByRole("row", { name: new RegExp(name) }));

test("each result is a row, with its figure or its reason", () => {
  render(
    <Probes
      probes={[
        SPEED,
        { ...SPEED, ability: "tools" },
        { ...SPEED, ability: "vision", result: "no", reason: "It named another colour." },
        { ...SPEED, ability: "json_schema", result: "unclear", reason: "Its answer was empty." },
        { ...SPEED, ability: "context", prompt_tokens: 16_384 },
      ]}
    />,
  );
  expect(rowOf("Speed").getByText("42.5 tokens/s")).toBeTruthy();
  expect(rowOf("Speed").getByText("first token after 210 ms")).toBeTruthy();
  expect(rowOf("Calls tools").getByText("yes")).toBeTruthy();
  expect(rowOf("Sees pictures").getByText("no")).toBeTruthy();
  expect(rowOf("Sees pictures").getByText("It named another colour.")).toBeTruthy();
  expect(rowOf("Follows a JSON schema").getByText("unclear")).toBeTruthy();
  expect(rowOf("Finds a number").getByText("yes, of 16,384 tokens")).toBeTruthy();
  expect(screen.getByText("2 hours ago")).toBeTruthy();
});

test("each place has a table, and two backends of one provider have two", () => {
  const provider = { ...SPEED, kind: "provider", name: "Mistral", provider: "mistral", hosted: "elsewhere" } as const;
  render(
    <Probes
      probes={[SPEED, { ...provider, backend: "one" }, { ...provider, backend: "two", tokens_per_second: null }]}
    />,
  );
  expect(screen.getAllByRole("table")).toHaveLength(3);
  expect(screen.getByText("two")).toBeTruthy();
});

test("a model that was never asked has no such section", () => {
  expect(render(<Probes probes={[]} />).container.textContent).toBe("");
});
